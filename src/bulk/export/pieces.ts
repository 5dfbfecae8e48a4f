import type { ApiClient } from '../../client/api-client.ts';
import { countPage, type Page } from '../../client/pages.ts';
import { stampBefore } from '../../client/standing.ts';
import { RefusedError } from '../../errors.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { Split } from './manifest.ts';

/** Rows of a page, as the query of an export asks for them. */
export const PER_PAGE = 100;

/** Page numbers go so far (rule 8.12). */
const MAX_PAGE = 1000;

/** A counted collection with fewer pages gains too little. */
const MIN_PAGES = 4;

/** Of a range, so that the page that is not full at the end of each costs about a twentieth. */
const MIN_RANGE_PAGES = 7;

/** A collection whose first page was read, and more is to come. */
export interface Begun {
  readonly client: ApiClient;
  readonly noun: string;
  readonly path: string;
  /** The query for all of it. */
  readonly query: Split['query'];
  readonly first: Page;
  /** Pieces at most. */
  readonly most: number;
  /** How many rows there are, where that was asked before. */
  readonly counted: { readonly total: number; readonly at: number } | undefined;
  readonly signal: AbortSignal;
}

/**
 * How to read the rest of a collection in pieces side by side: by page numbers where it counts its rows, which costs nothing more; by
 * when its records were made where it is long enough that the pages that are not full hardly count.
 *
 * @returns undefined where it is better read page after page, or does not tell what it takes to know that nothing is left out.
 */
export async function planPieces(begun: Begun): Promise<Split | undefined> {
  const { first } = begun;
  const at = Date.parse(first.response.headers['date'] ?? '');
  const oldest = first.rows[0]?.['created_at'];
  if (Number.isNaN(at) || typeof oldest !== 'string' || first.rows.length < PER_PAGE) return undefined;
  return first.total === undefined ? ranges(begun, oldest, utcSeconds(at)) : pageNumbers(begun, first.total, at);
}

function pageNumbers({ noun, query, most }: Begun, total: number, at: number): Split | undefined {
  const pages = Math.ceil(total / PER_PAGE);
  if (pages < MIN_PAGES || pages > MAX_PAGE) return undefined;
  const pieces = Math.min(most, pages - 1);
  // The first page is there already.
  const starts = Array.from({ length: pieces + 1 }, (_, index) => 2 + Math.floor(((pages - 1) * index) / pieces));
  const parts = starts.slice(0, -1).map((start, index) => ({
    query: [...query, ['page', String(start)] as [string, string]],
    limit: ((starts[index + 1] ?? start) - start) * PER_PAGE,
  }));
  return { noun, query, total, before: stampBefore(at), as_of: utcSeconds(at), by: 'page', parts };
}

/** That these filters are taken is an assumption (rule 18.27), which one request tests before the others follow. */
async function ranges(
  { client, noun, path, query, most, counted, signal }: Begun,
  oldest: string,
  asOf: string,
): Promise<Split | undefined> {
  const { total, at } = counted ?? (await count(client, path, signal));
  const pieces = Math.min(most, Math.floor((total ?? 0) / PER_PAGE / MIN_RANGE_PAGES));
  const [from, to] = [Date.parse(oldest), at];
  if (total === undefined || pieces < 3 || !(from < to)) return undefined;
  const bounds = Array.from({ length: pieces - 1 }, (_, index) => utcSeconds(from + ((to - from) * (index + 1)) / pieces));
  // What was made before the first bound is left to the walk that is under way.
  const parts = bounds.map((start, index) => ({
    query: [...query, ...bound('gte', start), ...bound('lt', bounds[index + 1])],
  }));
  return { noun, query, total, before: stampBefore(at), as_of: asOf, by: 'created_at', parts };
}

function bound(operator: string, moment: string | undefined): [string, string][] {
  return moment === undefined ? [] : [[`filter[created_at][${operator}]`, moment]];
}

/** How many rows there are, at which moment of the service's clock; nothing where it will not say. */
async function count(
  client: ApiClient,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly total: number | undefined; readonly at: number }> {
  try {
    const { total, response } = await countPage(client, path, [], signal);
    return { total, at: Date.parse(response.headers['date'] ?? '') };
  } catch (error) {
    if (error instanceof RefusedError) return { total: undefined, at: Number.NaN };
    throw error;
  }
}
