/**
 * Builds svc as an executable for people without Node. The executable is Node itself, with the bundle, keytar and its native addon inside.
 * Writes `bin/svc` and the notices to dist-standalone or the given directory. On Linux, `lib/svc` gets the libraries that Node needs in
 * addition to libc. The executable uses them if the system lacks them. Needs Node 26 (`node --build-sea`). On Linux also needs the packages
 * binutils and patchelf, on Debian or Ubuntu.
 *
 * `SVC_NODE` sets the Node binary of another platform, and `SVC_TARGET` the platform of the addon, such as `darwin-arm64`.
 * docs/contributing/performance.md describes what else such an executable needs.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { bundle } from './bundle.ts';
import { addLibraries, strippedNode } from './standalone/libraries.ts';

const [directory = 'dist-standalone'] = process.argv.slice(2);
const { SVC_NODE: node = process.execPath, SVC_TARGET: target = `${process.platform}-${process.arch}` } = process.env;

/** For another platform, this script can only add the bundle. */
const isLinuxHere = target === `${process.platform}-${process.arch}` && process.platform === 'linux';

const keytar = dirname(createRequire(import.meta.url).resolve('keytar/package.json'));
const work = await mkdtemp(join(tmpdir(), 'svc-standalone-'));
try {
  await bundle(work, 'src/launch/standalone.ts');
  const files = (await readdir(work, { recursive: true })).filter((name) => /\.cjs(\.map)?$/.test(name) && name !== 'start.cjs');
  const output = resolve(directory, 'bin', target.startsWith('win32') ? 'svc.exe' : 'svc');
  const settings = {
    main: join(work, 'start.cjs'),
    mainFormat: 'commonjs',
    executable: isLinuxHere ? await strippedNode(node, join(work, 'node')) : node,
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
  const notices = [
    await readFile(join(work, 'THIRD-PARTY-NOTICES.txt'), 'utf8'),
    await readFile(new URL('licenses/node.txt', import.meta.url), 'utf8'),
    `keytar\n\n${await readFile(join(keytar, 'LICENSE.md'), 'utf8')}`,
  ];
  if (isLinuxHere) notices.push(await addLibraries(output));
  await writeFile(resolve(directory, 'THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'='.repeat(80)}\n\n`));
  console.log(`${output}: ${Math.round((await stat(output)).size / 1e6)} MB`);
} finally {
  await rm(work, { recursive: true, force: true });
}
