#!/usr/bin/env node
// Kept to what old versions of Node can parse, so that they get the line below and not a syntax error; and CommonJS,
// which starts sooner than an ES module.
'use strict';

var needed = [22, 19];
var parts = process.versions.node.split('.').map(Number);
if (parts[0] < needed[0] || (parts[0] === needed[0] && parts[1] < needed[1])) {
  process.stderr.write('svc needs Node ' + needed.join('.') + ' or newer; this is ' + process.versions.node + '. See https://nodejs.org\n');
  process.exitCode = 1;
} else if (typeof Intl === 'undefined') {
  process.stderr.write('svc needs a Node with ICU, as those from https://nodejs.org are; this one was built without it.\n');
  process.exitCode = 1;
} else if (!answeredWithVersion()) {
  start();
}

/** What fails while svc runs, svc itself tells of; here only what keeps it from starting. */
function start() {
  try {
    require('../dist/start.cjs');
  } catch (error) {
    process.stderr.write('svc: This installation is damaged: ' + String(error).split('\n')[0] + '\n');
    process.stderr.write('  Install svc again; in a copy of its source, run: npm run build\n');
    process.exitCode = 1;
  }
}

/** `svc --version` needs nothing of svc but its name. */
function answeredWithVersion() {
  var word = process.argv[2];
  if (process.argv.length !== 3 || (word !== '--version' && word !== '-V')) return false;
  try {
    require('node:fs').writeSync(1, 'svc ' + require('../package.json').version + '\n');
    return true;
  } catch (_) {
    // A pipe that is full or closed: the long way knows what to do.
    return false;
  }
}
