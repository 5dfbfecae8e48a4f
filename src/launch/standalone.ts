/**
 * The main script of the standalone executable. The executable contains the bundle, keytar and keytar’s native addon as assets
 * (scripts/build-standalone.ts).
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { getRawAsset } from 'node:sea';
import { compileFunction } from 'node:vm';
import { codeDirectory, launch } from './launch.ts';
import { loadAddon } from './own-directory.ts';

// Without /proc, `process.execPath` is the name that started svc, which can be a relative path.
const nodeRequire = createRequire(resolve(process.execPath));

launch('main.cjs', {
  read: (file) => asset(file.replaceAll('\\', '/')).toString('latin1'),
  outside: (id) => (id === 'keytar' ? keytar() : nodeRequire(id)),
});

function asset(name: string): Buffer {
  return Buffer.from(getRawAsset(name));
}

function keytar(): unknown {
  const module: { exports: unknown } = { exports: {} };
  const cache = codeDirectory(process.env, process.platform);
  const addon = () => loadAddon('keytar.node', asset('keytar.node'), cache && join(cache, '..', 'addon'));
  compileFunction(asset('keytar.js').toString(), ['module', 'exports', 'require'])(module, module.exports, addon);
  return module.exports;
}
