#!/usr/bin/env node
// Kept to what old versions of Node can parse, so that they get the line below and not a syntax error.
import nodeModule from 'node:module';

var needed = [22, 19];
var parts = process.versions.node.split('.').map(Number);
if (parts[0] < needed[0] || (parts[0] === needed[0] && parts[1] < needed[1])) {
  process.stderr.write('svc needs Node ' + needed.join('.') + ' or newer; this is ' + process.versions.node + '. See https://nodejs.org\n');
  process.exitCode = 1;
} else {
  // V8's compiled code is kept between runs where the cache directory can be written; it fails silently elsewhere.
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();
  import('../dist/main.js');
}
