import type { RunSql } from './compared-pages.ts';

/**
 * Returns a function that runs statements with the placeholders of PostgreSQL. The function replaces `$1` with a plain `?`. node:sqlite of
 * Node 22 treats `?1` as a name without a value.
 *
 * @param all runs a statement of SQLite with its values, in the order of its placeholders.
 */
export function sqliteRunner(all: (sql: string, ...values: (string | number | null)[]) => readonly unknown[]): RunSql {
  return async (sql, ...values) => {
    const numbers: number[] = [];
    const plain = sql.replaceAll(/\$(\d+)/g, (_, number) => {
      numbers.push(Number(number));
      return '?';
    });
    return all(plain, ...numbers.map((number) => values[number - 1] ?? null)) as never[];
  };
}
