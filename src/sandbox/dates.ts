const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Formats milliseconds since 1970 as `YYYY-MM-DDTHH:MM:SSZ`, the only form of a date-time (rule 2.17). */
export function utcSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export function utcDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function localDate(ms: number, zone: string): string {
  return utcDate(ms + offsetAt(ms, zone));
}

/** Returns the start of a day in a zone, in milliseconds since 1970. @param date date as `YYYY-MM-DD`. */
export function dayStart(date: string, zone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Near a clock change, the offset at midnight in UTC can differ from the offset at midnight in the zone.
  return midnight - offsetAt(midnight - offsetAt(midnight, zone), zone);
}

function offsetAt(ms: number, zone: string): number {
  const parts = formatFor(zone).formatToParts(ms);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const there = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return there - Math.floor(ms / SECOND) * SECOND;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  formats.set(zone, format);
  return format;
}

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Some engines convert 2025-02-30 to a date in March. The converted date then differs from the text.
  return !Number.isNaN(ms) && utcDate(ms) === text;
}

export function isUtcSecond(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) return false;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && utcSecond(ms) === text;
}

export function isTimeOfDay(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
