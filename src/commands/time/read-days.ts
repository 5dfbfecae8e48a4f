import { naming } from '../../cli/naming.ts';
import { UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { inZone } from '../../session/time-zone.ts';
import { type DateRange, isDateRange, readDateRange } from '../../time/date-range.ts';
import { type DateContext, parseCalendarDate, today } from '../../values/dates.ts';

export interface TypedDays {
  readonly words?: readonly string[];
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Reads the days of a report from the words, or from --from and --to.
 *
 * @param defaultFirst Returns the first day for a last day. Default: the first day of this month.
 * @throws UsageError for two date ranges, and for a first day after the last day.
 */
export async function readReportDays(
  context: Needs<'dates'>,
  { words = [], from, to }: TypedDays,
  defaultFirst: (last: string, dates: DateContext) => string = (_, dates) => `${today(dates).slice(0, 7)}-01`,
): Promise<DateRange> {
  if (words.length > 0) {
    const typed = words.join(' ');
    if (from === undefined && to === undefined) return inZone(context, (dates) => readDateRange(typed, dates));
    throw new UsageError(`There are two date ranges: ${typed}, and ${from === undefined ? '--to' : '--from'}.`, {
      hint: 'Leave out one of the two ranges, or write a range: 2026-10-05..2026-10-16',
    });
  }
  if (from !== undefined && to === undefined && isDateRange(from))
    return naming('--from', () => inZone(context, (dates) => readDateRange(from, dates)));
  const last = await naming('--to', () => inZone(context, (dates) => edgeOf(to ?? 'today', 'last', dates)));
  const first = await naming('--from', () =>
    inZone(context, (dates) => (from === undefined ? defaultFirst(last, dates) : edgeOf(from, 'first', dates))),
  );
  if (first <= last) return { first, last };
  throw new UsageError(`${first} is after ${last}.`, {
    hint: from === undefined ? 'Set the first day too: --from 2025-01-01' : '--from is the first day, and --to is the last day.',
  });
}

function edgeOf(text: string, edge: keyof DateRange, dates: DateContext): string {
  return isDateRange(text) ? readDateRange(text, dates)[edge] : parseCalendarDate(text, dates);
}
