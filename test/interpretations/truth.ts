import { DAY, dayStart, utcDate } from '../../src/sandbox/dates.ts';
import type { Row } from '../../src/sandbox/start.ts';

/** Days of the calendar, both ends counted. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/** Minutes as a report has them. */
export interface Minutes {
  readonly minutes: number;
  readonly billable_minutes: number;
  readonly not_billable_minutes: number;
  readonly overtime_minutes: number;
  readonly entries: number;
}

/** The same day of the calendar, so many days on. */
export function dayAfter(date: string, days: number): string {
  return utcDate(Date.parse(`${date}T00:00:00Z`) + days * DAY);
}

/** The days from one to another. */
export function daysOf({ first, last }: Days): string[] {
  const days = [first];
  for (let day = first; day < last; ) {
    day = dayAfter(day, 1);
    days.push(day);
  }
  return days;
}

/** Worklogs of some days. */
export function loggedIn(rows: readonly Row[], { first, last }: Days): Row[] {
  return rows.filter(({ date }) => String(date) >= first && String(date) <= last);
}

/** The minutes of worklogs by what a field of theirs holds. */
export function minutesBy(rows: readonly Row[], field: string): Map<unknown, Minutes> {
  return new Map([...Map.groupBy(rows, (row) => row[field] ?? null)].map(([key, group]) => [key, minutesOf(group)]));
}

/** The minutes of worklogs, taken apart. */
function minutesOf(rows: readonly Row[]): Minutes {
  const sum = (some: readonly Row[]) => some.reduce((total, { minutes }) => total + Number(minutes), 0);
  return {
    minutes: sum(rows),
    billable_minutes: sum(rows.filter((row) => row['is_not_billable'] !== true)),
    not_billable_minutes: sum(rows.filter((row) => row['is_not_billable'] === true)),
    overtime_minutes: sum(rows.filter((row) => row['is_overtime'] === true)),
    entries: rows.length,
  };
}

/** Ids, lowest first. */
export function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** An absence as a stretch of moments; one that runs ends never. Kept ends are the last second that counts. */
function stretchOf({ start, end }: Row): { readonly from: number; readonly until: number } {
  return { from: Date.parse(String(start)), until: typeof end === 'string' ? Date.parse(end) : Number.POSITIVE_INFINITY };
}

/** Whether an absence takes any part of these days, or all of them, where the zone is this. */
export function overlap(absence: Row, { first, last }: Days, zone: string): 'none' | 'part' | 'all' {
  const { from, until } = stretchOf(absence);
  const [begin, end] = [dayStart(first, zone), dayStart(dayAfter(last, 1), zone)];
  if (from >= end || until < begin) return 'none';
  return from <= begin && until >= end - 1000 ? 'all' : 'part';
}

/** When a person works on a day, by the hours that the sandbox keeps; undefined without such, null on a free day. */
export function shiftOn(person: Row, date: string, zone: string): { readonly from: number; readonly until: number } | null | undefined {
  const minutes = workingMinutes(person, date);
  if (minutes === undefined || minutes === 0) return minutes === 0 ? null : undefined;
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(date)).toLowerCase();
  const { start } = (person['working_hours'] as Readonly<Record<string, { readonly start: string }>>)[weekday] ?? { start: '' };
  const from = dayStart(date, zone) + (Number(start.slice(0, 2)) * 60 + Number(start.slice(3))) * 60_000;
  return { from, until: from + minutes * 60_000 };
}

/** Minutes of a shift that some absences take, each minute once: looked at minute by minute. */
export function minutesAway(shift: { readonly from: number; readonly until: number }, absences: readonly Row[]): number {
  const stretches = absences.map(stretchOf);
  let minutes = 0;
  for (let timestamp = shift.from; timestamp < shift.until; timestamp += 60_000)
    if (stretches.some(({ from, until }) => from <= timestamp && until >= timestamp + 59_000)) minutes += 1;
  return minutes;
}

/** Minutes that a person works on a day, by the hours that the sandbox keeps; undefined without such. */
export function workingMinutes(person: Row, date: string): number | undefined {
  const range = workingRange(person, date);
  return range === undefined ? undefined : range.end - range.start;
}

/** The minutes of such a day that no absence has; of a day on which no clocks change. */
export function presentMinutes(person: Row, date: string, absences: readonly Row[], zone: string): number | undefined {
  const range = workingRange(person, date);
  if (range === undefined) return undefined;
  const taken = absences.map(stretchOf);
  const begin = dayStart(date, zone) + range.start * 60_000;
  const timestamps = Array.from({ length: range.end - range.start }, (_, minute) => begin + minute * 60_000);
  return timestamps.filter((timestamp) => !taken.some(({ from, until }) => from <= timestamp && timestamp < until)).length;
}

/** From when to when a person works on a day, in minutes of the clock; undefined without such hours. */
function workingRange(person: Row, date: string): { readonly start: number; readonly end: number } | undefined {
  const hours = person['working_hours'];
  if (typeof hours !== 'object' || hours === null || Array.isArray(hours)) return undefined;
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(date)).toLowerCase();
  const range = (hours as Readonly<Record<string, unknown>>)[weekday];
  if (typeof range !== 'object' || range === null || !('start' in range) || !('end' in range)) return { start: 0, end: 0 };
  const clock = (text: unknown) => Number(String(text).slice(0, 2)) * 60 + Number(String(text).slice(3));
  return { start: clock(range.start), end: clock(range.end) };
}
