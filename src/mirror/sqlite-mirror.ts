import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeOwnerOnly } from '../journal/owner-only.ts';
import { type JsonObject, parseJson, stringifyJson } from '../values/json.ts';
import { loadTemporal, type TemporalNamespace } from '../values/temporal.ts';
import { changeLog, type LoggedLook } from './change-log.ts';
import { findMirror } from './find-mirror.ts';
import type { Applied, Look, Mirror, RecordSource, TableState, Whose } from './mirror.ts';
import { MirrorError } from './mirror-error.ts';
import { makeOwnTables } from './own-tables.ts';
import { integerId } from './record-id.ts';
import { freeName, OTHERS, otherFields, quoted, recordTable, sqlValue, tableName } from './sql-values.ts';
import { addZones, dropViews, makeViews } from './sqlite-views.ts';
import type { TableShape } from './table-shape.ts';

/**
 * Opens or creates the local database at `path`: one SQLite file that only its owner may read.
 *
 * @throws MirrorError
 */
export async function openSqliteMirror(path: string, whose: Whose): Promise<Mirror> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  await findMirror(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  makeOwnerOnly(path);
  const database = new Database(path, { timeout: 5_000 });
  try {
    // Readers see the old table until the new one is complete.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    makeOwnTables(database, path, whose);
    const temporal = await loadTemporal();
    addZones(database, temporal, whose.timeZone);
    makeViews(database);
    return mirrorOf(database, path, temporal);
  } catch (error) {
    database.close();
    throw error instanceof MirrorError ? error : new MirrorError('unusable', path, error);
  }
}

/** @param file path of the database. */
function mirrorOf(database: DatabaseSync, file: string, temporal: TemporalNamespace): Mirror {
  const all = <Row>(sql: string, ...values: (string | number)[]) => database.prepare(sql).all(...values) as unknown as Row[];
  const states = () => all<TableState>('SELECT * FROM svc_tables ORDER BY noun');
  const tableOf = (noun: string) => states().find((state) => state.noun === noun)?.table;
  const log = changeLog(database);
  const idsIn = (sql: string, ...values: (string | number)[]) => all<{ readonly id: number }>(sql, ...values).map(({ id }) => Number(id));

  /** Creates the table of a shape, or creates it again from its records if its columns differ. */
  function ensure({ noun, columns }: TableShape): string {
    const taken = new Set(states().flatMap((state) => (state.noun === noun ? [] : [state.table])));
    const table = tableOf(noun) ?? freeName(tableName(noun), taken);
    const wanted = [...columns.map(({ name, type }) => ({ name, type })), { name: OTHERS, type: 'JSON TEXT' }];
    const there = all<{ readonly name: string; readonly type: string }>('SELECT name, type FROM pragma_table_info(?)', table);
    if (JSON.stringify(there) === JSON.stringify(wanted)) return table;
    // A view may have its name, and every view names tables.
    dropViews(database);
    database.exec(`DROP TABLE IF EXISTS ${quoted(table)}`);
    const definitions = wanted.map(({ name, type }) => `${quoted(name)} ${type}${name === 'id' ? ' PRIMARY KEY' : ''}`);
    database.exec(`CREATE TABLE ${quoted(table)} (${definitions.join(', ')})`);
    for (const { name } of columns)
      if (name.endsWith('_id'))
        database.exec(`CREATE INDEX IF NOT EXISTS ${quoted(`${table}_${name}`)} ON ${quoted(table)} (${quoted(name)})`);
    database.exec(`CREATE TABLE IF NOT EXISTS ${quoted(recordTable(table))} (id INTEGER PRIMARY KEY, record TEXT NOT NULL)`);
    const write = rowWriter(database, table, columns);
    const records = database.prepare(`SELECT record FROM ${quoted(recordTable(table))}`).iterate() as Iterable<{ record: string }>;
    for (const { record } of records) write(parseJson(record) as JsonObject);
    return table;
  }

  /** Runs `work` as one transaction. */
  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = await work();
      makeViews(database);
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk may have ended the transaction already.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw isOfSqlite(error) ? new MirrorError('unusable', file, error) : error;
    }
  }

  /** Runs `work` on the table of a shape, within a transaction. */
  const changing = (
    shape: TableShape,
    { path, as_of, whole_at, known_by, seen_at = as_of }: Look,
    work: (table: string, look: LoggedLook) => Promise<Applied>,
  ): Promise<Applied> =>
    transaction(async () => {
      const isFirst = tableOf(shape.noun) === undefined;
      const table = ensure(shape);
      const look = isFirst ? UNLOGGED : log.begin(shape.noun, seen_at);
      const applied = await work(table, look);
      look.end();
      const rows = Number(database.prepare(`SELECT count(*) AS rows FROM ${quoted(table)}`).get()?.['rows'] ?? 0);
      database
        .prepare('INSERT OR REPLACE INTO svc_tables VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(shape.noun, table, path, as_of, whole_at, known_by, rows);
      if (shape.noun === 'users') addZones(database, temporal, undefined);
      return applied;
    });

  /** Writes records over those with the same ids. @param seen receives each id. */
  async function put(
    { noun, columns }: TableShape,
    table: string,
    look: LoggedLook,
    records: RecordSource,
    seen?: (id: number) => void,
  ): Promise<readonly number[]> {
    const write = rowWriter(database, table, columns);
    const find = database.prepare(`SELECT record FROM ${quoted(recordTable(table))} WHERE id = ?`);
    const keep = database.prepare(`INSERT OR REPLACE INTO ${quoted(recordTable(table))} VALUES (?, ?)`);
    const changed: number[] = [];
    for await (const record of records) {
      const id = integerId(record);
      if (id === undefined) throw new MirrorError('no-ids', noun);
      seen?.(id);
      const text = stringifyJson(record);
      const before = find.get(id)?.['record'] as string | undefined;
      if (before === text) continue;
      write(record);
      keep.run(id, text);
      look.add(id, before, text);
      changed.push(id);
    }
    return changed;
  }

  function remove(table: string, look: LoggedLook, ids: Iterable<number>): readonly number[] {
    const fromRows = database.prepare(`DELETE FROM ${quoted(table)} WHERE id = ?`);
    const find = database.prepare(`SELECT record FROM ${quoted(recordTable(table))} WHERE id = ?`);
    const fromRecords = database.prepare(`DELETE FROM ${quoted(recordTable(table))} WHERE id = ?`);
    return [...ids].filter((id) => {
      const before = find.get(id)?.['record'] as string | undefined;
      if (before === undefined) return false;
      fromRows.run(id);
      fromRecords.run(id);
      look.add(id, before, undefined);
      return true;
    });
  }

  return {
    states: async () => new Map(states().map((state) => [state.noun, state])),
    async ids(noun) {
      const table = tableOf(noun);
      return table === undefined ? [] : idsIn(`SELECT id FROM ${quoted(recordTable(table))} ORDER BY id`);
    },
    async idsWhere(noun, column, value) {
      const table = tableOf(noun);
      return table === undefined ? [] : idsIn(`SELECT id FROM ${quoted(table)} WHERE ${quoted(column)} = ? ORDER BY id`, value);
    },
    async *records(noun, ids) {
      const table = tableOf(noun);
      if (table === undefined) return;
      const sql = `SELECT id, record FROM ${quoted(recordTable(table))}`;
      type Row = { readonly id: number; readonly record: string };
      if (ids === undefined) yield* database.prepare(`${sql} ORDER BY id`).iterate() as Iterable<Row>;
      else {
        const select = database.prepare(`${sql} WHERE id = ?`);
        for (const id of ids) yield* select.all(id) as unknown as Row[];
      }
    },
    async idsSince(noun, moment) {
      const table = tableOf(noun);
      return table === undefined ? [] : idsIn(`SELECT id FROM ${quoted(table)} WHERE updated_at >= ? ORDER BY id`, moment);
    },
    async made(noun) {
      const table = tableOf(noun);
      if (table === undefined) return [];
      return all<{ readonly id: number; readonly made: string }>(
        `SELECT id, CASE typeof(created_at) WHEN 'text' THEN created_at ELSE '' END AS made FROM ${quoted(table)} ORDER BY id`,
      );
    },
    async lastChange(noun) {
      const table = tableOf(noun);
      if (table === undefined) return { at: undefined, unknown: 0 };
      const sql = `SELECT max(updated_at) AS at, count(*) - count(CASE typeof(updated_at) WHEN 'text' THEN 1 END) AS unknown FROM ${quoted(table)}`;
      const [found] = all<{ readonly at: unknown; readonly unknown: number }>(sql);
      return { at: typeof found?.at === 'string' ? found.at : undefined, unknown: Number(found?.unknown ?? 0) };
    },
    replace: (shape, records, look) =>
      changing(shape, look, async (table, logged) => {
        const seen = new Set<number>();
        const changed = await put(shape, table, logged, records, (id) => seen.add(id));
        const old = idsIn(`SELECT id FROM ${quoted(recordTable(table))}`);
        return {
          put: changed,
          gone: remove(
            table,
            logged,
            old.filter((id) => !seen.has(id)),
          ),
        };
      }),
    update: (shape, records, gone, look) =>
      changing(shape, look, async (table, logged) => ({
        put: await put(shape, table, logged, records),
        gone: remove(table, logged, gone),
      })),
    drop: (noun) =>
      transaction(async () => {
        const table = tableOf(noun);
        if (table === undefined) return;
        dropViews(database);
        database.exec(`DROP TABLE ${quoted(table)}; DROP TABLE ${quoted(recordTable(table))}`);
        for (const own of ['svc_tables', 'svc_changes']) database.prepare(`DELETE FROM ${own} WHERE noun = ?`).run(noun);
      }),
    log: async () => log.state(),
    changes: (after) => log.after(after),
    positionBefore: async (moment) => log.before(moment),
    async keep(name, text) {
      if (text === undefined) database.prepare('DELETE FROM svc_kept WHERE name = ?').run(name);
      else database.prepare('INSERT OR REPLACE INTO svc_kept VALUES (?, ?)').run(name, text);
    },
    async kept(name) {
      const text = database.prepare('SELECT text FROM svc_kept WHERE name = ?').get(name)?.['text'];
      return typeof text === 'string' ? text : undefined;
    },
    // Nothing blocks a view in a file.
    staleViews: async () => [],
    close: async () => database.close(),
  };
}

/** The log of the first check of a table. */
const UNLOGGED: LoggedLook = { add: () => undefined, end: () => undefined };

/** Whether SQLite reports an error: a full disk, a locked file or a damaged file. */
function isOfSqlite(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error;
}

function rowWriter(database: DatabaseSync, table: string, columns: TableShape['columns']): (record: JsonObject) => void {
  const names = columns.map(({ name }) => name);
  const has = new Set(names);
  const insert = database.prepare(`INSERT OR REPLACE INTO ${quoted(table)} VALUES (${[...names, OTHERS].map(() => '?').join(', ')})`);
  return (record) => {
    const others = Object.keys(record).filter((name) => !has.has(name));
    insert.run(...names.map((name) => sqlValue(record, name)), otherFields(record, others));
  };
}
