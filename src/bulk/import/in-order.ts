/** So many requests are under way at a time: svc has as many connections. The rate limit holds them back, not this. */
export const AT_ONCE = 8;

/** So many results, for each place, may be ready before the one whose turn it is. */
const AHEAD = 8;

/**
 * Does `work` for each item, at most `width` at a time, and yields what comes of it in the items' order. One that takes long
 * does not hold the others up. When one throws, no further one is begun, and those under way are waited for.
 *
 * @param width Asked for whenever one ends, where it may change on the way.
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
        // It may fail before its turn comes; whoever waits for it sees the failure then.
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
