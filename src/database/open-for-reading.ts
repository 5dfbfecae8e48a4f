import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * Opens a database only for reading. In a read-only directory, SQLite can’t create its two other files. No process can then write to the
 * database, so svc opens the file as immutable.
 *
 * @throws the error of SQLite, also if unread changes are in the `-wal` file.
 */
export function openForReading(Database: typeof DatabaseSync, path: string): DatabaseSync {
  try {
    return opened(Database, path);
  } catch (error) {
    const waiting = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (!isUnopenable(error) || waiting > 0) throw error;
    const url = pathToFileURL(path);
    url.searchParams.set('immutable', '1');
    return opened(Database, url);
  }
}

function opened(Database: typeof DatabaseSync, from: string | URL): DatabaseSync {
  const database = new Database(from, { readOnly: true, timeout: 5_000 });
  try {
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Returns true for SQLITE_CANTOPEN and SQLITE_READONLY (sqlite.org/rescode.html), including their extended codes. */
function isUnopenable(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 14 || code === 8;
}
