import type { JsonObject } from '../../values/json.ts';
import { quoted } from '../sql-values.ts';
import { escaped, lineWriter } from './columns.ts';
import { inSchema } from './names.ts';
import { WORDS, wordsText } from './record-words.ts';
import type { Session } from './session.ts';
import { addColumns, type PostgresTable } from './tables.ts';

/** The position in the change log while svc logs one check within its transaction. */
export interface CheckLog {
  readonly noun: string;
  readonly seenAt: string;
  /** The last position in the change log so far. */
  last: number;
}

/** The temporary table of lines that svc has sent but not yet written to the real tables. */
const STAGED = 'pg_temp.svc_staged';

/** The column of the temporary table that contains the record. No column for a field can have this name. */
const RECORD = 'svc_record';

/** The column of the temporary table that contains the words of the record. */
const RECORD_WORDS = 'svc_words';

/** The number of characters in a batch of lines. The server writes one batch while svc prepares the next batch. */
const BATCH = 500_000;

interface Fields {
  readonly row: string;
  /** The record and its words, as columns of a line. */
  readonly text: string;
  readonly record: JsonObject;
}

type Batch = ReadonlyMap<number, Fields>;

/**
 * Creates a writer for one table.
 *
 * @param log undefined for a new table. svc then compares and logs nothing.
 */
export async function recordsWriter(session: Session, table: PostgresTable, log: CheckLog | undefined) {
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

/** Writes lines directly into a new table. COPY can’t overwrite a row, so svc writes a second record with the same id at the end. */
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
      await session.copyIn(
        `COPY ${table.records} (id, record, ${WORDS}) FROM STDIN`,
        fresh.map(([id, { text }]) => `${id}\t${text}\n`).join(''),
      );
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

export async function rewriteRows(session: Session, table: PostgresTable, records: readonly JsonObject[]): Promise<void> {
  const fields = linesFor(table);
  const send = await staging(session, table);
  await send(records.map((record) => `${fields(record)}\t\t\n`).join(''));
  await session.run(`INSERT INTO ${table.rows} (${namesOf(table)}) SELECT ${namesOf(table)} FROM ${STAGED} ${overwriting(table)}`);
}

function linesOf(batch: Batch): string {
  return Array.from(batch.values(), ({ row, text }) => `${row}\t${text}\n`).join('');
}

/** Creates the temporary table of lines. @returns a function that replaces the lines in the table. */
async function staging(session: Session, { rows, columns }: PostgresTable): Promise<(lines: string) => Promise<void>> {
  await session.run(`
    DROP TABLE IF EXISTS ${STAGED};
    CREATE TEMPORARY TABLE svc_staged (LIKE ${rows}, ${RECORD} text, ${RECORD_WORDS} tsvector) ON COMMIT DROP
  `);
  const copy = `COPY ${STAGED} (${[...columns.map(({ name }) => quoted(name)), RECORD, RECORD_WORDS].join(', ')}) FROM STDIN`;
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

function batches(session: Session, table: PostgresTable, write: (batch: Batch) => Promise<void>, end: () => Promise<readonly number[]>) {
  let fields = linesFor(table);
  let waiting = new Map<number, Fields>();
  let size = 0;
  let sending: Promise<void> = Promise.resolve();
  /** Sends one batch. The server writes this batch while svc prepares the next batch. */
  const flush = async () => {
    await sending;
    sending = write(waiting);
    // The next `await sending` throws the error of the batch.
    sending.catch(() => undefined);
    waiting = new Map();
    size = 0;
  };
  return {
    /** Writes a record in place of the record with the same id. @param text the record as JSON. */
    async put(id: number, record: JsonObject, text: string) {
      // A new column locks the table. In an existing table, svc therefore adds columns at the end. Until then, the column for other fields
      // has the values of new fields.
      if (table.seen.see(record) && table.isNew) {
        // The unsent lines have the old columns, so svc sends these lines before the new column exists.
        if (waiting.size > 0) await flush();
        await sending;
        await addColumns(session, table);
        fields = linesFor(table);
      }
      const made = { row: fields(record), text: `${escaped(text)}\t${wordsText(record)}`, record };
      waiting.set(id, made);
      size += made.row.length + made.text.length;
      if (size >= BATCH) await flush();
    },
    /** Finishes writing. @returns the ids of the changed records. */
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

const OVER_RECORD = `ON CONFLICT (id) DO UPDATE SET record = excluded.record, ${WORDS} = excluded.${WORDS}`;

function insertAll(table: PostgresTable): string {
  return `WITH kept AS (INSERT INTO ${table.records} (id, record, ${WORDS}) SELECT id, ${RECORD}, ${RECORD_WORDS} FROM ${STAGED} ${OVER_RECORD})
    INSERT INTO ${table.rows} (${namesOf(table)}) SELECT ${namesOf(table)} FROM ${STAGED} ${overwriting(table)}`;
}

/**
 * Returns the statement that writes changed records and logs the changes. The server has no statistics of the temporary table. `OFFSET 0`
 * therefore makes the server look up each record by id.
 */
function insertChanged({ place }: Session, table: PostgresTable): string {
  return `WITH changed AS MATERIALIZED (
      SELECT s.*, r.record AS svc_before
      FROM ${STAGED} s LEFT JOIN LATERAL (SELECT record FROM ${table.records} WHERE id = s.id OFFSET 0) r ON true
      WHERE r.record IS DISTINCT FROM s.${RECORD}
    ), logged AS (
      INSERT INTO ${inSchema(place.schema, 'svc_changes')}
      SELECT $1::bigint + row_number() OVER (ORDER BY id), $2::text, id, svc_before, ${RECORD}, $3::text FROM changed
    ), kept AS (
      INSERT INTO ${table.records} (id, record, ${WORDS}) SELECT id, ${RECORD}, ${RECORD_WORDS} FROM changed ${OVER_RECORD}
    ), written AS (
      INSERT INTO ${table.rows} (${namesOf(table)}) SELECT ${namesOf(table)} FROM changed ${overwriting(table)}
    )
    SELECT id FROM changed`;
}

/** Removes records within a transaction. @returns the ids of the removed records. Empty for a new table. */
export async function removeRecords(
  session: Session,
  table: PostgresTable,
  ids: readonly number[],
  log: CheckLog | undefined,
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
