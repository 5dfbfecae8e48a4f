import { text } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { inZone } from '../../records/in-zone.ts';
import type { Needs } from '../../session/context.ts';
import { type DaySpan, readDaySpan } from '../../time/day-span.ts';
import type { DateContext } from '../../values/dates.ts';
import { readRange } from '../time/read-range.ts';

/** The days that hours are billed of: in words, or by flags. */
export const DAYS_ARG = { name: 'days', summary: '"last month", 2026-Q3, 2026-10-01..2026-10-31', optional: true, variadic: true } as const;

export const DAYS_OPTIONS = {
  from: text('--from <date>', 'Count from this day (default: the first day of the month before last)', { type: 'date' }),
  to: text('--to <date>', 'Count until this day (default: today)', { type: 'date' }),
};

/** Days, and whether the first is svc's choice. */
export interface BilledDays extends DaySpan {
  readonly isChosen: boolean;
}

/** @throws UsageError for days given twice, or turned around. */
export async function readBilledDays(
  context: Needs<'dates'>,
  words: readonly string[],
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<BilledDays> {
  if (words.length > 0) {
    if (from !== undefined || to !== undefined)
      throw new UsageError('The days are given twice.', { hint: 'Either in words, such as "last month", or by --from and --to.' });
    return { ...(await inZone(context, (dates) => readDaySpan(words.join(' '), dates))), isChosen: false };
  }
  return { ...(await readRange(context, from, to, twoMonthsBefore)), isChosen: from === undefined };
}

function twoMonthsBefore(last: string, { temporal }: DateContext): string {
  return temporal.PlainDate.from(last).with({ day: 1 }).subtract({ months: 2 }).toString();
}
