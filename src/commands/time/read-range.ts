import { naming } from '../../cli/naming.ts';
import { UsageError } from '../../errors.ts';
import type { DayRange } from '../../records/entries.ts';
import { inZone } from '../../records/in-zone.ts';
import type { Needs } from '../../session/context.ts';
import { type DateContext, parseCalendarDate, today } from '../../values/dates.ts';

/**
 * The days that `--from` and `--to` name: to today, where the last is not given.
 *
 * @param beginning The first day where it is not given, told by the last; default the first of this month.
 * @throws UsageError
 */
export async function readRange(
  context: Needs<'dates'>,
  from: string | undefined,
  to: string | undefined,
  beginning: (last: string, dates: DateContext) => string = (_, dates) => `${today(dates).slice(0, 7)}-01`,
): Promise<DayRange> {
  const last = await naming('--to', () => inZone(context, (dates) => parseCalendarDate(to ?? 'today', dates)));
  const first = await naming('--from', () =>
    inZone(context, (dates) => (from === undefined ? beginning(last, dates) : parseCalendarDate(from, dates))),
  );
  if (first > last) {
    throw new UsageError(`${first} is after ${last}.`, {
      hint: from === undefined ? 'Give the first day too: --from 2025-01-01' : '--from is the first day, --to the last.',
    });
  }
  return { first, last };
}
