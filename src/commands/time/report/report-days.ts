import { UsageError } from '../../../errors.ts';
import { inZone } from '../../../records/in-zone.ts';
import type { Needs } from '../../../session/context.ts';
import { type DaySpan, readDaySpan } from '../../../time/day-span.ts';
import { readRange } from '../read-range.ts';

/** How the days of a report were named. */
export interface DaysTyped {
  /** Words: `last month`, `2026-Q3`; none: by the flags, else this month up to today. */
  readonly words: readonly string[];
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The days that a report is about. @throws UsageError for days that cannot be read, or that are named twice. */
export async function readReportDays(context: Needs<'dates'>, { words, from, to }: DaysTyped): Promise<DaySpan> {
  if (words.length === 0) return readRange(context, from, to);
  const typed = words.join(' ');
  if (from !== undefined || to !== undefined) {
    throw new UsageError(`The days are named twice: ${typed}, and ${from === undefined ? '--to' : '--from'}.`, {
      hint: 'Leave out one of them. From one day to another is also: 2026-10-05..2026-10-16',
    });
  }
  return inZone(context, (dates) => readDaySpan(typed, dates));
}
