import { requestUrl } from '../../client/origin.ts';
import { readPage } from '../../client/pages.ts';
import { RefusedError, UnavailableError } from '../../errors.ts';
import { BEFORE_ALL, type ComparedPage, LAST_OF_ALL } from '../../mirror/compared-pages.ts';
import type { TableState } from '../../mirror/mirror.ts';
import { MirrorError } from '../../mirror/mirror-error.ts';
import { wholeQuery } from '../export/run.ts';
import { ascendingIds } from './differences.ts';
import { addChanged } from './look-at-pages.ts';
import { answerMoment, type SyncRun } from './run.ts';
import type { Spool } from './spool.ts';

/** A walk through the pages of a table, in the order of id. It compares every id and every value that it passes. */
export interface PageWalk {
  /** Pages compared so far. */
  pages: ComparedPage[];
  /** Rows of the local database that the service does not have. */
  gone: Set<number>;
  /** Records that differ from the local database. */
  spool: Spool;
  /** The service’s clock at the first answer. */
  at: string | undefined;
  /** Whether the walk has come round: every page was compared. */
  isRound: boolean;
  /** The id after which the walk began to compare; undefined before that. */
  begin: number | undefined;
  /** The id up to which the walk has come. */
  upto: number;
  /** The id after which pages are due. The page before only leads there. */
  readonly due: number;
  /** The address of the page to ask for. */
  next: string;
  /** Whether that page follows the page before it, or is the first. */
  isAnchored: boolean;
  hasWrapped: boolean;
  /** The next stored page comes after this id. */
  floor: number;
}

const NOWHERE = Number.NEGATIVE_INFINITY;

/**
 * Begins a walk at the first page, or at the page that svc compared the longest time ago. For the latter it asks for the page before that one too: only
 * the link in an answer of today leads to the next page for sure.
 */
export async function beginWalk(run: SyncRun, state: TableState, spool: Spool, at: 'first' | 'oldest'): Promise<PageWalk> {
  const { mirror } = run;
  const { noun } = state;
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
  const { upto, oldest } = await mirror.compared(noun);
  const begin = at === 'first' ? BEFORE_ALL : upto === LAST_OF_ALL ? (oldest?.after ?? BEFORE_ALL) : upto;
  const before = begin === BEFORE_ALL ? undefined : await mirror.comparedAfter(noun, begin - 1);
  if (before === undefined || before.after === BEFORE_ALL)
    return { ...fresh, upto: BEFORE_ALL, due: begin, next: firstUrl(run, state), isAnchored: true };
  return { ...fresh, upto: before.after, due: begin, next: before.url, isAnchored: false };
}

/**
 * Walks on until it has come round or `isEnough` says so, asked before each page. A page with an unchanged ETag costs one rate-limit
 * unit. It confirms each of its rows, even values that change without `updated_at`. If the service no longer answers an address of an earlier
 * walk, the walk begins again.
 *
 * @returns false if the service does not list in the order of id: nothing is then known of the ids between two rows.
 */
export async function walkPages(run: SyncRun, state: TableState, walk: PageWalk, isEnough: () => boolean): Promise<boolean> {
  const { client, mirror, context } = run;
  const { noun } = state;
  const seen = new Set<string>();
  while (!walk.isRound && !isEnough()) {
    const { next: linked, upto: after } = walk;
    const found = await mirror.comparedAfter(noun, after);
    // After deletions, a later page of the last walk can follow too: it begins at a row that this walk has seen.
    const isNext = found !== undefined && found.after > walk.floor && (found.url === linked || (found.first_id ?? LAST_OF_ALL) <= after);
    const stored = isNext ? found : undefined;
    const url = stored?.url ?? linked;
    if (url === linked && seen.has(url))
      throw new UnavailableError(`The pages of ${noun} lead in a circle.`, { hint: 'See them: svc api <path> --paginate' });
    // The start of a walk, and a page tried in place of the linked one, may come again.
    if (walk.isAnchored && url === linked) seen.add(url);
    const etag = stored?.etag ?? undefined;
    let response: Awaited<ReturnType<typeof client.send>>;
    try {
      const known = etag !== undefined && { ifNoneMatch: etag };
      response = await client.send({ method: 'GET', path: url, ...known, signal: context.signal });
    } catch (error) {
      const isOld = url !== firstUrl(run, state) && (stored !== undefined || !walk.isAnchored);
      if (!isOld || !(error instanceof RefusedError) || error.details.status !== 400) throw error;
      await mirror.forgetCompared(noun);
      await walk.spool.clear();
      Object.assign(walk, await beginWalk(run, state, walk.spool, 'first'));
      seen.clear();
      continue;
    }
    const at = answerMoment(response.headers, context.clock.now());
    walk.at ??= at;
    walk.floor = stored?.after ?? after;
    if (response.status === 304 && stored !== undefined) {
      if (walk.isAnchored) walk.pages.push({ ...stored, after, checked_at: at });
      step(run, state, walk, stored.upto, stored.next ?? undefined);
      continue;
    }
    const { rows, next } = readPage(client, url, response);
    const ids = await addChanged(run, noun, rows, walk.spool);
    if (ids.length < rows.length) throw new MirrorError('no-ids', noun);
    const [first] = ids;
    if (url !== linked && (first ?? LAST_OF_ALL) > after) continue;
    if (ascendingIds(rows) === undefined || (url === linked && walk.isAnchored && first !== undefined && first <= after)) return false;
    const upto = next === undefined ? LAST_OF_ALL : Math.max(after, ids.at(-1) ?? after);
    const from = walk.isAnchored ? after : Math.max(after, (first ?? upto) - 1);
    const there = new Set(ids);
    for (const id of await mirror.idsBetween(noun, from, upto)) if (!there.has(id)) walk.gone.add(id);
    if (upto > from)
      walk.pages.push({ after: from, upto, first_id: first ?? null, url, next: next ?? null, etag: response.etag ?? null, checked_at: at });
    step(run, state, walk, upto, next);
  }
  return true;
}

/** Goes to the page after this one; after the last page, to the first. */
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

/** Forgets the ETags of pages whose rows changed after svc compared them. */
export function withoutEtags(pages: readonly ComparedPage[], changed: readonly number[]): ComparedPage[] {
  return pages.map((page) => (changed.some((id) => id > page.after && id <= page.upto) ? { ...page, etag: null } : page));
}
