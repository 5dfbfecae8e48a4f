import { type AskSql, BEFORE_ALL } from './compared-pages.ts';

/** A range of `created_at`. */
export interface MadeRange {
  /** The first time; undefined without a bound. */
  readonly from: string | undefined;
  /** The time after the last. */
  readonly before: string;
}

/** How the rows of a table will differ from the stored ones. */
export interface MadeChanges {
  /** Only rows that were created before this time count. */
  readonly before: string;
  readonly gone: Iterable<number>;
  /** Rows that change or come, with `created_at`. */
  readonly made: ReadonlyMap<number, string | undefined>;
}

/** The rows of a table by `created_at`, with changes that svc did not write yet: in a temporary table, because there may be millions. */
export interface MadeRows {
  /** Counts the rows of a range. @param after only rows with a greater id. */
  count(range: MadeRange, after?: number): Promise<number>;
  /** Returns the `created_at` of the row at a place, in the order of `created_at`; undefined if the range ends before. */
  madeAt(range: MadeRange, place: number): Promise<string | undefined>;
  /** Returns the first `created_at` after a time. */
  madeAfter(range: MadeRange, time: string): Promise<string | undefined>;
  /** Returns the first `created_at` of the rows with a greater id. */
  firstMade(range: MadeRange, after: number): Promise<string | undefined>;
  /** Returns the last `created_at` of the rows up to an id. */
  lastMade(range: MadeRange, upto: number): Promise<string | undefined>;
  /** Returns those of these ids that the range has. */
  held(range: MadeRange, ids: readonly number[]): Promise<readonly number[]>;
  /** Returns the ids of a range above the first bound, up to the second, without these. */
  others(range: MadeRange, after: number, upto: number, ids: readonly number[]): Promise<readonly number[]>;
  remove(ids: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

/** Rows in one statement. */
const MANY = 500;

/** The temporary table in one of the databases. */
export interface MadeTable {
  readonly ask: AskSql;
  /** Its name in statements. It has the columns `id` and `made`, and no rows. */
  readonly name: string;
  /** Makes an index over `made` and `id`. */
  readonly index: string;
  /** Selects `id` and `made` of the stored rows; `made` is empty if it is unknown. */
  readonly stored: string;
}

export async function madeRows({ ask, name: table, index, stored }: MadeTable, { before, gone, made }: MadeChanges): Promise<MadeRows> {
  const within = (from: string | undefined) => `FROM ${table} WHERE made >= $1 AND made < $2${from === undefined ? " AND made <> ''" : ''}`;
  const one = async <Value>(what: string, { from, before: end }: MadeRange, rest: string, ...values: (string | number)[]) => {
    const [found] = await ask<{ readonly found: Value | null }>(
      `SELECT ${what} AS found ${within(from)} ${rest}`,
      ...[from ?? '', end, ...values],
    );
    return found?.found ?? undefined;
  };
  const idsIn = async ({ from, before: end }: MadeRange, rest: string) =>
    (await ask<{ readonly id: number }>(`SELECT id ${within(from)} ${rest}`, from ?? '', end)).map(({ id }) => Number(id));
  const rows: MadeRows = {
    count: async (range, after = BEFORE_ALL) => Number(await one<number>('count(*)', range, 'AND id > $3', after)),
    madeAt: (range, place) => one('made', range, 'ORDER BY made, id LIMIT 1 OFFSET $3', place),
    madeAfter: (range, time) => one('min(made)', range, 'AND made > $3', time),
    firstMade: (range, after) => one('min(made)', range, 'AND id > $3', after),
    lastMade: (range, upto) => one('max(made)', range, 'AND id <= $3', upto),
    held: async (range, ids) => (ids.length === 0 ? [] : idsIn(range, `AND id IN (${ids.join(', ')})`)),
    others: (range, after, upto, ids) =>
      idsIn(range, `AND id > ${after} AND id <= ${upto}${ids.length === 0 ? '' : ` AND id NOT IN (${ids.join(', ')})`}`),
    async remove(ids) {
      for (const some of piecesOf(ids.filter(Number.isSafeInteger))) await ask(`DELETE FROM ${table} WHERE id IN (${some.join(', ')})`);
    },
    close: async () => void (await ask(`DROP TABLE ${table}`)),
  };
  try {
    await ask(`INSERT INTO ${table} SELECT id, made FROM (${stored}) AS stored WHERE made <> '' AND made < $1`, before);
    await rows.remove([...gone, ...made.keys()]);
    const later = [...made].flatMap(([id, time = '']) => (time !== '' && time < before ? [{ id, time }] : []));
    for (const some of piecesOf(later)) {
      const values = some.map(({ id }, index) => `(${id}, $${index + 1})`).join(', ');
      await ask(`INSERT INTO ${table} VALUES ${values}`, ...some.map(({ time }) => time));
    }
    await ask(index);
    return rows;
  } catch (error) {
    await rows.close();
    throw error;
  }
}

function* piecesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += MANY) yield all.slice(start, start + MANY);
}
