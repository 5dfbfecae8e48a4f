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
    const taken = new Set<string>();
    for (const source of sources) await writeTable(files, database, source, freeName(tableName(source.noun), taken));
    database.exec('ANALYZE');
  } finally {
    database.close();
  }
  await files.rename(part, target);
}

async function writeTable(files: Files, database: DatabaseSync, { path }: TableSource, name: string): Promise<void> {
  const found = await columnsOf(readRecords(files, path));
  if (found.size === 0) found.set('id', 'integer');
  const { own, others } = partsOf([...found.keys()]);
  const table = quoted(name);
  const definitions = [
    ...own.map((name) => `${quoted(name)} ${SQL_TYPES[found.get(name) ?? 'text']}${name === 'id' ? ' PRIMARY KEY' : ''}`),
    ...(others.length === 0 ? [] : [`${quoted(OTHERS)} JSON`]),
  ];
  database.exec(`CREATE TABLE ${table} (${definitions.join(', ')})`);
  // A record that moved between two pages may come twice; the later one counts.
  const insert = database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${definitions.map(() => '?').join(', ')})`);
  database.exec('BEGIN');
  for await (const record of readRecords(files, path)) {
    const rest = others.length === 0 ? [] : [otherFields(record, others)];
    insert.run(...own.map((name) => sqlValue(record, name)), ...rest);
  }
  database.exec('COMMIT');
  for (const field of own.filter((each) => each.endsWith('_id'))) {
    database.exec(`CREATE INDEX ${quoted(`${name}_${field}`)} ON ${table} (${quoted(field)})`);
  }
}

/** The column for fields that can have none of their own, as JSON. */
const OTHERS = 'svc_other_fields';

/** SQLite takes 2,000 columns where it is not built for more. */
const MOST_COLUMNS = 2_000;

/** Fields that get a column, and those that cannot: to SQLite, `Name` is another `name`. */
function partsOf(names: readonly string[]): { readonly own: readonly string[]; readonly others: readonly string[] } {
  const taken = new Set([OTHERS]);
  const distinct = names.filter((name) => {
    const folded = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    return !taken.has(folded) && taken.add(folded);
  });
  const own = distinct.length === names.length && names.length <= MOST_COLUMNS ? distinct : distinct.slice(0, MOST_COLUMNS - 1);
  const has = new Set(own);
  return { own, others: names.filter((name) => !has.has(name)) };
}

function otherFields(record: JsonObject, names: readonly string[]): string | null {
  const held = names.flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name] as JsonValue] as const] : []));
  return held.length === 0 ? null : stringifyJson(Object.fromEntries(held));
}

function sqlValue(record: JsonObject, name: string): string | number | bigint | null {
  const value: JsonValue | undefined = Object.hasOwn(record, name) ? record[name] : undefined;
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return Number(value);
  // A number is a float to SQLite otherwise, and `1.0` beside texts.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return value;
  return isRawNumber(value) ? value.rawJSON : stringifyJson(value);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `a-b` and `a_b` would be one table. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  taken.add(free);
  return free;
}

/** `work-items.comments` → `work_items_comments`. */
function tableName(noun: string): string {
  return noun.replace(/[-.]/g, '_');
}
