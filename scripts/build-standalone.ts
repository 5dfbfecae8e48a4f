/**
 * Builds svc for people without Node: node scripts/build-standalone.ts [directory] [system]. The directory is dist-standalone if none is
 * given, and the system is this one (scripts/release/systems.ts). Writes `bin/svc`, its libraries and the notices.
 *
 * On Linux and Windows, `bin/svc` is Node itself, with the bundle, keytar and its native addon inside. On Linux, `lib/svc` gets the
 * libraries that Node needs in addition to libc. The executable uses them if the system lacks them. On macOS, a changed Node loses its
 * signature, and macOS does not run it. There, `bin/svc` is a script that runs the unchanged Node of `lib/svc`.
 *
 * Needs Node 26 (`node --build-sea`). For Linux it also needs the Debian packages binutils and patchelf. To build for arm64 on x64, it needs
 * binutils-aarch64-linux-gnu, libatomic1-arm64-cross, libstdc++6-arm64-cross and libgcc-s1-arm64-cross.
 */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { bundle } from './bundle.ts';
import { isSystemName, nodeOf, SYSTEMS } from './release/systems.ts';
import { addLibraries, strippedNode } from './standalone/libraries.ts';
import { executableParts } from './standalone/parts.ts';
import { unsignedNode } from './standalone/signature.ts';

const [directory = 'dist-standalone', system = `${process.platform}-${process.arch}`] = process.argv.slice(2);
if (!isSystemName(system)) throw new Error(`Give one of these systems: ${Object.keys(SYSTEMS).join(', ')}.`);
const [platform = '', arch = ''] = system.split('-');
const output = resolve(directory, 'bin', platform === 'win32' ? 'svc.exe' : 'svc');

const work = await mkdtemp(join(tmpdir(), 'svc-standalone-'));
try {
  const node = await nodeOf(system);
  await mkdir(dirname(output), { recursive: true });
  const notices = platform === 'darwin' ? await addNode(node) : await buildExecutable(node);
  notices.push(await readFile(new URL('licenses/node.txt', import.meta.url), 'utf8'));
  if (platform === 'linux') notices.push(await addLibraries(output, arch));
  await writeFile(resolve(directory, 'THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'='.repeat(80)}\n\n`));
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Writes the executable with the bundle inside. Returns the notices of its parts, without Node. */
async function buildExecutable(node: string): Promise<string[]> {
  const settings = {
    ...(await executableParts(work, system)),
    mainFormat: 'commonjs',
    executable: platform === 'linux' ? await strippedNode(node, join(work, 'node'), arch) : await unsignedNode(node, join(work, 'node')),
    output,
  };
  await writeFile(join(work, 'sea.json'), JSON.stringify(settings));
  execFileSync(process.execPath, ['--build-sea', 'sea.json'], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  return [await readFile(join(work, 'THIRD-PARTY-NOTICES.txt'), 'utf8')];
}

/** Writes the files of the npm package and Node to `lib/svc`, and the script that runs them to `bin/svc`. Returns the notices of the bundle. */
async function addNode(node: string): Promise<string[]> {
  const place = resolve(directory, 'lib/svc');
  await bundle(join(place, 'dist'));
  await cp('bin', join(place, 'bin'), { recursive: true });
  const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(await readFile('package.json', 'utf8'));
  await writeFile(join(place, 'package.json'), `${JSON.stringify({ name, version })}\n`);
  await copyFile(node, join(place, 'node'));
  await copyFile(new URL('standalone/svc.sh', import.meta.url), output);
  for (const file of [output, join(place, 'node')]) await chmod(file, 0o755);
  for (const other of await readdir(join(place, 'dist/keytar/prebuilds')))
    if (other !== system) await rm(join(place, 'dist/keytar/prebuilds', other), { recursive: true });
  return [await readFile(join(place, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')];
}
