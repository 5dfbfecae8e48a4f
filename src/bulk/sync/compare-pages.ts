import { isRefusal } from '../../client/assumed.ts';
import { requestUrl } from '../../client/origin.ts';
import { readPage } from '../../client/pages.ts';
import { BEFORE_ALL, type ComparedPage, LAST_OF_ALL } from '../../database/compared-pages.ts';
import { DatabaseError } from '../../database/database-error.ts';
import type { Applied, TableChange, TableState } from '../../database/local-database.ts';
import type { TableShape } from '../../database/table-shape.ts';
import { PER_PAGE, wholeQuery } from '../export/run.ts';
import { addChanged, pageLoop } from './check-pages.ts';
import { ascendingIds } from './differences.ts';
import { answerTime, MOST_GONE, type SyncRun } from './run.ts';
import type { Spool } from './spool.ts';
import { writeChanges } from './write-changes.ts';

/** The state of a walk through the pages of a table, in the order of id. The walk compares every id and every value on its pages. */
export interface PageWalk {
  pages: ComparedPage[];
  /** The ids of rows that only the local database has. */
  gone: Set<number>;
  /** The records that differ from the local database. */
  spool: Spool;
  /** The time of the first answer by the service’s clock. */
  at: string | undefined;
  /** True if the walk has compared every page of the table. */
  isRound: boolean;
  /** The id after which the walk started to compare. Undefined before the first comparison. */
  begin: number | undefined;
  upto: number;
  /** The id after which the walk compares pages. A page before this id only provides the link to the next page. */
  readonly due: number;
  next: string;
  /** True if the next page is the first page, or if an answer of this walk linked to that page. */
  isAnchored: boolean;
  hasWrapped: boolean;
  /** The lowest id after which a stored page can still be the next page. */
  floor: number;
}

const NOWHERE = Number.NEGATIVE_INFINITY;

/**
 * Starts a walk at the page after an id. Except for the first page, svc also requests the previous page. Only a new answer links reliably
 * to the next page.
 */
export async function beginWalk(run: SyncRun, state: TableState, spool: Spool, begin: number): Promise<PageWalk> {
  const fresh = {
    pages: [],
    gone: new Set<number>(),
    spool,
    at: undefined,
    isRound: false,
    begin: undefined,
    hasWrapped: false,
    floor: NOWHERE,
  };
  const before = begin === BEFORE_ALL ? undefined : await run.database.comparedAfter(state.noun, begin - 1);
  if (before === undefined || before.after === BEFORE_ALL)
    return { ...fresh, upto: BEFORE_ALL, due: begin, next: firstUrl(run, state), isAnchored: true };
  return { ...fresh, upto: before.after, due: begin, next: before.url, isAnchored: false };
}

/**
 * Continues a walk until every page is compared, or until `isEnough` returns true before a page. The walk also stops at {@link MOST_GONE}
 * stored rows in the range of one page. A page with an unchanged ETag costs one rate-limit unit. The ETag confirms every row on the page,
 * even values that change without `updated_at`. If the service refuses a URL from an earlier walk, the walk restarts.
 *
 * @returns false if the service does not list in the order of id. The walk then can’t find deleted rows between two ids.
 * @throws UnavailableError if the links between the pages form a loop. DatabaseError for records without ids.
 */
export async function walkPages(run: SyncRun, state: TableState, walk: PageWalk, isEnough: () => boolean): Promise<boolean> {
  const { client, database, context } = run;
  const { noun } = state;
  const seen = new Set<string>();
  while (!walk.isRound && !isEnough()) {
    const { next: linked, upto: after } = walk;
    const found = await database.comparedAfter(noun, after);
    // After deletions, a stored page can begin at a row that this walk has already compared. Such a page can still be the next page.
    const isNext = found !== undefined && found.after > walk.floor && (found.url === linked || (found.first_id ?? LAST_OF_ALL) <= after);
    const stored = isNext ? found : undefined;
    const url = stored?.url ?? linked;
    if (url === linked && seen.has(url)) throw pageLoop(noun, state.path);
    // Only a repeated linked page is a loop. The start page, and a stored page in place of a linked page, can occur twice.
    if (walk.isAnchored && url === linked) seen.add(url);
    const etag = stored?.etag ?? undefined;
    let response: Awaited<ReturnType<typeof client.send>>;
    try {
      const known = etag !== undefined && { ifNoneMatch: etag };
      response = await client.send({ method: 'GET', path: url, ...known, signal: context.signal });
    } catch (error) {
      const isOld = url !== firstUrl(run, state) && (stored !== undefined || !walk.isAnchored);
      if (!isOld || !isRefusal(error)) throw error;
      await database.forgetCompared(noun);
      await walk.spool.clear();
      Object.assign(walk, await beginWalk(run, state, walk.spool, BEFORE_ALL));
      seen.clear();
      continue;
    }
    const at = answerTime(response.headers, context.clock.now());
    walk.at ??= at;
    walk.floor = stored?.after ?? after;
    if (response.status === 304 && stored !== undefined) {
      if (walk.isAnchored) walk.pages.push({ ...stored, after, checked_at: at });
      step(run, state, walk, stored.upto, stored.next ?? undefined);
      continue;
    }
    const { rows, next } = readPage(client, url, response);
    // The service no longer has rows after the walk’s first id, so no row shows where the page begins.
    if (rows.length === 0 && !walk.isAnchored) {
      await walk.spool.clear();
      Object.assign(walk, await beginWalk(run, state, walk.spool, BEFORE_ALL));
      continue;
    }
    const ids = await addChanged(run, noun, rows, walk.spool);
    if (ids.length < rows.length) throw new DatabaseError('no-ids', noun);
    const [first] = ids;
    // The stored page must begin at or before the last compared id, and must end after that id.
    const isBeside = (first ?? LAST_OF_ALL) > after || (next !== undefined && (ids.at(-1) ?? after) <= after);
    if (url !== linked && isBeside) continue;
    if (ascendingIds(rows) === undefined || (url === linked && walk.isAnchored && first !== undefined && first <= after)) return false;
    const upto = next === undefined ? LAST_OF_ALL : Math.max(after, ids.at(-1) ?? after);
    const from = walk.isAnchored ? after : Math.max(after, (first ?? upto) - 1);
    const there = new Set(ids);
    const present = await database.idsBetween(noun, from, upto, MOST_GONE);
    for (const id of present) if (!there.has(id)) walk.gone.add(id);
    // The range has too many stored rows for one step. svc first removes the deleted rows, and then compares the page again.
    if (present.length === MOST_GONE) return true;
    if (upto > from)
      walk.pages.push({ after: from, upto, first_id: first ?? null, url, next: next ?? null, etag: response.etag ?? null, checked_at: at });
    step(run, state, walk, upto, next);
  }
  return true;
}

/**
 * Continues a walk like {@link walkPages}, and writes each thousand pages to the local database to save memory. svc also writes before the
 * deleted ids reach {@link MOST_GONE}. The pages after the last write stay in the walk. With `--verify`, svc writes each hundred pages.
 * After a failure, `--verify` also writes the other compared pages. The next run does not compare these pages again.
 *
 * @param onPiece receives the time of the walk’s first answer before svc writes.
 * @returns the number of written and removed rows. Undefined if the service does not list in the order of id.
 */
export async function comparePieces(
  run: SyncRun,
  state: TableState,
  shape: TableShape,
  walk: PageWalk,
  isEnough: () => boolean,
  onPiece: (at: string) => Promise<void> = async () => undefined,
): Promise<Applied | undefined> {
  const { path, as_of, whole_at, known_by } = state;
  const change: TableChange = { path, as_of, whole_at, known_by };
  let applied: Applied = UNCHANGED_TABLE;
  const piece = run.verification === undefined ? PIECE : PIECE_OF_VERIFY;
  const isFull = () => walk.pages.length >= piece || walk.gone.size >= MOST_GONE - PER_PAGE;
  const putPiece = async () => {
    const { spool, gone, pages, at = as_of } = walk;
    await onPiece(at);
    const comparison = { ...change, seen_at: pages.at(-1)?.checked_at ?? at, pages };
    applied = addApplied(applied, await writeChanges(run, shape, { spool, gone, change: comparison }));
    Object.assign(walk, { pages: [], gone: new Set() });
  };
  for (;;) {
    try {
      if (!(await walkPages(run, state, walk, () => isFull() || isEnough()))) return undefined;
    } catch (error) {
      if (run.verification !== undefined && walk.pages.length > 0) await putPiece().catch(() => undefined);
      throw error;
    }
    if (walk.isRound || !isFull()) return applied;
    await putPiece();
  }
}

/** The number of pages that svc writes in one transaction: 100,000 rows. */
const PIECE = 1_000;
const PIECE_OF_VERIFY = 100;

export const UNCHANGED_TABLE: Applied = { put: 0, gone: 0 };

export function addApplied(one: Applied, other: Applied): Applied {
  return { put: one.put + other.put, gone: one.gone + other.gone };
}

/** Advances the walk to the next page, or from the last page to the first page. */
function step(run: SyncRun, state: TableState, walk: PageWalk, upto: number, next: string | undefined): void {
  walk.begin ??= walk.pages[0]?.after;
  const isLast = upto === LAST_OF_ALL || next === undefined;
  walk.isRound = walk.begin !== undefined && ((walk.hasWrapped && upto >= walk.begin) || (isLast && walk.begin === BEFORE_ALL));
  walk.isAnchored = true;
  if (isLast) Object.assign(walk, { upto: BEFORE_ALL, next: firstUrl(run, state), floor: NOWHERE, hasWrapped: true });
  else Object.assign(walk, { upto, next });
}

function firstUrl({ client }: SyncRun, { path }: TableState): string {
  return requestUrl(client.host, path, wholeQuery({ view: 'detail' }));
}

/** Removes the ETags of pages whose rows changed after the comparison. */
export function withoutEtags(pages: readonly ComparedPage[], changed: readonly number[]): ComparedPage[] {
  return pages.map((page) => (changed.some((id) => id > page.after && id <= page.upto) ? { ...page, etag: null } : page));
}
