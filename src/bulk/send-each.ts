import { AT_ONCE, inOrder } from './import/in-order.ts';

/** What a failure left of some writes. */
export interface Stopped<Item> {
  /** The first that failed, in the items' order, and why. */
  readonly item: Item;
  readonly error: unknown;
  readonly done: number;
  /** What was not done, or is not known to have been. */
  readonly left: readonly Item[];
}

/**
 * Sends a few writes that do not depend on one another, and yields what comes of each that was done, in the items' order. The first
 * goes alone: what all would be refused for is refused once. Then they go side by side. After a failure none is begun any more, and
 * those under way are waited for.
 *
 * @throws what `explain` makes of a failure, once all that was done has been yielded.
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
