import type { DatabaseSync } from 'node:sqlite';
import type { Whose } from './mirror.ts';
import { MirrorError } from './mirror-error.ts';

/** Of the file: what an older or newer svc made in another form is not read. */
export const FORM = 1;

/**
 * The tables that svc keeps for itself: `svc_mirror` (whose it is), `svc_tables` (when each table was true, and how that is known) and
 * `svc_kept`.
 *
 * @throws MirrorError for another form, or another's mirror.
 */
export function makeOwnTables(database: DatabaseSync, path: string, { host, user }: Whose): void {
  const form = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (form > FORM) throw new MirrorError('newer', path);
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(`
      CREATE TABLE IF NOT EXISTS svc_mirror (host TEXT NOT NULL, user_id INTEGER);
      CREATE TABLE IF NOT EXISTS svc_tables (
        noun TEXT PRIMARY KEY, "table" TEXT NOT NULL UNIQUE, path TEXT NOT NULL,
        as_of TEXT NOT NULL, whole_at TEXT NOT NULL, known_by TEXT NOT NULL, rows INTEGER NOT NULL
      );
      CREATE TABLE IF NOT EXISTS svc_kept (name TEXT PRIMARY KEY, text TEXT NOT NULL);
      PRAGMA user_version = ${FORM};
    `);
    const whose = database.prepare('SELECT host, user_id FROM svc_mirror').get();
    if (whose === undefined) database.prepare('INSERT INTO svc_mirror VALUES (?, ?)').run(host, user ?? null);
    else if (whose['host'] !== host || (user !== undefined && whose['user_id'] !== null && whose['user_id'] !== user))
      throw new MirrorError('of-another', path);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
