import type { DateContext } from '../values/dates.ts';
import { type Interval, minutesOf, momentOf } from './calendar.ts';
import { type Calendar, computeDay } from './day.ts';
import { shiftsOn, type WorkingHours } from './working-hours.ts';

/** What some leave takes of somebody's working time; undefined where nobody knows the working hours. */
export interface LeaveCount {
  readonly minutes: number | undefined;
  /** The same in days of that person, a part of one in hundredths: 4.5. */
  readonly days: number | undefined;
}

/**
 * Counts working time that a span takes: not what lies outside the working hours, on a holiday or a free day, or in other leave.
 *
 * @param days every day that the span touches, `YYYY-MM-DD`.
 * @param calendar without the leave that is counted.
 */
export function countLeave(days: readonly string[], span: Interval, calendar: Calendar): LeaveCount {
  let minutes = 0;
  let parts = 0;
  for (const date of days) {
    const taken = takenOn(date, span, calendar);
    if (taken === undefined) return { minutes: undefined, days: undefined };
    minutes += taken.minutes;
    parts += taken.part;
  }
  return { minutes, days: inHundredths(parts) };
}

/** What a span takes of one day: the minutes, and what part of that day's work they are. Undefined where nobody knows the working hours. */
export function takenOn(date: string, span: Interval, calendar: Calendar): { readonly minutes: number; readonly part: number } | undefined {
  const { working, target } = computeDay(date, [], calendar);
  const left = computeDay(date, [], { ...calendar, absences: [...calendar.absences, { ...span, label: '' }] }).target;
  if (working === undefined || target === undefined || left === undefined) return undefined;
  return { minutes: target - left, part: working > 0 ? (target - left) / working : 0 };
}

/** Days are told to the hundredth. */
export function inHundredths(days: number): number {
  return Math.round(days * 100) / 100;
}

/** Half past twelve: the middle of a day of which nobody says when it is worked. */
const NOON = '12:30';

/**
 * The middle of somebody's working day, in milliseconds since 1970: as much is worked before it as after it; within a break, the
 * middle of that.
 */
export function middleOf(date: string, hours: WorkingHours | undefined, dates: Pick<DateContext, 'timeZone' | 'temporal'>): number {
  const shifts = (hours === undefined ? [] : shiftsOn(date, hours, dates)).toSorted((one, other) => one.start - other.start);
  let left = shifts.reduce((sum, { start, end }) => sum + end - start, 0) / 2;
  for (const [index, { start, end }] of shifts.entries()) {
    const next = shifts[index + 1]?.start;
    if (left < end - start) return toMinute(start + left);
    left -= end - start;
    if (left === 0 && next !== undefined) return toMinute((end + next) / 2);
  }
  return momentOf(date, NOON, dates);
}

function toMinute(moment: number): number {
  return minutesOf(moment) * 60_000;
}
