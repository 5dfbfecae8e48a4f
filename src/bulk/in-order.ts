/** The most parallel requests, and the most connections of svc. svc also delays requests at the rate limit. */
export const AT_ONCE = 8;

/**
 * The most results, per parallel request, that are not finished or wait for an earlier result. At this number, svc starts no further work.
 */
const AHEAD = 8;

/**
 * Runs `work` for each item, at most `width` at a time. Yields the results in the order of the items. A slow item does not stop the work on
 * the next items, up to `width` times {@link AHEAD} results.
 *
 * @param width a number, or a function that svc calls for the current number.
 * @throws the first failure, in the order of the items. svc then starts no further item, and waits for the running items.
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
        // The loop that yields the results throws this failure.
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

export interface Stopped<Item> {
  readonly item: Item;
  readonly error: unknown;
  readonly done: number;
  /** The items without a successful write: not sent, refused or unconfirmed. */
  readonly left: readonly Item[];
}

/**
 * Sends independent writes and yields their results in the order of the items. svc sends the first item alone, so that an error that
 * affects all items costs one request. After a failure, svc starts no further item and waits for the running items.
 *
 * @throws the error that `explain` returns, after all results.
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

export interface Dependence {
  /**
   * The kind of the write. Writes of the same kind are independent of each other. Undefined means that the write can depend on any other
   * write.
   */
  readonly kind: string | undefined;
  /** The record that the write changes. Two writes to the same record keep their order. Undefined means that the write creates a record. */
  readonly record: string | undefined;
}

/** Splits a list of writes into runs of independent writes. A write depends only on writes in earlier runs. */
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
