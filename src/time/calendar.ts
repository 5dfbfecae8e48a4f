import { UsageError } from '../errors.ts';
import { type DateContext, parseCalendarDate } from '../values/dates.ts';
import type { TemporalNamespace } from '../values/temporal.ts';
import { quote } from '../values/text.ts';

/** Short names of the days, Monday first. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Returns the month of a day: `December 2026`. */
export function monthName(date: string): string {
  return `${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
}

/** Returns 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: string, temporal: TemporalNamespace): number {
  return temporal.PlainDate.from(date).dayOfWeek - 1;
}

/** `Thu 2026-06-04`. */
export function dayName(date: string, temporal: TemporalNamespace): string {
  return `${WEEKDAYS[weekdayOf(date, temporal)]} ${date}`;
}

/** Returns every day from the first to the last, both included; none if the last is before the first. */
export function daysBetween(first: string, last: string, temporal: TemporalNamespace): string[] {
  const days: string[] = [];
  const end = temporal.PlainDate.from(last);
  for (let day = temporal.PlainDate.from(first); temporal.PlainDate.compare(day, end) <= 0; day = day.add({ days: 1 }))
    days.push(day.toString());
  return days;
}

/** Returns the seven days of the week of a day, Monday first (ISO 8601). */
export function weekOf(date: string, temporal: TemporalNamespace): string[] {
  const day = temporal.PlainDate.from(date);
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  return daysBetween(monday.toString(), monday.add({ days: 6 }).toString(), temporal);
}

/** Returns the ISO 8601 week with its year: `2026-W01`. */
export function weekNumber(date: string, temporal: TemporalNamespace): string {
  const day = temporal.PlainDate.from(date);
  return `${day.yearOfWeek}-W${String(day.weekOfYear).padStart(2, '0')}`;
}

/**
 * Reads a week: any day of it as `values/dates.ts` reads it, `this`, `last`, `next`, or `2026-W23`.
 *
 * @returns a day of that week, `YYYY-MM-DD`.
 * @throws UsageError for any other text, or if the year has no such week.
 */
export function parseWeek(text: string, dates: DateContext): string {
  const typed = text.trim().toLowerCase();
  const away = RELATIVE.get(typed);
  if (away !== undefined) return parseCalendarDate(away, dates);
  const [, year, week] = /^(\d{4})-?w(\d{2})$/.exec(typed) ?? [];
  if (year === undefined || week === undefined) return parseCalendarDate(text, dates);
  // The fourth of January is always in the first week (ISO 8601).
  const day = dates.temporal.PlainDate.from(`${year}-01-04`).add({ weeks: Number(week) - 1 });
  if (weekNumber(day.toString(), dates.temporal) === `${year}-W${week}`) return day.toString();
  throw new UsageError(`${quote(text)}: the year ${year} has no such week.`, { hint: 'Write 2026-W23, or any day of the week.' });
}

const RELATIVE: ReadonlyMap<string, string> = new Map([
  ['this', 'today'],
  ['last', '-1w'],
  ['next', '+1w'],
]);

/** A time range of work or absence: milliseconds since 1970. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Returns the timestamp of a time of day (`HH:MM`, 24:00 too) in the user’s zone; the time after the gap if the clocks skip it. */
export function momentOf(date: string, time: string, { timeZone, temporal }: Pick<DateContext, 'timeZone' | 'temporal'>): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const day = temporal.PlainDate.from(date).add({ days: Math.floor(hour / 24) });
  return day.toPlainDateTime({ hour: hour % 24, minute }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Returns the timestamp at which a day begins in the user’s zone; not midnight if the clocks skip it. */
export function startOf(date: string, { timeZone, temporal }: Pick<DateContext, 'timeZone' | 'temporal'>): number {
  return temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Returns the day and the time of day at a timestamp, in the user’s zone. */
export function localDayAndTime(
  moment: number,
  { timeZone, temporal }: Pick<DateContext, 'timeZone' | 'temporal'>,
): { readonly date: string; readonly time: string } {
  const local = temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone);
  return { date: local.toPlainDate().toString(), time: local.toPlainTime().toString({ smallestUnit: 'minute' }) };
}

/** Converts milliseconds to whole minutes. */
export function minutesOf(ms: number): number {
  return Math.round(ms / 60_000);
}

/**
 * Returns the days (`YYYY-MM-DD`) on which an interval begins, ends, or is under way. It compares names of days, which is cheaper than
 * timestamps.
 */
export function daysNear(
  { start, end }: Interval,
  days: readonly string[],
  dates: Pick<DateContext, 'timeZone' | 'temporal'>,
): readonly string[] {
  const first = localDayAndTime(start, dates).date;
  const last = Number.isFinite(end) ? localDayAndTime(end, dates).date : undefined;
  return days.filter((date) => date >= first && (last === undefined || date <= last));
}
