import { DAY, dayStart, localDate, utcDate, utcSecond } from '../../src/sandbox/dates.ts';
import type { Row } from '../../src/sandbox/start.ts';

/** A range of calendar days, including both ends. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/** The minutes of a report. */
export interface Minutes {
  readonly minutes: number;
  readonly billable_minutes: number;
  readonly not_billable_minutes: number;
  readonly overtime_minutes: number;
  readonly entries: number;
}

/** Returns the calendar day a number of days later. */
export function dayAfter(date: string, days: number): string {
  return utcDate(Date.parse(`${date}T00:00:00Z`) + days * DAY);
}

/** Returns the days from one day to another. */
export function daysOf({ first, last }: Days): string[] {
  const days = [first];
  for (let day = first; day < last; ) {
    day = dayAfter(day, 1);
    days.push(day);
  }
  return days;
}

/** Returns the worklogs of some days. */
export function loggedIn(rows: readonly Row[], { first, last }: Days): Row[] {
  return rows.filter(({ date }) => String(date) >= first && String(date) <= last);
}

/** Returns the minutes of worklogs by the value of a field. */
export function minutesBy(rows: readonly Row[], field: string): Map<unknown, Minutes> {
  return new Map([...Map.groupBy(rows, (row) => row[field] ?? null)].map(([key, group]) => [key, minutesOf(group)]));
}

/** Returns the minutes of worklogs by billing state. */
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

/** Returns ids in ascending order. */
export function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** Returns an absence as a range of times. A running absence has no end. A stored end is the last second that counts. */
function stretchOf({ start, end }: Row): { readonly from: number; readonly until: number } {
  return { from: Date.parse(String(start)), until: typeof end === 'string' ? Date.parse(end) : Number.POSITIVE_INFINITY };
}

/** Returns an absence as the service shows it: with whole days, if the service shows days. */
export function shownAbsence(row: Row, absenceBounds: string, zone: string): Row {
  if (absenceBounds === 'date-time') return row;
  const edge = (bound: unknown, days: number, less: number) =>
    typeof bound === 'string' ? utcSecond(dayStart(dayAfter(localDate(Date.parse(bound), zone), days), zone) - less) : bound;
  return { ...row, start: edge(row['start'], 0, 0), end: edge(row['end'], 1, 1000) } as Row;
}

/** Returns true if an absence takes any part of these days, or all of them, in a zone. */
export function overlap(absence: Row, { first, last }: Days, zone: string): 'none' | 'part' | 'all' {
  const { from, until } = stretchOf(absence);
  const [begin, end] = [dayStart(first, zone), dayStart(dayAfter(last, 1), zone)];
  if (from >= end || until < begin) return 'none';
  return from <= begin && until >= end - 1000 ? 'all' : 'part';
}

/** Returns the shift of a person on a day, by the sandbox’s working hours. Undefined without working hours, null on a free day. */
export function shiftOn(person: Row, date: string, zone: string): { readonly from: number; readonly until: number } | null | undefined {
  const minutes = workingMinutes(person, date);
  if (minutes === undefined || minutes === 0) return minutes === 0 ? null : undefined;
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(date)).toLowerCase();
  const { start } = (person['working_hours'] as Readonly<Record<string, { readonly start: string }>>)[weekday] ?? { start: '' };
  const from = dayStart(date, zone) + (Number(start.slice(0, 2)) * 60 + Number(start.slice(3))) * 60_000;
  return { from, until: from + minutes * 60_000 };
}

/** Counts the minutes of a shift that absences take, each minute once. */
export function minutesAway(shift: { readonly from: number; readonly until: number }, absences: readonly Row[]): number {
  const stretches = absences.map(stretchOf);
  let minutes = 0;
  for (let timestamp = shift.from; timestamp < shift.until; timestamp += 60_000)
    if (stretches.some(({ from, until }) => from <= timestamp && until >= timestamp + 59_000)) minutes += 1;
  return minutes;
}

/** Returns the working minutes of a person on a day, by the sandbox’s working hours. Undefined without working hours. */
export function workingMinutes(person: Row, date: string): number | undefined {
  const range = workingRange(person, date);
  return range === undefined ? undefined : range.end - range.start;
}

/** Returns the minutes of a working day without absences. Valid only for a day without a clock change. */
export function presentMinutes(person: Row, date: string, absences: readonly Row[], zone: string): number | undefined {
  const range = workingRange(person, date);
  if (range === undefined) return undefined;
  const taken = absences.map(stretchOf);
  const begin = dayStart(date, zone) + range.start * 60_000;
  const timestamps = Array.from({ length: range.end - range.start }, (_, minute) => begin + minute * 60_000);
  return timestamps.filter((timestamp) => !taken.some(({ from, until }) => from <= timestamp && timestamp < until)).length;
}

/** Returns the working time of a person on a day, in minutes since midnight. Undefined without working hours. */
function workingRange(person: Row, date: string): { readonly start: number; readonly end: number } | undefined {
  const hours = person['working_hours'];
  if (typeof hours !== 'object' || hours === null || Array.isArray(hours)) return undefined;
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(date)).toLowerCase();
  const range = (hours as Readonly<Record<string, unknown>>)[weekday];
  if (typeof range !== 'object' || range === null || !('start' in range) || !('end' in range)) return { start: 0, end: 0 };
  const clock = (text: unknown) => Number(String(text).slice(0, 2)) * 60 + Number(String(text).slice(3));
  return { start: clock(range.start), end: clock(range.end) };
}
