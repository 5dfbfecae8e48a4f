import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MirrorError } from '../../mirror/mirror-error.ts';
import { withDirectoryLock } from '../export/directory-lock.ts';

/**
 * Removes a local database in a file, with the files of SQLite and of a sync beside it. It holds the lock of a sync. A running sync would
 * otherwise write into a file without a name, and report success.
 *
 * @param pid The process that others see as the owner of the lock.
 * @returns false if there is none.
 * @throws TakenError while another svc syncs; MirrorError if the system does not release the file.
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

/** Removes the files that a stopped sync had read for databases. They lie beside the account's own local database. @param path Its path. */
export async function removePieces(path: string): Promise<void> {
  const begin = `${basename(path, '.sqlite')}-`;
  for (const name of await readdir(dirname(path)).catch(() => []))
    if (name.startsWith(begin) && /^[0-9a-f]{16}\.sync$/.test(name.slice(begin.length)))
      await rm(join(dirname(path), name), { recursive: true, force: true });
}
