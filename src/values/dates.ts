import { UsageError } from '../errors.ts';
import { ownEntry } from './json.ts';
import { nativeTemporal, type TemporalNamespace } from './temporal.ts';
import { quote } from './text.ts';

export interface DateContext {
  /** The current time: milliseconds since 1970 UTC. */
  readonly now: number;
  /** The user’s IANA zone: from the user’s record, otherwise the configuration, otherwise the machine. */
  readonly timeZone: string;
  readonly temporal: TemporalNamespace;
  /** The day (`YYYY-MM-DD`) from which svc searches forward for a weekday. Absent: a weekday means the latest such day up to today. */
  readonly weekdaysFrom?: string;
}

/** The time zone that decides when a day begins. */
export type ZoneContext = Pick<DateContext, 'timeZone' | 'temporal'>;

export function lookingAhead(context: DateContext): DateContext {
  return { ...context, weekdaysFrom: today(context) };
}

export function today(context: DateContext): string {
  return currentDay(context).toString();
}

/**
 * Reads a calendar date: `2025-03-31`, `31-3-2025`, `31.03.2025`, `today`, `yesterday`, `tomorrow`, `monday` or `mon`, `-3d`, `+1w`, `-2m`
 * (months), `+1y`. If a month is too short, the last day of the month counts. A weekday means the latest such day up to today, unless the
 * context has another rule.
 * @returns `YYYY-MM-DD`.
 * @throws UsageError for any other text, or a day that does not exist.
 */
export function parseCalendarDate(text: string, context: DateContext): string {
  return readDate(text, text.trim().toLowerCase(), context, DATE_HINT).toString();
}

/**
 * Reads a time in one of these forms:
 * - Any form of {@link parseCalendarDate}: the start of that day.
 * - Any of these forms, followed by a time: `2025-03-31 14:00`, `today 9:30`.
 * - `2025-03-31T14:00:00` in the user’s zone, or with `Z` or an offset.
 * - `now`.
 *
 * A time that the clocks skip becomes the time after the gap. For a repeated time, the first time counts (Temporal’s `compatible`).
 * @returns `YYYY-MM-DDTHH:MM:SSZ` (rule 2.17).
 * @throws UsageError for any other text, or for fractions of a second.
 */
export function parseDateTime(text: string, context: DateContext): string {
  const typed = text.trim().toLowerCase();
  if (typed === 'now') return utc(context.temporal.Instant.fromEpochMilliseconds(context.now), text);
  const found = WITH_TIME.exec(typed);
  if (found === null) return startOf(readDate(text, typed, context, DATE_TIME_HINT), context, text);
  const [, day = '', hour = '', minute = '', second = '0', fraction = '', zone] = found;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw refused(`${quote(text)}: there is no such time of day.`, DATE_TIME_HINT);
  if (/[1-9]/.test(fraction)) throw refused(`${quote(text)} has fractions of a second, which the service does not accept.`, DATE_TIME_HINT);
  const local = readDate(text, day, context, DATE_TIME_HINT).toPlainDateTime({
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  });
  if (zone === undefined) return orRefuse(text, () => utc(local.toZonedDateTime(context.timeZone).toInstant(), text));
  return orRefuse(text, () => utc(context.temporal.Instant.from(`${local.toString()}${offset(zone)}`), text));
}

/** Reads a time like {@link parseDateTime}, but a bare day means its last second. */
export function parseRangeEnd(text: string, context: DateContext): string {
  return isBareDay(text, context) ? endOfDay(parseCalendarDate(text, context), context) : parseDateTime(text, context);
}

export function parseAfter(text: string, context: DateContext): string {
  const last = context.temporal.Instant.from(parseRangeEnd(text, context));
  return utc(last.add({ seconds: 1 }), text);
}

export function isBareDay(text: string, context: DateContext): boolean {
  try {
    parseCalendarDate(text, context);
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

/** Converts `YYYY-MM-DDTHH:MM:SSZ` to the user’s zone: `2025-03-31 14:00`. */
export function localMinute(utc: string, { temporal, timeZone }: ZoneContext): string {
  const local = temporal.Instant.from(utc).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return local.toString({ smallestUnit: 'minute', roundingMode: 'floor' }).replace('T', ' ');
}

/** Returns the first second of a day (`YYYY-MM-DD`) in the user’s zone, as UTC. If the clocks skip midnight, the day starts later. */
export function startOfDay(date: string, context: DateContext): string {
  return startOf(context.temporal.PlainDate.from(date), context, date);
}

export function endOfDay(date: string, context: DateContext): string {
  const next = context.temporal.PlainDate.from(date).add({ days: 1 });
  return orRefuse(date, () => utc(next.toZonedDateTime(context.timeZone).toInstant().subtract({ seconds: 1 }), date));
}

export function startOfYear(year: number, context: DateContext): string {
  return startOfDay(`${year}-01-01`, context);
}

export function endOfYear(year: number, context: DateContext): string {
  return endOfDay(`${year}-12-31`, context);
}

/** Reads a year. @throws UsageError for anything except four digits, because `25` could be a count. */
export function parseYear(text: string): number {
  const typed = text.trim();
  if (/^[1-9]\d{3}$/.test(typed)) return Number(typed);
  throw refused(`${quote(text)} is not a year.`, 'Write four digits, for example 2025.');
}

/** Returns true if Node knows a zone by this name. An offset such as `+02:00` is not a zone, because it has no summer time. */
export function isTimeZone(name: string): boolean {
  // Temporal would also accept a zone in a whole date: `2025-03-31T14:00[Europe/Amsterdam]`.
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    const temporal = nativeTemporal();
    if (temporal === undefined) new Intl.DateTimeFormat('en', { timeZone: name });
    else temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

type PlainDate = Temporal.PlainDate;
type Instant = Temporal.Instant;

const DATE_HINT = 'Write 2025-03-31, today, a weekday (the latest one), -3d or +1w. All forms: svc help dates';
const DATE_TIME_HINT = 'Write 2025-03-31 14:00, 2025-03-31T14:00:00Z, now, or a day such as 2025-03-31 or -3d.';

/** Matches a day, then a time, then an optional `Z` or offset, in lower case. */
const WITH_TIME = /^(.*?\S)(?:\s+|(?<=\d)t)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(z|[+-]\d{2}(?::?\d{2})?)?$/;

export const WEEKDAY_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const DAYS_FROM_TODAY: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** Returns the number of a weekday from its full name, or its first three letters: 0 for Monday to 6 for Sunday. -1 for any other text. */
export function weekdayNamed(typed: string): number {
  return WEEKDAY_NAMES.findIndex((name) => name === typed || name.slice(0, 3) === typed);
}

function readDate(text: string, typed: string, context: DateContext, hint: string): PlainDate {
  const written = fullDate(typed);
  if (written !== undefined) {
    try {
      return context.temporal.PlainDate.from(written, { overflow: 'reject' });
    } catch {
      throw refused(`${quote(text)}: there is no such day.`, hint);
    }
  }
  const days = ownEntry(DAYS_FROM_TODAY, typed);
  if (days !== undefined) return currentDay(context).add({ days });
  const weekday = weekdayNamed(typed.replace(/^(?:(tue)s|(thu)rs?)$/, '$1$2'));
  if (weekday >= 0) {
    if (context.weekdaysFrom === undefined) {
      const day = currentDay(context);
      return day.subtract({ days: (day.dayOfWeek - 1 - weekday + 7) % 7 });
    }
    const first = context.temporal.PlainDate.from(context.weekdaysFrom);
    return first.add({ days: (weekday + 1 - first.dayOfWeek + 7) % 7 });
  }
  const [, sign, count, unit = ''] = /^([+-])(\d{1,6})\s*([dwmy])$/.exec(typed) ?? [];
  if (sign === undefined || count === undefined) {
    const shown = context.weekdaysFrom === undefined ? hint : hint.replace('the latest one', 'the next one');
    throw refused(`${quote(text)} is not a date.`, shown);
  }
  const amount = Number(count) * (sign === '-' ? -1 : 1);
  return orRefuse(text, () => fourDigitYear(currentDay(context).add({ [UNITS[unit] ?? 'days']: amount }), text));
}

/** Returns `YYYY-MM-DD` for a date whose year has four digits: `2026-12-31`, `31-12-2026`, `31.12.2026`. Undefined for any other text. */
export function fullDate(typed: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(typed)) return typed;
  const [, day = '', , month = '', year] = /^(\d{1,2})([-.])(\d{1,2})\2(\d{4})$/.exec(typed) ?? [];
  return year === undefined ? undefined : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const UNITS: Readonly<Record<string, keyof Temporal.DurationLikeObject>> = { d: 'days', w: 'weeks', m: 'months', y: 'years' };

function currentDay(context: DateContext): PlainDate {
  return context.temporal.Instant.fromEpochMilliseconds(context.now).toZonedDateTimeISO(context.timeZone).toPlainDate();
}

function startOf(day: PlainDate, context: DateContext, text: string): string {
  return orRefuse(text, () => utc(day.toZonedDateTime(context.timeZone).toInstant(), text));
}

function utc(instant: Instant, text: string): string {
  const written = instant.toString({ smallestUnit: 'second' });
  if (written.length !== 'YYYY-MM-DDTHH:MM:SSZ'.length) throw outOfRange(text);
  return written;
}

function fourDigitYear(day: PlainDate, text: string): PlainDate {
  if (day.year < 0 || day.year > 9999) throw outOfRange(text);
  return day;
}

/** Converts `z`, `+02`, `+0200`, `+02:00` to the form of RFC 3339. */
function offset(zone: string): string {
  if (zone === 'z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Runs a function of Temporal. Converts RangeError to UsageError, for a date outside the calendar or an invalid offset. */
function orRefuse<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw outOfRange(text);
    throw error;
  }
}

function outOfRange(text: string): UsageError {
  return refused(`${quote(text)}: the service cannot store a time so early or late.`, DATE_TIME_HINT);
}

function refused(message: string, hint: string): UsageError {
  return new UsageError(message, { hint });
}
