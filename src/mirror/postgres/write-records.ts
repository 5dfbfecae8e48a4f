import type { JsonObject } from '../../values/json.ts';
import { quoted } from '../sql-values.ts';
import { lineWriter } from './columns.ts';
import { inSchema } from './names.ts';
import type { Session } from './session.ts';
import type { PostgresTable } from './tables.ts';

/** Where what one look finds is logged: within its transaction, from this position on. */
export interface LookLog {
  readonly noun: string;
  readonly seenAt: string;
  /** The last position that was given. */
  last: number;
}

/** Lines wait in it for the statement that puts them into their places. */
const STAGED = 'pg_temp.svc_staged';

/** What a record is called there. No column of a table is: theirs do not begin so. */
const RECORD = 'svc_record';

/** Characters of lines that are sent at a time: enough for the server to be busy while the next are made, and no burden on memory. */
const BATCH = 500_000;

/** Writes records into a table, within a transaction. */
export interface RecordsWriter {
  /** Puts a record over the one with its id. @param text the same as JSON. */
  put(id: number, record: JsonObject, text: string): Promise<void>;
  /** @returns the ids of those that were other than before, once all are written. */
  end(): Promise<readonly number[]>;
}

/** @param log not given: nothing is logged, and nothing is there yet to compare with. */
export async function recordsWriter(session: Session, table: PostgresTable, log: LookLog | undefined): Promise<RecordsWriter> {
  const merge = log === undefined ? insertAll(table) : insertChanged(session, table);
  const send = await staging(session, table);
  const changed: number[] = [];
  return batches(
    table,
    async (lines) => {
      await send(lines);
      const found = await session.rows<{ readonly id: number }>(merge, ...(log === undefined ? [] : [log.last, log.noun, log.seenAt]));
      for (const { id } of found) changed.push(id);
      if (log !== undefined) log.last += found.length;
    },
    changed,
  );
}

/** Writes the rows of records that are there already. */
export async function rewriteRows(session: Session, table: PostgresTable, records: readonly JsonObject[]): Promise<void> {
  const line = lineWriter(table.columns);
  const send = await staging(session, table);
  await send(records.map((record) => line(record, '')).join(''));
  await session.run(`INSERT INTO ${table.rows} (${namesOf(table)}) SELECT ${namesOf(table)} FROM ${STAGED} ${overwriting(table)}`);
}

/** Makes the place where lines wait; what waits there is what was sent last. */
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

function batches({ columns }: PostgresTable, write: (lines: string) => Promise<void>, changed: readonly number[]): RecordsWriter {
  const line = lineWriter(columns);
  let waiting = new Map<number, string>();
  let size = 0;
  let sending: Promise<void> = Promise.resolve();
  /** The server writes one batch while the next is made. */
  const flush = async () => {
    await sending;
    sending = write([...waiting.values()].join(''));
    // Told where it is waited for.
    sending.catch(() => undefined);
    waiting = new Map();
    size = 0;
  };
  return {
    async put(id, record, text) {
      const made = line(record, text);
      waiting.set(id, made);
      size += made.length;
      if (size >= BATCH) await flush();
    },
    async end() {
      if (waiting.size > 0) await flush();
      await sending;
      return changed;
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
    INSERT INTO ${table.rows} (${namesOf(table)}) SELECT ${namesOf(table)} FROM ${STAGED} ${overwriting(table)} RETURNING id`;
}

/** OFFSET 0: each record is looked up by its id, since of what waits the server has no figures to plan by. */
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

/** Takes records out, within a transaction. @returns the ids of those that were there. */
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
