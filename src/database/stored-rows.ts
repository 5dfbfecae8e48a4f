import type { RunSql } from './compared-pages.ts';
import type { LocalDatabase, MadeCounts } from './local-database.ts';
import { inPieces, type MadeTable, madeRows } from './made-rows.ts';
import { quoted } from './sql-values.ts';

export interface RowsTable {
  readonly name: string;
  /** The name of the table of rows in statements. */
  readonly rows: string;
  /** The name of the table of original records in statements. */
  readonly records: string;
}

/** The SQL of {@link storedRows} that differs between SQLite and PostgreSQL. The names `rows` and `records` are quoted. */
export interface RowsDialect {
  /** Finds the tables of a resource. Undefined if svc has not read the resource. */
  find(noun: string): Promise<RowsTable | undefined>;
  has(table: RowsTable, column: string): Promise<boolean>;
  /** Returns SQL for a time in a column. The SQL is NULL for any other value. */
  time(column: string): string;
  /** Returns SQL that converts the result of `time` to text without fractions of a second. */
  asText(time: string): string;
  begin(): Promise<Pick<MadeTable, 'name' | 'index'>>;
}

type Rows = 'idsBetween' | 'idsWhere' | 'idsSince' | 'held' | 'countSince' | 'countMade' | 'made' | 'madeRows' | 'lastChange';

/** Selects rows by their values, in SQL that both SQLite and PostgreSQL understand. */
export function storedRows(runSql: RunSql, { find, has, time, asText, begin }: RowsDialect): Pick<LocalDatabase, Rows> {
  const idsIn = async (sql: string, ...values: (string | number)[]) =>
    (await runSql<{ readonly id: number }>(sql, ...values)).map(({ id }) => Number(id));
  /** Returns the table of a resource’s rows if the table has the column. Undefined without the column, because no row can match. */
  const rowsWith = async (noun: string, column: string) => {
    const table = await find(noun);
    return table !== undefined && (await has(table, column)) ? table.rows : undefined;
  };
  const storedMade = async (noun: string) => {
    const table = await find(noun);
    if (table === undefined) return undefined;
    const made = (await has(table, 'created_at')) ? `coalesce(${asText(time('created_at'))}, '')` : "''";
    return `SELECT id, ${made} AS made FROM ${table.rows}`;
  };
  const oneOf = (ids: readonly number[]) => `id IN (${ids.join(', ')}) ORDER BY id`;
  return {
    async idsBetween(noun, after, upto, limit) {
      const table = await find(noun);
      if (table === undefined) return [];
      return idsIn(`SELECT id FROM ${table.records} WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3`, after, upto, limit);
    },
    async idsWhere(noun, column, after, upto) {
      const rows = await rowsWith(noun, column);
      return rows === undefined
        ? []
        : idsIn(`SELECT id FROM ${rows} WHERE ${quoted(column)} > $1 AND ${quoted(column)} <= $2`, after, upto);
    },
    async idsSince(noun, timestamp) {
      const rows = await rowsWith(noun, 'updated_at');
      return rows === undefined ? [] : idsIn(`SELECT id FROM ${rows} WHERE updated_at >= $1 ORDER BY id`, timestamp);
    },
    async held(noun, ids) {
      const table = await find(noun);
      const found: number[] = [];
      if (table === undefined) return found;
      for (const some of pieces(ids)) found.push(...(await idsIn(`SELECT id FROM ${table.records} WHERE ${oneOf(some)}`)));
      return found;
    },
    async countSince(noun, timestamp) {
      const rows = await rowsWith(noun, 'updated_at');
      if (rows === undefined) return 0;
      const [found] = await runSql<{ readonly rows: number }>(`SELECT count(*) AS rows FROM ${rows} WHERE updated_at >= $1`, timestamp);
      return Number(found?.rows ?? 0);
    },
    async countMade(noun, before) {
      const table = await find(noun);
      if (table === undefined) return { before: 0, undated: 0 };
      const isDated = await has(table, 'created_at');
      const counts = isDated
        ? `count(CASE WHEN ${time('created_at')} < $1 THEN 1 END) AS before, count(*) - count(${time('created_at')}) AS undated`
        : '0 AS before, count(*) AS undated';
      const [found] = await runSql<MadeCounts>(`SELECT ${counts} FROM ${table.rows}`, ...(isDated ? [before] : []));
      return { before: Number(found?.before), undated: Number(found?.undated) };
    },
    async made(noun, ids) {
      const stored = await storedMade(noun);
      const found: { readonly id: number; readonly made: string }[] = [];
      for (const some of stored === undefined ? [] : pieces(ids))
        for (const { id, made } of await runSql<{ readonly id: number; readonly made: string }>(`${stored} WHERE ${oneOf(some)}`))
          found.push({ id: Number(id), made });
      return found;
    },
    async madeRows(noun, changes) {
      const stored = (await storedMade(noun)) ?? "SELECT 0 AS id, '' AS made";
      return madeRows({ runSql, ...(await begin()), stored }, changes);
    },
    async lastChange(noun) {
      const table = await find(noun);
      if (table === undefined) return { at: undefined, unknown: 0 };
      const isStamped = await has(table, 'updated_at');
      const at = isStamped
        ? `${asText(`max(${time('updated_at')})`)} AS at, count(*) - count(${time('updated_at')})`
        : 'NULL AS at, count(*)';
      const [found] = await runSql<{ readonly at: string | null; readonly unknown: number }>(`SELECT ${at} AS unknown FROM ${table.rows}`);
      return { at: found?.at ?? undefined, unknown: Number(found?.unknown ?? 0) };
    },
  };
}

/** Divides ids, in ascending order, into lists of limited length. */
function pieces(ids: readonly number[]): Iterable<readonly number[]> {
  return inPieces([...new Set(ids)].filter(Number.isSafeInteger).sort((one, other) => one - other));
}
