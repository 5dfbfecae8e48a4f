import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/**
 * Makes sure that a database is there and that nobody but its owner reads it: SQLite itself would make it as the umask says.
 * What SQLite puts beside it (`-wal`, `-shm`) gets the same mode.
 *
 * A file that is there is not opened for this: the first close of any handle to a file ends all locks that the process holds
 * on it (POSIX), and SQLite's are among them. For the same reason nothing happens between opening a new one and closing it.
 */
export function makeOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    // On Windows the bits say nothing, and this does nothing.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}
