import { quoted } from '../sql-values.ts';
import type { Session } from './session.ts';
import type { PostgresTable } from './tables.ts';

/** Finds the rows of a resource; undefined if the table does not exist. */
export type FindTable = (noun: string) => Promise<Pick<PostgresTable, 'rows'> | undefined>;

/** SQL for a time as the service writes it, without fractions of a second. */
const asText = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Returns the queries that select rows by their values. A time that did not fit its column counts as unknown. */
export function rowQuestions(session: Session, tableOf: FindTable) {
  const idsIn = async (sql: string, ...values: (string | number)[]) =>
    (await session.rows<{ readonly id: number }>(sql, ...values)).map(({ id }) => id);
  return {
    async idsWhere(noun: string, column: string, value: number): Promise<readonly number[]> {
      const table = await tableOf(noun);
      return table === undefined ? [] : idsIn(`SELECT id FROM ${table.rows} WHERE ${quoted(column)} = $1 ORDER BY id`, value);
    },
    async idsSince(noun: string, moment: string): Promise<readonly number[]> {
      const table = await tableOf(noun);
      return table === undefined ? [] : idsIn(`SELECT id FROM ${table.rows} WHERE updated_at >= $1 ORDER BY id`, moment);
    },
    async made(noun: string): Promise<readonly { readonly id: number; readonly made: string }[]> {
      const table = await tableOf(noun);
      return table === undefined
        ? []
        : session.rows(`SELECT id, coalesce(${asText('created_at')}, '') AS made FROM ${table.rows} ORDER BY id`);
    },
    async lastChange(noun: string): Promise<{ readonly at: string | undefined; readonly unknown: number }> {
      const table = await tableOf(noun);
      if (table === undefined) return { at: undefined, unknown: 0 };
      const [found] = await session.rows<{ readonly at: string | null; readonly unknown: number }>(
        `SELECT ${asText('max(updated_at)')} AS at, count(*) - count(updated_at) AS unknown FROM ${table.rows}`,
      );
      return { at: found?.at ?? undefined, unknown: found?.unknown ?? 0 };
    },
  };
}
