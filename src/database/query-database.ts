import { existsSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { NotFoundError, SvcError, UsageError } from '../errors.ts';
import { isRawNumber, type JsonObject, type JsonValue, parseJson } from '../values/json.ts';
import { nearest } from '../values/suggest.ts';
import { answerColumns, checkOneStatement, checkParameters } from './check-query.ts';
import { isOfSqlite } from './database-error.ts';
import type { TableState } from './local-database.ts';
import { openForReading } from './open-for-reading.ts';
import { type FindReference, scratchChanges, storedRecord } from './scratch-changes.ts';
import { SQLITE } from './sql-dialect.ts';
import { readSqlText } from './sql-text.ts';
import { OTHERS } from './sql-values.ts';
import { tablesIn } from './sqlite-views.ts';
import { lacksOf } from './views.ts';

export type SqlDatabase = ReturnType<typeof sqlDatabase>;

export interface SqlAnswer {
  readonly columns: readonly string[];
  readonly rows: Iterable<JsonObject>;
  /** The stored tables that the query reads, directly or through a view. */
  readonly of: readonly TableState[];
  /** The fields that the query reads from the column for other fields, although each field has its own column. */
  readonly moved: readonly string[];
}

export interface SqlTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly of: readonly TableState[];
  readonly isView: boolean;
  /**
   * The error of SQLite if nobody can query the view, for example because a table is missing. `columns` is then empty. Absent for any other
   * table or view.
   */
  readonly fault?: string;
}

/** The first words that a query may have. svc opens the file only for reading, but VACUUM and ATTACH could still write to other files. */
const QUERIES: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES', 'EXPLAIN']);

/** Opens a database for queries. @throws NotFoundError if the file does not exist. SvcError if svc can’t read the file. */
export async function openForSql(path: string, hint: string) {
  if (!existsSync(path)) throw new NotFoundError(`There is no local database to query: ${path}.`, { hint });
  const { DatabaseSync: Database } = await import('node:sqlite');
  let database: DatabaseSync;
  try {
    database = openForReading(Database, path);
    // An index scan reads pages all over a table. SQLite may therefore keep 64 MiB of pages in memory.
    database.exec('PRAGMA cache_size = -65536');
  } catch (error) {
    throw new SvcError(`svc cannot read ${path} as a database: ${error instanceof Error ? error.message : String(error)}.`, {
      hint: 'Give an SQLite database that you can read.',
      cause: error,
    });
  }
  return sqlDatabase(database);
}

/** The statements that `svc sql --plan` accepts. */
const CHANGES: ReadonlySet<string> = new Set(['UPDATE', 'DELETE', 'INSERT']);

/** Returns true if the main verb of a statement is UPDATE, DELETE or INSERT. */
export function isChange(sql: string): boolean {
  return CHANGES.has(readSqlText(sql).mainVerb);
}

function sqlDatabase(database: DatabaseSync) {
  let stored: ReturnType<typeof tablesIn> | undefined;
  const tables = (): readonly SqlTable[] => {
    const names = database
      .prepare(
        "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'svc\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
      )
      .all();
    const named = namedIn(database);
    return names.map(({ name, type }) => ({
      name: String(name),
      ...columnsIn(database, String(name)),
      of: named([String(name)]),
      isView: type === 'view',
    }));
  };
  return {
    /** Lists tables and views with their columns. Leaves out the tables that svc uses internally. */
    tables,
    /**
     * Runs one query.
     * @throws UsageError if the text is not exactly one query, or if SQLite refuses the query.
     * @throws SvcError if svc can’t read the file.
     */
    runQuery(sql: string, given: Readonly<Record<string, JsonValue>>): SqlAnswer {
      const text = readSqlText(sql);
      const { verb, parameters, names } = text;
      checkOneStatement(text);
      if (!QUERIES.has(verb))
        throw new UsageError(`${verb} is not a query. svc sql only reads.`, {
          hint: CHANGES.has(verb)
            ? 'To plan the changes, and send nothing: --plan <file>'
            : 'Use SELECT, WITH, VALUES or EXPLAIN. For tables: svc sql --schema',
        });
      checkParameters(parameters, Object.keys(given));
      try {
        const statement = database.prepare(sql);
        statement.setReadBigInts(true);
        const named = statement.columns().map(({ name }) => name);
        const columns = answerColumns(named);
        const values = Object.fromEntries(parameters.map((name) => [name, inputOf(given[name] ?? null)]));
        const found = statement.iterate(values) as Iterable<Record<string, SQLOutputValue>>;
        const explain = (error: unknown) => explained(error, tables, () => lacksIn(database), names);
        const of = namedIn(database)(names);
        return { columns, rows: recordsOf(found, named, columns, explain), of, moved: movedIn(database, sql, of) };
      } catch (error) {
        throw explained(error, tables, () => lacksIn(database), names);
      }
    },
    /**
     * Returns the changes that an UPDATE, a DELETE or an INSERT would make. The database does not change.
     *
     * @param most the most records that the statement may change.
     * @throws UsageError as `runQuery` and {@link scratchChanges}.
     */
    async changesOf(sql: string, given: Readonly<Record<string, JsonValue>>, most: number, referenceOf: FindReference) {
      const text = readSqlText(sql);
      checkOneStatement(text);
      checkParameters(text.parameters, Object.keys(given));
      const values = Object.fromEntries(text.parameters.map((name) => [name, inputOf(given[name] ?? null)]));
      try {
        return await scratchChanges(database, { sql, values, names: text.names, most }, referenceOf);
      } catch (error) {
        throw explained(error, tables, () => lacksIn(database), text.names);
      }
    },
    /** Returns the host of the organisation. Undefined if the file is not a local database. */
    host: () => (isLocalDatabase(database) ? String(database.prepare('SELECT host FROM svc_mirror').get()?.['host']) : undefined),
    /** Returns a stored record, unchanged from the service. Undefined if the database does not have the record. */
    recordOf(noun: string, id: number) {
      stored ??= isLocalDatabase(database) ? tablesIn(database) : new Map();
      const table = stored.get(noun)?.table;
      return table === undefined ? undefined : storedRecord(database, table, id);
    },
    close: () => database.close(),
  };
}

function isLocalDatabase(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'svc_tables'").get() !== undefined;
}

/** Returns the columns of a table or view. Does not fail for a broken view, because you can still query the other tables and views. */
function columnsIn(database: DatabaseSync, table: string): Pick<SqlTable, 'columns' | 'fault'> {
  try {
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table);
    return { columns: columns.map(({ name, type }) => ({ name: String(name), type: String(type) })) };
  } catch (error) {
    if (!isOfSqlite(error)) throw error;
    return { columns: [], fault: error.message };
  }
}

function* recordsOf(
  rows: Iterable<Record<string, SQLOutputValue>>,
  named: readonly string[],
  columns: readonly string[],
  explain: (error: unknown) => unknown,
): Generator<JsonObject> {
  try {
    for (const row of rows) yield Object.fromEntries(columns.map((column, index) => [column, outputOf(row[named[index] ?? ''] ?? null)]));
  } catch (error) {
    throw explain(error);
  }
}

/** Converts a value of SQLite to JSON. Keeps all digits of a number, and writes bytes in hexadecimal. */
function outputOf(value: SQLOutputValue): JsonValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : parseJson(String(value));
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value;
}

function inputOf(value: JsonValue): SQLInputValue {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value === null || typeof value === 'string') return value;
  return isRawNumber(value) ? (/^-?\d+$/.test(value.rawJSON) ? BigInt(value.rawJSON) : Number(value.rawJSON)) : JSON.stringify(value);
}

/**
 * Returns a function that finds the stored tables that the names in a query refer to. In a file that is not a local database, the function
 * finds no table.
 */
function namedIn(database: DatabaseSync): (names: readonly string[]) => readonly TableState[] {
  if (!isLocalDatabase(database)) return () => [];
  const states = database.prepare('SELECT * FROM svc_tables ORDER BY noun').all() as unknown as TableState[];
  const views = new Map(
    database
      .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'view'")
      .all()
      .map(({ name, sql }) => [String(name).toLowerCase(), String(sql)]),
  );
  return (names) => {
    const reached = new Set(names.map((name) => name.toLowerCase()));
    for (const name of reached) {
      const sql = views.get(name);
      if (sql !== undefined) for (const other of readSqlText(sql).names) reached.add(other.toLowerCase());
    }
    return states.filter(({ table }) => reached.has(table.toLowerCase()));
  };
}

function lacksIn(database: DatabaseSync): ReturnType<typeof lacksOf> {
  return isLocalDatabase(database) ? lacksOf(tablesIn(database), SQLITE) : new Map();
}

/** Matches a field that a query reads from the column for other fields. */
const OTHER_FIELD = new RegExp(String.raw`${OTHERS}"?\s*->>?\s*'(?:\$\.)?"?(\w+)`, 'gi');

/** Finds fields that a query reads from the column `svc_other_fields`, although each field has its own column. */
function movedIn(database: DatabaseSync, sql: string, of: readonly TableState[]): readonly string[] {
  const fields = new Set([...sql.matchAll(OTHER_FIELD)].map(([, field = '']) => field));
  const has = database.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?');
  return [...fields].flatMap((field) => of.flatMap(({ table }) => (has.get(table, field) === undefined ? [] : [`${table}.${field}`])));
}

/**
 * Adds a hint to an error of SQLite: the missing table or column, or the nearest existing name.
 *
 * @param lacks columns that each view lacks.
 * @param names names in the query.
 */
function explained(
  error: unknown,
  tables: () => readonly SqlTable[],
  lacks: () => ReturnType<typeof lacksOf>,
  names: readonly string[],
): unknown {
  if (error instanceof SvcError || !isOfSqlite(error)) return error;
  const [, kind, name = ''] = /no such (table|column): (\S+)/.exec(error.message) ?? [];
  if (kind === undefined)
    return new UsageError(`SQLite refuses the query: ${error.message}.`, { hint: 'Tables and columns: svc sql --schema', cause: error });
  const last = name.split('.').at(-1) ?? name;
  const views = lacks();
  const ofView = kind === 'table' ? views.get(last.toLowerCase())?.get('') : undefined;
  if (ofView !== undefined)
    return new UsageError(`There is no view ${last}, because the local database does not have ${ofView}.`, {
      hint: hintFor(ofView, tables()),
      cause: error,
    });
  const named = kind === 'column' ? names.map((each) => each.toLowerCase()).find((each) => views.get(each)?.has(last) === true) : undefined;
  if (named !== undefined) {
    const needs = views.get(named)?.get(last) ?? '';
    return new UsageError(`There is no column ${name}: for ${named}.${last}, ${needs} is missing.`, {
      hint: hintFor(needs, tables()),
      cause: error,
    });
  }
  const all = tables();
  const near = nearest(
    last,
    // A column with exactly this name belongs to a table that the query does not read.
    (kind === 'table'
      ? all.map((table) => table.name)
      : [...new Set(all.flatMap(({ columns }) => columns.map((column) => column.name)))]
    ).filter((each) => each.toLowerCase() !== last.toLowerCase()),
  );
  const [read, ...others] = kind === 'table' ? [] : names.filter((each) => views.has(each) || all.some((table) => table.name === each));
  const what = read === undefined || others.length > 0 ? 'List the tables: svc sql --schema' : `List the columns: svc sql --schema ${read}`;
  const hint = near === undefined || near === OTHERS ? what : `Did you mean ${near}? ${what}`;
  return new UsageError(`There is no ${kind} ${name}.`, { hint, cause: error });
}

/**
 * Returns the hint for a missing column.
 *
 * @param needs table and column, such as `worklogs.minutes`.
 */
function hintFor(needs: string, tables: readonly SqlTable[]): string {
  const [table = ''] = needs.split('.');
  const stored = tables.find(({ name }) => name === table);
  return stored === undefined
    ? `To store the table: svc sync ${table.replaceAll('_', '-')}`
    : `No stored record has that field. List the tables: svc sql --schema ${table}`;
}
