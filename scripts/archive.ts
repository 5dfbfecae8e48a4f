/**
 * Packs the standalone executable with its man pages and completions, in the layout of /usr/local. After unpacking there, man and the
 * completions of bash, zsh and fish work. Writes svc-<version>-<platform>-<arch>.tar.gz to the given directory (default: dist-archive).
 * Needs Node 26 and tar.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SVC_VERSION } from '../src/version.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = process.env['SVC_TARGET'] ?? `${process.platform}-${process.arch}`;
const name = `svc-${SVC_VERSION}-${target}`;
const directory = resolve(process.argv[2] ?? 'dist-archive');

const work = await mkdtemp(join(tmpdir(), 'svc-archive-'));
try {
  const place = join(work, name);
  run('scripts/build-standalone.ts', place);
  await mkdir(join(place, 'share/doc/svc'), { recursive: true });
  await rename(join(place, 'THIRD-PARTY-NOTICES.txt'), join(place, 'share/doc/svc/THIRD-PARTY-NOTICES.txt'));
  run('scripts/man.ts', join(place, 'share/man/man1'));
  run('scripts/completions.ts', '--check');
  for (const [from, to] of [
    ['completions/svc.bash', 'share/bash-completion/completions/svc'],
    ['completions/_svc', 'share/zsh/site-functions/_svc'],
    ['completions/svc.fish', 'share/fish/vendor_completions.d/svc.fish'],
    ['completions/svc.ps1', 'share/svc/svc.ps1'],
    ['README.md', 'share/doc/svc/README.md'],
    ['CHANGELOG.md', 'share/doc/svc/CHANGELOG.md'],
    ['LICENSE', 'share/doc/svc/LICENSE'],
  ] as const) {
    await mkdir(dirname(join(place, to)), { recursive: true });
    await copyFile(join(root, from), join(place, to));
  }
  await mkdir(directory, { recursive: true });
  const archive = join(directory, `${name}.tar.gz`);
  execFileSync('tar', ['-czf', archive, '-C', work, name]);
  console.log(archive);
} finally {
  await rm(work, { recursive: true, force: true });
}

function run(script: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
