import { assumedIn } from '../client/assumed.ts';
import { type Query, requestCost } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { filteredRows } from './filtered-rows.ts';
import type { Naming } from './kept-names.ts';
import { type NamedRowsOptions, namedRows } from './named-rows.ts';

/** A collection below one record, to be read whole. */
export interface BelowRecord extends Pick<NamedRowsOptions, 'path' | 'references'> {}

/** Every row of it, with names instead of ids, and the rate-limit units that this took. */
export async function belowRecord(
  context: Needs<Naming>,
  { path, references }: BelowRecord,
): Promise<{ readonly rows: readonly JsonObject[]; readonly units: number }> {
  const client = await context.client();
  let units = 0;
  const cost = (query: Query) => requestCost({ method: 'GET', query, toMany: new Set() });
  client.watch((exchange) => {
    if (new URL(exchange.url).pathname.endsWith(path)) units += exchange.units;
  });
  const stream = await namedRows(context, {
    path,
    references,
    asked: [],
    goesOn: false,
    open: (added) =>
      filteredRows({
        client,
        path,
        cost,
        filters: [],
        rest: [['per_page', '100'], ...(added.length === 0 ? [] : [['include', added.join(',')] as const])],
        assumed: assumedIn(added),
        limit: undefined,
      }),
    onIncluded: () => undefined,
  });
  const rows = (await Array.fromAsync(stream.batches())).flat();
  return { rows, units };
}
