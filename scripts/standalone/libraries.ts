/**
 * Copies the Linux libraries that Node needs in addition to libc: libstdc++, libgcc_s and, since Node 25, libatomic. Small container images
 * lack some of these. The libraries lie next to the executable, which uses them if the system has none.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The name of each architecture in the paths of Debian. */
const TRIPLETS: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** Matches the libraries of Debian’s package `libc6` and the loader, which every image has. */
const LIBC = /^(ld-linux|lib(c|m|dl|rt|pthread|resolv|util)\.so)/;

/**
 * Copies Node’s executable without debugging symbols, which are a fifth of its size. Call it before anything is added to the executable.
 *
 * @param arch The architecture of the executable, as Node names it.
 */
export async function strippedNode(node: string, copy: string, arch: string): Promise<string> {
  await copyFile(node, copy);
  run(arch === process.arch ? 'strip' : `${TRIPLETS[arch]}-strip`, '--strip-all', '--remove-section=.comment', copy);
  return copy;
}

/**
 * Copies the libraries that the executable `<place>/bin/<name>` needs to `<place>/lib/svc`. Adds this directory to the end of the
 * executable’s search path. The executable prefers the system’s libraries, because they fit its libc and get updates.
 *
 * @param arch The architecture of the executable, as Node names it.
 * @returns the licence notices of the libraries.
 * @throws Error if a library comes from no Debian package, because its licence is then unknown.
 */
export async function addLibraries(executable: string, arch: string): Promise<string> {
  const place = dirname(dirname(executable));
  const directory = join(place, 'lib', 'svc');
  await mkdir(directory, { recursive: true });
  const notices = new Map<string, string>();
  for (const [name, path] of await librariesOf(executable, arch)) {
    await copyFile(path, join(directory, name));
    const owner = ownerOf(path);
    const [source, version] = run('dpkg-query', '--show', '--showformat', '$' + '{source:Package} $' + '{source:Version}', owner).split(
      ' ',
    );
    notices.set(`${source} ${version}`, await readFile(`/usr/share/doc/${owner}/copyright`, 'utf8'));
  }
  const triplet = TRIPLETS[arch] ?? '';
  const path = [`/lib/${triplet}`, `/usr/lib/${triplet}`, '/lib64', '/usr/lib64', '$ORIGIN/../lib/svc'].join(':');
  // patchelf must run after the bundle was added, because the tool that adds the bundle misreads a search path.
  run('patchelf', '--set-rpath', path, executable);
  return [...notices].map(([name, copyright]) => `${name}, a source package of Debian, unchanged\n\n${copyright.trim()}\n`).join('\n');
}

/** Returns the libraries that a file and its libraries need, by name, with their real paths. */
async function librariesOf(file: string, arch: string, found = new Map<string, string>()): Promise<ReadonlyMap<string, string>> {
  const triplet = TRIPLETS[arch] ?? '';
  const directories = arch === process.arch ? [`/usr/lib/${triplet}`, `/lib/${triplet}`] : [`/usr/${triplet}/lib`];
  for (const [, name = ''] of run('readelf', '--dynamic', file).matchAll(/\(NEEDED\).*\[(.+)\]/g)) {
    if (LIBC.test(name) || found.has(name)) continue;
    const path = directories.map((directory) => join(directory, name)).find((one) => existsSync(one));
    if (path === undefined) throw new Error(`${name} for ${arch} is missing in ${directories.join(' and ')}. Install its package.`);
    const real = await realpath(path);
    found.set(name, real);
    await librariesOf(real, arch, found);
  }
  return found;
}

/** Returns the Debian package of a file. In Debian 12, /lib is a link to /usr/lib, and packages list either path. */
function ownerOf(path: string): string {
  const paths = [path, path.replace(/^\/usr(?=\/lib\/)/, '')];
  const { stdout } = spawnSync('dpkg-query', ['--search', ...paths], { encoding: 'utf8' });
  const [, owner] = /^([^:]+):/.exec(stdout ?? '') ?? [];
  if (owner === undefined) throw new Error(`No Debian package has ${path}, so its licence is unknown.`);
  return owner;
}

function run(command: string, ...args: readonly string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8' });
  } catch (cause) {
    throw new Error(`${command} failed; the executable needs the packages binutils and patchelf to be built.`, { cause });
  }
}
