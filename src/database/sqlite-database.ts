import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { makeOwnerOnly } from '../journal/database-file.ts';
import { type JsonObject, stringifyJson } from '../values/json.ts';
import { loadTemporal, type TemporalNamespace } from '../values/temporal.ts';
import { changeLog } from './change-log.ts';
import { asOfAfter, verifiedAfter } from './checked-times.ts';
import { comparedPages, latest } from './compared-pages.ts';
import { DatabaseError, isOfSqlite } from './database-error.ts';
import { findDatabase } from './find-database.ts';
import { readFirstRecords } from './first-records.ts';
import type { Applied, DatabaseOwner, LocalDatabase, RecordSource, TableCheck, TableState } from './local-database.ts';
import { makeOwnTables } from './own-tables.ts';
import { integerId } from './record-id.ts';
import { sqliteRunner } from './run-sqlite.ts';
import { forgetSearchWords, searchWriter } from './search/sqlite-index.ts';
import { quoted, recordTable } from './sql-values.ts';
import { forgetColumns, heldSqliteColumns, keepSqliteText, keptSqliteText, openSqliteTable, type SqliteTable } from './sqlite-table.ts';
import { dropViews, makeViews, tablesIn } from './sqlite-views.ts';
import { storedRows } from './stored-rows.ts';
import type { TableShape } from './table-shape.ts';
import { touchedRecords } from './touched-records.ts';
import { addZones } from './zones.ts';

/**
 * Opens or creates the local database at a path. The database is one SQLite file that only its owner can read.
 *
 * @throws DatabaseError if svc can’t use the file.
 */
export async function openSqliteDatabase(path: string, owner: DatabaseOwner): Promise<LocalDatabase> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  await findDatabase(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  makeOwnerOnly(path);
  const database = new Database(path, { timeout: 5_000 });
  try {
    // With WAL, readers see the old table until the new table is complete.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    makeOwnTables(database, path, owner);
    const temporal = await loadTemporal();
    // svc adds the offsets in one transaction, so that readers never see only some offsets of a zone.
    database.exec('BEGIN IMMEDIATE');
    const runSql = sqliteRunner((sql, ...values) => database.prepare(sql).all(...values));
    await addZones(runSql, temporal, quoted, tablesIn(database), owner.timeZone);
    makeViews(database);
    database.exec('COMMIT');
    return databaseOf(database, path, temporal);
  } catch (error) {
    database.close();
    throw error instanceof DatabaseError ? error : new DatabaseError('unusable', path, error);
  }
}

/**
 * Creates a local database object for an open SQLite file.
 *
 * @param file path of the database.
 */
function databaseOf(database: DatabaseSync, file: string, temporal: TemporalNamespace): LocalDatabase {
  const prepared = preparedStatements(database);
  const all = <Row>(sql: string, ...values: (string | number | null)[]) => prepared(sql).all(...values) as unknown as Row[];
  const schemaVersion = () => all<{ readonly schema_version: number }>('PRAGMA schema_version')[0]?.schema_version;
  const states = () => all<TableState>('SELECT * FROM svc_tables ORDER BY noun');
  const runSql = sqliteRunner(all);
  const compared = comparedPages(runSql, 'svc_pages');
  const tableOf = (noun: string) => states().find((state) => state.noun === noun)?.table;
  const rows = storedRows(runSql, {
    async find(noun) {
      const table = tableOf(noun);
      return table === undefined ? undefined : { name: table, rows: quoted(table), records: quoted(recordTable(table)) };
    },
    has: async ({ name }, column) => (await runSql('SELECT 1 FROM pragma_table_info($1) WHERE name = $2', name, column)).length > 0,
    time: (column) => `CASE WHEN typeof(${column}) = 'text' AND ${column} <> '' THEN ${column} END`,
    asText: (time) => time,
    async begin() {
      database.exec(`DROP TABLE IF EXISTS ${MADE}; CREATE TEMPORARY TABLE svc_made (id INTEGER PRIMARY KEY, made TEXT NOT NULL)`);
      return { name: MADE, index: 'CREATE INDEX temp.svc_made_order ON svc_made (made, id)' };
    },
  });
  const touched = touchedRecords(runSql, 'svc_touched', async (noun) => {
    const table = tableOf(noun);
    return table && quoted(recordTable(table));
  });
  const log = changeLog(runSql, (name) => name, file);

  /** Starts the log of one check of a table, within a transaction. `ids` yields the ids of the changed records so far, ascending. */
  async function beginLog(noun: string, seenAt: string): Promise<LoggedCheck> {
    const { last: began } = await log.log();
    const insert = database.prepare('INSERT INTO svc_changes VALUES (?, ?, ?, ?, ?, ?)');
    let last = began;
    return {
      add(id, before, after) {
        last += 1;
        insert.run(last, noun, id, before ?? null, after ?? null, seenAt);
      },
      ids: () => eachId(database.prepare('SELECT DISTINCT id FROM svc_changes WHERE position > ? ORDER BY id'), began),
      async end() {
        if (last > began) await log.end(seenAt, last);
      },
    };
  }
  let viewsAt: number | undefined;
  /**
   * Runs `work` in a transaction. The first transaction updates the views, because another svc possibly created the views. A later transaction
   * updates the views if a table or column is new or removed. @throws DatabaseError if SQLite reports an error.
   */
  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = await work();
      if (schemaVersion() !== viewsAt) makeViews(database);
      database.exec('COMMIT');
      viewsAt = schemaVersion();
      return result;
    } catch (error) {
      // If the disk is full, SQLite may have already ended the transaction.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw isOfSqlite(error) ? new DatabaseError('unusable', file, error) : error;
    }
  }

  const changing = (
    shape: TableShape,
    check: TableCheck,
    first: readonly JsonObject[],
    work: (table: SqliteTable, currentCheck: LoggedCheck) => Promise<Applied>,
  ): Promise<Applied> =>
    transaction(async () => {
      const { path, as_of, whole_at, known_by, seen_at = as_of, pages = [] } = check;
      const before = states().find(({ noun }) => noun === shape.noun);
      const table = await openSqliteTable(database, shape, first);
      if (table.isNew) forgetSearchWords(database, shape.noun);
      const currentCheck = table.isNew ? UNLOGGED : await beginLog(shape.noun, seen_at);
      const applied = await work(table, currentCheck);
      await compared.changed(shape.noun, currentCheck.ids());
      await currentCheck.end();
      await table.end();
      await compared.put(shape.noun, pages);
      const verified = await verifiedAfter(compared, shape.noun, check, before?.verified_at);
      const rows = Number(database.prepare(`SELECT count(*) AS rows FROM ${quoted(table.name)}`).get()?.['rows'] ?? 0);
      database
        .prepare('INSERT OR REPLACE INTO svc_tables VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(
          ...[shape.noun, table.name, path, asOfAfter(check, verified), latest(whole_at, verified) ?? whole_at],
          known_by,
          rows,
          verified ?? null,
        );
      if (shape.noun === 'users') await addZones(runSql, temporal, quoted, tablesIn(database));
      return applied;
    });

  /** Writes records in place of the records with the same ids. @param seen receives each id. */
  async function put(
    noun: string,
    table: SqliteTable,
    currentCheck: LoggedCheck,
    records: RecordSource,
    seen?: (id: number) => void,
  ): Promise<number> {
    const find = database.prepare(`SELECT record FROM ${quoted(recordTable(table.name))} WHERE id = ?`);
    const keep = database.prepare(`INSERT OR REPLACE INTO ${quoted(recordTable(table.name))} VALUES (?, ?)`);
    const words = searchWriter(database, noun);
    let changed = 0;
    for await (const record of records) {
      const id = integerId(record);
      if (id === undefined) throw new DatabaseError('no-ids', noun);
      seen?.(id);
      const text = stringifyJson(record);
      const before = find.get(id)?.['record'] as string | undefined;
      if (before === text) continue;
      table.write(record);
      words.put(id, record, before === undefined);
      keep.run(id, text);
      currentCheck.add(id, before, text);
      changed += 1;
    }
    return changed;
  }

  function remove(noun: string, table: string, currentCheck: LoggedCheck, ids: Iterable<number>): number {
    const fromRows = database.prepare(`DELETE FROM ${quoted(table)} WHERE id = ?`);
    const find = database.prepare(`SELECT record FROM ${quoted(recordTable(table))} WHERE id = ?`);
    const fromRecords = database.prepare(`DELETE FROM ${quoted(recordTable(table))} WHERE id = ?`);
    const words = searchWriter(database, noun);
    let removed = 0;
    for (const id of ids) {
      const before = find.get(id)?.['record'] as string | undefined;
      if (before === undefined) continue;
      fromRows.run(id);
      fromRecords.run(id);
      words.remove(id);
      currentCheck.add(id, before, undefined);
      removed += 1;
    }
    return removed;
  }

  return {
    states: async () => new Map(states().map((state) => [state.noun, state])),
    ...rows,
    ...compared.reads,
    ...touched,
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
    replace: async (shape, records, currentCheck) => {
      const { first, all: every } = await readFirstRecords(records);
      return changing(shape, currentCheck, first, async (table, logged) => {
        if (table.isNew) return { put: await put(shape.noun, table, logged, every), gone: 0 };
        database.exec(`DROP TABLE IF EXISTS ${SEEN}; CREATE TEMPORARY TABLE svc_seen (id INTEGER PRIMARY KEY)`);
        const note = database.prepare(`INSERT OR IGNORE INTO ${SEEN} VALUES (?)`);
        const changed = await put(shape.noun, table, logged, every, (id) => note.run(id));
        const unseen = `SELECT id FROM ${quoted(recordTable(table.name))} WHERE id NOT IN (SELECT id FROM ${SEEN})`;
        database.exec(`DROP TABLE IF EXISTS ${GONE}; CREATE TEMPORARY TABLE svc_gone AS ${unseen}`);
        const gone = remove(shape.noun, table.name, logged, eachId(database.prepare(`SELECT id FROM ${GONE}`)));
        database.exec(`DROP TABLE ${SEEN}; DROP TABLE ${GONE}`);
        return { put: changed, gone };
      });
    },
    update: async (shape, records, gone, currentCheck) => {
      const { first, all: every } = await readFirstRecords(records);
      return changing(shape, currentCheck, first, async (table, logged) => ({
        put: await put(shape.noun, table, logged, every),
        gone: remove(shape.noun, table.name, logged, gone),
      }));
    },
    drop: (noun) =>
      transaction(async () => {
        const table = tableOf(noun);
        if (table === undefined) return;
        dropViews(database);
        database.exec(`DROP TABLE ${quoted(table)}; DROP TABLE ${quoted(recordTable(table))}`);
        forgetColumns(database, noun);
        forgetSearchWords(database, noun);
        for (const own of ['svc_tables', 'svc_pages', 'svc_touched', 'svc_changes'])
          database.prepare(`DELETE FROM ${own} WHERE noun = ?`).run(noun);
      }),
    ...log,
    keep: async (name, text) => keepSqliteText(database, name, text),
    stored: async (name) => keptSqliteText(database, name),
    // SQLite lets svc replace its views at any time.
    heldBack: async () => ({ views: [], columns: heldSqliteColumns(database) }),
    check: () => undefined,
    close: async () => database.close(),
  };
}

/** The most statements that svc keeps compiled. */
const MOST_STATEMENTS = 100;

/** Returns a function that compiles statements, and keeps up to {@link MOST_STATEMENTS} compiled statements. */
function preparedStatements(database: DatabaseSync): (sql: string) => StatementSync {
  const known = new Map<string, StatementSync>();
  return (sql) => {
    let statement = known.get(sql);
    if (statement === undefined) {
      if (known.size >= MOST_STATEMENTS) known.clear();
      statement = database.prepare(sql);
      known.set(sql, statement);
    }
    return statement;
  };
}

/** The temporary table of record ids that a sync has read. The table is on disk, because there may be millions of ids. */
const SEEN = 'temp.svc_seen';

/** The temporary table of ids whose rows svc removes. */
const GONE = 'temp.svc_gone';

/** The temporary table with the ids and the `created_at` of one table’s rows. svc indexes the table by this time. */
const MADE = 'temp.svc_made';

/** Collects the changes that one check of a table finds. */
interface LoggedCheck {
  add(id: number, before: string | undefined, after: string | undefined): void;
  ids(): Iterable<number>;
  end(): Promise<void>;
}

/** A log that ignores all changes, for the first check of a table. */
const UNLOGGED: LoggedCheck = { add: () => undefined, ids: () => [], end: async () => undefined };

function* eachId(select: StatementSync, ...values: number[]): Generator<number> {
  for (const { id } of select.iterate(...values)) yield Number(id);
}
