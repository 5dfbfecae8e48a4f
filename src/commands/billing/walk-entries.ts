import type { ApiClient } from '../../client/api-client.ts';
import { type EntryQuestion, readEntryPages } from '../../records/entries.ts';
import type { Needs } from '../../session/context.ts';
import { describeSpan, type ShowingProgress, secondsFor, startProgress } from '../../session/progress.ts';
import { type BillingEntry, type OwnInvoice, readBillingEntry } from '../../time/billing.ts';

/** What walking through entries needs of a context. */
export type Walking = ShowingProgress | 'account' | 'client' | 'globals' | 'notice';

/** Rows of a page, and the units that one in the detail view costs (rules 8.3, 15.17), without a unit for each relation (rule 15.19). */
const PAGE = 100;
const PAGE_UNITS = 3;

/**
 * The entries of some days as they stand towards invoices, a page at a time. Whether they are on an invoice is not sure to be in a summary
 * (rule 18.23), so the detail view is read. Where there are more than a page they are counted, beside, and what the rate limit makes of
 * them is said.
 */
export async function* walkEntries(
  context: Needs<Walking>,
  question: Omit<EntryQuestion, 'view' | 'onOpen'>,
  own?: OwnInvoice,
): AsyncGenerator<readonly BillingEntry[]> {
  const client = await context.client();
  const over = new AbortController();
  let count: ((signal: AbortSignal) => Promise<number | undefined>) | undefined;
  let total: number | undefined;
  let isAsked = false;
  const limits = () => client.limits().filter(({ kind }) => kind === 'read');
  const ask = async () => {
    isAsked = true;
    total = await count?.(over.signal);
    if (total !== undefined) await tellWait(context, total, PAGE_UNITS + question.include.length, limits());
  };
  const progress = startProgress(context, { what: 'worklogs', total: () => total, limits });
  const onOpen: EntryQuestion['onOpen'] = (rows) => {
    count = (signal) => rows.count(signal);
  };
  try {
    for await (const batch of readEntryPages(context, { ...question, view: 'detail', onOpen })) {
      // Nobody waits for it, and a service that does not count says nothing.
      if (batch.length === PAGE && !isAsked && context.globals.quiet !== true) ask().catch(() => undefined);
      progress.add(batch.length);
      yield batch.map((record) => readBillingEntry(record, own));
    }
  } finally {
    over.abort();
    progress.end();
  }
}

async function tellWait(
  context: Needs<'notice'>,
  total: number,
  pageUnits: number,
  limits: ReturnType<ApiClient['limits']>,
): Promise<void> {
  const units = Math.max(0, Math.ceil(total / PAGE) - 1) * pageUnits;
  const seconds = secondsFor(units, limits);
  if (seconds > 0)
    await context.notice(
      `There are ${total} worklogs to read, at ${units} units; the rate limit makes that about ${describeSpan(seconds)}.`,
    );
}
