import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Publisher } from './publisher.ts';
import { recordInstallation } from './tree.ts';

/** The libraries that Node needs, with the versions whose symbols it has. svc reads the keychain with the recommended one. */
const DEPENDS = 'libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 7)';
const RECOMMENDS = 'libsecret-1-0';

/**
 * Rules of Debian’s archive that do not apply: a first upload closes a bug, and an executable uses Debian’s libraries and is position
 * independent. The executable is Node as its project builds it.
 */
const OVERRIDES = ['initial-upload-closes-no-bugs', 'embedded-library', 'hardening-no-pie'];

/**
 * Makes a Debian package of a tree for Linux (tree.ts), and returns its name. Needs dpkg-deb and patchelf.
 *
 * @param time Seconds since 1970 that all files get.
 */
export async function makeDeb(directory: string, tree: string, arch: string, publisher: Publisher, time: number): Promise<string> {
  const { name, version, author } = publisher;
  const root = join(dirname(tree), `${basename(tree)}-deb`);
  const usr = join(root, 'usr');
  await mkdir(join(root, 'DEBIAN'), { recursive: true });
  await cp(tree, usr, { recursive: true });
  // Debian’s own packages bring the libraries.
  await rm(join(usr, 'lib/svc'), { recursive: true });
  execFileSync('patchelf', ['--remove-rpath', join(usr, 'bin/svc')]);
  await recordInstallation(usr, 'deb');
  await rename(join(usr, 'share/zsh/site-functions'), join(usr, 'share/zsh/vendor-completions'));
  await rm(join(usr, 'share/svc'), { recursive: true });
  const doc = join(usr, 'share/doc', name);
  await rename(join(usr, 'share/doc/svc'), doc);
  await rename(join(doc, 'LICENSE'), join(doc, 'copyright'));
  await rename(join(doc, 'CHANGELOG.md'), join(doc, 'changelog'));
  const day = new Date(time * 1000).toUTCString().replace('GMT', '+0000');
  const entry = `${name} (${version}-1) stable; urgency=medium\n\n  * Release ${version}. The changes are in the file changelog.gz.\n\n -- ${author.name} <${author.email}>  ${day}\n`;
  await writeFile(join(doc, 'changelog.Debian'), entry);
  for (const file of ['changelog', 'changelog.Debian', 'THIRD-PARTY-NOTICES.txt']) zipped(join(doc, file));
  for (const page of await readdir(join(usr, 'share/man/man1'))) zipped(join(usr, 'share/man/man1', page));
  const overrides = join(usr, 'share/lintian/overrides', name);
  await mkdir(dirname(overrides), { recursive: true });
  await writeFile(overrides, OVERRIDES.map((tag) => `${name}: ${tag}\n`).join(''));

  const files = (await readdir(usr, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(root.length + 1))
    .sort();
  await writeFile(join(root, 'DEBIAN/md5sums'), execFileSync('md5sum', files, { cwd: root }));
  let size = 0;
  for (const file of files) size += Math.ceil((await stat(join(root, file))).size / 1024);
  await writeFile(join(root, 'DEBIAN/control'), controlOf(publisher, arch, size));
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', root]);
  const file = `${name}_${version}-1_${arch}.deb`;
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zgzip', '-z6', root, join(directory, file)], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return file;
}

function controlOf({ name, version, author, homepage }: Publisher, arch: string, size: number): string {
  return `Package: ${name}
Version: ${version}-1
Architecture: ${arch}
Maintainer: ${author.name} <${author.email}>
Installed-Size: ${size}
Depends: ${DEPENDS}
Recommends: ${RECOMMENDS}
Section: utils
Priority: optional
Homepage: ${homepage}
Description: command line for project work, time tracking and billing
 svc is the command line of a multi-tenant REST service for project work,
 time tracking, billing, leave and planning. The package contains Node, so
 it needs no other runtime.
`;
}

function zipped(file: string): void {
  execFileSync('gzip', ['-n9', file]);
}
