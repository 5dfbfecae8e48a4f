import { type Page, pages, readPage } from '../../client/pages.ts';
import { idOf } from '../../mirror/record-id.ts';
import { type Budget, PER_PAGE, type SyncRun } from './run.ts';

/** Ids that the mirror has and the service has not, and the other way round. */
export interface Differences {
  readonly gone: readonly number[];
  readonly missing: readonly number[];
  /** The service's clock at the first page that was looked at; what was there then was seen. */
  readonly from: Page | undefined;
}

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
 * Two that cancel each other, one gone and one that is to be seen again, within what is left alone, are not found.
 *
 * @returns undefined where that was not the end of it: the collection changed meanwhile, is too long, or the budget is spent.
 */
export async function findByPlace(
  { client, mirror, budget, context }: Pick<SyncRun, 'client' | 'mirror' | 'budget' | 'context'>,
  noun: string,
  path: string,
  total: number,
): Promise<Differences | undefined> {
  const known = await mirror.ids(noun);
  const last = Math.ceil(total / PER_PAGE);
  if (last > MAX_PAGE) return undefined;
  const gone: number[] = [];
  const missing: number[] = [];
  let first: Page | undefined;
  const spans: Span[] = [{ first: 1, last, rows: total, from: 0, to: known.length }];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    if (span.rows === span.to - span.from) continue;
    if (span.rows === 0) {
      gone.push(...known.slice(span.from, span.to));
      continue;
    }
    if (budget.left() < 1) return undefined;
    const number = Math.floor((span.first + span.last) / 2);
    const query = [...SUMMARY, ['page', String(number)] as const];
    const page = readPage(client, path, await client.send({ method: 'GET', path, query, signal: context.signal }));
    first ??= page;
    const ids = page.rows.flatMap((row) => idOf(row) ?? []);
    if (page.total !== total || ids.length !== Math.min(PER_PAGE, total - (number - 1) * PER_PAGE)) return undefined;
    const from = lowerBound(known, ids[0] ?? 0);
    const to = lowerBound(known, (ids.at(-1) ?? 0) + 1);
    const here = new Set(ids);
    gone.push(...known.slice(from, to).filter((id) => !here.has(id)));
    const had = new Set(known.slice(from, to));
    missing.push(...ids.filter((id) => !had.has(id)));
    const before = (number - span.first) * PER_PAGE;
    spans.push({ first: span.first, last: number - 1, rows: before, from: span.from, to: Math.max(span.from, from) });
    spans.push({ first: number + 1, last: span.last, rows: span.rows - before - ids.length, from: to, to: span.to });
  }
  return { gone, missing, from: first };
}

/**
 * The same by reading every id: where rows are not counted, or numbers do not lead to all of them.
 *
 * @returns undefined where the budget does not reach.
 */
export async function findByWalk(
  { client, mirror, budget, context }: Pick<SyncRun, 'client' | 'mirror' | 'budget' | 'context'>,
  noun: string,
  path: string,
): Promise<Differences | undefined> {
  const known = new Set(await mirror.ids(noun));
  if (!reaches(budget, known.size)) return undefined;
  const missing: number[] = [];
  let first: Page | undefined;
  for await (const page of pages(client, { method: 'GET', path, query: SUMMARY, signal: context.signal })) {
    first ??= page;
    for (const row of page.rows) {
      const id = idOf(row);
      if (id !== undefined && !known.delete(id)) missing.push(id);
    }
  }
  return { gone: [...known], missing, from: first };
}

/** Whether all ids of a table can be read with what is left. */
export function reaches(budget: Pick<Budget, 'left'>, rows: number): boolean {
  return budget.left() >= Math.ceil((rows + 1) / PER_PAGE);
}

const SUMMARY = [
  ['sort', 'id'],
  ['per_page', String(PER_PAGE)],
  ['view', 'summary'],
] as const;

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
