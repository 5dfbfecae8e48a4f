/** The result of the last comparison of one page of a table with the service. The pages of a table have no gaps between them. */
export interface ComparedPage {
  /** The page covers every id greater than this value. */
  readonly after: number;
  /** The page covers every id up to this id. For these ids, the table and the service had the same rows. */
  readonly upto: number;
  /** The first id on the page. Null for an empty page, and for a range of parent ids. */
  readonly first_id: number | null;
  readonly url: string;
  /** The URL of the next page. Null for the last page. */
  readonly next: string | null;
  /** The ETag of the answer. Null if the service sent no ETag, or if svc has changed a row since. */
  readonly etag: string | null;
  /** The time of the answer by the service’s clock, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly checked_at: string;
}

/** Bounds for ids: every id is greater than `BEFORE_ALL` and at most `LAST_OF_ALL`. */
export const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
export const LAST_OF_ALL = Number.MAX_SAFE_INTEGER;

/** The time of a comparison that svc has never made. For example, the service refused the page. */
export const NEVER = '1970-01-01T00:00:00Z';

/** The range of ids that the compared pages of a table cover. */
export interface ComparedRange {
  /** The id up to which svc has compared every id. {@link LAST_OF_ALL} means the whole table, {@link BEFORE_ALL} means nothing. */
  readonly upto: number;
  /** The page that svc compared the longest time ago. Undefined without pages. */
  readonly oldest: ComparedPage | undefined;
}

/** The first pages of a table, up to the first page that svc has not compared since a time. */
export interface ComparedSince {
  /** The id up to which svc has compared every id since the requested time. */
  readonly upto: number;
  /** The time of the oldest comparison among these pages. Undefined without pages. */
  readonly at: string | undefined;
  /** The number of pages up to `upto`. */
  readonly pages: number;
}

/** Runs one statement with the parameters `$1`, `$2` and so on. */
export type RunSql = <Row>(sql: string, ...values: (string | number | null)[]) => Promise<readonly Row[]>;

export type ComparedPages = ReturnType<typeof comparedPages>;

/**
 * Opens the table of compared pages, in SQL that both SQLite and PostgreSQL understand.
 *
 * @param table name of the table in statements.
 */
export function comparedPages(runSql: RunSql, table: string) {
  const columns = 'after, upto, first_id, url, next, etag, checked_at';
  const one = async (rest: string, ...values: (string | number)[]) =>
    (await runSql<ComparedPage>(`SELECT ${columns} FROM ${table} WHERE noun = $1 ${rest} LIMIT 1`, ...values))[0];
  const insert = (noun: string, { after, upto, first_id, url, next, etag, checked_at }: ComparedPage) =>
    runSql(
      `INSERT INTO ${table} (noun, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      ...[noun, after, upto, first_id, url, next, etag, checked_at],
    );
  const compared = async (noun: string): Promise<ComparedRange> => {
    const last = await one('ORDER BY after DESC', noun);
    const oldest = await one(`AND checked_at > '${NEVER}' ORDER BY checked_at, after`, noun);
    return { upto: last?.upto ?? BEFORE_ALL, oldest };
  };
  /** The functions of a local database with these names. */
  const reads = {
    compared,
    async comparedSince(noun: string, time: string): Promise<ComparedSince> {
      const older = await one('AND checked_at < $2 ORDER BY after', noun, time);
      const [found] = await runSql<Partial<Record<'upto' | 'at' | 'pages', number | string | null>>>(
        `SELECT max(upto) AS upto, min(checked_at) AS at, count(*) AS pages FROM ${table} WHERE noun = $1 AND after < $2`,
        ...[noun, older?.after ?? LAST_OF_ALL],
      );
      const { upto, at, pages } = found ?? {};
      return { upto: Number(upto ?? BEFORE_ALL), at: typeof at === 'string' ? at : undefined, pages: Number(pages) };
    },
    comparedAfter: (noun: string, id: number) => one('AND after <= $2 AND upto > $2 ORDER BY after DESC', noun, id),
    forgetCompared: async (noun: string) => void (await runSql(`DELETE FROM ${table} WHERE noun = $1`, noun)),
  };
  return {
    reads,
    /** Stores pages. An earlier page keeps only the ids outside the new pages, without the ETag. svc removes an earlier page without such ids. */
    async put(noun: string, pages: readonly ComparedPage[]) {
      for (const page of pages) {
        const { after, upto } = page;
        const [around] = await runSql<ComparedPage>(
          `SELECT ${columns} FROM ${table} WHERE noun = $1 AND after < $2 AND upto > $3`,
          noun,
          after,
          upto,
        );
        await runSql(`DELETE FROM ${table} WHERE noun = $1 AND after >= $2 AND upto <= $3`, noun, after, upto);
        await runSql(`UPDATE ${table} SET after = $3 WHERE noun = $1 AND after >= $2 AND after < $3`, noun, after, upto);
        // The next link belongs to the whole page. Without an ETag, svc requests this part again, and does not use the stored link.
        await runSql(`UPDATE ${table} SET upto = $2, etag = NULL WHERE noun = $1 AND after < $2 AND upto > $2`, noun, after);
        await insert(noun, page);
        if (around !== undefined) await insert(noun, { ...around, after: upto, etag: null });
      }
    },
    /**
     * Removes the ETags of the pages that contain changed rows.
     *
     * @param ids ids of the changed rows, ascending.
     */
    async changed(noun: string, ids: Iterable<number>) {
      const { upto } = await compared(noun);
      let done = BEFORE_ALL;
      for (const id of ids) {
        if (id <= done) continue;
        if (id > upto) return;
        const page = await one('AND after < $2 ORDER BY after DESC', noun, id);
        if (page !== undefined && page.upto >= id) {
          await runSql(`UPDATE ${table} SET etag = NULL WHERE noun = $1 AND after = $2`, noun, page.after);
          done = page.upto;
          continue;
        }
        const next = await one('AND after >= $2 ORDER BY after', noun, id);
        if (next === undefined) return;
        done = next.after;
      }
    },
    /** Returns the time of the oldest comparison. Undefined if svc has never compared some ids. */
    async verifiedAt(noun: string) {
      const sql = `SELECT min(checked_at) AS at FROM ${table} WHERE noun = $1 HAVING max(upto) = ${LAST_OF_ALL}`;
      const [found] = await runSql<{ readonly at: string | null }>(sql, noun);
      return found?.at === NEVER ? undefined : (found?.at ?? undefined);
    },
  };
}

/** Returns the column definitions of the table of compared pages. @param integer SQL type of ids. */
export const PAGE_COLUMNS = (integer: string) =>
  `(noun text NOT NULL, after ${integer} NOT NULL, upto ${integer} NOT NULL, first_id ${integer}, url text NOT NULL, next text, etag text, checked_at text NOT NULL, PRIMARY KEY (noun, after))`;

/** Returns the latest of several times. Ignores absent times. */
export function latest(...times: (string | null | undefined)[]): string | undefined {
  return times
    .filter((time) => typeof time === 'string')
    .sort()
    .at(-1);
}
