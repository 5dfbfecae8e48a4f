import { WEEKDAY_NAMES } from '../values/dates.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
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
  const read = readDays(value) ?? readSeven(value) ?? readList(value) ?? readEveryDay(value);
  return read === undefined ? { kind: 'unreadable', shown: shortened(stringifyJson(value)) } : { kind: 'read', ...read };
}

type Read = Omit<Extract<HoursReading, { kind: 'read' }>, 'kind'>;

/** The shifts of one day. `chosen` is true if the record has only the length of the day. */
interface DayReading {
  readonly shifts: readonly Shift[];
  readonly chosen: boolean;
}

function weekdayNamed(name: string): number | undefined {
  const typed = name.toLowerCase();
  const found = WEEKDAY_NAMES.findIndex((full) => full === typed || full.slice(0, 3) === typed);
  return found < 0 ? undefined : found;
}

/** Reads an object with a member for each weekday. Missing weekdays are free. */
function readDays(value: JsonValue): Read | undefined {
  if (!isJsonObject(value)) return undefined;
  const days = new Map<number, DayReading>();
  for (const [name, of] of Object.entries(value)) {
    const weekday = weekdayNamed(name);
    const day = weekday === undefined ? undefined : readDay(of);
    if (weekday === undefined || day === undefined) return undefined;
    days.set(weekday, day);
  }
  return together(WEEKDAY_NAMES.map((_, weekday) => days.get(weekday) ?? FREE));
}

/** Reads a list of seven days. svc assumes that the list starts with Monday, as in ISO 8601. */
function readSeven(value: JsonValue): Read | undefined {
  if (!Array.isArray(value) || value.length !== 7) return undefined;
  const days = value.map((day: JsonValue) => readDay(day));
  return days.every((day) => day !== undefined) ? { ...together(days), chosen: true } : undefined;
}

function readList(value: JsonValue): Read | undefined {
  if (!Array.isArray(value)) return undefined;
  const days: DayReading[] = WEEKDAY_NAMES.map(() => FREE);
  for (const entry of value as readonly JsonValue[]) {
    if (!isJsonObject(entry)) return undefined;
    const { day: short, weekday: long, ...rest } = entry;
    const name = short ?? long;
    const weekday = typeof name === 'string' ? weekdayNamed(name) : undefined;
    const read = readDay(rest);
    if (weekday === undefined || read === undefined) return undefined;
    days[weekday] = { shifts: [...(days[weekday]?.shifts ?? []), ...read.shifts], chosen: read.chosen };
  }
  return together(days);
}

/** Reads a single shift or length for every working day. svc assumes Monday to Friday. */
function readEveryDay(value: JsonValue): Read | undefined {
  const day = readDay(value);
  return day === undefined ? undefined : { hours: WEEKDAY_NAMES.map((_, weekday) => (weekday < 5 ? day.shifts : [])), chosen: true };
}

const FREE: DayReading = { shifts: [], chosen: false };

function together(days: readonly DayReading[]): Read {
  return { hours: days.map(({ shifts }) => shifts), chosen: days.some(({ chosen }) => chosen) };
}

function readDay(value: JsonValue): DayReading | undefined {
  if (value === null || value === '') return FREE;
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
  const of = (object: JsonObject, first: string, second: string) => object[first] ?? object[second];
  return shift(of(value, 'start', 'from'), of(value, 'end', 'to'));
}

function shift(start: JsonValue | undefined, end: JsonValue | undefined): Shift | undefined {
  return isTime(start) && isTime(end) && clockMinutes(start) !== clockMinutes(end) ? { start, end } : undefined;
}

function isTime(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^(?:(?:[01]?\d|2[0-3]):[0-5]\d|24:00)$/.test(value);
}

const LONGEST = 80;

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
