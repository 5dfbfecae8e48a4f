import { type JsonObject, stringifyJson } from '../values/json.ts';
import { loadTemporal, type TemporalNamespace } from '../values/temporal.ts';
import { changeLog } from './change-log.ts';
import { asOfAfter, verifiedAfter } from './checked-times.ts';
import { comparedPages, latest } from './compared-pages.ts';
import { DatabaseError } from './database-error.ts';
import { readFirstRecords } from './first-records.ts';
import type { Applied, DatabaseOwner, LocalDatabase, RecordSource, TableCheck, TableState } from './local-database.ts';
import type { PostgresPlace } from './postgres/address.ts';
import { utc } from './postgres/dialect.ts';
import { inSchema } from './postgres/names.ts';
import { makePostgresOwnTables } from './postgres/own-tables.ts';
import { openSession, type Session } from './postgres/session.ts';
import { takeDatabase } from './postgres/sync-turn.ts';
import {
  endTable,
  heldPostgresColumns,
  openPostgresTable,
  type PostgresTable,
  piecesOf,
  recordsWith,
  storedText,
  storeText,
} from './postgres/tables.ts';
import { existingViews, makePostgresViews, postgresTables, runWithoutViews, staleViews } from './postgres/views.ts';
import { type CheckLog, recordsWriter, removeRecords, rewriteRows } from './postgres/write-records.ts';
import { integerId } from './record-id.ts';
import { recordTable } from './sql-values.ts';
import { storedRows } from './stored-rows.ts';
import { fieldsName, heldName, type TableShape } from './table-shape.ts';
import { touchedRecords } from './touched-records.ts';
import { addZones } from './zones.ts';

/**
 * Opens or creates the team database in a schema. No other svc process can write to the database until you close the database.
 *
 * @throws TakenError if another svc process uses the team database. DatabaseError if svc can’t use the server or the schema.
 * @throws UnavailableError, ForbiddenError or NotFoundError if the connection fails.
 */
export async function openPostgresDatabase(place: PostgresPlace, owner: DatabaseOwner): Promise<LocalDatabase> {
  const open = async (session: Session) => {
    await takeDatabase(session);
    await makePostgresOwnTables(session, owner);
    const temporal = await loadTemporal();
    await session.transaction(async () => {
      await addZones(session.rows, temporal, (table) => inSchema(place.schema, table), await postgresTables(session), owner.timeZone);
      await makePostgresViews(session, await existingViews(session));
    });
    return databaseOf(session, temporal);
  };
  return openSession(place, open, owner.by);
}

function databaseOf(session: Session, temporal: TemporalNamespace): LocalDatabase {
  const { schema } = session.place;
  const own = (name: string) => inSchema(schema, name);
  const states = () => session.rows<TableState>(`SELECT * FROM ${own('svc_tables')} ORDER BY noun COLLATE "C"`);
  const tableOf = async (noun: string) => {
    const sql = `SELECT "table", verified_at FROM ${own('svc_tables')} WHERE noun = $1`;
    const [state] = await session.rows<Pick<TableState, 'table' | 'verified_at'>>(sql, noun);
    return (
      state && {
        name: state.table,
        verifiedAt: state.verified_at,
        rows: inSchema(schema, state.table),
        records: inSchema(schema, recordTable(state.table)),
      }
    );
  };
  const idsIn = async (sql: string, ...values: (string | number)[]) =>
    (await session.rows<{ readonly id: number }>(sql, ...values)).map(({ id }) => id);

  const compared = comparedPages(session.rows, own('svc_pages'));
  const changeLogs = changeLog(session.rows, own, session.place.name);

  /** Runs `work` and updates the views, in one transaction. */
  const transaction = <T>(work: () => Promise<T>): Promise<T> =>
    session.transaction(async () => {
      const before = await existingViews(session);
      const result = await work();
      await makePostgresViews(session, before);
      return result;
    });

  async function changing(
    shape: TableShape,
    check: TableCheck,
    first: readonly JsonObject[],
    work: (table: PostgresTable, log: CheckLog | undefined) => Promise<AppliedIds>,
  ): Promise<Applied> {
    const { noun } = shape;
    // svc keeps only this boolean, and can free the memory of the records during the write.
    const hasRecords = first.length > 0;
    const rewrite = (table: PostgresTable, records: readonly JsonObject[]) => rewriteRows(session, table, records);
    const { path, as_of, whole_at, known_by, seen_at: seenAt = as_of, pages = [] } = check;
    return transaction(async () => {
      const known = await tableOf(noun);
      const table = await openPostgresTable(session, shape, known?.name, first, rewrite);
      const log = table.isNew ? undefined : { noun, seenAt, last: (await changeLogs.log()).last };
      const began = log?.last;
      const applied = await work(table, log);
      await endTable(session, table, hasRecords, rewrite);
      if (log !== undefined && log.last !== began) await changeLogs.end(seenAt, log.last);
      await compared.changed(
        noun,
        [...applied.put, ...applied.gone].sort((one, other) => one - other),
      );
      await compared.put(noun, pages);
      const verified = await verifiedAfter(compared, noun, check, known?.verifiedAt);
      await session.rows(
        `INSERT INTO ${own('svc_tables')} SELECT $1, $2, $3, $4, $5, $6, count(*), $7 FROM ${table.rows}
         ON CONFLICT (noun) DO UPDATE SET path = excluded.path, as_of = excluded.as_of, whole_at = excluded.whole_at,
           known_by = excluded.known_by, rows = excluded.rows, verified_at = excluded.verified_at`,
        ...[noun, table.name, path, asOfAfter(check, verified), latest(whole_at, verified) ?? whole_at, known_by, verified ?? null],
      );
      if (noun === 'users') await addZones(session.rows, temporal, own, await postgresTables(session));
      // Without ANALYZE, the server has no statistics of a new table for minutes or hours.
      if (table.isNew || applied.put.length > MANY) await session.run(`ANALYZE ${table.rows}, ${table.records}`);
      return { put: applied.put.length, gone: applied.gone.length };
    });
  }

  /** Writes records in place of the records with the same ids. @param seen receives each id. */
  async function put(noun: string, table: PostgresTable, log: CheckLog | undefined, records: RecordSource, seen?: (id: number) => void) {
    const writer = await recordsWriter(session, table, log);
    for await (const record of records) {
      const id = integerId(record);
      if (id === undefined) throw new DatabaseError('no-ids', noun);
      seen?.(id);
      await writer.put(id, record, stringifyJson(record));
    }
    return writer.end();
  }

  return {
    states: async () => new Map((await states()).map((state) => [state.noun, state])),
    ...compared.reads,
    ...touchedRecords(session.rows, own('svc_touched'), async (noun) => (await tableOf(noun))?.records),
    ...storedRows(session.rows, {
      find: tableOf,
      async has({ rows }, column) {
        const sql = 'SELECT 1 FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2 AND NOT attisdropped';
        return (await session.rows(sql, rows, column)).length > 0;
      },
      time: (column) => column,
      asText: utc,
      async begin() {
        await session.run('CREATE TEMPORARY TABLE svc_made (id bigint PRIMARY KEY, made text COLLATE "C" NOT NULL)');
        return { name: 'pg_temp.svc_made', index: 'CREATE INDEX svc_made_order ON pg_temp.svc_made (made, id)' };
      },
    }),
    async *records(noun, ids) {
      const table = await tableOf(noun);
      if (table === undefined) return;
      if (ids === undefined) for await (const piece of piecesOf(session, table)) yield* piece;
      else yield* recordsWith(session, table, ids);
    },
    replace: async (shape, records, check) => {
      const { first, all } = await readFirstRecords(records);
      return changing(shape, check, first, async (table, log) => {
        const seen = new Set<number>();
        const changed = await put(shape.noun, table, log, all, (id) => seen.add(id));
        const gone = table.isNew ? [] : (await idsIn(`SELECT id FROM ${table.records}`)).filter((id) => !seen.has(id));
        return { put: changed, gone: await removeRecords(session, table, gone, log) };
      });
    },
    update: async (shape, records, gone, check) => {
      const { first, all } = await readFirstRecords(records);
      return changing(shape, check, first, async (table, log) => {
        const changed = await put(shape.noun, table, log, all);
        return { put: changed, gone: await removeRecords(session, table, [...gone], log) };
      });
    },
    drop: (noun) =>
      transaction(async () => {
        const table = await tableOf(noun);
        if (table === undefined) return;
        await runWithoutViews(session, `DROP TABLE ${table.rows}, ${table.records}`);
        for (const name of [fieldsName(noun), heldName(noun)]) await storeText(session, name, undefined);
        for (const name of ['svc_tables', 'svc_pages', 'svc_touched', 'svc_changes'])
          await session.rows(`DELETE FROM ${own(name)} WHERE noun = $1`, noun);
      }),
    ...changeLogs,
    keep: (name, text) => storeText(session, name, text),
    stored: (name) => storedText(session, name),
    heldBack: async () => ({ views: await staleViews(session), columns: await heldPostgresColumns(session) }),
    check: () => session.check(),
    close: () => session.close(),
  };
}

/** The number of changed records above which svc updates the server’s statistics. */
const MANY = 10_000;

interface AppliedIds {
  readonly put: readonly number[];
  readonly gone: readonly number[];
}
