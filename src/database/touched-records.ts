import type { RunSql } from './compared-pages.ts';
import type { LocalDatabase } from './local-database.ts';
import { inPieces } from './made-rows.ts';

/** The columns of the table of changed records whose child records svc has not read since. @param integer SQL type of ids. */
export const TOUCHED_COLUMNS = (integer: string) => `(noun text NOT NULL, id ${integer} NOT NULL, PRIMARY KEY (noun, id))`;

/**
 * Stores the ids of changed records, in SQL that both SQLite and PostgreSQL understand.
 *
 * @param table name of the table in statements.
 * @param recordsOf returns the table with the records of a resource. Undefined if svc has not read the resource.
 */
export function touchedRecords(
  runSql: RunSql,
  table: string,
  recordsOf: (noun: string) => Promise<string | undefined>,
): Pick<LocalDatabase, 'touch' | 'touchAll' | 'touched' | 'forgetTouched'> {
  return {
    async touch(noun, ids) {
      for (const some of inPieces(ids.filter(Number.isSafeInteger)))
        await runSql(`INSERT INTO ${table} (noun, id) VALUES ${some.map((id) => `($1, ${id})`).join(', ')} ON CONFLICT DO NOTHING`, noun);
    },
    async touchAll(noun) {
      const records = await recordsOf(noun);
      if (records !== undefined)
        await runSql(`INSERT INTO ${table} (noun, id) SELECT $1, id FROM ${records} WHERE true ON CONFLICT DO NOTHING`, noun);
    },
    async touched(noun, after, limit) {
      const sql = `SELECT id FROM ${table} WHERE noun = $1 AND id > $2 ORDER BY id LIMIT $3`;
      return (await runSql<{ readonly id: number }>(sql, noun, after, limit)).map(({ id }) => Number(id));
    },
    forgetTouched: async (noun) => void (await runSql(`DELETE FROM ${table} WHERE noun = $1`, noun)),
  };
}
