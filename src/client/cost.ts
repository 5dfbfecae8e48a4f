export type Query = readonly (readonly [name: string, value: string])[];

export interface CostOptions {
  readonly method: string;
  readonly query: Query;
  /** Whether the path is a collection; unknown counts as one, which can only be too much. */
  readonly collection?: boolean | undefined;
  /** The include paths that lead to many records; if unknown, every path counts as one of them. */
  readonly toMany?: ReadonlySet<string> | undefined;
}

/**
 * Units of a request when it succeeds (rule: cost of a request). A GET spends from the read budget, anything else from the write budget.
 */
export function requestCost({ method, query, collection = true, toMany }: CostOptions): number {
  if (method === 'DELETE') return 1;
  const value = (name: string) => query.find(([key]) => key === name)?.[1];
  const base = method === 'GET' && collection && value('view') === 'detail' ? 3 : 1;
  const search = value('q') === undefined ? 0 : 2;
  const total = value('with_total') === '1' ? 2 : 0;
  return base + includeCost(value('include'), toMany) + search + total;
}

/** The service charges a path named twice twice, so nothing is made unique here. */
function includeCost(include: string | undefined, toMany: ReadonlySet<string> | undefined): number {
  const paths = include?.split(',').filter((path) => path.trim() !== '') ?? [];
  return paths.reduce((sum, path) => sum + (toMany === undefined || toMany.has(path.trim()) ? 3 : 1), 0);
}

/** Rules 15.25 to 15.28; a request whose answer was lost may have run. @param units The cost where it succeeds. */
export function unitsSpent({ status, units }: { readonly status?: number | undefined; readonly units: number }): number {
  if (status === 429) return 0;
  return status === undefined || (status >= 200 && status < 300) ? units : 1;
}
