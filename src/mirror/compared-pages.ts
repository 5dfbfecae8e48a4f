/** A page of a table as svc last compared it with the service. The pages of a table follow one another without a gap. */
export interface ComparedPage {
  /** Every id greater than this one, and … */
  readonly after: number;
  /** … up to this one, was compared: the service had these rows and no others. */
  readonly upto: number;
  /** The first id on the page; null for an empty page. */
  readonly first_id: number | null;
  /** The address that the service answered. */
  readonly url: string;
  /** The address of the next page; null after the last. */
  readonly next: string | null;
  /** The ETag of the answer; null if the service sent none, or if svc changed a row since. */
  readonly etag: string | null;
  /** The service’s clock at the answer, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly checked_at: string;
}

/** Every id is greater than the first of these, and at most the second. */
export const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
export const LAST_OF_ALL = Number.MAX_SAFE_INTEGER;

/** How far the pages of a table reach. */
export interface ComparedRange {
  /** Id up to which every id was compared; {@link LAST_OF_ALL} for all of them, {@link BEFORE_ALL} for none. */
  readonly upto: number;
  /** The address to compare next if the pages end before the table does. */
  readonly next: string | undefined;
  /** The page that svc compared the longest time ago. */
  readonly oldest: ComparedPage | undefined;
}

/** Runs one statement with the parameters `$1`, `$2` …. */
export type AskSql = <Row>(sql: string, ...values: (string | number | null)[]) => Promise<readonly Row[]>;

/** The table of compared pages, in SQL that both databases understand. */
export interface ComparedPages {
  range(noun: string): Promise<ComparedRange>;
  /** Returns the page with the first id greater than this one. */
  after(noun: string, id: number): Promise<ComparedPage | undefined>;
  /** Stores pages over the ranges that they cover. */
  put(noun: string, pages: readonly ComparedPage[]): Promise<void>;
  /** Forgets the ETags of the pages that these rows are on: the rows changed. @param ids ascending. */
  changed(noun: string, ids: Iterable<number>): Promise<void>;
  /** Returns the time since which every row was compared; undefined if some were never. */
  verifiedAt(noun: string): Promise<string | undefined>;
  forget(noun: string): Promise<void>;
}

/** @param table its name in statements. */
export function comparedPages(ask: AskSql, table: string): ComparedPages {
  const columns = 'after, upto, first_id, url, next, etag, checked_at';
  const one = async (rest: string, ...values: (string | number)[]) =>
    (await ask<ComparedPage>(`SELECT ${columns} FROM ${table} WHERE noun = $1 ${rest} LIMIT 1`, ...values))[0];
  const insert = (noun: string, { after, upto, first_id, url, next, etag, checked_at }: ComparedPage) =>
    ask(
      `INSERT INTO ${table} (noun, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      ...[noun, after, upto, first_id, url, next, etag, checked_at],
    );
  return {
    async range(noun) {
      const last = await one('ORDER BY after DESC', noun);
      const oldest = await one('ORDER BY checked_at, after', noun);
      return { upto: last?.upto ?? BEFORE_ALL, next: last?.next ?? undefined, oldest };
    },
    after: (noun, id) => one('AND after <= $2 AND upto > $2 ORDER BY after DESC', noun, id),
    async put(noun, pages) {
      for (const page of pages) {
        const { after, upto } = page;
        const [around] = await ask<ComparedPage>(
          `SELECT ${columns} FROM ${table} WHERE noun = $1 AND after < $2 AND upto > $3`,
          noun,
          after,
          upto,
        );
        await ask(`DELETE FROM ${table} WHERE noun = $1 AND after >= $2 AND upto <= $3`, noun, after, upto);
        await ask(`UPDATE ${table} SET after = $3 WHERE noun = $1 AND after >= $2 AND after < $3`, noun, after, upto);
        // Neither the ETag of a page nor its successor fits a part of the page.
        await ask(`UPDATE ${table} SET upto = $2, etag = NULL WHERE noun = $1 AND after < $2 AND upto > $2`, noun, after);
        await insert(noun, page);
        if (around !== undefined) await insert(noun, { ...around, after: upto, etag: null });
      }
    },
    async changed(noun, ids) {
      const { upto } = await this.range(noun);
      let done = BEFORE_ALL;
      for (const id of ids) {
        if (id <= done) continue;
        if (id > upto) return;
        const sql = `UPDATE ${table} SET etag = NULL WHERE noun = $1 AND after < $2 AND upto >= $2 RETURNING upto`;
        const [page] = await ask<Pick<ComparedPage, 'upto'>>(sql, noun, id);
        done = page?.upto ?? id;
      }
    },
    async verifiedAt(noun) {
      const sql = `SELECT min(checked_at) AS at FROM ${table} WHERE noun = $1 HAVING max(upto) = ${LAST_OF_ALL}`;
      const [found] = await ask<{ readonly at: string | null }>(sql, noun);
      return found?.at ?? undefined;
    },
    forget: async (noun) => void (await ask(`DELETE FROM ${table} WHERE noun = $1`, noun)),
  };
}

/** Columns of the table, apart from its name; `integer` is the type of ids. */
export const PAGE_COLUMNS = (integer: string) =>
  `(noun text NOT NULL, after ${integer} NOT NULL, upto ${integer} NOT NULL, first_id ${integer}, url text NOT NULL, next text, etag text, checked_at text NOT NULL, PRIMARY KEY (noun, after))`;

/** The latest of some times. */
export function latest(...times: (string | null | undefined)[]): string | undefined {
  return times
    .filter((time) => typeof time === 'string')
    .sort()
    .at(-1);
}
