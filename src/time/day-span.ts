import { UsageError } from '../errors.ts';
import { type DateContext, parseCalendarDate } from '../values/dates.ts';
import { quote } from '../values/quote.ts';
import { parseWeek, weekOf } from './calendar.ts';

/** Days from the first to the last, both included: `YYYY-MM-DD`. */
export interface DaySpan {
  readonly first: string;
  readonly last: string;
}

/**
 * Reads some days as people say them: `2026-12-07..2026-12-11`, a day as `values/dates.ts` reads it, `this week`, `next week`,
 * `2026-W50`, `this month`, `next month`, `2026-12`. A weekday that ends a span is the first one from its beginning on.
 *
 * @throws UsageError when it is none of these, or ends before it begins.
 */
export function readDaySpan(text: string, dates: DateContext): DaySpan {
  const typed = text.trim().replace(/\s+/g, ' ').toLowerCase();
  const [from = '', to, ...rest] = typed.split('..').map((part) => part.trim());
  if (to !== undefined) {
    if (from === '' || to === '' || rest.length > 0) throw refused(text);
    const first = parseCalendarDate(from, dates);
    const last = parseCalendarDate(to, isWeekday(to) ? aWeekFrom(first, dates) : dates);
    if (last >= first) return { first, last };
    throw new UsageError(`${quote(text)} ends before it begins: ${first} to ${last}.`, {
      hint: 'A weekday that begins a span is the latest one, today included; +1w and 2026-12-11 lie ahead.',
    });
  }
  const [, which] = /^(this|last|next) week$/.exec(typed) ?? [];
  if (which !== undefined || /^\d{4}-?w\d{2}$/.test(typed)) {
    const week = weekOf(parseWeek(which ?? typed, dates), dates.temporal);
    return { first: week[0] ?? '', last: week[6] ?? '' };
  }
  const month = monthOf(typed, dates);
  if (month !== undefined)
    return { first: month.toPlainDate({ day: 1 }).toString(), last: month.toPlainDate({ day: month.daysInMonth }).toString() };
  try {
    const day = parseCalendarDate(typed, dates);
    return { first: day, last: day };
  } catch (error) {
    throw error instanceof UsageError ? refused(text) : error;
  }
}

const MONTHS: ReadonlyMap<string, number> = new Map([
  ['this month', 0],
  ['last month', -1],
  ['next month', 1],
]);

function monthOf(typed: string, dates: DateContext): Temporal.PlainYearMonth | undefined {
  const away = MONTHS.get(typed);
  if (away !== undefined) return dates.temporal.PlainDate.from(parseCalendarDate('today', dates)).toPlainYearMonth().add({ months: away });
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(typed) ? dates.temporal.PlainYearMonth.from(typed) : undefined;
}

function isWeekday(typed: string): boolean {
  return /^[a-z]+day$|^[a-z]{3,5}$/.test(typed) && !/^(?:today|yesterday)$/.test(typed);
}

/** The last of the seven days that begin with one, as the day that words are counted from. */
function aWeekFrom(first: string, dates: DateContext): DateContext {
  const noon = dates.temporal.PlainDate.from(first).add({ days: 6 }).toZonedDateTime({ timeZone: dates.timeZone, plainTime: '12:00' });
  return { ...dates, now: noon.epochMilliseconds };
}

function refused(text: string): UsageError {
  return new UsageError(`${quote(text)} is neither a day nor a span of days.`, {
    hint: 'Write 2026-12-07..2026-12-11, 2026-12-07..friday, tomorrow, next week, 2026-W50 or 2026-12.',
  });
}
