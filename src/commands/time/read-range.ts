import { naming } from '../../cli/naming.ts';
import { UsageError } from '../../errors.ts';
import type { DayRange } from '../../records/entries.ts';
import { inZone } from '../../records/in-zone.ts';
import type { Needs } from '../../session/context.ts';
import { parseCalendarDate, today } from '../../values/dates.ts';

/** The days that `--from` and `--to` name: from the first of this month, and to today, where they are not given. @throws UsageError */
export async function readRange(context: Needs<'dates'>, from: string | undefined, to: string | undefined): Promise<DayRange> {
  const last = await naming('--to', () => inZone(context, (dates) => parseCalendarDate(to ?? 'today', dates)));
  const first = await naming('--from', () =>
    inZone(context, (dates) => (from === undefined ? `${today(dates).slice(0, 7)}-01` : parseCalendarDate(from, dates))),
  );
  if (first > last) {
    throw new UsageError(`${first} is after ${last}.`, {
      hint: from === undefined ? 'Give the first day too: --from 2025-01-01' : '--from is the first day, --to the last.',
    });
  }
  return { first, last };
}
