import { type JsonObject, parseJson } from '../../values/json.ts';
import { quoted, tableName } from '../sql-values.ts';
import type { TableShape } from '../table-shape.ts';
import { type PostgresColumn, postgresColumns } from './columns.ts';
import { freeTable, inSchema, postgresRecordTable } from './names.ts';
import type { Session } from './session.ts';
import { besideViews, giveWay } from './views.ts';

/** A table of the team database, with quoted names. */
export interface PostgresTable {
  readonly name: string;
  /** `"svc"."worklogs"`. */
  readonly rows: string;
  /** The table of its records. */
  readonly records: string;
  readonly columns: readonly PostgresColumn[];
  /** Whether this transaction created the table. */
  readonly isNew: boolean;
}

/** Records to read or write at a time. */
const PIECE = 2_000;

/**
 * Creates or alters the table of a shape, within a transaction. svc replaces a column with another type, and drops a column that the shape
 * no longer has.
 *
 * @param known name of the existing table of the resource.
 * @param write writes existing records into their rows, if columns are new.
 */
export async function ensureTable(
  session: Session,
  shape: TableShape,
  known: string | undefined,
  write: (table: PostgresTable, records: readonly JsonObject[]) => Promise<void>,
): Promise<PostgresTable> {
  const { schema } = session.place;
  if (known === undefined) await giveWay(session, tableName(shape.noun));
  const name = known ?? (await freeTable(session, shape.noun));
  const columns = postgresColumns(shape);
  const table = {
    ...{ name, columns, isNew: known === undefined },
    rows: inSchema(schema, name),
    records: inSchema(schema, postgresRecordTable(name)),
  };
  if (table.isNew) {
    const definitions = columns.map((column) => `${definitionOf(column)}${column.name === 'id' ? ' PRIMARY KEY' : ''}`);
    await session.run(`
      CREATE TABLE ${table.rows} (${definitions.join(', ')});
      CREATE TABLE ${table.records} (id bigint PRIMARY KEY, record text NOT NULL);
    `);
    return table;
  }
  const there = await session.rows<{ readonly name: string; readonly type: string }>(
    'SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped',
    table.rows,
  );
  const isThere = ({ name, type }: PostgresColumn) => there.some((one) => one.name === name && one.type === type);
  const isWanted = (one: { readonly name: string; readonly type: string }) =>
    columns.some(({ name, type }) => one.name === name && one.type === type);
  const added = columns.filter((column) => !isThere(column));
  const changes = [
    ...there.filter((one) => !isWanted(one)).map(({ name }) => `DROP COLUMN ${quoted(name)}`),
    ...added.map((column) => `ADD COLUMN ${definitionOf(column)}`),
  ];
  if (changes.length === 0) return table;
  await besideViews(session, `ALTER TABLE ${table.rows} ${changes.join(', ')}`);
  await indexKeys(session, table, added);
  for await (const records of piecesOf(session, table))
    await write(
      table,
      records.map(({ record }) => parseJson(record) as JsonObject),
    );
  return table;
}

function definitionOf({ name, type }: PostgresColumn): string {
  return `${quoted(name)} ${type}`;
}

/**
 * Indexes the ids of relations, if they are numbers: a text may be too long for an index. A new table gets its indexes after its rows,
 * which is fastest.
 */
export async function indexKeys(session: Session, { rows }: PostgresTable, columns: readonly PostgresColumn[]): Promise<void> {
  const keys = columns.filter(({ name, type }) => name.endsWith('_id') && type === 'bigint');
  if (keys.length > 0) await session.run(keys.map(({ name }) => `CREATE INDEX ON ${rows} (${quoted(name)})`).join('; '));
}

/** A record by its id, as JSON. */
interface RecordText {
  readonly id: number;
  readonly record: string;
}

/** Returns the records of a table in id order, in pieces. */
export async function* piecesOf(session: Session, { records }: Pick<PostgresTable, 'records'>): AsyncGenerator<readonly RecordText[]> {
  for (let done: number | null = null; ; ) {
    const piece: readonly RecordText[] = await session.rows<RecordText>(
      `SELECT id, record FROM ${records} WHERE $1::bigint IS NULL OR id > $1::bigint ORDER BY id LIMIT ${PIECE}`,
      done,
    );
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) return;
    done = piece.at(-1)?.id ?? null;
  }
}

/** Returns the records with the given ids, in the order of the ids. */
export async function* recordsWith(
  session: Session,
  { records }: Pick<PostgresTable, 'records'>,
  ids: readonly number[],
): AsyncGenerator<RecordText> {
  for (let from = 0; from < ids.length; from += PIECE) {
    const wanted = ids.slice(from, from + PIECE);
    const found = await session.rows<RecordText>(`SELECT id, record FROM ${records} WHERE id = ANY($1::bigint[])`, wanted);
    const byId = new Map(found.map((each) => [each.id, each]));
    for (const id of wanted) {
      const record = byId.get(id);
      if (record !== undefined) yield record;
    }
  }
}
