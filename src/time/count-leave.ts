import type { ZoneContext } from '../values/dates.ts';
import { type Interval, minutesOf, timestampOf } from './calendar.ts';
import { type Calendar, computeDay } from './day.ts';
import { shiftsOn, type WorkingHours } from './working-hours.ts';

/**
 * Calculates the working time that a leave takes, in minutes and in working days of the person, rounded to hundredths: 4.5. Time outside
 * the working hours, on days off, or in other leave does not count. Undefined if the working hours are unknown. @param calendar calendar
 * without this leave.
 */
export function countLeave(days: readonly string[], range: Interval, calendar: Calendar) {
  const taken = days.map((date) => takenOn(date, range, calendar));
  if (!taken.every((one) => one !== undefined)) return undefined;
  return {
    minutes: taken.reduce((sum, { minutes }) => sum + minutes, 0),
    days: inHundredths(taken.reduce((sum, { part }) => sum + part, 0)),
  };
}

/** Returns the leave on a day in minutes, and as a fraction of the working time of that day. Undefined if the working hours are unknown. */
export function takenOn(date: string, range: Interval, calendar: Calendar) {
  const { working, target } = computeDay(date, [], calendar);
  const left = computeDay(date, [], { ...calendar, absences: [...calendar.absences, { ...range, label: '' }] }).target;
  if (working === undefined || target === undefined || left === undefined) return undefined;
  return { minutes: target - left, part: working > 0 ? (target - left) / working : 0 };
}

export function inHundredths(days: number): number {
  return Math.round(days * 100) / 100;
}

const NOON = '12:30';

/**
 * Returns the middle of a day, in milliseconds since 1970. Half of the working time is before the middle. If this point is in a break, the
 * middle of the break counts. Without working time, the middle is 12:30.
 */
export function middleOf(date: string, hours: WorkingHours | undefined, dates: ZoneContext): number {
  const shifts = (hours === undefined ? [] : shiftsOn(date, hours, dates)).toSorted((one, other) => one.start - other.start);
  let left = shifts.reduce((sum, { start, end }) => sum + end - start, 0) / 2;
  for (const [index, { start, end }] of shifts.entries()) {
    const next = shifts[index + 1]?.start;
    if (left < end - start) return toMinute(start + left);
    left -= end - start;
    if (left === 0 && next !== undefined) return toMinute((end + next) / 2);
  }
  return timestampOf(date, NOON, dates);
}

function toMinute(timestamp: number): number {
  return minutesOf(timestamp) * 60_000;
}
