import type { DateContext } from '../values/dates.ts';
import { formatDuration } from '../values/duration.ts';
import { type Interval, momentOf, WEEKDAYS, weekdayOf } from './calendar.ts';

/** A stretch of work on the clock, `HH:MM`; one that ends before it begins goes on over midnight. */
export interface Shift {
  readonly start: string;
  readonly end: string;
}

/** The shifts of each day of a week, Monday first; a day without any is free. */
export type WorkingHours = readonly (readonly Shift[])[];

/** So many minutes from 09:00 on, Monday to Friday: for whoever's record says nothing. */
export function evenWeek(minutes: number): WorkingHours {
  return WEEKDAYS.map((_, weekday) => (weekday < 5 ? shiftsOf(minutes) : []));
}

/** A day of so many minutes, of which nobody says when they begin: from 09:00 on, or as late as they must. */
export function shiftsOf(minutes: number): readonly Shift[] {
  if (minutes <= 0) return [];
  const start = Math.min(9 * 60, 24 * 60 - minutes);
  return [{ start: clockText(start), end: clockText(start + minutes) }];
}

/** `Mon to Fri 8h, Sat 4h`: how long each day is. */
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

/** The shifts of a day as they pass on the clock where the user is; a night in which the clocks change is an hour shorter or longer. */
export function shiftsOn(date: string, hours: WorkingHours, dates: Pick<DateContext, 'timeZone' | 'temporal'>): Interval[] {
  return (hours[weekdayOf(date, dates.temporal)] ?? []).map(({ start, end }) => {
    const next = dates.temporal.PlainDate.from(date).add({ days: 1 }).toString();
    return { start: momentOf(date, start, dates), end: momentOf(clockMinutes(end) < clockMinutes(start) ? next : date, end, dates) };
  });
}

/** Minutes since midnight on the clock. */
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
