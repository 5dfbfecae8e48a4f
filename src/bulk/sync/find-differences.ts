import { type Page, pages, readPage } from '../../client/pages.ts';
import { idOf } from '../../mirror/record-id.ts';
import { PER_PAGE } from '../export/pieces.ts';
import { wholeQuery } from '../export/run.ts';
import type { SyncRun } from './run.ts';

/** Ids that the mirror has and the service has not, and the other way round. */
export interface Differences {
  readonly gone: readonly number[];
  readonly missing: readonly number[];
  /** The service's clock at the first page that was looked at: what was there then was seen. */
  readonly at: string | undefined;
}

/** What looking takes of a run. */
type Looking = Pick<SyncRun, 'client' | 'mirror' | 'budget' | 'context'>;

/** Page numbers go so far (rule 8.12). */
const MAX_PAGE = 1000;

interface Span {
  /** Pages of the service, both included. */
  readonly first: number;
  readonly last: number;
  /** Rows that the service has on them. */
  readonly rows: number;
  /** Ids of the mirror that belong there: from, and before which, in the list of all. */
  readonly from: number;
  readonly to: number;
}

/**
 * Finds what differs between a counted collection and the mirror, in the order of ids. A page by its number tells two things: the ids on
 * it, and by its place how many come before. So a part of the collection that has as many rows as the mirror has ids there is left alone,
 * and the rest is halved.
 *
 * Two that cancel each other within a part, one gone and one that may be seen again, are not found.
 *
 * @returns undefined where that was not the end of it: it is not counted, changed meanwhile, is too long, or the budget is spent.
 */
export async function findByPlace(
  { client, mirror, budget, context }: Looking,
  noun: string,
  path: string,
): Promise<Differences | undefined> {
  const known = await mirror.ids(noun);
  const gone: number[] = [];
  const missing: number[] = [];
  const pageAt = async (number: number) => {
    const query = [...SUMMARY, ['page', String(number)] as const];
    return readPage(client, path, await client.send({ method: 'GET', path, query, signal: context.signal }));
  };
  const first = await pageAt(1);
  const { total } = first;
  const last = Math.ceil((total ?? 0) / PER_PAGE);
  if (total === undefined || last > MAX_PAGE) return undefined;
  const spans: Span[] = [];
  const look = (page: Page, number: number, span: Span): boolean => {
    const ids = page.rows.flatMap((row) => idOf(row) ?? []);
    if (page.total !== total || ids.length !== Math.min(PER_PAGE, Math.max(0, total - (number - 1) * PER_PAGE))) return false;
    // Ids before the first of this page belong to the pages before it; what comes after the last of all is on no page.
    const from = lowerBound(known, ids[0] ?? 0);
    const to = number === last ? known.length : lowerBound(known, (ids.at(-1) ?? 0) + 1);
    const begin = number === 1 ? 0 : from;
    const [here, there] = [new Set(ids), known.slice(begin, to)];
    gone.push(...there.filter((id) => !here.has(id)));
    const had = new Set(there);
    missing.push(...ids.filter((id) => !had.has(id)));
    const before = (number - span.first) * PER_PAGE;
    spans.push({ first: span.first, last: number - 1, rows: before, from: span.from, to: Math.max(span.from, begin) });
    spans.push({ first: number + 1, last: span.last, rows: span.rows - before - ids.length, from: Math.min(to, span.to), to: span.to });
    return true;
  };
  if (!look(first, 1, { first: 1, last: Math.max(1, last), rows: total, from: 0, to: known.length })) return undefined;
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    if (span.rows === span.to - span.from) continue;
    if (span.rows === 0) gone.push(...known.slice(span.from, span.to));
    else {
      const number = Math.floor((span.first + span.last) / 2);
      if (budget.left() < 1 || !look(await pageAt(number), number, span)) return undefined;
    }
  }
  return { gone, missing, at: first.response.headers['date'] };
}

/**
 * The same by reading every id: where rows are not counted, or numbers do not lead to all of them.
 *
 * @returns undefined where the budget does not reach.
 */
export async function findByWalk(
  { client, mirror, budget, context }: Looking,
  noun: string,
  path: string,
): Promise<Differences | undefined> {
  const known = new Set(await mirror.ids(noun));
  if (budget.left() < Math.ceil((known.size + 1) / PER_PAGE)) return undefined;
  const missing: number[] = [];
  let at: string | undefined;
  for await (const page of pages(client, { method: 'GET', path, query: SUMMARY, signal: context.signal })) {
    at ??= page.response.headers['date'];
    for (const row of page.rows) {
      const id = idOf(row);
      if (id !== undefined && !known.delete(id)) missing.push(id);
    }
  }
  return { gone: [...known], missing, at };
}

const SUMMARY = wholeQuery({ view: 'summary' });

/** The place of the first id that is not less. */
function lowerBound(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
