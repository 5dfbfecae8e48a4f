import type { ZoneContext } from '../values/dates.ts';
import { formatDuration } from '../values/duration.ts';
import { addDays, type Interval, timestampOf, WEEKDAYS, weekdayOf } from './calendar.ts';

/** A shift from `HH:MM` to `HH:MM`. A shift whose end is before its start lasts past midnight. */
export interface Shift {
  readonly start: string;
  readonly end: string;
}

/** The shifts of each weekday, starting with Monday. A day without shifts is free. */
export type WorkingHours = readonly (readonly Shift[])[];

/** Returns working hours for `--target`: the given minutes on each day from Monday to Friday, in the shift of {@link shiftsOf}. */
export function evenWeek(minutes: number): WorkingHours {
  return WEEKDAYS.map((_, weekday) => (weekday < 5 ? shiftsOf(minutes) : []));
}

/**
 * Returns a shift of the given minutes, whose start is unknown. The shift starts at 09:00, or earlier to end by midnight. Empty for 0
 * minutes.
 */
export function shiftsOf(minutes: number): readonly Shift[] {
  if (minutes <= 0) return [];
  const start = Math.min(9 * 60, 24 * 60 - minutes);
  return [{ start: clockText(start), end: clockText(start + minutes) }];
}

/** Describes the working time of each weekday: `Mon to Fri 8h, Sat 4h`. */
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
  return parts.join(', ') || 'no working day';
}

/** A shift on a day. `text` has the times of day in the user’s record: `09:00 to 17:00`. */
export interface ShiftOnDay extends Interval {
  readonly text: string;
}

/**
 * Returns the shifts of a day as intervals in the user’s time zone. A shift across a change of the clocks is usually an hour shorter or
 * longer.
 */
export function shiftsOn(date: string, hours: WorkingHours, dates: ZoneContext): ShiftOnDay[] {
  return (hours[weekdayOf(date, dates.temporal)] ?? []).map(({ start, end }) => {
    const last = clockMinutes(end) < clockMinutes(start) ? addDays(date, 1, dates.temporal) : date;
    return { start: timestampOf(date, start, dates), end: timestampOf(last, end, dates), text: `${start} to ${end}` };
  });
}

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
