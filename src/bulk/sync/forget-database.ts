import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseError } from '../../database/database-error.ts';
import { withDirectoryLock } from '../export/directory-lock.ts';

/**
 * Removes the file of a local database, with the other files of SQLite and of a sync. The function takes the lock of a sync. A running sync
 * would otherwise write to a deleted file and report success.
 *
 * @param pid process id that svc shows to other processes as the owner of the lock.
 * @returns false if the local database does not exist.
 * @throws TakenError while another svc process syncs; DatabaseError if the system does not release the file.
 */
export async function forgetDatabase(path: string, pid: number): Promise<boolean> {
  const directory = `${path}.sync`;
  if (!existsSync(path) && !existsSync(directory)) return false;
  const remove = async () => {
    for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
  };
  const unusable = (error: unknown) => {
    throw new DatabaseError('unusable', path, error);
  };
  await withDirectoryLock(directory, pid, () => remove().catch(unusable), { does: `writes into ${path}`, instead: 'end that process' });
  await rm(directory, { recursive: true, force: true }).catch(unusable);
  return true;
}

/**
 * Removes the files of interrupted syncs into other databases. These files lie next to the account’s own local database.
 *
 * @param path path of the account’s own local database.
 */
export async function removePieces(path: string): Promise<void> {
  const begin = `${basename(path, '.sqlite')}-`;
  for (const name of await readdir(dirname(path)).catch(() => []))
    if (name.startsWith(begin) && /^[0-9a-f]{16}\.sync$/.test(name.slice(begin.length)))
      await rm(join(dirname(path), name), { recursive: true, force: true });
}
