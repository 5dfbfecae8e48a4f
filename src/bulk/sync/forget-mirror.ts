import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MirrorError } from '../../mirror/mirror-error.ts';
import { withDirectoryLock } from '../export/directory-lock.ts';

/**
 * Removes a mirror in a file, with what SQLite and a sync keep beside it. Under the lock of a sync: one that is under way would go on writing into
 * a file that has no name any more, and say that all is well.
 *
 * @param pid What others are told of this svc.
 * @returns false where there is none.
 * @throws TakenError while another svc syncs; MirrorError where the system does not let go of it.
 */
export async function forgetMirror(path: string, pid: number): Promise<boolean> {
  const directory = `${path}.sync`;
  if (!existsSync(path) && !existsSync(directory)) return false;
  const remove = async () => {
    for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
  };
  const unusable = (error: unknown) => {
    throw new MirrorError('unusable', path, error);
  };
  await withDirectoryLock(directory, pid, () => remove().catch(unusable), { does: `writes into ${path}`, instead: 'end it' });
  await rm(directory, { recursive: true, force: true }).catch(unusable);
  return true;
}

/** Removes what a sync that was ended had read for databases; it lies beside the account's own mirror. @param path of that mirror. */
export async function removePieces(path: string): Promise<void> {
  const begin = `${basename(path, '.sqlite')}-`;
  for (const name of await readdir(dirname(path)).catch(() => []))
    if (name.startsWith(begin) && /^[0-9a-f]{16}\.sync$/.test(name.slice(begin.length)))
      await rm(join(dirname(path), name), { recursive: true, force: true });
}
