import { refusedIn } from '../client/assumed.ts';
import { type Query, requestCost } from '../client/cost.ts';
import { rows } from '../client/pages.ts';
import { ForbiddenError, NotFoundError, OtherFormError, RefusedError, RememberedRefusal } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';

export type Known<T> = { readonly value: T } | { readonly why: string };

export interface DaySummaryQuery {
  readonly path: string;
  /** The query with documented parameters. @param has returns true if the query also has the named undocumented parameter. */
  readonly query?: Query | ((has: (name: string) => boolean) => Query);
  /** The undocumented filters (rule 18.27). Default: none. */
  readonly assumedFilters?: Query;
  readonly needs?: readonly string[];
  readonly assumedIncludes?: readonly string[];
}

export interface DaySummaryPage {
  readonly rows: readonly JsonObject[];
  readonly complete: boolean;
  readonly filteredBy: (name: string) => boolean;
}

/**
 * Reads one page for the day summary. svc leaves out an undocumented parameter that the service refused within the last day.
 * The summary has a fixed number of requests. After a new refusal, svc therefore sends no second request at once.
 * @param again true to send the second request at once.
 */
export async function readDaySummaryPage(
  context: Needs<'client'>,
  { path, query = [], assumedFilters = [], needs = [], assumedIncludes = [] }: DaySummaryQuery,
  again = false,
): Promise<Known<DaySummaryPage>> {
  const include = assumedIncludes.length === 0 ? [] : [`include=${assumedIncludes.join(',')}`];
  const left = new Set([...assumedFilters.map(([name]) => name), ...include]);
  for (;;) {
    const has = (name: string) => left.has(name);
    const requested: Query = [
      ...(typeof query === 'function' ? query(has) : query),
      ...assumedFilters.filter(([name]) => has(name)),
      ...(include.some(has) ? [['include', assumedIncludes.join(',')] as const] : []),
      ['per_page', '100'],
    ];
    const cost = requestCost({ method: 'GET', query: requested, toMany: new Set() });
    const request = { method: 'GET', path, query: requested, assumed: [...left], cost };
    try {
      const stream = rows(await context.client(), request, { limit: 100 });
      const found = (await Array.fromAsync(stream.batches())).flat();
      return { value: { rows: found, complete: !stream.position().more, filteredBy: has } };
    } catch (error) {
      if (error instanceof ForbiddenError || error instanceof NotFoundError) return { why: error.message };
      if (!(error instanceof RefusedError)) throw error;
      const isOtherForm = error instanceof OtherFormError;
      const refused = isOtherForm ? [] : refusedIn(error, [...left]);
      if (!isOtherForm && (refused.length === 0 || refused.some((name) => needs.includes(name)))) return { why: error.message };
      if (!again && !(error instanceof RememberedRefusal))
        return { why: 'The service refused the request. The next svc status sends another request.' };
      for (const name of refused) left.delete(name);
    }
  }
}
