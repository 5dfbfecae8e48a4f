/** A query as an ordered list of names and values, as it goes on the wire. */
export type Query = readonly (readonly [name: string, value: string])[];

export interface CostOptions {
  readonly method: string;
  readonly query: Query;
  /** Whether the path is a collection; unknown counts as one, which can only be too much. */
  readonly collection?: boolean | undefined;
  /** The include paths that lead to many records; unknown counts every path as one of them. */
  readonly toMany?: ReadonlySet<string> | undefined;
}

/**
 * Units a request spends when it succeeds, known before it is sent (rule: cost of a request): a GET from the read
 * budget, anything else from the write budget.
 */
export function requestCost({ method, query, collection = true, toMany }: CostOptions): number {
  if (method === 'DELETE') return 1;
  const value = (name: string) => query.find(([key]) => key === name)?.[1];
  const base = method === 'GET' && collection && value('view') === 'detail' ? 3 : 1;
  const search = value('q') === undefined ? 0 : 2;
  const total = value('with_total') === '1' ? 2 : 0;
  return base + includeCost(value('include'), toMany) + search + total;
}

/** A path named twice is charged twice, so nothing is made unique here. */
function includeCost(include: string | undefined, toMany: ReadonlySet<string> | undefined): number {
  const paths = include?.split(',').filter((path) => path.trim() !== '') ?? [];
  return paths.reduce((sum, path) => sum + (toMany === undefined || toMany.has(path.trim()) ? 3 : 1), 0);
}

/** What an exchange spent (rules 15.25 to 15.28); one whose answer was lost may have run. @param units of the request where it succeeds. */
export function unitsSpent({ status, units }: { readonly status?: number | undefined; readonly units: number }): number {
  if (status === 429) return 0;
  return status === undefined || (status >= 200 && status < 300) ? units : 1;
}
