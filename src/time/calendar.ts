import { UsageError } from '../errors.ts';
import { type DateContext, parseCalendarDate, type ZoneContext } from '../values/dates.ts';
import type { TemporalNamespace } from '../values/temporal.ts';
import { quote } from '../values/text.ts';

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Returns the month of a date as text: `December 2026`. */
export function monthName(date: string): string {
  return `${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
}

/** Returns the weekday of a date: 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: string, temporal: TemporalNamespace): number {
  return temporal.PlainDate.from(date).dayOfWeek - 1;
}

/** Formats a date after its weekday: `Thu 2026-06-04`. */
export function dayName(date: string, temporal: TemporalNamespace): string {
  return `${WEEKDAYS[weekdayOf(date, temporal)]} ${date}`;
}

export function daysBetween(first: string, last: string, temporal: TemporalNamespace): string[] {
  const days: string[] = [];
  const end = temporal.PlainDate.from(last);
  for (let day = temporal.PlainDate.from(first); temporal.PlainDate.compare(day, end) <= 0; day = day.add({ days: 1 }))
    days.push(day.toString());
  return days;
}

/** Lists the seven days of the ISO 8601 week that has the date, starting with Monday. */
export function weekOf(date: string, temporal: TemporalNamespace): string[] {
  const day = temporal.PlainDate.from(date);
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  return daysBetween(monday.toString(), monday.add({ days: 6 }).toString(), temporal);
}

export function addDays(date: string, days: number, temporal: TemporalNamespace): string {
  return temporal.PlainDate.from(date).add({ days }).toString();
}

/** Formats the ISO 8601 week of a date, with the year of the week: `2026-W01`. */
export function weekNumber(date: string, temporal: TemporalNamespace): string {
  const day = temporal.PlainDate.from(date);
  return `${day.yearOfWeek}-W${String(day.weekOfYear).padStart(2, '0')}`;
}

/**
 * Reads a week: `2026-W23`, `this`, `last week`, `next`, or any day of the week. @returns a day of that week, `YYYY-MM-DD`.
 * @throws UsageError for any other text, and for a week that does not exist.
 */
export function parseWeek(text: string, dates: DateContext): string {
  const typed = text.trim().toLowerCase();
  const [, away] = /^(this|last|next)(?:[ -]week)?$/.exec(typed) ?? [];
  if (away !== undefined) return parseCalendarDate(RELATIVE[away as keyof typeof RELATIVE], dates);
  const [, year, week] = /^(\d{4})-?w(\d{2})$/.exec(typed) ?? [];
  if (year === undefined || week === undefined) return parseCalendarDate(text, dates);
  // January 4th is always in the first week of the year (ISO 8601).
  const day = dates.temporal.PlainDate.from(`${year}-01-04`).add({ weeks: Number(week) - 1 });
  if (weekNumber(day.toString(), dates.temporal) === `${year}-W${week}`) return day.toString();
  throw new UsageError(`${quote(text)}: the year ${year} has no such week.`, { hint: 'Write 2026-W23, or any day of the week.' });
}

const RELATIVE = { this: 'today', last: '-1w', next: '+1w' } as const;

/** A time range of work or absence, in milliseconds since 1970. The end is not part of the range. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/**
 * Converts `HH:MM`, up to 24:00, to milliseconds since 1970. If the clocks skip the time, the time after the gap counts. If the clocks
 * repeat the time, the first time counts.
 */
export function timestampOf(date: string, time: string, { timeZone, temporal }: ZoneContext): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const day = temporal.PlainDate.from(date).add({ days: Math.floor(hour / 24) });
  return day.toPlainDateTime({ hour: hour % 24, minute }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Returns the start of a day in milliseconds since 1970. On some days the clocks skip midnight; the day then starts later. */
export function startOf(date: string, { timeZone, temporal }: ZoneContext): number {
  return temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;
}

export function dayRange(date: string, dates: ZoneContext): Interval {
  return { start: startOf(date, dates), end: startOf(addDays(date, 1, dates.temporal), dates) };
}

export function localDayAndTime(timestamp: number, { timeZone, temporal }: ZoneContext) {
  const local = temporal.Instant.fromEpochMilliseconds(timestamp).toZonedDateTimeISO(timeZone);
  return { date: local.toPlainDate().toString(), time: local.toPlainTime().toString({ smallestUnit: 'minute' }) };
}

export function minutesOf(ms: number): number {
  return Math.round(ms / 60_000);
}

/** Returns the given days that an interval may touch. Compares dates as strings, which is faster than comparing timestamps. */
export function daysNear({ start, end }: Interval, days: readonly string[], dates: ZoneContext): readonly string[] {
  const first = localDayAndTime(start, dates).date;
  const last = Number.isFinite(end) ? localDayAndTime(end, dates).date : undefined;
  return days.filter((date) => date >= first && (last === undefined || date <= last));
}
