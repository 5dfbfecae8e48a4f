import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { UsageError } from '../errors.ts';
import { type JsonObject, jsonObjectIn } from '../values/json.ts';
import { didYouMean } from '../values/suggest.ts';
import { quote } from '../values/text.ts';
import type { ExistingTable, ExistingTables } from './existing-tables.ts';
import { namedColumns } from './named-columns.ts';
import { literal } from './sql-dialect.ts';
import { quoted, recordTable } from './sql-values.ts';
import { tablesIn } from './sqlite-views.ts';
import { fieldBehindName } from './views.ts';

/** The change that a statement would make to one record. */
export interface ScratchChange {
  /** The resource of the table, such as `worklogs` or `work-items.comments`. */
  readonly noun: string;
  readonly action: 'create' | 'update' | 'delete';
  /** The id of the record. Undefined for a create. */
  readonly id: number | undefined;
  /** The stored record, unchanged from the service. Undefined for a create. */
  readonly record: JsonObject | undefined;
  /** The new values by field. A create leaves out NULL. */
  readonly values: ReadonlyMap<string, SQLOutputValue>;
}

/** Returns the resource that a field refers to, such as `projects`. Undefined for other fields. */
export type FindReference = (noun: string, field: string) => Promise<string | undefined>;

/** A table or view that a statement can change. */
interface Target {
  readonly name: string;
  readonly noun: string;
  readonly table: ExistingTable;
  readonly select: string;
  readonly columns: readonly string[];
  readonly names: ReadonlyMap<string, NameBehind>;
}

/** The id field for a column of names, and the table and the column that have the names. */
interface NameBehind {
  readonly column: string;
  readonly table: string;
  readonly label: string;
}

/**
 * Collects the changes that a statement would make. For each table of the statement, a temporary view hides the table. Triggers on the view
 * receive the old and the new values of each row from SQLite. svc opens the database only for reading, so the database does not change.
 *
 * @param names the names in the statement.
 * @param most the most records that the statement may change.
 * @throws UsageError for a column without a field, two values for one field, an unclear name, or too many records.
 */
export async function scratchChanges(
  database: DatabaseSync,
  { sql, values, names, most }: { sql: string; values: Record<string, SQLInputValue>; names: readonly string[]; most: number },
  referenceOf: FindReference,
): Promise<readonly ScratchChange[]> {
  const targets = await targetsIn(database, names, referenceOf);
  const found = new Map<string, { target: Target; action: ScratchChange['action']; id: number | undefined; cells: Cells }>();
  let created = 0;
  const find = (index: bigint, action: ScratchChange['action'], id: bigint | undefined) => {
    const target = targets[Number(index)] as Target;
    const key = id === undefined ? `new ${created}` : `${target.noun} ${id}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const one = { target, action, id: id === undefined ? undefined : Number(id), cells: new Map<string, SQLOutputValue>() };
    found.set(key, one);
    return one;
  };
  // The database’s own views can’t call these functions, because SQLite then trusts only temporary objects.
  database.exec('PRAGMA trusted_schema = OFF');
  const listen = (name: string, listener: (...given: never[]) => void) =>
    database.function(name, { varargs: true, useBigIntArguments: true }, (...given) => {
      listener(...(given as never[]));
      return null;
    });
  listen('svc_created', (index: bigint) => {
    created += 1;
    find(index, 'create', undefined);
  });
  listen('svc_set', (index: bigint, action: ScratchChange['action'], id: bigint | null, column: string, value: SQLOutputValue) => {
    const { cells, target } = find(index, action, id ?? undefined);
    if (cells.has(column) && cells.get(column) !== value)
      throw new UsageError(`The statement gives ${column} of ${target.name} ${id} two values.`, {
        hint: 'Change the FROM clause, so that one row matches each record.',
      });
    // Above the limit, svc only counts the records.
    if (found.size <= most) cells.set(column, value);
  });
  listen('svc_deleted', (index: bigint, id: bigint) => find(index, 'delete', id));
  for (const [index, target] of targets.entries()) database.exec(watchers(target, index));
  database.prepare(sql).run(values);
  if (found.size > most)
    throw new UsageError(`The statement would change ${found.size} records, and the limit is ${most}.`, {
      hint: `Check the WHERE clause. For a higher limit: --max-changes ${found.size}`,
    });
  const ids = new Map<string, bigint>();
  const idOf = (behind: NameBehind, name: string) => {
    const key = `${behind.table} ${name}`;
    const id = ids.get(key) ?? idOfName(database, behind, name);
    ids.set(key, id);
    return id;
  };
  return [...found.values()].map(({ target, action, id, cells }) => ({
    noun: target.noun,
    action,
    id,
    record: id === undefined ? undefined : storedRecord(database, target.table.table, id),
    values: fieldsOf(target, cells, idOf),
  }));
}

type Cells = Map<string, SQLOutputValue>;

async function targetsIn(database: DatabaseSync, names: readonly string[], referenceOf: FindReference): Promise<readonly Target[]> {
  const tables = tablesIn(database);
  const there = new Set(
    database
      .prepare("SELECT lower(name) AS name FROM sqlite_master WHERE type IN ('table', 'view')")
      .all()
      .map(({ name }) => String(name)),
  );
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const targets: Target[] = [];
  for (const [noun, table] of tables) {
    const base = { noun, table, names: new Map() };
    const columns = [...table.columns.keys()];
    if (wanted.has(table.table.toLowerCase()))
      targets.push({ ...base, name: table.table, select: `SELECT * FROM main.${quoted(table.table)}`, columns });
    const named = `${table.table}_named`;
    if (wanted.has(named.toLowerCase()) && !there.has(named.toLowerCase()))
      targets.push(await namedTarget(named, { ...base, columns }, tables, referenceOf));
  }
  const worklogs = tables.get('worklogs');
  // A table of a resource can have the name of a view.
  if (wanted.has('hours') && there.has('hours') && worklogs !== undefined && !targets.some(({ name }) => name === 'hours'))
    targets.push(await hoursTarget(database, worklogs, tables, referenceOf));
  return targets;
}

async function namedTarget(
  name: string,
  base: Pick<Target, 'noun' | 'table' | 'columns'>,
  tables: ExistingTables,
  referenceOf: FindReference,
): Promise<Target> {
  const references: { column: string; to: { name: string; columns: { name: string }[] } }[] = [];
  for (const column of base.columns) {
    const to = tables.get((await referenceOf(base.noun, column)) ?? '');
    if (to !== undefined && column !== 'id')
      references.push({ column, to: { name: to.table, columns: [...to.columns.keys()].map((each) => ({ name: each })) } });
  }
  const names = namedColumns({ name: base.table.table, columns: base.columns.map((each) => ({ name: each })) }, references);
  const shown = names.map((each, index) => `r${index}.${quoted(each.label)} AS ${quoted(each.shown)}`);
  const joins = names.map((each, index) => `LEFT JOIN main.${quoted(each.table)} AS r${index} ON r${index}.id = t.${quoted(each.column)}`);
  return {
    ...base,
    name,
    select: `SELECT ${['t.*', ...shown].join(', ')} FROM main.${quoted(base.table.table)} AS t ${joins.join(' ')}`,
    columns: [...base.columns, ...names.map((each) => each.shown)],
    names: new Map(names.map(({ shown: as, ...each }) => [as, each])),
  };
}

async function hoursTarget(
  database: DatabaseSync,
  table: ExistingTable,
  tables: ExistingTables,
  referenceOf: FindReference,
): Promise<Target> {
  const columns = database.prepare("SELECT name FROM pragma_table_info('hours')").all();
  const names = new Map<string, NameBehind>();
  for (const { name } of columns) {
    const behind = fieldBehindName(String(name));
    const to = behind && tables.get((await referenceOf('worklogs', behind.column)) ?? '');
    if (behind !== undefined && to !== undefined) names.set(String(name), { ...behind, table: to.table });
  }
  return {
    ...{ name: 'hours', noun: 'worklogs', table, names },
    select: 'SELECT * FROM main.hours',
    columns: columns.map(({ name }) => String(name)),
  };
}

/** Returns the view that hides a target, and the triggers that report its rows. */
function watchers({ name, select, columns }: Target, index: number): string {
  const on = (event: string, statements: readonly string[]) =>
    `CREATE TEMP TRIGGER ${quoted(`svc_${event}_${index}`)} INSTEAD OF ${event} ON temp.${quoted(name)} BEGIN ${statements.join('; ')}; END;`;
  const set = (action: string, id: string, column: string) =>
    `svc_set(${index}, '${action}', ${id}, ${literal(column)}, NEW.${quoted(column)})`;
  return [
    `CREATE TEMP VIEW ${quoted(name)} AS ${select};`,
    on(
      'UPDATE',
      columns.map((column) => `SELECT ${set('update', 'OLD.id', column)} WHERE NEW.${quoted(column)} IS NOT OLD.${quoted(column)}`),
    ),
    on('DELETE', [`SELECT svc_deleted(${index}, OLD.id)`]),
    on('INSERT', [
      `SELECT svc_created(${index})`,
      ...columns.map((column) => `SELECT ${set('create', 'NULL', column)} WHERE NEW.${quoted(column)} IS NOT NULL`),
    ]),
  ].join('\n');
}

/**
 * Returns new values by field. A name becomes the id of its record. @throws UsageError for a column without a field, two values for one
 * field, or a name that is not unique.
 */
function fieldsOf(
  { name, table, columns, names }: Target,
  cells: Cells,
  idOf: (behind: NameBehind, name: string) => bigint,
): ReadonlyMap<string, SQLOutputValue> {
  const fields = new Map<string, SQLOutputValue>();
  for (const [column, value] of cells) {
    const behind = names.get(column);
    if (behind === undefined && !table.columns.has(column))
      throw new UsageError(`${name}.${column} is not a field of ${table.table}, so the statement cannot set it.`, {
        hint: `Fields: ${columns.filter((each) => names.has(each) || table.columns.has(each)).join(', ')}`,
      });
    const field = behind?.column ?? column;
    const id = behind === undefined || value === null ? value : idOf(behind, String(value));
    if (fields.has(field) && fields.get(field) !== id)
      throw new UsageError(`The statement gives ${field} of ${table.table} two values.`, { hint: `Set ${column} or ${field}, not both.` });
    fields.set(field, id);
  }
  return fields;
}

/** Finds the only record with a name. @throws UsageError if no record or several records have the name. */
function idOfName(database: DatabaseSync, { column, table, label }: NameBehind, name: string): bigint {
  const found = database.prepare(`SELECT id FROM main.${quoted(table)} WHERE ${quoted(label)} = ? LIMIT 10`).all(name);
  const [only] = found;
  if (found.length === 1 && only !== undefined) return BigInt(Number(only['id']));
  if (found.length > 1)
    throw new UsageError(`Several records of ${table} have the name ${quote(name)}: ${found.map(({ id }) => id).join(', ')}.`, {
      hint: `Set ${column} to one of these ids.`,
    });
  const all = database.prepare(`SELECT DISTINCT ${quoted(label)} AS name FROM main.${quoted(table)} WHERE name IS NOT NULL`).all();
  throw new UsageError(`No record of ${table} has the name ${quote(name)}.`, {
    hint: didYouMean(
      name,
      all.map((each) => String(each['name'])),
      `List the names: svc sql 'SELECT id, ${label} FROM ${table}'`,
    ),
  });
}

/** Returns a stored record, unchanged from the service, with all digits. Undefined if the database does not have the record. */
export function storedRecord(database: DatabaseSync, table: string, id: number): JsonObject | undefined {
  const row = database.prepare(`SELECT record FROM main.${quoted(recordTable(table))} WHERE id = ?`).get(id);
  return jsonObjectIn(String(row?.['record'] ?? ''));
}
