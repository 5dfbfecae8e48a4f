import type { DatabaseSync } from 'node:sqlite';
import type { Files } from '../../deps.ts';
import { isRawNumber, type JsonObject, type JsonValue, stringifyJson } from '../../values/json.ts';
import { type ColumnType, columnsOf } from './columns.ts';
import { readRecords } from './lines.ts';

/** An exported collection that becomes a table. */
export interface TableSource {
  readonly noun: string;
  /** Its NDJSON file. */
  readonly path: string;
}

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  boolean: 'BOOLEAN',
  integer: 'INTEGER',
  real: 'REAL',
  text: 'TEXT',
  json: 'JSON',
};

/**
 * All collections as one SQLite database: a table each (`work_items`), a column a field, an index for each field that refers
 * to another record. Booleans are 0 and 1; lists and objects are JSON, for SQLite's `->>`.
 */
export async function writeSqlite(files: Files, sources: readonly TableSource[], target: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const part = `${target}.part`;
  await files.remove(part);
  const database = new DatabaseSync(part);
  try {
    // Nobody but this process sees the file before it is whole.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    for (const source of sources) await writeTable(files, database, source);
    database.exec('ANALYZE');
  } finally {
    database.close();
  }
  await files.rename(part, target);
}

async function writeTable(files: Files, database: DatabaseSync, { noun, path }: TableSource): Promise<void> {
  const columns = await columnsOf(readRecords(files, path));
  if (columns.size === 0) columns.set('id', 'integer');
  const table = quoted(tableName(noun));
  const definitions = [...columns].map(([name, type]) => `${quoted(name)} ${SQL_TYPES[type]}${name === 'id' ? ' PRIMARY KEY' : ''}`);
  database.exec(`CREATE TABLE ${table} (${definitions.join(', ')})`);
  const names = [...columns.keys()];
  // A record that moved between two pages may come twice; the later one counts.
  const insert = database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${names.map(() => '?').join(', ')})`);
  database.exec('BEGIN');
  for await (const record of readRecords(files, path)) insert.run(...names.map((name) => sqlValue(record, name)));
  database.exec('COMMIT');
  for (const name of names.filter((each) => each.endsWith('_id'))) {
    database.exec(`CREATE INDEX ${quoted(`${tableName(noun)}_${name}`)} ON ${table} (${quoted(name)})`);
  }
}

function sqlValue(record: JsonObject, name: string): string | number | null {
  const value: JsonValue | undefined = Object.hasOwn(record, name) ? record[name] : undefined;
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' || typeof value === 'number') return value;
  return isRawNumber(value) ? value.rawJSON : stringifyJson(value);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `work-items.comments` → `work_items_comments`. */
function tableName(noun: string): string {
  return noun.replace(/[-.]/g, '_');
}
