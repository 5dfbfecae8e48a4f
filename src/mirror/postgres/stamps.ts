import { type MadeChanges, type MadeRows, madeRows } from '../made-rows.ts';
import type { MadeCounts } from '../mirror.ts';
import { quoted } from '../sql-values.ts';
import type { Session } from './session.ts';
import type { PostgresTable } from './tables.ts';

/** Finds the table of a resource. Returns undefined if the table does not exist. */
export type FindTable = (noun: string) => Promise<Pick<PostgresTable, 'rows'> | undefined>;

/** Returns SQL for a time in the service’s form, without fractions of a second. */
const asText = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Returns functions that select rows by their values. A time that did not fit its column counts as unknown. */
export function rowQuestions(session: Session, findTable: FindTable) {
  /** Finds the table of a resource if it has a column. Without the column, no row can match. */
  const tableWith = async (noun: string, column: string) => {
    const table = await findTable(noun);
    const sql = 'SELECT 1 FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2 AND NOT attisdropped';
    return table !== undefined && (await session.rows(sql, table.rows, column)).length > 0 ? table : undefined;
  };
  const idsIn = async (sql: string, ...values: (string | number | readonly number[])[]) =>
    (await session.rows<{ readonly id: number }>(sql, ...values)).map(({ id }) => id);
  /** Returns SQL that selects `id` and `made` of all rows. */
  const storedMade = async (noun: string) => {
    const table = await findTable(noun);
    if (table === undefined) return undefined;
    const made = (await tableWith(noun, 'created_at')) === undefined ? "''" : `coalesce(${asText('created_at')}, '')`;
    return `SELECT id, ${made} AS made FROM ${table.rows}`;
  };
  return {
    async idsWhere(noun: string, column: string, after: number, upto: number): Promise<readonly number[]> {
      const table = await tableWith(noun, column);
      if (table === undefined) return [];
      return idsIn(`SELECT id FROM ${table.rows} WHERE ${quoted(column)} > $1 AND ${quoted(column)} <= $2`, after, upto);
    },
    async idsSince(noun: string, moment: string): Promise<readonly number[]> {
      const table = await tableWith(noun, 'updated_at');
      return table === undefined ? [] : idsIn(`SELECT id FROM ${table.rows} WHERE updated_at >= $1 ORDER BY id`, moment);
    },
    async held(noun: string, ids: readonly number[]): Promise<readonly number[]> {
      const table = await findTable(noun);
      return table === undefined ? [] : idsIn(`SELECT id FROM ${table.rows} WHERE id = ANY($1::bigint[]) ORDER BY id`, ids);
    },
    async countSince(noun: string, moment: string): Promise<number> {
      const table = await tableWith(noun, 'updated_at');
      if (table === undefined) return 0;
      const sql = `SELECT count(*) AS rows FROM ${table.rows} WHERE updated_at >= $1`;
      return (await session.rows<{ readonly rows: number }>(sql, moment))[0]?.rows ?? 0;
    },
    async countMade(noun: string, before: string): Promise<MadeCounts> {
      const table = await findTable(noun);
      if (table === undefined) return { before: 0, undated: 0 };
      const made = (await tableWith(noun, 'created_at')) === undefined ? 'NULL::timestamptz' : 'created_at';
      const sql = `SELECT count(*) FILTER (WHERE ${made} < $1) AS before, count(*) FILTER (WHERE ${made} IS NULL) AS undated FROM ${table.rows}`;
      return (await session.rows<MadeCounts>(sql, before))[0] ?? { before: 0, undated: 0 };
    },
    async made(noun: string, ids: readonly number[]): Promise<readonly { readonly id: number; readonly made: string }[]> {
      const stored = await storedMade(noun);
      return stored === undefined ? [] : session.rows(`${stored} WHERE id = ANY($1::bigint[]) ORDER BY id`, ids);
    },
    async madeRows(noun: string, changes: MadeChanges): Promise<MadeRows> {
      await session.run('CREATE TEMPORARY TABLE svc_made (id bigint PRIMARY KEY, made text COLLATE "C" NOT NULL)');
      const index = 'CREATE INDEX svc_made_order ON pg_temp.svc_made (made, id)';
      const stored = (await storedMade(noun)) ?? "SELECT 0 AS id, '' AS made";
      return madeRows({ ask: session.rows, name: 'pg_temp.svc_made', index, stored }, changes);
    },
    async lastChange(noun: string): Promise<{ readonly at: string | undefined; readonly unknown: number }> {
      const table = await findTable(noun);
      if (table === undefined) return { at: undefined, unknown: 0 };
      const hasStamps = (await tableWith(noun, 'updated_at')) !== undefined;
      const [at, known] = hasStamps ? [asText('max(updated_at)'), 'count(updated_at)'] : ['NULL', '0'];
      const [found] = await session.rows<{ readonly at: string | null; readonly unknown: number }>(
        `SELECT ${at} AS at, count(*) - ${known} AS unknown FROM ${table.rows}`,
      );
      return { at: found?.at ?? undefined, unknown: found?.unknown ?? 0 };
    },
  };
}
