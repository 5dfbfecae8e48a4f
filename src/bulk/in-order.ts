/** The most requests at a time: svc has as many connections. The rate limit delays them separately. */
export const AT_ONCE = 8;

/** The most finished results that wait for an earlier one, for each request at a time. */
const AHEAD = 8;

/**
 * Runs `work` for each item, at most `width` at a time, and yields the results in the items' order. A slow item does not delay others.
 * After a failure svc starts no further item, and waits for those under way.
 *
 * @param width a function is called after each item.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  width: number | (() => number),
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const widthNow = typeof width === 'number' ? () => width : width;
  const iterator = items[Symbol.iterator]();
  const results: Promise<Result>[] = [];
  let active = 0;
  let stopped = false;

  function fill(): void {
    while (!stopped && active < widthNow() && results.length < widthNow() * AHEAD) {
      const next = iterator.next();
      if (next.done) return;
      active += 1;
      const result = work(next.value);
      results.push(result);
      result.then(
        () => ended(true),
        // The loop below throws the failure when it reaches this result.
        () => ended(false),
      );
    }
  }

  function ended(well: boolean): void {
    active -= 1;
    stopped ||= !well;
    fill();
  }

  try {
    fill();
    for (let head = results[0]; head !== undefined; head = results[0]) {
      const result = await head;
      results.shift();
      fill();
      yield result;
    }
  } finally {
    stopped = true;
    await Promise.allSettled(results);
  }
}

/** The state of a list of writes after a failure. */
export interface Stopped<Item> {
  /** The first failed item, in the items' order. */
  readonly item: Item;
  readonly error: unknown;
  readonly done: number;
  /** Items that were not sent, or are unconfirmed. */
  readonly left: readonly Item[];
}

/**
 * Sends independent writes and yields their results in the items' order. The first goes alone, so that an error of all items costs one
 * request. After a failure svc starts no further item, and waits for those under way.
 *
 * @throws the error from `explain`, after all results.
 */
export async function* sendEach<Item, Result>(
  items: readonly Item[],
  send: (item: Item) => Promise<Result>,
  explain: (stopped: Stopped<Item>) => unknown,
): AsyncGenerator<Result> {
  const left = new Set(items);
  const failures = new Map<Item, unknown>();
  async function attempt(item: Item): Promise<{ readonly result: Result } | undefined> {
    if (failures.size > 0) return undefined;
    try {
      const result = await send(item);
      left.delete(item);
      return { result };
    } catch (error) {
      failures.set(item, error);
      return undefined;
    }
  }
  for await (const sent of inOrder(items, () => (left.size < items.length ? AT_ONCE : 1), attempt)) {
    if (sent !== undefined) yield sent.result;
  }
  const failed = items.find((item) => failures.has(item));
  if (failed !== undefined) {
    throw explain({ item: failed, error: failures.get(failed), done: items.length - left.size, left: [...left] });
  }
}

/** The facts that show whether two writes depend on one another. */
export interface Dependence {
  /** Writes of one kind are independent. Undefined: the write may depend on any other. */
  readonly kind: string | undefined;
  /** The changed record: two writes of one record keep their order. Undefined: the write creates a record. */
  readonly record: string | undefined;
}

/** Splits a list of writes into runs of independent ones. A write depends only on those in earlier runs. */
export function splitIndependent<Item>(items: readonly Item[], dependenceOf: (item: Item) => Dependence): Item[][] {
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
