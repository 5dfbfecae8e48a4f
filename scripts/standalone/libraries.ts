/**
 * What Node's own executable needs of a Linux besides its libc: libstdc++, libgcc_s and, since Node 25, libatomic. Images made of a libc and
 * little else lack some of them, so they go beside the executable, to be used where the system has none.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Where the system's own are looked for before those beside the executable: they fit its libc, and are kept up to date. */
const TRIPLETS: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** Debian's package `libc6` and the loader: what an image has that has anything. */
const LIBC = /^(ld-linux|lib(c|m|dl|rt|pthread|resolv|util)\.so)/;

/** A copy of Node's executable without its debugging symbols, a fifth of it. Before anything is put into it. */
export async function strippedNode(node: string, copy: string): Promise<string> {
  await copyFile(node, copy);
  run('strip', '--strip-all', copy);
  return copy;
}

/**
 * Puts the libraries that an executable `<place>/bin/<name>` needs into `<place>/lib/svc`, and has it look there last.
 *
 * @returns Notices of the packages that they come from.
 * @throws Error when a library comes from no Debian package: then nobody knows its licence.
 */
export async function addLibraries(executable: string): Promise<string> {
  const place = dirname(dirname(executable));
  const directory = join(place, 'lib', 'svc');
  await mkdir(directory, { recursive: true });
  const notices = new Map<string, string>();
  for (const [, name = '', path = ''] of run('ldd', executable).matchAll(/^\s*(\S+) => (\/\S+)/gm)) {
    if (LIBC.test(name)) continue;
    await copyFile(path, join(directory, name));
    // Debian 12 has /lib as a link to /usr/lib, and remembers either.
    const owner = run('dpkg-query', '--search', `*/${basename(await realpath(path))}`).split(':', 1)[0] ?? '';
    const [source, version] = run('dpkg-query', '--show', '--showformat', '$' + '{source:Package} $' + '{source:Version}', owner).split(
      ' ',
    );
    notices.set(`${source} ${version}`, await readFile(`/usr/share/doc/${owner}/copyright`, 'utf8'));
  }
  const triplet = TRIPLETS[process.arch] ?? '';
  const path = [`/lib/${triplet}`, `/usr/lib/${triplet}`, '/lib64', '/usr/lib64', '$ORIGIN/../lib/svc'].join(':');
  // After Node has been filled: what puts the bundle in takes a path that was added before for a part of other names.
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
