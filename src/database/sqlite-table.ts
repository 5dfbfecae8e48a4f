import type { DatabaseSync } from 'node:sqlite';
import { type JsonObject, parseJson } from '../values/json.ts';
import type { HeldColumn } from './local-database.ts';
import { type SeenFields, seenFields } from './seen-fields.ts';
import { freeName, OTHERS, otherFields, quoted, recordTable, sqlValue, tableName } from './sql-values.ts';
import { dropViews, viewsOfOthers } from './sqlite-views.ts';
import { fieldsName, heldName, type StoredColumn, type TableShape } from './table-shape.ts';

/** A table of the local database that svc is writing to, within a transaction. */
export type SqliteTable = Awaited<ReturnType<typeof openSqliteTable>>;

/** Opens or creates the table of a resource. @param first the first records that svc will write. */
export async function openSqliteTable(database: DatabaseSync, shape: TableShape, first: readonly JsonObject[]) {
  const { noun } = shape;
  const states = database.prepare('SELECT noun, "table" FROM svc_tables').all();
  const known = states.find((state) => state['noun'] === noun)?.['table'];
  const name = known === undefined ? freeName(tableName(noun), new Set(states.map((state) => String(state['table'])))) : String(known);
  const before = keptSqliteText(database, fieldsName(noun));
  const seen = seenFields(shape, known === undefined ? undefined : before);
  const records = quoted(recordTable(name));
  let hasWritten = false;
  let write = (_: JsonObject): void => undefined;

  const columnsThere = () =>
    database
      .prepare('SELECT name, type FROM pragma_table_info(?)')
      .all(name)
      .map((column) => ({ name: String(column['name']), type: String(column['type']) }))
      .filter((column) => column.name !== OTHERS);

  function create(columns: readonly Pick<StoredColumn, 'name' | 'type'>[]): void {
    // svc drops its views, because a view may have the name of the new table.
    dropViews(database);
    database.exec(`DROP TABLE IF EXISTS ${quoted(name)}`);
    const definitions = [...columns, { name: OTHERS, type: 'JSON TEXT' }].map(
      (column) => `${quoted(column.name)} ${column.type}${column.name === 'id' ? ' PRIMARY KEY' : ''}`,
    );
    database.exec(`CREATE TABLE ${quoted(name)} (${definitions.join(', ')})`);
    database.exec(`CREATE TABLE IF NOT EXISTS ${records} (id INTEGER PRIMARY KEY, record TEXT NOT NULL)`);
    write = rowWriter(database, name, columns, seen);
  }

  function add(columns: readonly StoredColumn[]): void {
    for (const column of columns) database.exec(`ALTER TABLE ${quoted(name)} ADD COLUMN ${quoted(column.name)} ${column.type}`);
    write = rowWriter(database, name, columnsThere(), seen);
  }

  function* stored(): Generator<JsonObject> {
    const rows = database.prepare(`SELECT record FROM ${records}`).iterate() as Iterable<{ readonly record: string }>;
    for (const { record } of rows) yield parseJson(record) as JsonObject;
  }

  /**
   * Changes the columns so that the columns match the fields.
   *
   * @param isFilled true if stored records may have values for columns that are missing.
   */
  async function adapt(isFilled: boolean): Promise<void> {
    const [wanted, there] = [seen.columns(true), columnsThere()];
    const typeOf = (column: string) => there.find((each) => each.name === column)?.type;
    const added = wanted.filter((column) => typeOf(column.name) === undefined);
    const isRetyped = wanted.some(({ name: column, type }) => (typeOf(column) ?? type) !== type);
    const dropped = there.filter((column) => !wanted.some((each) => each.name === column.name));
    const held = dropped.length === 0 ? [] : await heldBy(database, name, dropped);
    keepSqliteText(database, heldName(noun), held.length === 0 ? undefined : JSON.stringify(held));
    const kept = dropped.filter((column) => held.some((each) => each.column === column.name));
    if (!isRetyped && dropped.length === kept.length && !(isFilled && added.length > 0)) return add(added);
    create([...wanted, ...(kept as StoredColumn[])]);
    for (const record of stored()) write(record);
  }

  function forgetFieldsOfNone(): void {
    const isEmpty = database.prepare(`SELECT 1 FROM ${records} LIMIT 1`).get() === undefined;
    const there = new Set(columnsThere().map((column) => column.name));
    for (const field of isEmpty ? [] : seen.unseen()) {
      const value = `SELECT 1 FROM ${quoted(name)} WHERE ${quoted(field)} IS NOT NULL LIMIT 1`;
      if (there.has(field) && database.prepare(value).get() !== undefined) continue;
      const shown = `SELECT 1 FROM ${records} WHERE instr(record, ?) > 0 LIMIT 1`;
      if (database.prepare(shown).get(`${JSON.stringify(field)}:`) === undefined) seen.forget(field);
    }
  }

  if (known === undefined) {
    // The resource is not in `svc_tables`, so an existing table of records is a leftover.
    database.exec(`DROP TABLE IF EXISTS ${records}`);
    for (const record of first) seen.see(record);
    create(seen.columns(false));
  } else {
    // An older svc did not store the list of fields, so svc derives the list from the records.
    if (before === undefined) for (const record of stored()) seen.see(record);
    await adapt(true);
  }
  return {
    name,
    isNew: known === undefined,
    /** Writes the row of a record. Adds columns for new fields first. */
    write(record: JsonObject) {
      hasWritten = true;
      if (seen.see(record)) {
        const there = new Set(columnsThere().map((column) => column.name));
        const added = seen.columns(false).filter((column) => !there.has(column.name));
        if (added.length > 0) add(added);
      }
      write(record);
    },
    /**
     * Finishes writing. Each column gets a type that fits all its values. svc drops the columns of fields that no record has. Columns of an
     * API spec, and columns that the user’s own views need, stay.
     */
    async end() {
      if (hasWritten) forgetFieldsOfNone();
      await adapt(false);
      indexIds(database, name, seen.columns(true));
      const after = seen.text();
      if (after !== before) keepSqliteText(database, fieldsName(noun), after);
    },
  };
}

/** Returns the columns that the user’s own views need, from the stored lists of all tables. */
export function heldSqliteColumns(database: DatabaseSync): readonly HeldColumn[] {
  const texts = database.prepare('SELECT text FROM svc_kept WHERE name LIKE ?').all(`${heldName('')}%`);
  return texts.flatMap(({ text }) => JSON.parse(String(text)) as HeldColumn[]);
}

export function forgetColumns(database: DatabaseSync, noun: string): void {
  for (const name of [fieldsName(noun), heldName(noun)]) keepSqliteText(database, name, undefined);
}

/** Finds the columns without which a query of one of the user’s own views would fail. */
async function heldBy(
  database: DatabaseSync,
  table: string,
  columns: readonly { readonly name: string }[],
): Promise<readonly HeldColumn[]> {
  const before = await viewsOfOthers(database);
  if (before.length === 0) return [];
  const found: HeldColumn[] = [];
  for (const { name } of columns) {
    const after = new Set(await viewsOfOthers(database, { table, without: name }));
    const views = before.filter((view) => !after.has(view));
    if (views.length > 0) found.push({ table, column: name, views });
  }
  return found;
}

function indexIds(database: DatabaseSync, table: string, columns: readonly StoredColumn[]): void {
  const indexed = new Set(
    database
      .prepare('SELECT i.name FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i WHERE i.seqno = 0')
      .all(table)
      .map(({ name }) => String(name)),
  );
  for (const { name } of columns)
    if (name.endsWith('_id') && !indexed.has(name))
      database.exec(`CREATE INDEX ${quoted(`svc_index_${table}_${name}`)} ON ${quoted(table)} (${quoted(name)})`);
}

function rowWriter(
  database: DatabaseSync,
  table: string,
  columns: readonly { readonly name: string; readonly type: string }[],
  seen: SeenFields,
): (record: JsonObject) => void {
  const own = columns.map(({ name, type }) => ({ name, isText: type === 'TEXT' }));
  const has = new Set(own.map(({ name }) => name));
  const names = [...own.map(({ name }) => name), OTHERS].map(quoted);
  const insert = database.prepare(
    `INSERT OR REPLACE INTO ${quoted(table)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  return (record) => {
    const others = Object.keys(record).filter((name) => !has.has(name) && !seen.hasColumn(name));
    insert.run(...own.map(({ name, isText }) => sqlValue(record, name, isText)), otherFields(record, others));
  };
}

export function keptSqliteText(database: DatabaseSync, name: string): string | undefined {
  const text = database.prepare('SELECT text FROM svc_kept WHERE name = ?').get(name)?.['text'];
  return typeof text === 'string' ? text : undefined;
}

export function keepSqliteText(database: DatabaseSync, name: string, text: string | undefined): void {
  if (text === undefined) database.prepare('DELETE FROM svc_kept WHERE name = ?').run(name);
  else database.prepare('INSERT OR REPLACE INTO svc_kept VALUES (?, ?)').run(name, text);
}
