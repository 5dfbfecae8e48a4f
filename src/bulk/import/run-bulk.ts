import { OutputClosed } from '../../deps.ts';
import { ConflictError, exitCodeOf, NotFoundError, PartialError, RefusedError, SvcError, withMore } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printRows, type View } from '../../session/print.ts';
import { type ShowingProgress, startProgress } from '../../session/progress.ts';
import type { JsonObject } from '../../values/json.ts';
import { AT_ONCE, inOrder } from '../in-order.ts';

export interface Bulk<Item> {
  readonly items: readonly Item[];
  /** The number of all items, including the items that earlier runs sent. */
  readonly all: number;
  /** Stores that svc has sent an item, in addition to the journal entry. */
  readonly note?: (item: Item) => Promise<void>;
  /** Returns a name for an item in messages, such as `line 7`. */
  readonly labelOf: (item: Item) => string;
  /** True if each item waits for the previous item, because the order of the records matters. */
  readonly oneByOne?: boolean | undefined;
  readonly send: (item: Item) => Promise<JsonObject>;
  readonly view: View;
  /** The participle in the summary, such as `created` in `2 created`. */
  readonly done: string;
  readonly again: string;
  readonly saveFailed: (failed: readonly Failed<Item>[]) => Promise<string>;
}

export interface Failed<Item> {
  readonly item: Item;
  readonly error: SvcError;
}

/**
 * The number of successful writes after which svc records their success in the journal. After a kill, svc repeats unrecorded writes with
 * the same idempotency keys.
 */
const WRITES_A_FLUSH = 16;

const NAMED = 50;

/**
 * Sends all items and prints each record, in the order of the items. In the default format, prints only a summary. If the service refuses
 * an item, svc continues with the next item. Any other failure ends the run with an error that contains the command to resume.
 *
 * @throws PartialError if the service refused items. ConflictError or RefusedError if all items failed with one exit code.
 */
export async function runBulk<Item>(
  context: Needs<Printing | ShowingProgress | 'client' | 'plan' | 'resolveWrites'>,
  bulk: Bulk<Item>,
): Promise<void> {
  const { items, all, send, again, oneByOne = false } = bulk;
  const failures = new Map<Item, SvcError>();
  const failedInOrder = () =>
    items.flatMap((item): Failed<Item>[] => {
      const error = failures.get(item);
      return error === undefined ? [] : [{ item, error }];
    });
  let done = 0;
  const attempt = async (item: Item): Promise<JsonObject | undefined> => {
    try {
      const record = await send(item);
      // With --plan, svc does not send the item yet.
      if (context.plan === undefined) await bulk.note?.(item);
      done += 1;
      if (done % WRITES_A_FLUSH === 0) await context.resolveWrites();
      return record;
    } catch (error) {
      if (!isOfOneItem(error)) throw error;
      failures.set(item, error);
      return undefined;
    }
  };
  const client = await context.client();
  const limits = () => client.limits().filter(({ kind }) => kind === 'write');
  const progress = startProgress(context, { what: 'rows', total: () => items.length, limits, silent: context.stdio.stdout.isTTY });
  const records = async function* () {
    // svc sends the first item alone, so that an error that affects all items costs one request.
    for await (const record of inOrder(items, () => (done > 0 && !oneByOne ? AT_ONCE : 1), attempt)) {
      progress.add(1);
      if (record !== undefined) yield record;
    }
  };
  try {
    // The default format has only the summary.
    if ((await context.presentation()).isDefaultFormat) await Array.fromAsync(records(), () => undefined);
    else await printAll(context, records(), bulk.view);
  } catch (error) {
    progress.end();
    await context.resolveWrites();
    const hint = failures.size === 0 ? [] : [await bulk.saveFailed(failedInOrder())];
    if (!(error instanceof SvcError)) throw error;
    throw withMore(error, { lines: [`${done} of ${items.length} were ${bulk.done} before the failure.`, ...hint], resume: again });
  } finally {
    progress.end();
  }
  const before = all - items.length;
  const failed = failedInOrder();
  const parts = [`${done} ${bulk.done}`, before > 0 && `${before} done before`, failed.length > 0 && `${failed.length} refused`];
  await context.notice(`${parts.filter(Boolean).join(', ')}.`);
  if (failed.length > 0) throw await refusal(bulk, failed, done + before);
}

/** Prints the records. If the reading program closes the output, svc still sends all items. */
async function printAll(context: Needs<Printing>, records: AsyncGenerator<JsonObject>, view: View): Promise<void> {
  try {
    // An iterator without a `return` method lets the generator continue after the output is closed.
    await printRows(context, { [Symbol.asyncIterator]: () => ({ next: () => records.next() }) }, view);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
    while (!(await records.next()).done);
  }
}

/** Returns true if the service refused only this item, so that the next item can succeed. */
export function isOfOneItem(error: unknown): error is SvcError {
  if (error instanceof NotFoundError) return error.details.type !== 'endpoint-not-found';
  return error instanceof RefusedError || error instanceof ConflictError;
}

async function refusal<Item>(bulk: Bulk<Item>, failed: readonly Failed<Item>[], done: number): Promise<SvcError> {
  const hint = await bulk.saveFailed(failed);
  const refused = failed.map(({ item, error }) => ({ label: bulk.labelOf(item), error }));
  return partialFailure(`${failed.length} of ${bulk.all} were refused.`, refused, done > 0, hint);
}

/**
 * Returns the error for failures among many items: PartialError, exit 10. If no item succeeded and all failures have one exit code:
 * ConflictError for conflicts, and RefusedError for all other failures.
 */
export function partialFailure(
  message: string,
  failed: readonly { readonly label: string; readonly error: SvcError }[],
  isSomeDone: boolean,
  hint: string,
): SvcError {
  const lines = failed.slice(0, NAMED).map(({ label, error }) => `${label}: ${error.message}`);
  if (failed.length > NAMED) lines.push(`… and ${failed.length - NAMED} more.`);
  const [first] = failed;
  const isOneReason = first !== undefined && failed.every(({ error }) => exitCodeOf(error) === exitCodeOf(first.error));
  if (isSomeDone || !isOneReason) return new PartialError(message, { hint, details: { lines } });
  const { status, type, code, parameter } = first.error.details;
  const Refusal = first.error instanceof ConflictError ? ConflictError : RefusedError;
  return new Refusal(message, { hint, details: { status, type, code, parameter, lines } });
}
