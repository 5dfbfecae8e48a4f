import pg from 'pg';
import { type JsonObject, parseJson } from '../../values/json.ts';
import type { HeldColumn } from '../local-database.ts';
import { type SeenFields, seenFields } from '../seen-fields.ts';
import { OTHERS, quoted, recordTable, tableName } from '../sql-values.ts';
import { fieldsName, heldName, type TableShape } from '../table-shape.ts';
import { type PostgresColumn, postgresColumns } from './columns.ts';
import { freeTable, inSchema } from './names.ts';
import { WORDS, wordsIndex } from './record-words.ts';
import type { Session } from './session.ts';
import { columnsOfTables } from './stored-tables.ts';
import { dropViewNamed, ownViews, viewsUsing } from './views.ts';

/** A table of the team database that svc is writing to, within a transaction. `rows` and `records` are quoted names. */
export interface PostgresTable {
  readonly name: string;
  readonly noun: string;
  /** The table of rows, such as `"svc"."worklogs"`. */
  readonly rows: string;
  readonly records: string;
  columns: readonly PostgresColumn[];
  readonly seen: SeenFields;
  readonly isNew: boolean;
}

type RewriteRows = (table: PostgresTable, records: readonly JsonObject[]) => Promise<void>;

/** The most records that svc reads or writes at once. */
const PIECE = 2_000;

/**
 * Opens or creates the table of a resource, within a transaction.
 *
 * @param known name of the table, if it exists.
 * @param first the first records that svc will write.
 */
export async function openPostgresTable(
  session: Session,
  shape: TableShape,
  known: string | undefined,
  first: readonly JsonObject[],
  rewrite: RewriteRows,
): Promise<PostgresTable> {
  const { noun } = shape;
  const { schema } = session.place;
  const before = known === undefined ? undefined : await storedText(session, fieldsName(noun));
  if (known === undefined) await dropViewNamed(session, tableName(noun));
  const name = known ?? (await freeTable(session, noun));
  const table: PostgresTable = {
    ...{ name, noun, isNew: known === undefined, seen: seenFields(shape, before) },
    rows: inSchema(schema, name),
    records: inSchema(schema, recordTable(name)),
    columns: [],
  };
  if (table.isNew) {
    for (const record of first) table.seen.see(record);
    table.columns = postgresColumns(table.seen.columns(false));
    const definitions = table.columns.map((column) => `${definitionOf(column)}${column.name === 'id' ? ' PRIMARY KEY' : ''}`);
    await session.run(`CREATE TABLE ${table.rows} (${definitions.join(', ')})`);
    await session.run(`CREATE TABLE ${table.records} (id bigint PRIMARY KEY, record text NOT NULL, ${WORDS} tsvector)`);
    return table;
  }
  table.columns = await columnsThere(session, table);
  // An older svc did not store the list of fields. svc derives a missing list from the records.
  if (before === undefined)
    for await (const piece of piecesOf(session, table)) for (const { record } of piece) table.seen.see(parseJson(record) as JsonObject);
  await adapt(session, table, true, rewrite);
  return table;
}

/** Adds columns to a new table, for the fields that svc has seen so far. */
export async function addColumns(session: Session, table: PostgresTable): Promise<void> {
  const added = postgresColumns(table.seen.columns(false)).filter(({ name }) => !table.columns.some((each) => each.name === name));
  if (added.length === 0) return;
  await session.run(`ALTER TABLE ${table.rows} ${added.map((column) => `ADD COLUMN ${definitionOf(column)}`).join(', ')}`);
  table.columns = withOthersLast([...table.columns, ...added]);
}

/**
 * Finishes writing to a table. Each column gets a type that fits all its values. svc drops the columns of fields that no record has.
 * Columns of an API spec, and columns that views of other users need, stay.
 */
export async function endTable(session: Session, table: PostgresTable, hasWritten: boolean, rewrite: RewriteRows): Promise<void> {
  const name = fieldsName(table.noun);
  if (hasWritten) await forgetFieldsOfNone(session, table);
  await adapt(session, table, false, rewrite);
  await indexKeys(session, table);
  if (table.isNew) await session.run(wordsIndex(table.records));
  await storeText(session, name, table.seen.text());
}

/**
 * Changes the columns of a table so that the columns match the fields.
 *
 * @param isFilled true if stored records may have values for columns that are missing.
 */
async function adapt(session: Session, table: PostgresTable, isFilled: boolean, rewrite: RewriteRows): Promise<void> {
  const wanted = postgresColumns(table.seen.columns(true));
  const there = await columnsThere(session, table);
  const typeOf = (name: string) => there.find((each) => each.name === name)?.type;
  const added = wanted.filter(({ name }) => typeOf(name) === undefined);
  const retyped = wanted.filter(({ name, type }) => (typeOf(name) ?? type) !== type);
  const dropped = there.filter(({ name }) => !wanted.some((each) => each.name === name));
  const replaced = [
    ...dropped.map(({ name }) => ({ name, sql: `DROP COLUMN ${quoted(name)}` })),
    ...retyped.map((column) => ({ name: column.name, sql: `DROP COLUMN ${quoted(column.name)}, ADD COLUMN ${definitionOf(column)}` })),
  ];
  const isRewritten = retyped.length > 0 || (added.length > 0 && (isFilled || !table.isNew));
  if (isRewritten) await chooseRows(session, table, isFilled ? undefined : { there: retyped, added });
  const held = await replaceColumns(session, table, replaced);
  await storeText(session, heldName(table.noun), held.length === 0 ? undefined : JSON.stringify(held));
  if (added.length > 0)
    await session.run(`ALTER TABLE ${table.rows} ${added.map((column) => `ADD COLUMN ${definitionOf(column)}`).join(', ')}`);
  table.columns = await columnsThere(session, table);
  if (!isRewritten) return;
  for await (const records of piecesOf(session, table, `JOIN ${CHOSEN} USING (id)`))
    await rewrite(
      table,
      records.map(({ record }) => parseJson(record) as JsonObject),
    );
}

/** The temporary table with the ids of rows that svc writes again. */
const CHOSEN = 'pg_temp.svc_chosen';

/** Selects the rows that have a value for one of the existing or added columns. Selects all rows if no columns are given. */
async function chooseRows(
  session: Session,
  { rows }: PostgresTable,
  columns: Readonly<Record<'there' | 'added', readonly PostgresColumn[]>> | undefined,
): Promise<void> {
  const { there, added } = columns ?? { there: [], added: [] };
  const list = [...there, ...added].map(({ name }) => pg.escapeLiteral(name)).join(', ');
  const has = [...there.map(({ name }) => `${quoted(name)} IS NOT NULL`), `jsonb_exists_any(${quoted(OTHERS)}, ARRAY[${list}]::text[])`];
  await session.run(`
    DROP TABLE IF EXISTS ${CHOSEN};
    CREATE TEMPORARY TABLE svc_chosen (id bigint PRIMARY KEY) ON COMMIT DROP;
    INSERT INTO ${CHOSEN} SELECT id FROM ${rows}${columns === undefined ? '' : ` WHERE ${has.join(' OR ')}`}
  `);
}

/** Drops or replaces columns. @returns the columns that views of other users need, which stay unchanged. */
async function replaceColumns(
  session: Session,
  { name: table, rows }: PostgresTable,
  columns: readonly { readonly name: string; readonly sql: string }[],
): Promise<readonly HeldColumn[]> {
  const replace = (some: typeof columns) => session.attempt(`ALTER TABLE ${rows} ${some.map(({ sql }) => sql).join(', ')}`);
  if (columns.length === 0 || (await replace(columns)) === undefined) return [];
  // At the end of the transaction, svc creates the views again.
  for (const view of await ownViews(session)) await session.attempt(`DROP VIEW ${view}`);
  const held: HeldColumn[] = [];
  for (const column of columns)
    if ((await replace([column])) !== undefined)
      held.push({ table, column: column.name, views: await viewsUsing(session, rows, column.name) });
  return held;
}

async function forgetFieldsOfNone(session: Session, { rows, records, columns, seen }: PostgresTable): Promise<void> {
  const isNone = async (sql: string, ...values: string[]) => (await session.rows(`${sql} LIMIT 1`, ...values)).length === 0;
  const unseen = seen.unseen();
  if (unseen.length === 0 || (await isNone(`SELECT 1 FROM ${records}`))) return;
  for (const name of unseen) {
    if (columns.some((column) => column.name === name) && !(await isNone(`SELECT 1 FROM ${rows} WHERE ${quoted(name)} IS NOT NULL`)))
      continue;
    if (await isNone(`SELECT 1 FROM ${records} WHERE strpos(record, $1) > 0`, `${JSON.stringify(name)}:`)) seen.forget(name);
  }
}

async function columnsThere(session: Session, { name: table }: Pick<PostgresTable, 'name'>): Promise<readonly PostgresColumn[]> {
  const found = await columnsOfTables(session, [table]);
  return withOthersLast(found.map(({ name, type }) => ({ name, type: type as PostgresColumn['type'] })));
}

function withOthersLast(columns: readonly PostgresColumn[]): readonly PostgresColumn[] {
  return columns.toSorted((one, other) => Number(one.name === OTHERS) - Number(other.name === OTHERS));
}

function definitionOf({ name, type }: PostgresColumn): string {
  return `${quoted(name)} ${type}`;
}

/**
 * Creates indexes on the columns with ids of relations, if the ids are numbers. A text may be too long for an index. A new table gets its
 * indexes after its rows, which is fastest.
 */
async function indexKeys(session: Session, { rows, columns }: PostgresTable): Promise<void> {
  const indexed = await session.rows<{ readonly name: string }>(
    'SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE i.indrelid = $1::regclass',
    rows,
  );
  const keys = columns.filter(({ name, type }) => name.endsWith('_id') && type === 'bigint' && !indexed.some((each) => each.name === name));
  // A distributed server (Citus) runs one such statement at a time.
  for (const { name } of keys) await session.run(`CREATE INDEX ON ${rows} (${quoted(name)})`);
}

/** Returns a string that svc stored for internal use. Undefined without such a string. */
export async function storedText(session: Session, name: string): Promise<string | undefined> {
  const [held] = await session.rows<{ readonly text: string }>(
    `SELECT text FROM ${inSchema(session.place.schema, 'svc_kept')} WHERE name = $1`,
    name,
  );
  return held?.text;
}

/** Stores a string for internal use of svc. `undefined` deletes the stored string. */
export async function storeText(session: Session, name: string, text: string | undefined): Promise<void> {
  const kept = inSchema(session.place.schema, 'svc_kept');
  if (text === undefined) await session.rows(`DELETE FROM ${kept} WHERE name = $1`, name);
  else await session.rows(`INSERT INTO ${kept} VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET text = excluded.text`, name, text);
}

/**
 * Returns the columns that svc could not change, because views of other users need the columns. Reads the stored lists of all tables.
 */
export async function heldPostgresColumns(session: Session): Promise<readonly HeldColumn[]> {
  const texts = await session.rows<{ readonly text: string }>(
    `SELECT text FROM ${inSchema(session.place.schema, 'svc_kept')} WHERE starts_with(name, $1)`,
    heldName(''),
  );
  return texts.flatMap(({ text }) => JSON.parse(text) as HeldColumn[]);
}

interface RecordText {
  readonly id: number;
  readonly record: string;
}

/** Yields the records of a table in batches, in the order of id. @param join SQL that selects some of the records. Default: all records. */
export async function* piecesOf(
  session: Session,
  { records }: Pick<PostgresTable, 'records'>,
  join = '',
): AsyncGenerator<readonly RecordText[]> {
  for (let done: number | null = null; ; ) {
    const piece: readonly RecordText[] = await session.rows<RecordText>(
      `SELECT id, record FROM ${records} ${join} WHERE $1::bigint IS NULL OR id > $1::bigint ORDER BY id LIMIT ${PIECE}`,
      done,
    );
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) return;
    done = piece.at(-1)?.id ?? null;
  }
}

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
