import type { DatabaseSync } from 'node:sqlite';
import { type ExistingColumn, type ExistingTables, tablesOf } from './existing-tables.ts';
import { SQLITE } from './sql-dialect.ts';
import { quoted } from './sql-values.ts';
import { VIEWS, viewsOf } from './views.ts';

/** Creates the views again if the views do not match the existing tables. */
export function makeViews(database: DatabaseSync): void {
  const wanted = viewsOf(tablesIn(database), SQLITE).map(({ name, select }) => `CREATE VIEW ${quoted(name)} AS ${select}`);
  const there = viewsIn(database).map(({ sql }) => sql);
  if (JSON.stringify(wanted.toSorted()) === JSON.stringify(there.toSorted())) return;
  dropViews(database);
  for (const sql of wanted) database.exec(sql);
}

export function dropViews(database: DatabaseSync): void {
  for (const { name } of viewsIn(database)) database.exec(`DROP VIEW ${quoted(name)}`);
}

/**
 * Returns the views that SQLite can query and that svc did not create.
 *
 * @param changed column to leave out. The result then has only the views that SQLite can query without this column. The database does not
 * change.
 */
export async function viewsOfOthers(
  database: DatabaseSync,
  changed?: { readonly table: string; readonly without: string },
): Promise<readonly string[]> {
  const own = new Set<string>(VIEWS);
  const schema = database
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .all();
  const views = schema.filter(({ type, name }) => type === 'view' && !own.has(String(name).toLowerCase()));
  if (views.length === 0) return [];
  const { DatabaseSync: Database } = await import('node:sqlite');
  // svc queries each view in a trial database with the same tables but no rows.
  const trial = new Database(':memory:');
  try {
    const attempt = (sql: string) => {
      try {
        trial.exec(sql);
        return true;
      } catch {
        return false;
      }
    };
    for (const { type, name, sql } of schema) {
      if (type !== 'table') continue;
      if (changed === undefined || name !== changed.table) attempt(String(sql));
      else {
        const columns = database.prepare('SELECT name, type FROM pragma_table_info(?) WHERE name <> ?').all(String(name), changed.without);
        attempt(
          `CREATE TABLE ${quoted(String(name))} (${columns.map((column) => `${quoted(String(column['name']))} ${column['type']}`).join(', ')})`,
        );
      }
    }
    const insert = trial.prepare(
      "INSERT INTO svc_tables (noun, \"table\", path, as_of, whole_at, known_by, rows) VALUES (?, ?, '', '', '', '', 0)",
    );
    for (const { noun, table } of database.prepare('SELECT noun, "table" FROM svc_tables').all()) insert.run(String(noun), String(table));
    makeViews(trial);
    for (const { sql } of views) attempt(String(sql));
    return views.map(({ name }) => String(name)).filter((name) => attempt(`EXPLAIN SELECT * FROM ${quoted(name)}`));
  } finally {
    trial.close();
  }
}

/** Returns the tables of the local database by resource, with their columns. */
export function tablesIn(database: DatabaseSync): ExistingTables {
  const rows = database.prepare('SELECT noun, "table", name, type FROM svc_tables, pragma_table_info("table")').all() as unknown;
  return tablesOf(rows as readonly ExistingColumn[]);
}

function viewsIn(database: DatabaseSync): readonly { readonly name: string; readonly sql: string }[] {
  const ours = VIEWS.map((name) => `'${name}'`).join(', ');
  return database
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'view' AND lower(name) IN (${ours})`)
    .all()
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
}
