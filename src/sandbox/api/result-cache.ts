import type { Row } from '../json.ts';

/** How many queries are remembered; enough for several exports at once. */
const SIZE = 64;

/** Remembers the sorted rows of recent queries, so that walking a large collection sorts it once. */
export interface ResultCache {
  /** The rows of this query, made anew when the table has changed since. */
  rows(query: string, revision: number, make: () => readonly Row[]): readonly Row[];
  /** The rows of this query as they were last remembered, however the table has changed since. */
  asBefore(query: string, revision: number, make: () => readonly Row[]): readonly Row[];
}

export function createResultCache(): ResultCache {
  const results = new Map<string, { revision: number; rows: readonly Row[] }>();
  const remember: ResultCache['rows'] = (query, revision, make) => {
    const known = results.get(query);
    if (known?.revision === revision) return known.rows;
    const rows = make();
    results.delete(query);
    results.set(query, { revision, rows });
    const [oldest] = results.keys();
    if (results.size > SIZE && oldest !== undefined) results.delete(oldest);
    return rows;
  };
  return {
    rows: remember,
    asBefore: (query, revision, make) => results.get(query)?.rows ?? remember(query, revision, make),
  };
}
