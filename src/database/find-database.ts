import { statSync } from 'node:fs';
import { DatabaseError } from './database-error.ts';
import { openForReading } from './open-for-reading.ts';

/**
 * Returns true if a local database exists at a path. svc opens the file only for reading, so other programs’ files stay unchanged.
 *
 * @throws DatabaseError for a directory, for a file of another program, and for a file that svc can’t read.
 */
export async function findDatabase(path: string): Promise<boolean> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isFile()) throw new DatabaseError('no-mirror', path);
  const { DatabaseSync: Database } = await import('node:sqlite');
  let names: unknown[];
  try {
    const database = openForReading(Database, path);
    try {
      names = database
        .prepare('SELECT name FROM sqlite_master')
        .all()
        .map(({ name }) => name);
    } finally {
      database.close();
    }
  } catch (error) {
    throw new DatabaseError(isNoDatabase(error) ? 'no-mirror' : 'unusable', path, error);
  }
  // If svc ended before creating a table, the file has no tables.
  if (names.length > 0 && !names.includes('svc_mirror')) throw new DatabaseError('no-mirror', path);
  return true;
}

/** Returns true for SQLITE_NOTADB (sqlite.org/rescode.html). Other errors, such as a full disk, do not show the kind of the file. */
function isNoDatabase(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 26;
}
