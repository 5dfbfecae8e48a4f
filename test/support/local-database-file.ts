import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Returns a fingerprint for each table of a local database. It covers the rows in any column order, the original records and the row count.
 */
export function fingerprints(path: string): Readonly<Record<string, string>> {
  if (!existsSync(path)) return {};
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = tablesOf(database);
    return Object.fromEntries(tables.map(({ noun, table, rows }) => [noun, printOf(database, table, rows)]));
  } finally {
    database.close();
  }
}

/** Returns the records of a table as the service sent them, by id. @throws Error if the SQL table has another number of rows. */
export function recordsIn(path: string, noun: string): Map<number, string> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const table = tablesOf(database).find((each) => each.noun === noun)?.table;
    if (table === undefined) return new Map();
    const rows = database.prepare(`SELECT id, record FROM svc_record_${table} ORDER BY id`).all() as { id: number; record: string }[];
    const asked = Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
    if (asked !== rows.length) throw new Error(`${table} has ${asked} rows, and there are ${rows.length} records.`);
    return new Map(rows.map(({ id, record }) => [id, record]));
  } finally {
    database.close();
  }
}

interface Table {
  readonly noun: string;
  readonly table: string;
  readonly rows: number;
}

function tablesOf(database: DatabaseSync): readonly Table[] {
  const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'svc_tables'").get() !== undefined;
  return isThere ? (database.prepare('SELECT noun, "table", rows FROM svc_tables ORDER BY noun').all() as unknown as Table[]) : [];
}

function printOf(database: DatabaseSync, table: string, rows: number): string {
  const hash = createHash('sha256').update(String(rows));
  for (const name of [table, `svc_record_${table}`])
    for (const row of database.prepare(`SELECT * FROM ${name} ORDER BY id`).iterate())
      hash.update(JSON.stringify(Object.entries(row).toSorted()));
  return hash.digest('hex').slice(0, 12);
}
