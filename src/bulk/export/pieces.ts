import type { ApiClient } from '../../client/api-client.ts';
import { countPage, type Page } from '../../client/pages.ts';
import { stampBefore } from '../../client/standing.ts';
import { RefusedError } from '../../errors.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { Split } from './manifest.ts';

/** Rows of a page, as the query of an export asks for them. */
export const PER_PAGE = 100;

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
 * How to read the rest of a collection in pieces side by side, by when its records were made, where it is long enough that the pages that
 * are not full hardly count. That these filters are taken is an assumption (rule 18.27), which one request tests before the others follow.
 * None for a collection that counts its rows, which is read by page numbers: whatever counts a piece may ask for its total (rule 8.24).
 *
 * @returns undefined where it is better read page after page, or does not tell what it takes to know that nothing is left out.
 */
export async function planPieces({ client, noun, path, query, first, most, counted, signal }: Begun): Promise<Split | undefined> {
  const asOf = Date.parse(first.response.headers['date'] ?? '');
  const oldest = first.rows[0]?.['created_at'];
  const isCounted = first.total !== undefined;
  if (isCounted || Number.isNaN(asOf) || typeof oldest !== 'string' || first.rows.length < PER_PAGE) return undefined;
  const { total, at } = counted ?? (await count(client, path, signal));
  const pieces = Math.min(most, Math.floor((total ?? 0) / PER_PAGE / MIN_RANGE_PAGES));
  const [from, to] = [Date.parse(oldest), at];
  if (total === undefined || pieces < 3 || !(from < to)) return undefined;
  const bounds = Array.from({ length: pieces - 1 }, (_, index) => utcSeconds(from + ((to - from) * (index + 1)) / pieces));
  // What was made before the first bound is left to the walk that is under way.
  const parts = bounds.map((start, index) => ({ query: [...query, ...bound('gte', start), ...bound('lt', bounds[index + 1])] }));
  return { noun, query, total, before: stampBefore(at), as_of: utcSeconds(asOf), parts };
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
