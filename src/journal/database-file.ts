import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { noPlainFile } from '../errors.ts';
import { isBusy } from './journal-error.ts';

/**
 * Creates a file of svc with mode 0600, or restricts the mode of an existing file. SQLite itself would follow the umask. The companion
 * files of SQLite (`-wal`, `-shm`) get the mode of the database. svc changes the mode of an existing file without opening the file. Closing
 * a handle would release all locks of the process on the file (POSIX), including SQLite’s locks.
 * @throws SvcError for a symbolic link, and for anything except a regular file.
 */
export function makeOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const found = lstatSync(path);
    if (!found.isFile()) throw noPlainFile(path);
    // On Windows, mode bits have no meaning, and this call has no effect.
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

/**
 * Takes a lock: an exclusive transaction on an empty SQLite database. The operating system releases the lock when the process ends, even
 * after kill -9. Undefined if another process has the lock.
 */
export function tryLock(Database: typeof DatabaseSync, path: string): DatabaseSync | undefined {
  makeOwnerOnly(path);
  const database = new Database(path);
  try {
    // svc never commits to this database, so the database needs no rollback journal on disk. Such a journal would change the directory, and
    // the next flush would have to write the directory.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
