import { execFileSync } from 'node:child_process';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Options of GNU tar that make an archive depend only on the content of the files, and on `time` (seconds since 1970). */
export function tarOptions(time: number): readonly string[] {
  return ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', `--mtime=@${time}`, '--format=gnu'];
}

/** Packs the directory `name` of `parent` as a .tar.gz file. */
export function packTar(file: string, parent: string, name: string, time: number): void {
  execFileSync('tar', [...tarOptions(time), '-I', 'gzip -n6', '-cf', file, '-C', parent, name]);
}

/** Packs the directory `name` of `parent` as a .zip file. Needs the program zip. */
export async function packZip(file: string, parent: string, name: string, time: number): Promise<void> {
  const files = (await readdir(join(parent, name), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const path of paths) await utimes(path, time, time);
  await rm(file, { force: true });
  execFileSync('zip', ['-X', '-q', '-D', '-@', file], {
    cwd: parent,
    // A zip file has local times without a zone.
    env: { ...process.env, TZ: 'UTC' },
    input: paths.map((path) => path.slice(parent.length + 1)).join('\n'),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}
