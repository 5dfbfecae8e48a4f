import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs';
import { noPlainFile } from '../errors.ts';

/**
 * Makes sure that a database is there and that nobody but its owner reads it: SQLite itself would make it as the umask says.
 * What SQLite puts beside it (`-wal`, `-shm`) gets the same mode.
 *
 * A file that is there is not opened for this: the first close of any handle to a file ends all locks that the process holds
 * on it (POSIX), and SQLite's are among them. For the same reason nothing happens between opening a new one and closing it.
 *
 * @throws SvcError for a symbolic link, which SQLite would follow, and for what is no regular file.
 */
export function makeOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const found = lstatSync(path);
    if (!found.isFile()) throw noPlainFile(path);
    // On Windows the bits say nothing, and this does nothing.
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}
