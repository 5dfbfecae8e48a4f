import type { DateContext } from '../values/dates.ts';
import { formatDuration } from '../values/duration.ts';
import { type Interval, momentOf, WEEKDAYS, weekdayOf } from './calendar.ts';

/** A shift on the clock, `HH:MM`; a shift that ends before it begins lasts past midnight. */
export interface Shift {
  readonly start: string;
  readonly end: string;
}

/** The shifts of each day of a week, Monday first; a day without shifts is free. */
export type WorkingHours = readonly (readonly Shift[])[];

/** Returns so many minutes from 09:00 on, Monday to Friday: for a user whose record has no hours. */
export function evenWeek(minutes: number): WorkingHours {
  return WEEKDAYS.map((_, weekday) => (weekday < 5 ? shiftsOf(minutes) : []));
}

/** Returns a shift of so many minutes with an unknown start: from 09:00, or earlier for a very long one. */
export function shiftsOf(minutes: number): readonly Shift[] {
  if (minutes <= 0) return [];
  const start = Math.min(9 * 60, 24 * 60 - minutes);
  return [{ start: clockText(start), end: clockText(start + minutes) }];
}

/** Describes the length of each day: `Mon to Fri 8h, Sat 4h`. */
export function describeHours(hours: WorkingHours): string {
  const lengths = hours.map((shifts) => shifts.reduce((sum, shift) => sum + lengthOf(shift), 0));
  const parts: string[] = [];
  for (let first = 0; first < lengths.length; first += 1) {
    const minutes = lengths[first] ?? 0;
    let last = first;
    while (lengths[last + 1] === minutes) last += 1;
    const days = [...new Set([WEEKDAYS[first], WEEKDAYS[last]])].join(' to ');
    if (minutes > 0) parts.push(`${days} ${formatDuration(minutes)}`);
    first = last;
  }
  return parts.join(', ') || 'no day at all';
}

/** Returns the shifts of a day on the clock of the user’s zone. A night in which the clocks change is an hour shorter or longer. */
export function shiftsOn(date: string, hours: WorkingHours, dates: Pick<DateContext, 'timeZone' | 'temporal'>): Interval[] {
  return (hours[weekdayOf(date, dates.temporal)] ?? []).map(({ start, end }) => {
    const next = dates.temporal.PlainDate.from(date).add({ days: 1 }).toString();
    return { start: momentOf(date, start, dates), end: momentOf(clockMinutes(end) < clockMinutes(start) ? next : date, end, dates) };
  });
}

/** Returns minutes since midnight on the clock. */
export function clockMinutes(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

function clockText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function lengthOf({ start, end }: Shift): number {
  const length = clockMinutes(end) - clockMinutes(start);
  return length < 0 ? length + 24 * 60 : length;
}
