import type { Resource } from '../catalog/define.ts';
import { abilitiesFor } from '../catalog/rules.ts';
import { type Query, requestCost } from '../client/cost.ts';
import { requestUrl } from '../client/origin.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { type Naming, nounsToAsk } from './kept-names.ts';
import { type NamedRowsOptions, namesToAsk } from './named-rows.ts';

/** A list that is not sent. */
export interface PlannedList {
  readonly resource: Resource;
  readonly path: string;
  /** Rate-limit units that a page costs with these query parameters. */
  readonly cost: (query: Query) => number;
  /** References of its rows that are shown by name. */
  readonly names: Pick<NamedRowsOptions, 'path' | 'references' | 'asked' | 'goesOn'>;
  /** The query of the first page of each walk, with these further relations. */
  readonly queries: (added: readonly string[]) => readonly Query[];
}

/**
 * The output of `--dry-run` for a list: the request for the first page of each walk, and those for names that are not kept. Each
 * has its cost in units (rules 15.15 to 15.22) and the ability that it needs. Sends nothing.
 */
export async function describeList(
  context: Needs<Naming>,
  { resource, path, cost, names, queries }: PlannedList,
): Promise<readonly JsonObject[]> {
  const host = await context.host();
  const { extra, nouns } = await namesToAsk(context, names);
  const read = (of: Resource, at: string, query: Query, units: number): JsonObject => ({
    method: 'GET',
    url: requestUrl(host, at, query),
    cost: { read: units },
    ability: abilitiesFor(of, 'GET').join(' or '),
  });
  const asked = await Promise.all(
    (await nounsToAsk(context, nouns)).map(async (noun) => {
      const named = await context.catalog.find(noun);
      const query: Query = [['per_page', '100']];
      return named === undefined ? [] : [read(named, named.path, query, requestCost({ method: 'GET', query }))];
    }),
  );
  return [...queries(extra).map((query) => read(resource, path, query, cost(query))), ...asked.flat()];
}
