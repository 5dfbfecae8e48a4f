/**
 * Copies the Linux libraries that Node needs in addition to libc: libstdc++, libgcc_s and, since Node 25, libatomic. Small container images
 * lack some of these. The libraries lie next to the executable, which uses them if the system has none.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * The directories of the system’s own libraries, by architecture. The executable prefers the system’s libraries, because they fit its libc
 * and get updates.
 */
const TRIPLETS: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** Matches the libraries of Debian’s package `libc6` and the loader, which every image has. */
const LIBC = /^(ld-linux|lib(c|m|dl|rt|pthread|resolv|util)\.so)/;

/**
 * Copies Node’s executable without debugging symbols, which are a fifth of its size. Call it before anything is added to the executable.
 */
export async function strippedNode(node: string, copy: string): Promise<string> {
  await copyFile(node, copy);
  run('strip', '--strip-all', copy);
  return copy;
}

/**
 * Copies the libraries that the executable `<place>/bin/<name>` needs to `<place>/lib/svc`. Adds this directory to the end of the
 * executable’s search path.
 *
 * @returns the licence notices of the libraries.
 * @throws Error if a library comes from no Debian package, because its licence is then unknown.
 */
export async function addLibraries(executable: string): Promise<string> {
  const place = dirname(dirname(executable));
  const directory = join(place, 'lib', 'svc');
  await mkdir(directory, { recursive: true });
  const notices = new Map<string, string>();
  for (const [, name = '', path = ''] of run('ldd', executable).matchAll(/^\s*(\S+) => (\/\S+)/gm)) {
    if (LIBC.test(name)) continue;
    await copyFile(path, join(directory, name));
    // In Debian 12, /lib is a link to /usr/lib, and packages may list either path.
    const owner = run('dpkg-query', '--search', `*/${basename(await realpath(path))}`).split(':', 1)[0] ?? '';
    const [source, version] = run('dpkg-query', '--show', '--showformat', '$' + '{source:Package} $' + '{source:Version}', owner).split(
      ' ',
    );
    notices.set(`${source} ${version}`, await readFile(`/usr/share/doc/${owner}/copyright`, 'utf8'));
  }
  const triplet = TRIPLETS[process.arch] ?? '';
  const path = [`/lib/${triplet}`, `/usr/lib/${triplet}`, '/lib64', '/usr/lib64', '$ORIGIN/../lib/svc'].join(':');
  // patchelf must run after the bundle was added, because the tool that adds the bundle misreads a search path.
  run('patchelf', '--set-rpath', path, executable);
  return [...notices].map(([name, copyright]) => `${name}, a source package of Debian, unchanged\n\n${copyright.trim()}\n`).join('\n');
}

function run(command: string, ...args: readonly string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8' });
  } catch (cause) {
    throw new Error(`${command} failed; the executable needs the packages binutils and patchelf to be built.`, { cause });
  }
}
