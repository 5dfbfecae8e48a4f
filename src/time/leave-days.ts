import type { ZoneContext } from '../values/dates.ts';
import { dayRange, daysNear, type Interval } from './calendar.ts';
import { middleOf } from './count-leave.ts';
import { type Absence, edgesOn } from './leave.ts';
import { shiftsOn, type WorkingHours } from './working-hours.ts';

/**
 * The part of a day that an absence takes:
 *
 * - `day`: all working time.
 * - `am`: from the start of the day to its middle at the latest.
 * - `pm`: from the middle of the day or later to its end.
 * - `part`: any other part.
 *
 * A day without known working hours, or without shifts, counts from midnight to midnight.
 */
type DayPart = 'day' | 'am' | 'pm' | 'part';

/** Returns the days of an absence. The part is undefined if the record leaves open whether the absence includes the day (rule 18.34). */
export function leaveDaysOf(absence: Absence, days: readonly string[], hours: WorkingHours | undefined, dates: ZoneContext) {
  return daysNear(absence, days, dates).flatMap((date) => {
    const day = dayRange(date, dates);
    const isOpen = absence.openDay?.date === date;
    if (absence.start >= day.end || (absence.end <= day.start && !isOpen)) return [];
    const { from, until } = isOpen ? {} : edgesOn(absence, day, dates);
    return [{ date, part: isOpen ? undefined : partOf(absence, date, hours, dates, day), from, until }];
  });
}

function partOf(absence: Absence, date: string, hours: WorkingHours | undefined, dates: ZoneContext, day: Interval): DayPart {
  const shifts = hours === undefined ? [] : shiftsOn(date, hours, dates);
  const first = shifts.length === 0 ? day.start : Math.min(...shifts.map(({ start }) => start));
  const last = Math.min(day.end, shifts.length === 0 ? day.end : Math.max(...shifts.map(({ end }) => end)));
  const begins = absence.start <= first;
  const ends = absence.end >= last - 1_000;
  if (begins && ends) return 'day';
  const middle = middleOf(date, hours, dates);
  if (begins && absence.end > first && absence.end <= middle) return 'am';
  return ends && absence.start < last && absence.start >= middle ? 'pm' : 'part';
}
