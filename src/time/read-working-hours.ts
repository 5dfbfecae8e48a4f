import { WEEKDAY_NAMES, weekdayNamed } from '../values/dates.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import { clockMinutes, type Shift, shiftsOf, type WorkingHours } from './working-hours.ts';

export type HoursReading =
  /** The hours in readable form. `chosen`: the record has other interpretations too, so svc shows the chosen interpretation. */
  | { readonly kind: 'read'; readonly hours: WorkingHours; readonly chosen: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'absent' }
  /** The record has a form that svc does not understand. `shown` is the value, shortened. */
  | { readonly kind: 'unreadable'; readonly shown: string };

/** Returns the working hours. Undefined if svc does not know the hours. */
export function knownHours(reading: HoursReading | undefined): WorkingHours | undefined {
  return reading?.kind === 'read' ? reading.hours : undefined;
}

/**
 * Reads working hours from the record of a user. The service documents only that working hours have times of day (rule 4.54). svc reads
 * every likely form (rule 18.24):
 *
 * - An object with a member for each weekday, or a list of seven days from Monday on. A day has one shift or several, a length (`"08:00"`,
 * or minutes), or null. A shift has `start` and `end`, or `from` and `to`, or is a string such as `"09:00-17:00"`.
 * - A list of shifts that name their `day` or `weekday`.
 * - A single shift or length, which counts from Monday to Friday.
 *
 * svc rejects a value that it understands only in part, because a missing day would look like a free day.
 */
export function readWorkingHours(value: JsonValue | undefined): HoursReading {
  if (value === undefined) return { kind: 'absent' };
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return { kind: 'none' };
  if (isJsonObject(value) && Object.keys(value).length === 0) return { kind: 'none' };
  for (const form of formsOf(value)) {
    const read = readForm(form);
    if (read !== undefined) return { kind: 'read', ...read };
  }
  const shown = stringifyJson(value);
  return { kind: 'unreadable', shown: shown.length <= LONGEST ? shown : `${shown.slice(0, LONGEST - 1)}…` };
}

const LONGEST = 80;

/** The value of each weekday. `chosen`: the record has other interpretations too. */
interface Form {
  readonly days: readonly (readonly [weekday: number, day: JsonValue])[];
  readonly chosen: boolean;
}

/** Returns the interpretations of a value, by precedence. A weekday of -1 is unknown. */
function formsOf(value: JsonValue): readonly Form[] {
  // A single shift or length: svc assumes Monday to Friday.
  const everyDay = { days: [0, 1, 2, 3, 4].map((weekday) => [weekday, value] as const), chosen: true };
  if (isJsonObject(value)) {
    const named = Object.entries(value).map(([name, day]) => [weekdayNamed(name.toLowerCase()), day] as const);
    return [{ days: [...new Map(named)], chosen: false }, everyDay];
  }
  if (!Array.isArray(value)) return [everyDay];
  // svc assumes that a list of seven days starts with Monday, as in ISO 8601.
  const inOrder = { days: value.map((day: JsonValue, weekday) => [weekday, day] as const), chosen: true };
  const named = value.map((entry: JsonValue) => {
    const { day: short, weekday: long, ...rest } = isJsonObject(entry) ? entry : {};
    const name = short ?? long;
    return [typeof name === 'string' ? weekdayNamed(name.toLowerCase()) : -1, rest] as const;
  });
  return [...(value.length === 7 ? [inOrder] : []), { days: named, chosen: false }, everyDay];
}

/** Reads the shifts of each weekday. Missing weekdays are free. Undefined if svc cannot read every day. */
function readForm({ days, chosen }: Form): { readonly hours: WorkingHours; readonly chosen: boolean } | undefined {
  const read = days.map(([weekday, value]) => ({ weekday, day: weekday < 0 ? undefined : readDay(value) }));
  if (read.some(({ day }) => day === undefined)) return undefined;
  const on = (of: number) => read.flatMap(({ weekday, day }) => (weekday === of && day ? day.shifts : []));
  return { hours: WEEKDAY_NAMES.map((_, weekday) => on(weekday)), chosen: chosen || read.some(({ day }) => day?.chosen) };
}

/** The shifts of one day. `chosen` is true if the record has only the length of the day. */
interface DayReading {
  readonly shifts: readonly Shift[];
  readonly chosen: boolean;
}

function readDay(value: JsonValue): DayReading | undefined {
  if (value === null || value === '') return { shifts: [], chosen: false };
  if (Array.isArray(value)) {
    const parts = value.map((part: JsonValue) => readShift(part));
    return parts.every((part) => part !== undefined) ? { shifts: parts, chosen: false } : undefined;
  }
  const length = readLength(value);
  if (length !== undefined) return { shifts: shiftsOf(length), chosen: length > 0 };
  if (typeof value === 'string') return readDay(value.split(',').map((part) => part.trim()));
  const shift = readShift(value);
  return shift === undefined ? undefined : { shifts: [shift], chosen: false };
}

/** Reads a length, in minutes, from `"08:00"` or a number. svc rejects 1 to 59, because such a number probably counts hours. */
function readLength(value: JsonValue): number | undefined {
  const minutes = typeof value === 'string' && isTime(value) ? clockMinutes(value) : value;
  if (typeof minutes !== 'number' || !Number.isInteger(minutes)) return undefined;
  return minutes === 0 || (minutes >= 60 && minutes <= 24 * 60) ? minutes : undefined;
}

function readShift(value: JsonValue): Shift | undefined {
  if (typeof value === 'string') {
    const [, start, end] = /^(\d{1,2}:\d{2})\s*[-–]\s*(\d{1,2}:\d{2})$/.exec(value.trim()) ?? [];
    return shift(start, end);
  }
  if (!isJsonObject(value) || Object.keys(value).length !== 2) return undefined;
  return shift(value['start'] ?? value['from'], value['end'] ?? value['to']);
}

function shift(start: JsonValue | undefined, end: JsonValue | undefined): Shift | undefined {
  return isTime(start) && isTime(end) && clockMinutes(start) !== clockMinutes(end) ? { start, end } : undefined;
}

function isTime(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^(?:(?:[01]?\d|2[0-3]):[0-5]\d|24:00)$/.test(value);
}
