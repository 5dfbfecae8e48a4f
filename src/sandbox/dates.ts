const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `YYYY-MM-DDTHH:MM:SSZ`: the one form of a date-time (rule 2.17). */
export function utcSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `YYYY-MM-DD` of a time, in UTC. */
export function utcDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** `YYYY-MM-DD` of a time, as the calendar of a zone has it. */
export function localDate(ms: number, zone: string): string {
  return utcDate(ms + offsetAt(ms, zone));
}

/** The time at which a day begins in a zone, in milliseconds since 1970. @param date `YYYY-MM-DD` */
export function dayStart(date: string, zone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // The offset at the same time in UTC may be that of the other side of a change of clocks; the second lookup is right.
  return midnight - offsetAt(midnight - offsetAt(midnight, zone), zone);
}

/** Milliseconds that a zone's clocks are ahead of UTC. */
function offsetAt(ms: number, zone: string): number {
  const parts = formatFor(zone).formatToParts(ms);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const there = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return there - Math.floor(ms / SECOND) * SECOND;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes long, and many rows have few zones. */
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

/** Whether the text is a day that exists, written `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Date.parse lets 2025-02-30 roll over into March in some engines; writing it out again shows that.
  return !Number.isNaN(ms) && utcDate(ms) === text;
}

/** Whether the text is a time in exactly the form of {@link utcSecond}; offsets and fractions are not. */
export function isUtcSecond(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) return false;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && utcSecond(ms) === text;
}

/** Whether the text is `HH:MM`, 00:00 to 23:59. */
export function isTimeOfDay(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
