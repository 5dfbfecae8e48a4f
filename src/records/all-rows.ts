import type { ApiClient } from '../client/api-client.ts';
import { assumedIn } from '../client/assumed.ts';
import { type Query, requestCost } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { type FilteredRows, type FilteredRowsOptions, filteredRows } from './filtered-rows.ts';

export interface WalkOptions
  extends Partial<Pick<FilteredRowsOptions, 'assumed' | 'cost' | 'filters' | 'limit' | 'onRefused' | 'patient'>> {
  /** The number of rows per page. Default: 100 (rule 8.3). */
  readonly perPage?: number | undefined;
  /**
   * The undocumented relations to include. Each relation must lead to one record, so that a page still contains 100 rows. Default: none.
   */
  readonly include?: readonly string[];
}

export function includeQuery(include: readonly string[]): Query {
  return include.length === 0 ? [] : [['include', include.join(',')]];
}

/** The query for the detail view. svc reads the detail view, because the fields of a summary are not documented (rule 18.23). */
export const DETAIL = [['view', 'detail']] as const satisfies Query;

export function openRows(
  client: ApiClient,
  path: string,
  query: Query,
  { perPage = 100, include = [], ...how }: WalkOptions,
): FilteredRows {
  return filteredRows({
    cost: (sent) => requestCost({ method: 'GET', query: sent, toMany: new Set() }),
    filters: [],
    limit: undefined,
    ...how,
    client,
    path,
    rest: [...query, ...includeQuery(include), ['per_page', String(perPage)]],
    assumed: [...(how.assumed ?? []), ...assumedIn(include)],
  });
}

export async function* allRows(
  context: Needs<'client'>,
  path: string,
  query: Query = [],
  options: WalkOptions = {},
): AsyncGenerator<JsonObject> {
  for await (const batch of openRows(await context.client(), path, query, options).batches()) yield* batch;
}

export async function collectRows(
  context: Needs<'client'>,
  path: string,
  query: Query = [],
  options: WalkOptions = {},
): Promise<JsonObject[]> {
  return Array.fromAsync(allRows(context, path, query, options));
}
