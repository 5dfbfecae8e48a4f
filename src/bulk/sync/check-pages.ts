import { z } from 'zod';
import { shellCommand } from '../../cli/shell-word.ts';
import type { ApiResponse } from '../../client/api.ts';
import { assumedFilters } from '../../client/assumed.ts';
import type { Query } from '../../client/cost.ts';
import { readPage } from '../../client/pages.ts';
import type { TableState } from '../../database/local-database.ts';
import { integerId } from '../../database/record-id.ts';
import { UnavailableError } from '../../errors.ts';
import { type JsonObject, parsedJson, stringifyJson } from '../../values/json.ts';
import { answerTime, type SyncRun } from './run.ts';
import type { Spool } from './spool.ts';

const page = z.object({
  url: z.string(),
  etag: z.string().optional(),
  next: z.string().optional(),
  ids: z.array(z.number()),
  /** True if the list has a total that svc did not request. */
  counted: z.boolean().optional(),
});
const chain = z.array(page);
type StoredPage = z.infer<typeof page>;

/** The result of a check of pages. The spool has the records that differ from the local database. */
export interface CheckedPages {
  /** The ids of all records on the pages. Undefined for too many ids to keep in memory. */
  readonly ids: ReadonlySet<number> | undefined;
  /** The time of the first page, by the service’s clock. */
  readonly at: string;
  /** True if the list has a total that svc did not request. */
  readonly isCounted: boolean;
  /** Stores the state of the pages for the next check. Call this function after the local database has the records of the pages. */
  readonly keep: () => Promise<void>;
}

/**
 * Reads every page of a query. An unchanged page costs one rate-limit unit in any view (a 304, rule 15.25). A 304 confirms each row on the
 * page, including fields that change without `updated_at`, such as counters.
 *
 * @param isMatch returns true if a record fits the query.
 * @param onPiece writes the records in the spool to the local database, to save memory. The argument has the ids on all pages since the
 * last call.
 * @returns undefined if a record does not fit. The service has then ignored the filter.
 * @throws UnavailableError if the links between the pages form a loop.
 */
export async function checkPages(
  run: SyncRun,
  { noun, path }: TableState,
  query: Query,
  spool: Spool,
  isMatch: (record: JsonObject) => boolean,
  onPiece: (ids: ReadonlySet<number>) => Promise<void>,
): Promise<CheckedPages | undefined> {
  const { client, database, context } = run;
  const name = pagesName(noun);
  // svc sends the ETag of a page only if the local database has all records of that page.
  const before = new Map<string, StoredPage>();
  for (const each of chain.safeParse(parsedJson((await database.stored(name)) ?? '')).data ?? [])
    if ((await database.held(noun, each.ids)).length === new Set(each.ids).size) before.set(each.url, each);
  const pages = new Map<string, StoredPage>();
  const urls = new Set<string>();
  let isCounted = false;
  let at: string | undefined;
  let url: string | undefined = `${path}?${new URLSearchParams(query.map(([key, value]): [string, string] => [key, value]))}`;
  while (url !== undefined) {
    const known: StoredPage | undefined = before.get(url);
    if (urls.has(url)) throw pageLoop(noun, path);
    const response: ApiResponse = await client.send({
      method: 'GET',
      path: url,
      assumed: assumedFilters(query),
      ...(known?.etag !== undefined && { ifNoneMatch: known.etag }),
      signal: context.signal,
    });
    at ??= answerTime(response.headers, context.clock.now());
    let seen: StoredPage;
    if (response.status === 304 && known !== undefined) seen = known;
    else {
      const { rows, next, total } = readPage(client, url, response);
      if (!rows.every(isMatch)) {
        await spool.clear();
        return undefined;
      }
      const { etag } = response;
      const ids = await addChanged(run, noun, rows, spool);
      seen = { url, ...(etag !== undefined && { etag }), ...(next !== undefined && { next }), ids, counted: total !== undefined };
    }
    urls.add(url);
    pages.set(url, seen);
    isCounted ||= seen.counted === true;
    if (pages.size === PIECE) {
      await onPiece(new Set([...pages.values()].flatMap(({ ids }) => ids)));
      pages.clear();
    }
    url = seen.next;
  }
  const all = urls.size > pages.size ? undefined : [...pages.values()];
  return {
    ids: all && new Set(all.flatMap(({ ids }) => ids)),
    at: at ?? answerTime({}, context.clock.now()),
    isCounted,
    keep: () => database.keep(name, all && JSON.stringify(all)),
  };
}

export function pageLoop(noun: string, path: string): UnavailableError {
  return new UnavailableError(`The links between the pages of ${noun} form a loop.`, {
    hint: `To see the pages: ${shellCommand(['api', path, '--paginate'])}`,
  });
}

/** The most pages that svc keeps in memory before a write to the local database. */
const PIECE = 500;

/** Returns the name under which the local database stores the state of the pages of a table. */
export function pagesName(noun: string): string {
  return `pages ${noun}`;
}

/**
 * Adds to the spool each record that differs from the local database, or whose id the spool already has.
 *
 * @returns the ids of all records.
 */
export async function addChanged({ database }: SyncRun, noun: string, rows: readonly JsonObject[], spool: Spool): Promise<number[]> {
  const ids = rows.flatMap((row) => integerId(row) ?? []);
  const known = new Map<number, string>();
  for await (const { id, record } of database.records(noun, ids)) known.set(id, record);
  for (const row of rows) {
    const id = integerId(row);
    // A record without an id stays in the spool, and the local database later refuses the record.
    if (id === undefined || spool.has(id) || known.get(id) !== stringifyJson(row)) await spool.add(id ?? Number.NaN, row);
  }
  return ids;
}
