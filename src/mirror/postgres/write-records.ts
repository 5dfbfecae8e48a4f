import type { JsonObject } from '../../values/json.ts';
import { quoted } from '../sql-values.ts';
import { escaped, lineWriter } from './columns.ts';
import { inSchema } from './names.ts';
import type { Session } from './session.ts';
import { addColumns, type PostgresTable } from './tables.ts';

/** The log entry of one check, within its transaction, from this position on. */
export interface LookLog {
  readonly noun: string;
  readonly seenAt: string;
  /** The last position in use. */
  last: number;
}

/** Lines wait in this table for the statement that writes them. */
const STAGED = 'pg_temp.svc_staged';

/** The column with the record in that table. No other column begins so. */
const RECORD = 'svc_record';

/** Characters to send at a time: the server stays busy while svc makes the next lines, and memory stays small. */
const BATCH = 500_000;

/** Writes records into a table, within a transaction. */
export interface RecordsWriter {
  /** Writes a record over the one with its id. @param text the record as JSON. */
  put(id: number, record: JsonObject, text: string): Promise<void>;
  /** Ends the writing. @returns the ids of the records that changed. */
  end(): Promise<readonly number[]>;
}

/** A record in the format of COPY. */
interface Fields {
  readonly row: string;
  readonly text: string;
  readonly record: JsonObject;
}

type Batch = ReadonlyMap<number, Fields>;

/** @param log undefined for a new table: svc logs nothing, and has nothing to compare with. */
export async function recordsWriter(session: Session, table: PostgresTable, log: LookLog | undefined): Promise<RecordsWriter> {
  const changed: number[] = [];
  const found = (ids: Iterable<number>) => {
    for (const id of ids) changed.push(id);
  };
  if (log === undefined) {
    const first = firstWrites(session, table);
    return batches(
      session,
      table,
      async (batch) => found(await first.write(batch)),
      async () => {
        await first.end();
        return changed;
      },
    );
  }
  let columns: PostgresTable['columns'] | undefined;
  let send: ((lines: string) => Promise<void>) | undefined;
  const write = async (batch: Batch) => {
    if (send === undefined || columns !== table.columns) send = await staging(session, table);
    columns = table.columns;
    await send(linesOf(batch));
    const merge = insertChanged(session, table);
    const ids = (await session.rows<{ readonly id: number }>(merge, log.last, log.noun, log.seenAt)).map(({ id }) => id);
    found(ids);
    log.last += ids.length;
  };
  return batches(session, table, write, async () => changed);
}

/** Writes lines straight into a new table. A second record with the same id waits for the end, since COPY overwrites nothing. */
function firstWrites(session: Session, table: PostgresTable) {
  const sent = new Set<number>();
  const again = new Map<number, Fields>();
  return {
    async write(batch: Batch): Promise<readonly number[]> {
      const fresh: (readonly [number, Fields])[] = [];
      for (const [id, fields] of batch) {
        if (sent.has(id)) again.set(id, fields);
        else fresh.push([id, fields]);
        sent.add(id);
      }
      await session.copyIn(`COPY ${table.rows} (${namesOf(table)}) FROM STDIN`, fresh.map(([, { row }]) => `${row}\n`).join(''));
      await session.copyIn(`COPY ${table.records} FROM STDIN`, fresh.map(([id, { text }]) => `${id}\t${text}\n`).join(''));
      return fresh.map(([id]) => id);
    },
    async end() {
      if (again.size === 0) return;
      const fields = linesFor(table);
      const now = Array.from(again, ([id, each]) => [id, { ...each, row: fields(each.record) }] as const);
      await (await staging(session, table))(linesOf(new Map(now)));
      await session.run(insertAll(table));
    },
  };
}

/** Writes the rows of stored records. */
export async function rewriteRows(session: Session, table: PostgresTable, records: readonly JsonObject[]): Promise<void> {
  const fields = linesFor(table);
  const send = await staging(session, table);
  await send(records.map((record) => `${fields(record)}\t\n`).join(''));
  await session.run(`INSERT INTO ${table.rows} (${namesOf(table)}) SELECT ${namesOf(table)} FROM ${STAGED} ${overwriting(table)}`);
}

function linesOf(batch: Batch): string {
  return Array.from(batch.values(), ({ row, text }) => `${row}\t${text}\n`).join('');
}

/** Makes the waiting table. Each call of the result replaces the lines in it. */
async function staging(session: Session, { rows, columns }: PostgresTable): Promise<(lines: string) => Promise<void>> {
  await session.run(`
    DROP TABLE IF EXISTS ${STAGED};
    CREATE TEMPORARY TABLE svc_staged (LIKE ${rows}, ${RECORD} text) ON COMMIT DROP
  `);
  const copy = `COPY ${STAGED} (${[...columns.map(({ name }) => quoted(name)), RECORD].join(', ')}) FROM STDIN`;
  let isEmpty = true;
  return async (lines) => {
    if (!isEmpty) await session.run(`TRUNCATE ${STAGED}`);
    isEmpty = false;
    await session.copyIn(copy, lines);
  };
}

function linesFor({ columns, seen, isNew }: PostgresTable): (record: JsonObject) => string {
  return lineWriter(columns, (name, value) => seen.hasColumn(name) && (isNew || value === null));
}

function batches(
  session: Session,
  table: PostgresTable,
  write: (batch: Batch) => Promise<void>,
  end: () => Promise<readonly number[]>,
): RecordsWriter {
  let fields = linesFor(table);
  let waiting = new Map<number, Fields>();
  let size = 0;
  let sending: Promise<void> = Promise.resolve();
  /** Lets the server write one batch while svc makes the next. */
  const flush = async () => {
    await sending;
    sending = write(waiting);
    // The next await reports the error.
    sending.catch(() => undefined);
    waiting = new Map();
    size = 0;
  };
  return {
    async put(id, record, text) {
      // In a table that others read, columns wait for the end, and values for them are with the other fields: a new column locks the table.
      if (table.seen.see(record) && table.isNew) {
        // The lines that wait are for the columns as they were.
        if (waiting.size > 0) await flush();
        await sending;
        await addColumns(session, table);
        fields = linesFor(table);
      }
      const made = { row: fields(record), text: escaped(text), record };
      waiting.set(id, made);
      size += made.row.length + made.text.length;
      if (size >= BATCH) await flush();
    },
    async end() {
      if (waiting.size > 0) await flush();
      await sending;
      return end();
    },
  };
}

function namesOf({ columns }: PostgresTable): string {
  return columns.map(({ name }) => quoted(name)).join(', ');
}

function overwriting({ columns }: PostgresTable): string {
  return `ON CONFLICT (id) DO UPDATE SET ${columns.map(({ name }) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')}`;
}

const OVER_RECORD = 'ON CONFLICT (id) DO UPDATE SET record = excluded.record';

function insertAll(table: PostgresTable): string {
  return `WITH kept AS (INSERT INTO ${table.records} SELECT id, ${RECORD} FROM ${STAGED} ${OVER_RECORD})
    INSERT INTO ${table.rows} (${namesOf(table)}) SELECT ${namesOf(table)} FROM ${STAGED} ${overwriting(table)}`;
}

/** OFFSET 0 makes the server look each record up by id: it has no statistics of the waiting lines for a plan. */
function insertChanged({ place }: Session, table: PostgresTable): string {
  return `WITH changed AS MATERIALIZED (
      SELECT s.*, r.record AS svc_before
      FROM ${STAGED} s LEFT JOIN LATERAL (SELECT record FROM ${table.records} WHERE id = s.id OFFSET 0) r ON true
      WHERE r.record IS DISTINCT FROM s.${RECORD}
    ), logged AS (
      INSERT INTO ${inSchema(place.schema, 'svc_changes')}
      SELECT $1::bigint + row_number() OVER (ORDER BY id), $2::text, id, svc_before, ${RECORD}, $3::text FROM changed
    ), kept AS (
      INSERT INTO ${table.records} SELECT id, ${RECORD} FROM changed ${OVER_RECORD}
    ), written AS (
      INSERT INTO ${table.rows} (${namesOf(table)}) SELECT ${namesOf(table)} FROM changed ${overwriting(table)}
    )
    SELECT id FROM changed`;
}

/** Removes records, within a transaction. @returns the ids of those that existed. */
export async function removeRecords(
  session: Session,
  table: PostgresTable,
  ids: readonly number[],
  log: LookLog | undefined,
): Promise<readonly number[]> {
  if (ids.length === 0 || log === undefined) return [];
  const found = await session.rows<{ readonly id: number }>(
    `WITH gone AS (
      DELETE FROM ${table.records} WHERE id = ANY($1::bigint[]) RETURNING id, record
    ), rows AS (
      DELETE FROM ${table.rows} WHERE id = ANY($1::bigint[])
    ), logged AS (
      INSERT INTO ${inSchema(session.place.schema, 'svc_changes')}
      SELECT $2::bigint + row_number() OVER (ORDER BY id), $3::text, id, record, NULL, $4::text FROM gone
    )
    SELECT id FROM gone ORDER BY id`,
    ...[ids, log.last, log.noun, log.seenAt],
  );
  log.last += found.length;
  return found.map(({ id }) => id);
}
