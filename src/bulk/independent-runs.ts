/** What tells whether two writes depend on one another. */
export interface Dependence {
  /** Writes of one kind do not build on one another; undefined for one that may build on anything. */
  readonly kind: string | undefined;
  /** What it changes, of which two writes are done one after the other; undefined for one that makes a new record. */
  readonly record: string | undefined;
}

/**
 * Cuts a list of writes into runs. Within a run nothing depends on anything else of it, so that its writes may go side by side; what
 * a run needs was done by those before it.
 */
export function independentRuns<Item>(items: readonly Item[], dependenceOf: (item: Item) => Dependence): Item[][] {
  const runs: Item[][] = [];
  let kindOfRun: string | undefined;
  let records = new Set<string>();
  for (const item of items) {
    const { kind, record } = dependenceOf(item);
    const run = runs.at(-1);
    if (run !== undefined && kind !== undefined && kind === kindOfRun && !(record !== undefined && records.has(record))) run.push(item);
    else {
      runs.push([item]);
      kindOfRun = kind;
      records = new Set();
    }
    if (record !== undefined) records.add(record);
  }
  return runs;
}
