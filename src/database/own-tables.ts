import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { PAGE_COLUMNS } from './compared-pages.ts';
import { DatabaseError } from './database-error.ts';
import type { DatabaseOwner } from './local-database.ts';
import { indexStoredRecords, makeSearchIndex } from './search/sqlite-index.ts';
import { TOUCHED_COLUMNS } from './touched-records.ts';

/**
 * The format version of the database file. svc refuses a version that a newer svc wrote.
 *
 * - Version 1 had no change log. svc adds the log when svc opens the file. The new version prevents an older svc from writing changes
 *   without log entries.
 * - Up to version 2, the file also contained server behaviour. A sync removes this data.
 * - Up to version 3, svc did not compare rows that the service did not report as changed.
 * - Up to version 4, `svc_kept` contained the ids that `svc_touched` contains now.
 * - Up to version 5, there was no full-text index. An older svc would not update the index.
 */
export const FORM = 6;

/** The first format version with a full-text index. */
export const FIRST_SEARCHED = 6;

/**
 * Creates the tables that svc uses internally, or brings the tables of an older svc up to date:
 *
 * - `svc_mirror`: the host and the user.
 * - `svc_tables`: the time and the method of the last check of each table.
 * - `svc_pages`: the compared pages of each table.
 * - `svc_touched`: the changed records whose child records svc has not read since.
 * - `svc_zones`: UTC offsets of time zones.
 * - `svc_kept`: strings.
 * - `svc_changes`: the change log. `svc_log`: the name and the bounds of the log.
 * - `svc_search`: the full-text index. `svc_searched`: its resources.
 *
 * @throws DatabaseError for a newer format version, or another user’s database.
 */
export function makeOwnTables(database: DatabaseSync, path: string, { host, user, announceIndex }: DatabaseOwner): void {
  const form = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (form > FORM) throw new DatabaseError('newer', path);
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(`
      CREATE TABLE IF NOT EXISTS svc_mirror (host TEXT NOT NULL, user_id INTEGER);
      CREATE TABLE IF NOT EXISTS svc_tables (
        noun TEXT PRIMARY KEY, "table" TEXT NOT NULL UNIQUE, path TEXT NOT NULL,
        as_of TEXT NOT NULL, whole_at TEXT NOT NULL, known_by TEXT NOT NULL, rows INTEGER NOT NULL, verified_at TEXT
      );
      CREATE TABLE IF NOT EXISTS svc_pages ${PAGE_COLUMNS('INTEGER')};
      CREATE TABLE IF NOT EXISTS svc_touched ${TOUCHED_COLUMNS('INTEGER')} WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS svc_zones (zone TEXT NOT NULL, since TEXT NOT NULL, minutes INTEGER NOT NULL, PRIMARY KEY (zone, since));
      CREATE TABLE IF NOT EXISTS svc_kept (name TEXT PRIMARY KEY, text TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS svc_changes (
        position INTEGER PRIMARY KEY, noun TEXT NOT NULL, id INTEGER NOT NULL, before TEXT, after TEXT, seen_at TEXT NOT NULL
      );
      CREATE TABLE IF NOT EXISTS svc_log (mirror TEXT NOT NULL, last INTEGER NOT NULL, pruned INTEGER NOT NULL);
      PRAGMA user_version = ${FORM};
    `);
    if (form < 5)
      database.exec(`
        INSERT OR IGNORE INTO svc_touched SELECT substr(name, 9), value FROM svc_kept, json_each(text) WHERE name LIKE 'touched %';
        DELETE FROM svc_kept WHERE name LIKE 'touched %';
      `);
    if (form < 3)
      database.exec("DELETE FROM svc_kept WHERE name LIKE 'manner %' OR name IN ('surroundings', 'seen as relations', 'answer /me')");
    if (database.prepare("SELECT 1 FROM pragma_table_info('svc_tables') WHERE name = 'verified_at'").get() === undefined)
      database.exec('ALTER TABLE svc_tables ADD COLUMN verified_at TEXT');
    if (form < FIRST_SEARCHED) {
      makeSearchIndex(database);
      indexStoredRecords(database, announceIndex);
    }
    const owner = database.prepare('SELECT host, user_id FROM svc_mirror').get();
    if (owner === undefined) database.prepare('INSERT INTO svc_mirror VALUES (?, ?)').run(host, user ?? null);
    else if (owner['host'] !== host || (user !== undefined && owner['user_id'] !== null && owner['user_id'] !== user))
      throw new DatabaseError('of-another', path);
    const name = randomBytes(6).toString('hex');
    database.prepare('INSERT INTO svc_log SELECT ?, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM svc_log)').run(name);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
