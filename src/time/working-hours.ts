import type { DateContext } from '../values/dates.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { type Interval, momentOf, weekdayOf } from './calendar.ts';

/** A stretch of work on the clock, `HH:MM`; one that ends before it begins goes on over midnight. */
export interface Shift {
  readonly start: string;
  readonly end: string;
}

/** The shifts of each day of a week, Monday first; a day without any is free. */
export type WorkingHours = readonly (readonly Shift[])[];

/**
 * Working hours out of a user's record. The service documents that they hold times of day and nothing else (rule 4.54), so
 * several shapes are read: a member a weekday holding a shift (`start` and `end`, or `from` and `to`, or `"09:00-17:00"`), a
 * list of shifts or null; a list of shifts that name their `day`; or one shift, which then counts Monday to Friday.
 *
 * @returns undefined for a shape that says nothing.
 */
export function readWorkingHours(value: JsonValue | undefined): WorkingHours | undefined {
  if (Array.isArray(value)) return readList(value as readonly JsonValue[]);
  if (!isJsonObject(value)) return undefined;
  const named = Object.entries(value).flatMap(([name, shifts]) => {
    const weekday = weekdayNamed(name);
    return weekday === undefined ? [] : [{ weekday, shifts: readShifts(shifts) }];
  });
  if (named.length > 0) return week((weekday) => named.filter((day) => day.weekday === weekday).flatMap((day) => day.shifts));
  const everyDay = readShifts(value);
  return everyDay.length === 0 ? undefined : week((weekday) => (weekday < 5 ? everyDay : []));
}

/** So many minutes from 09:00 on, Monday to Friday: for whoever's record says nothing. */
export function evenWeek(minutes: number): WorkingHours {
  const end = 9 * 60 + minutes;
  const shift = { start: '09:00', end: `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}` };
  return week((weekday) => (weekday < 5 && minutes > 0 ? [shift] : []));
}

/** The shifts of a day as they pass on the clock where the user is; a night in which the clocks change is an hour shorter or longer. */
export function shiftsOn(date: string, hours: WorkingHours, dates: Pick<DateContext, 'timeZone' | 'temporal'>): Interval[] {
  return (hours[weekdayOf(date, dates.temporal)] ?? []).map(({ start, end }) => {
    const next = dates.temporal.PlainDate.from(date).add({ days: 1 }).toString();
    return { start: momentOf(date, start, dates), end: momentOf(clock(end) < clock(start) ? next : date, end, dates) };
  });
}

const NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function weekdayNamed(name: string): number | undefined {
  const typed = name.toLowerCase();
  const found = NAMES.findIndex((full) => full === typed || full.slice(0, 3) === typed);
  return found < 0 ? undefined : found;
}

function week(shiftsOf: (weekday: number) => readonly Shift[]): WorkingHours {
  return NAMES.map((_, weekday) => shiftsOf(weekday));
}

function readList(list: readonly JsonValue[]): WorkingHours | undefined {
  const named = list.flatMap((entry) => {
    const name = isJsonObject(entry) ? (entry['day'] ?? entry['weekday']) : undefined;
    const weekday = typeof name === 'string' ? weekdayNamed(name) : undefined;
    return weekday === undefined ? [] : [{ weekday, shifts: readShifts(entry) }];
  });
  if (named.length === 0) return undefined;
  return week((weekday) => named.filter((day) => day.weekday === weekday).flatMap((day) => day.shifts));
}

function readShifts(value: JsonValue | undefined): readonly Shift[] {
  if (Array.isArray(value)) return value.flatMap((entry: JsonValue) => readShifts(entry));
  if (typeof value === 'string') {
    const [, start, end] = /^\s*(\d{1,2}:\d{2})\s*[-–]\s*(\d{1,2}:\d{2})\s*$/.exec(value) ?? [];
    return shift(start, end);
  }
  if (!isJsonObject(value)) return [];
  const of = (object: JsonObject, first: string, second: string) => object[first] ?? object[second];
  return shift(of(value, 'start', 'from'), of(value, 'end', 'to'));
}

function shift(start: JsonValue | undefined, end: JsonValue | undefined): readonly Shift[] {
  if (!isTime(start) || !isTime(end) || clock(start) === clock(end)) return [];
  return [{ start, end }];
}

function isTime(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^(?:[01]?\d|2[0-3]):[0-5]\d$|^24:00$/.test(value);
}

/** Minutes since midnight on the clock. */
function clock(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
