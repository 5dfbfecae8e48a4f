import { UsageError } from '../errors.ts';
import { type DateContext, parseCalendarDate } from '../values/dates.ts';
import { quote } from '../values/text.ts';
import { parseWeek, weekOf } from './calendar.ts';

/** A date range, `YYYY-MM-DD`. Both days are part of the range. */
export interface DateRange {
  readonly first: string;
  readonly last: string;
}

/**
 * Reads a date range in one of these forms:
 *
 * - `2026-12-07..2026-12-11`, or one day in a form of `values/dates.ts`.
 * - `this week`, `next-week`, `2026-W50`.
 * - `this`, `last` or `next` with `month`, `quarter` or `year`. `this` is optional.
 * - `2026-12`, `2026-Q4`, `2026`.
 *
 * A weekday at the end of a range is the first such day on or after the start.
 *
 * @throws UsageError for any other text, and for a range that ends before it starts.
 */
export function readDateRange(text: string, dates: DateContext): DateRange {
  const typed = plainRange(text);
  const [from = '', to, ...rest] = typed.split('..').map((part) => part.trim());
  if (to !== undefined) {
    if (from === '' || to === '' || rest.length > 0) throw refused(text);
    const first = parseCalendarDate(from, dates);
    const last = parseCalendarDate(to, { ...dates, weekdaysFrom: first });
    if (last >= first) return { first, last };
    throw new UsageError(`The end of ${quote(text)} is before its start: ${first} to ${last}.`, {
      hint: `A weekday at the start of a range means the ${dates.weekdaysFrom === undefined ? 'latest' : 'next'} such day, today included. For a later day: +1w, 2026-12-11.`,
    });
  }
  if (/^(?:(?:(?:this|last|next) )?week|\d{4}-?w\d{2})$/.test(typed))
    return rangeOf(weekOf(parseWeek(typed === 'week' ? 'this week' : typed, dates), dates.temporal));
  const months = monthsOf(typed, dates);
  if (months !== undefined) {
    const { from, count } = months;
    const last = from.add({ months: count - 1 });
    return { first: from.toPlainDate({ day: 1 }).toString(), last: last.toPlainDate({ day: last.daysInMonth }).toString() };
  }
  try {
    return rangeOf([parseCalendarDate(typed, dates)]);
  } catch (error) {
    throw error instanceof UsageError ? refused(text) : error;
  }
}

/** Returns the range from the first to the last of some days, which can be in any order. */
export function rangeOf(days: readonly string[]): DateRange {
  const sorted = days.toSorted();
  return { first: sorted[0] ?? '', last: sorted.at(-1) ?? '' };
}

function plainRange(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/^(this|last|next)-(?=\w)/, '$1 ');
}

export function isDateRange(text: string): boolean {
  return /^(?:(?:this |last |next )?(?:week|month|quarter|year)|\d{4}(?:-?(?:w\d{2}|q[1-4])|-\d{2})?)$|\.\./.test(plainRange(text));
}

const LENGTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
const AWAY: Readonly<Record<string, number>> = { this: 0, last: -1, next: 1 };

interface Months {
  readonly from: Temporal.PlainYearMonth;
  readonly count: number;
}

function monthsOf(typed: string, dates: DateContext): Months | undefined {
  const { PlainDate, PlainYearMonth } = dates.temporal;
  const [, which = 'this', unit] = /^(?:(this|last|next) )?(month|quarter|year)$/.exec(typed) ?? [];
  if (unit !== undefined) {
    const count = LENGTHS[unit] ?? 1;
    const month = PlainDate.from(parseCalendarDate('today', dates)).toPlainYearMonth();
    const started = month.subtract({ months: (month.month - 1) % count });
    return { from: started.add({ months: (AWAY[which] ?? 0) * count }), count };
  }
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(typed)) return { from: PlainYearMonth.from(typed), count: 1 };
  const [, year, quarter] = /^(\d{4})(?:-?q([1-4]))?$/.exec(typed) ?? [];
  if (year === undefined) return undefined;
  return quarter === undefined
    ? { from: PlainYearMonth.from(`${year}-01`), count: 12 }
    : { from: PlainYearMonth.from({ year: Number(year), month: Number(quarter) * 3 - 2 }), count: 3 };
}

function refused(text: string): UsageError {
  return new UsageError(`${quote(text)} is neither a day nor a date range.`, {
    hint: 'Write 2026-12-07..2026-12-11, tomorrow, next week, 2026-W50, last month, 2026-12, 2026-Q4 or 2026.',
  });
}
