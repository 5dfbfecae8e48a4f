import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Publisher } from './publisher.ts';
import { recordInstallation } from './tree.ts';

/**
 * Makes an rpm package of a tree for Linux (tree.ts), and returns its name. Needs rpmbuild and patchelf.
 *
 * @param time Seconds since 1970 that all files get.
 */
export async function makeRpm(directory: string, tree: string, arch: string, publisher: Publisher, time: number): Promise<string> {
  const { name, version } = publisher;
  const work = join(dirname(tree), `${basename(tree)}-rpm`);
  const usr = join(work, 'tree/usr');
  await mkdir(dirname(usr), { recursive: true });
  await cp(tree, usr, { recursive: true });
  // The distribution’s own packages bring the libraries: rpm reads their names from the executable.
  await rm(join(usr, 'lib/svc'), { recursive: true });
  execFileSync('patchelf', ['--remove-rpath', join(usr, 'bin/svc')]);
  await recordInstallation(usr, 'rpm');
  await rm(join(usr, 'share/svc'), { recursive: true });
  const doc = join(usr, 'share/doc', name);
  await rename(join(usr, 'share/doc/svc'), doc);
  await mkdir(join(usr, 'share/licenses', name), { recursive: true });
  for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.txt']) await rename(join(doc, file), join(usr, 'share/licenses', name, file));
  for (const page of await readdir(join(usr, 'share/man/man1'))) execFileSync('gzip', ['-n9', join(usr, 'share/man/man1', page)]);
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', usr]);
  await writeFile(join(work, 'svc.spec'), specOf(publisher, join(work, 'tree'), time));
  const define = (text: string) => ['--define', text];
  const options = [
    ...define(`_topdir ${work}/build`),
    ...define(`_rpmdir ${work}/made`),
    ...define('_buildhost localhost'),
    ...define('use_source_date_epoch_as_buildtime 1'),
    ...define('clamp_mtime_to_source_date_epoch 1'),
    ...define('_binary_payload w6.gzdio'),
    ...define('_build_id_links none'),
    // The executable stays as it was built.
    ...define('__os_install_post %{nil}'),
    ...define('debug_package %{nil}'),
  ];
  execFileSync('rpmbuild', ['--quiet', '-bb', '--target', `${arch}-linux`, ...options, join(work, 'svc.spec')], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const file = `${name}-${version}-1.${arch}.rpm`;
  await cp(join(work, 'made', arch, file), join(directory, file));
  return file;
}

function specOf({ name, version, license, author, homepage }: Publisher, tree: string, time: number): string {
  const [weekday, day, month, year] = new Date(time * 1000).toUTCString().replace(',', '').split(' ');
  return `Name: ${name}
Version: ${version}
Release: 1
Summary: Command line for project work, time tracking and billing
License: ${license}
URL: ${homepage}
Group: Applications/Productivity
Packager: ${author.name} <${author.email}>
Recommends: libsecret

%description
svc is the command line of a multi-tenant REST service for project work,
time tracking, billing, leave and planning. The package contains Node, so
it needs no other runtime.

%install
cp -a ${tree}/. %{buildroot}

%files
%license /usr/share/licenses/${name}
%doc /usr/share/doc/${name}
/usr/bin/svc
%dir /usr/lib/svc
/usr/lib/svc/installed-by
/usr/share/man/man1/svc*.1.gz
/usr/share/bash-completion/completions/svc
/usr/share/zsh/site-functions/_svc
/usr/share/fish/vendor_completions.d/svc.fish

%changelog
* ${weekday} ${month} ${day} ${year} ${author.name} <${author.email}> - ${version}-1
- Release ${version}. The changes are in CHANGELOG.md.
`;
}
