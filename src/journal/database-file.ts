import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { noPlainFile } from '../errors.ts';
import { isBusy } from './journal-error.ts';

/**
 * SQLite itself would follow the umask; its companion files (`-wal`, `-shm`) get the same mode. svc does not open an existing file for
 * this. The first close of any handle ends all locks that the process holds on the file (POSIX). SQLite's are among them.
 *
 * @throws SvcError for a symbolic link, which SQLite would follow, and for anything but a regular file.
 */
export function makeOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const found = lstatSync(path);
    if (!found.isFile()) throw noPlainFile(path);
    // On Windows the bits mean nothing, and this does nothing.
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

/** An exclusive transaction on an empty SQLite database. The operating system ends it when its holder dies, kill -9 included. */
export function tryLock(Database: typeof DatabaseSync, path: string): DatabaseSync | undefined {
  makeOwnerOnly(path);
  const database = new Database(path);
  try {
    // svc never commits to this database. A journal beside it would change the directory, which the journal's next flush then has to write.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
