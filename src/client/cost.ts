export type Query = readonly (readonly [name: string, value: string])[];

export interface CostOptions {
  readonly method: string;
  readonly query: Query;
  /** True if the path is a list. Undefined counts as a list, which costs more. */
  readonly collection?: boolean | undefined;
  /** The include paths that lead to many records. Without the set, every path counts as such a path. */
  readonly toMany?: ReadonlySet<string> | undefined;
}

/**
 * Returns the cost of a successful request in rate-limit units (rules 15.15 to 15.24). A GET or HEAD spends from the read budget, other
 * requests from the write budget.
 */
export function requestCost({ method, query, collection = true, toMany }: CostOptions): number {
  if (method === 'DELETE') return 1;
  const value = (name: string) => query.find(([key]) => key === name)?.[1];
  const reads = method === 'GET' || method === 'HEAD';
  const base = reads && collection && value('view') === 'detail' ? 3 : 1;
  const search = value('q') === undefined ? 0 : 2;
  const total = value('with_total') === '1' ? 2 : 0;
  return base + includeCost(value('include'), toMany) + search + total;
}

/**
 * Returns the cost of an `include` in rate-limit units. The service charges for a repeated path twice, so the function keeps duplicates.
 */
function includeCost(include: string | undefined, toMany: ReadonlySet<string> | undefined): number {
  const paths = include?.split(',').filter((path) => path.trim() !== '') ?? [];
  return paths.reduce((sum, path) => sum + (toMany === undefined || toMany.has(path.trim()) ? 3 : 1), 0);
}

/**
 * Returns the rate-limit units that a request spent (rules 15.25 to 15.28). A request without an answer counts in full, because the service
 * can have run the request.
 *
 * @param units The cost of a successful request.
 */
export function unitsSpent({ status, units }: { readonly status?: number | undefined; readonly units: number }): number {
  if (status === 429) return 0;
  return status === undefined || (status >= 200 && status < 300) ? units : 1;
}
