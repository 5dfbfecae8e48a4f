import { BEFORE_ALL, type RunSql } from './compared-pages.ts';

/** A range of creation times (`created_at`). */
export interface MadeRange {
  /** The first time of the range. Undefined if the range has no start. */
  readonly from: string | undefined;
  /** The end of the range. The range does not include this time. */
  readonly before: string;
}

export interface MadeChanges {
  /** The end of the range of creation times. Rows created at or after this time do not count. */
  readonly before: string;
  readonly gone: Iterable<number>;
  /** The ids of new and changed rows, with their `created_at`. */
  readonly made: ReadonlyMap<number, string | undefined>;
}

export type MadeRows = Awaited<ReturnType<typeof madeRows>>;

export interface MadeTable {
  readonly runSql: RunSql;
  /** The name of the table in statements. The table has the columns `id` and `made`, and is empty. */
  readonly name: string;
  /** The statement that creates an index over `made` and `id`. */
  readonly index: string;
  /** The query that selects `id` and `made` of the stored rows. `made` is an empty string if the creation time is unknown. */
  readonly stored: string;
}

/**
 * Returns the rows of a table by `created_at`, including changes that svc has not written yet. The rows are in a temporary table, because
 * there may be millions of rows.
 */
export async function madeRows({ runSql, name: table, index, stored }: MadeTable, { before, gone, made }: MadeChanges) {
  const within = (from: string | undefined) => `FROM ${table} WHERE made >= $1 AND made < $2${from === undefined ? " AND made <> ''" : ''}`;
  const one = async (what: string, { from, before: end }: MadeRange, rest: string, ...values: (string | number)[]) => {
    const [found] = await runSql<{ readonly found: string | null }>(
      `SELECT ${what} AS found ${within(from)} ${rest}`,
      ...[from ?? '', end, ...values],
    );
    return found?.found ?? undefined;
  };
  const idsIn = async ({ from, before: end }: MadeRange, rest: string) =>
    (await runSql<{ readonly id: number }>(`SELECT id ${within(from)} ${rest}`, from ?? '', end)).map(({ id }) => Number(id));
  const rows = {
    /** Counts the rows of a range. @param after if given, only rows with a greater id count. */
    count: async (range: MadeRange, after = BEFORE_ALL) => Number(await one('count(*)', range, 'AND id > $3', after)),
    /** Returns the `created_at` at a position, from 0, in the order of `created_at`. Undefined if the range has fewer rows. */
    madeAt: (range: MadeRange, place: number) => one('made', range, 'ORDER BY made, id LIMIT 1 OFFSET $3', place),
    /** Returns the earliest `created_at` in the range that is later than a time. Undefined if the range has no later time. */
    madeAfter: (range: MadeRange, time: string) => one('min(made)', range, 'AND made > $3', time),
    /** Returns the first `created_at` among the rows whose id is greater than `after`. */
    firstMade: (range: MadeRange, after: number) => one('min(made)', range, 'AND id > $3', after),
    /** Returns the last `created_at` among the rows whose id is at most `upto`. */
    lastMade: (range: MadeRange, upto: number) => one('max(made)', range, 'AND id <= $3', upto),
    /** Returns the given ids that the range contains. */
    held: async (range: MadeRange, ids: readonly number[]) => (ids.length === 0 ? [] : idsIn(range, `AND id IN (${ids.join(', ')})`)),
    /** Returns up to `most` other ids of a range. The ids are greater than `after`, at most `upto`, and not among the given ids. */
    others: (range: MadeRange, after: number, upto: number, ids: readonly number[], most: number) => {
      const other = ids.length === 0 ? '' : ` AND id NOT IN (${ids.join(', ')})`;
      return idsIn(range, `AND id > ${after} AND id <= ${upto}${other} LIMIT ${most}`);
    },
    async remove(ids: readonly number[]) {
      for (const some of inPieces(ids.filter(Number.isSafeInteger))) await runSql(`DELETE FROM ${table} WHERE id IN (${some.join(', ')})`);
    },
    close: async () => void (await runSql(`DROP TABLE ${table}`)),
  };
  try {
    await runSql(`INSERT INTO ${table} SELECT id, made FROM (${stored}) AS stored WHERE made <> '' AND made < $1`, before);
    await rows.remove([...gone, ...made.keys()]);
    const later = [...made].flatMap(([id, time = '']) => (time !== '' && time < before ? [{ id, time }] : []));
    for (const some of inPieces(later)) {
      const values = some.map(({ id }, index) => `(${id}, $${index + 1})`).join(', ');
      await runSql(`INSERT INTO ${table} VALUES ${values}`, ...some.map(({ time }) => time));
    }
    await runSql(index);
    return rows;
  } catch (error) {
    await rows.close();
    throw error;
  }
}

const MANY = 500;

/** Divides a list into lists of limited length, for statements that name each value. */
export function* inPieces<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += MANY) yield all.slice(start, start + MANY);
}
