import type { DatabaseSync } from 'node:sqlite';

/** The migration steps, which `user_version` counts. A released step never changes; a change of the schema is a further step. */
const STEPS: readonly string[] = [
  `CREATE TABLE groups (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     command TEXT NOT NULL
   ) STRICT;
   CREATE TABLE entries (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     sent_at INTEGER,
     settled_at INTEGER,
     command TEXT NOT NULL,
     noun TEXT,
     group_number INTEGER REFERENCES groups,
     method TEXT NOT NULL,
     path TEXT NOT NULL,
     body BLOB,
     body_withheld INTEGER NOT NULL,
     request TEXT NOT NULL,
     key TEXT NOT NULL,
     etag_seen TEXT,
     etag_left TEXT,
     before TEXT,
     collection TEXT,
     undoes INTEGER REFERENCES entries,
     outcome TEXT NOT NULL CHECK (outcome IN ('waiting', 'sent', 'unknown', 'done', 'refused', 'dropped')),
     status INTEGER,
     record_id TEXT,
     sender INTEGER
   ) STRICT;
   CREATE INDEX open_entries ON entries (outcome, request) WHERE outcome IN ('waiting', 'sent', 'unknown');
   CREATE INDEX entries_by_key ON entries (key);
   CREATE INDEX entries_by_group ON entries (group_number) WHERE group_number IS NOT NULL;
   CREATE INDEX undoing_entries ON entries (undoes) WHERE undoes IS NOT NULL;
   CREATE TABLE rows (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     collection TEXT NOT NULL,
     digest TEXT NOT NULL,
     likeness TEXT NOT NULL,
     day TEXT,
     source INTEGER NOT NULL,
     entry INTEGER REFERENCES entries,
     record_id TEXT,
     replaces INTEGER REFERENCES rows
   ) STRICT;
   CREATE INDEX rows_by_collection ON rows (collection);
   CREATE INDEX rows_by_entry ON rows (entry);
   CREATE INDEX replacing_rows ON rows (replaces) WHERE replaces IS NOT NULL;`,
  `ALTER TABLE rows ADD COLUMN twin TEXT NOT NULL DEFAULT '';
   ALTER TABLE rows ADD COLUMN is_gone INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX entries_by_record ON entries (record_id) WHERE method = 'POST';
   CREATE INDEX changing_entries ON entries (path) WHERE method <> 'POST';`,
  `ALTER TABLE entries ADD COLUMN planned_by TEXT;
   ALTER TABLE entries ADD COLUMN approved_by TEXT;`,
];

/** The schema version of a complete file. A file from a newer svc has a higher version. */
export const LATEST_VERSION = STEPS.length;

export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

export function migrate(database: DatabaseSync): void {
  for (const step of STEPS.slice(schemaVersion(database))) database.exec(step);
  database.exec(`PRAGMA user_version = ${STEPS.length}`);
}
