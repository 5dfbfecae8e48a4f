/**
 * Builds svc as one executable for this platform (or into the directory given), for people without Node: Node itself, with
 * the bundle, keytar and its native addon inside. Needs Node 26 (`node --build-sea`).
 *
 * Node's binary is this one, or that of `SVC_NODE` for another platform, whose addon is taken with `SVC_TARGET`, such as
 * `darwin-arm64`; docs/performance.md has what else such an executable needs.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { bundle } from './bundle.ts';

const [directory = 'dist-standalone'] = process.argv.slice(2);
const { SVC_NODE: node = process.execPath, SVC_TARGET: target = `${process.platform}-${process.arch}` } = process.env;

const keytar = dirname(createRequire(import.meta.url).resolve('keytar/package.json'));
const work = await mkdtemp(join(tmpdir(), 'svc-standalone-'));
try {
  await bundle(work, 'src/launch/standalone.ts');
  const files = (await readdir(work, { recursive: true })).filter((name) => /\.cjs(\.map)?$/.test(name) && name !== 'start.cjs');
  const output = resolve(directory, target.startsWith('win32') ? 'svc.exe' : 'svc');
  const settings = {
    main: join(work, 'start.cjs'),
    mainFormat: 'commonjs',
    executable: node,
    output,
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
    assets: {
      ...Object.fromEntries(files.map((name) => [name.replaceAll('\\', '/'), join(work, name)])),
      'keytar.js': join(keytar, 'lib', 'keytar.js'),
      'keytar.node': join(keytar, 'prebuilds', target, 'keytar.node'),
    },
  };
  await mkdir(dirname(output), { recursive: true });
  await writeFile(join(work, 'sea.json'), JSON.stringify(settings));
  execFileSync(process.execPath, ['--build-sea', join(work, 'sea.json')], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`${output}: ${Math.round((await stat(output)).size / 1e6)} MB`);
} finally {
  await rm(work, { recursive: true, force: true });
}
