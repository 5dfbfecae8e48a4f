import type { Query } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { filteredRows } from './filtered-rows.ts';

/** Options of a walk: the most rows, the rate-limit units of a page (default: from the query), and the rows of a page (default 100). */
export interface WalkOptions {
  readonly limit?: number | undefined;
  readonly cost?: number | undefined;
  readonly perPage?: number | undefined;
  /** As `ApiRequest.assumed`. */
  readonly assumed?: readonly string[];
}

/** Every row of a collection as the pages come, a hundred a request (rule 8.3) unless fewer are asked for. */
export async function* allRows(
  context: Needs<'client'>,
  path: string,
  query: Query = [],
  { limit, cost, perPage = 100, assumed = [] }: WalkOptions = {},
): AsyncGenerator<JsonObject> {
  const client = await context.client();
  const rest = [...query, ['per_page', String(perPage)] as const];
  const { batches } = filteredRows({ client, path, filters: [], rest, assumed, limit, ...(cost !== undefined && { cost: () => cost }) });
  for await (const batch of batches()) yield* batch;
}

/** The same as a list; for collections that are small, or needed whole. */
export async function collectRows(
  context: Needs<'client'>,
  path: string,
  query: Query = [],
  options: WalkOptions = {},
): Promise<JsonObject[]> {
  return Array.fromAsync(allRows(context, path, query, options));
}
