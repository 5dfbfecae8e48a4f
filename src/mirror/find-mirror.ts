import { statSync } from 'node:fs';
import { MirrorError } from './mirror-error.ts';

/**
 * Whether there is a mirror at a path; false where there is nothing. It is only looked at, so that a file or a directory which svc did not make
 * stays as it was, whoever named it.
 *
 * @throws MirrorError for anything else that is there.
 */
export async function findMirror(path: string): Promise<boolean> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isFile()) throw new MirrorError('no-mirror', path);
  const { DatabaseSync: Database } = await import('node:sqlite');
  let names: unknown[];
  try {
    const database = new Database(path, { readOnly: true, timeout: 5_000 });
    try {
      names = database
        .prepare('SELECT name FROM sqlite_master')
        .all()
        .map(({ name }) => name);
    } finally {
      database.close();
    }
  } catch (error) {
    throw new MirrorError(isNoDatabase(error) ? 'no-mirror' : 'unusable', path, error);
  }
  // One without tables was begun, and svc ended before it had any.
  if (names.length > 0 && !names.includes('svc_mirror')) throw new MirrorError('no-mirror', path);
  return true;
}

/** SQLITE_NOTADB (sqlite.org/rescode.html). What else it may say, such as that there is no room, is not about what the file is. */
function isNoDatabase(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 26;
}
