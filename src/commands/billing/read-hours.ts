import { text } from '../../cli/spec.ts';
import { type EntriesQuery, readEntryPages } from '../../records/entries.ts';
import type { Needs } from '../../session/context.ts';
import { describeSeconds, type ShowingProgress, secondsFor, startProgress } from '../../session/progress.ts';
import { type BillingEntry, type OwnInvoice, readBillingEntry } from '../../time/billing.ts';
import type { DateRange } from '../../time/date-range.ts';
import { readReportDays, type TypedDays } from '../time/read-days.ts';

export const DAYS_ARG = { name: 'days', summary: '"last month", 2026-Q3, 2026-10-01..2026-10-31', optional: true, variadic: true } as const;

export const DAYS_OPTIONS = {
  from: text('--from <date>', 'Count from this day (default: the first of the month, two months before --to)', { type: 'date' }),
  to: text('--to <date>', 'Count until this day (default: today)', { type: 'date' }),
};

/** Reads the days to bill. Default: the month of the last day, and the two months before. */
export function readBilledDays(context: Needs<'dates'>, typed: TypedDays): Promise<DateRange> {
  return readReportDays(context, typed, (last, { temporal }) =>
    temporal.PlainDate.from(last).with({ day: 1 }).subtract({ months: 2 }).toString(),
  );
}

export type ReadingHours = ShowingProgress | 'account' | 'client' | 'globals' | 'notice' | 'noticeToday';

/**
 * The rows on a page in the detail view (rule 8.3), and the page’s cost in rate-limit units (rule 15.17). Each relation costs one unit more
 * (rule 15.19).
 */
const PAGE = 100;
const PAGE_UNITS = 3;

/**
 * Yields the entries of some days with their billing state, a page at a time. svc reads the detail view, because other views possibly do
 * not show the invoice (rule 18.23). After the first full page, svc prints the expected wait for the rate limit, if svc must wait.
 *
 * @param own The invoice that svc created earlier for this draft. Entries on this invoice count as not billed.
 */
export async function* readBillingPages(
  context: Needs<ReadingHours>,
  query: Omit<EntriesQuery, 'view' | 'onOpen'>,
  own?: OwnInvoice,
): AsyncGenerator<readonly BillingEntry[]> {
  const client = await context.client();
  const over = new AbortController();
  let count: (() => Promise<number | undefined>) | undefined;
  let total: number | undefined;
  const limits = () => client.limits().filter(({ kind }) => kind === 'read');
  const reportWait = async (counting: Promise<number | undefined> | undefined) => {
    total = await counting;
    if (total === undefined) return;
    const units = Math.max(0, Math.ceil(total / PAGE) - 1) * (PAGE_UNITS + query.include.length);
    const seconds = secondsFor(units, limits());
    if (seconds > 0)
      await context.notice(
        `svc reads ${total} worklogs, for ${units} rate-limit units. With the rate limit, this takes about ${describeSeconds(seconds)}.`,
      );
  };
  const progress = startProgress(context, { what: 'worklogs', total: () => total, limits });
  const onOpen: EntriesQuery['onOpen'] = (rows) => {
    count = () => rows.count(over.signal);
  };
  let isCounted = context.globals.quiet === true;
  try {
    for await (const batch of readEntryPages(context, { ...query, view: 'detail', onOpen })) {
      // svc counts the rows and reads the pages at the same time. If the service cannot count, svc prints no estimate.
      if (batch.length === PAGE && !isCounted) reportWait(count?.()).catch(() => undefined);
      isCounted ||= batch.length === PAGE;
      progress.add(batch.length);
      yield batch.map((record) => readBillingEntry(record, own));
    }
  } finally {
    over.abort();
    progress.end();
  }
}
