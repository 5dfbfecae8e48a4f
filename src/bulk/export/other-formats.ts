import type { DatabaseSync } from 'node:sqlite';
import { columnNames, freeName, OTHERS, otherFields, quoted, sqlValue, tableName } from '../../database/sql-values.ts';
import type { Files } from '../../deps.ts';
import { makeOwnerOnly } from '../../journal/database-file.ts';
import { createWriter } from '../../output/create-writer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../values/json.ts';
import { readExportedRecords } from './lines.ts';

const PIECE = 256 * 1024;

export async function writeCsv(files: Files, source: string, target: string): Promise<void> {
  const fields = [...(await columnsOf(readExportedRecords(files, source))).keys()];
  const writer = await createWriter('csv', { fields, color: false, pretty: false });
  const part = `${target}.part`;
  await files.truncate(part, 0);
  let text = writer.begin();
  for await (const record of readExportedRecords(files, source)) {
    text += writer.row(record);
    if (text.length < PIECE) continue;
    await files.append(part, text);
    text = '';
  }
  await files.append(part, text + writer.end());
  await files.rename(part, target);
}

interface TableSource {
  readonly noun: string;
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
 * Writes all resources to one SQLite database with file mode 0600. Each resource becomes a table (`work_items`), and each field becomes a
 * column. Fields beyond SQLite’s limit of columns, and fields whose names differ only in letter case, share one column. Columns that end in
 * `_id` have an index. Booleans are 0 and 1. Lists and objects are JSON, for SQLite’s `->>` operator.
 */
export async function writeSqlite(files: Files, sources: readonly TableSource[], target: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const part = `${target}.part`;
  await files.remove(part);
  makeOwnerOnly(part);
  const database = new DatabaseSync(part);
  try {
    // No other process reads the file before the rename, so the database needs no journal.
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
  const found = await columnsOf(readExportedRecords(files, path));
  if (found.size === 0) found.set('id', 'integer');
  const { own, others } = columnNames([...found.keys()]);
  const table = quoted(name);
  const definitions = [
    ...own.map((name) => `${quoted(name)} ${SQL_TYPES[found.get(name) ?? 'text']}${name === 'id' ? ' PRIMARY KEY' : ''}`),
    ...(others.length === 0 ? [] : [`${quoted(OTHERS)} JSON`]),
  ];
  database.exec(`CREATE TABLE ${table} (${definitions.join(', ')})`);
  // If a record is on two pages, the later page takes precedence.
  const insert = database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${definitions.map(() => '?').join(', ')})`);
  database.exec('BEGIN');
  for await (const record of readExportedRecords(files, path)) {
    const rest = others.length === 0 ? [] : [otherFields(record, others)];
    insert.run(...own.map((name) => sqlValue(record, name)), ...rest);
  }
  database.exec('COMMIT');
  for (const field of own.filter((each) => each.endsWith('_id'))) {
    database.exec(`CREATE INDEX ${quoted(`${name}_${field}`)} ON ${table} (${quoted(field)})`);
  }
}

type ColumnType = 'boolean' | 'integer' | 'real' | 'text' | 'json';

async function columnsOf(records: AsyncIterable<JsonObject>): Promise<Map<string, ColumnType>> {
  const columns = new Map<string, ColumnType | undefined>();
  for await (const record of records) {
    for (const [name, value] of Object.entries(record)) columns.set(name, wider(columns.get(name), typeOf(value)));
  }
  return new Map([...columns].map(([name, type]) => [name, type ?? 'text']));
}

/** Returns the column type of a value. Returns undefined for null, because every type allows null. */
function typeOf(value: JsonValue): ColumnType | undefined {
  if (value === null) return undefined;
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'real';
  if (Array.isArray(value) || isJsonObject(value)) return 'json';
  // A number that JavaScript would change, such as `1.10`, becomes a string.
  return 'text';
}

function wider(one: ColumnType | undefined, other: ColumnType | undefined): ColumnType | undefined {
  if (one === undefined || one === other) return other ?? one;
  if (other === undefined) return one;
  const numbers = new Set<ColumnType>([one, other]);
  return numbers.size === 2 && numbers.has('integer') && numbers.has('real') ? 'real' : 'text';
}
