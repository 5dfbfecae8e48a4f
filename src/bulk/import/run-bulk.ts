import { OutputClosed } from '../../deps.ts';
import { ConflictError, exitCodeOf, NotFoundError, PartialError, RefusedError, SvcError, withMore } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printRows, type View } from '../../session/print.ts';
import type { ShowingProgress } from '../../session/progress.ts';
import { startProgress } from '../../session/progress.ts';
import type { JsonObject } from '../../values/json.ts';
import { AT_ONCE, inOrder } from './in-order.ts';

/** Many writes of one kind. */
export interface Bulk<Item> {
  /** What is left to do. */
  readonly items: readonly Item[];
  /** How many there are with those that were done before. */
  readonly all: number;
  /** Notes that one is done, beyond what the journal knows. */
  readonly note?: (item: Item) => Promise<void>;
  /** All are done. */
  readonly finish?: () => Promise<void>;
  /** What a person knows it by: `line 7`. */
  readonly labelOf: (item: Item) => string;
  /** In the items' order, one after the other: the order in which they are made means something. */
  readonly oneByOne?: boolean | undefined;
  /** Does it; gives the record to print. */
  readonly send: (item: Item) => Promise<JsonObject>;
  readonly view: View;
  /** For the words about the whole: `2 created`. */
  readonly done: string;
  /** The command that does the rest. */
  readonly again: string;
  /** Keeps the items that failed for another time; gives the hint that says what to do about them. */
  readonly keepFailed: (failed: readonly Failed<Item>[]) => Promise<string>;
}

export interface Failed<Item> {
  readonly item: Item;
  readonly error: SvcError;
}

/** So many that are done are settled together. */
const SETTLED_AT_ONCE = 16;

/** So many failures are named one by one. */
const NAMED = 50;

/**
 * Sends what is left and prints each record, in the items' order. What is refused for its own sake is
 * set aside and the rest goes on; anything else ends it, and the error names the command that goes on.
 *
 * @throws PartialError when some were refused, what was refused itself when all were for one reason.
 */
export async function runBulk<Item>(
  context: Needs<Printing | ShowingProgress | 'client' | 'plan' | 'settleWrites'>,
  bulk: Bulk<Item>,
): Promise<void> {
  const { items, all, send, again, oneByOne = false } = bulk;
  const failures = new Map<Item, SvcError>();
  /** In the items' order, whichever failed first. */
  const inTheirOrder = () =>
    items.flatMap((item): Failed<Item>[] => {
      const error = failures.get(item);
      return error === undefined ? [] : [{ item, error }];
    });
  let done = 0;
  const attempt = async (item: Item): Promise<JsonObject | undefined> => {
    try {
      const record = await send(item);
      // What is only planned is not done yet.
      if (context.plan === undefined) await bulk.note?.(item);
      done += 1;
      // One look at the disk for many; what a kill leaves unsettled is sent again under its key.
      if (done % SETTLED_AT_ONCE === 0) await context.settleWrites();
      return record;
    } catch (error) {
      if (!isAboutOne(error)) throw error;
      failures.set(item, error);
      return undefined;
    }
  };
  const client = await context.client();
  const limits = () => client.limits().filter(({ kind }) => kind === 'write');
  const progress = startProgress(context, { what: 'rows', total: () => items.length, limits, silent: context.stdio.stdout.isTTY });
  const records = async function* () {
    // One at a time until one is done: what would be refused for all is refused once.
    for await (const record of inOrder(items, () => (done > 0 && !oneByOne ? AT_ONCE : 1), attempt)) {
      progress.add(1);
      if (record !== undefined) yield record;
    }
  };
  try {
    // A person is told how many, below; the rows were in the file.
    if ((await context.presentation()).isUnasked) await Array.fromAsync(records(), () => undefined);
    else await printAll(context, records(), bulk.view);
  } catch (error) {
    progress.end();
    // Whoever runs it again is told of these as done.
    await context.settleWrites();
    const hint = failures.size === 0 ? undefined : await bulk.keepFailed(inTheirOrder());
    throw stopped(error, again, [`${done} of ${items.length} were ${bulk.done} before this.`, ...(hint === undefined ? [] : [hint])]);
  } finally {
    progress.end();
  }
  const before = all - items.length;
  const failed = inTheirOrder();
  await context.notice(summaryOf(done, bulk.done, before, failed.length));
  if (failed.length === 0) return bulk.finish?.();
  throw await refusal(bulk, failed, done + before);
}

/** A reader that leaves does not end the work: what is begun is done, and only the printing stops. */
async function printAll(context: Needs<Printing>, records: AsyncGenerator<JsonObject>, view: View): Promise<void> {
  try {
    // Without a way to end the generator, it is still there when the reader is gone.
    await printRows(context, { [Symbol.asyncIterator]: () => ({ next: () => records.next() }) }, view);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
    while (!(await records.next()).done);
  }
}

/** Whether the service refused this one and may well take the next. */
function isAboutOne(error: unknown): error is SvcError {
  if (error instanceof NotFoundError) return error.details.type !== 'endpoint-not-found';
  return error instanceof RefusedError || error instanceof ConflictError;
}

function summaryOf(done: number, how: string, before: number, failed: number): string {
  const parts = [`${done} ${how}`];
  if (before > 0) parts.push(`${before} done before`);
  if (failed > 0) parts.push(`${failed} refused`);
  return `${parts.join(', ')}.`;
}

async function refusal<Item>(bulk: Bulk<Item>, failed: readonly Failed<Item>[], done: number): Promise<SvcError> {
  const hint = await bulk.keepFailed(failed);
  const lines = failed.slice(0, NAMED).map(({ item, error }) => `${bulk.labelOf(item)}: ${error.message}`);
  if (failed.length > NAMED) lines.push(`… and ${failed.length - NAMED} more.`);
  const message = `${failed.length} of ${bulk.all} were refused.`;
  const [first] = failed;
  const isOneReason = first !== undefined && failed.every(({ error }) => exitCodeOf(error) === exitCodeOf(first.error));
  if (done > 0 || !isOneReason) return new PartialError(message, { hint, details: { lines } });
  const { status, type, code, parameter } = first.error.details;
  const details = { status, type, code, parameter, lines };
  return first.error instanceof ConflictError
    ? new ConflictError(message, { hint, details })
    : new RefusedError(message, { hint, details });
}

/** The failure that ended it, with what was done and the command that does the rest. */
function stopped(error: unknown, resume: string, more: readonly string[]): unknown {
  if (!(error instanceof SvcError)) return error;
  return withMore(error, { lines: more, resume });
}
