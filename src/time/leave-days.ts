import type { ZoneContext } from '../values/dates.ts';
import { daysNear, localDayAndTime, startOf, timestampOf } from './calendar.ts';
import { middleOf } from './count-leave.ts';
import type { Absence } from './leave.ts';
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
export type DayPart = 'day' | 'am' | 'pm' | 'part';

export interface LeaveDay {
  /** The date in the time zone of the person, `YYYY-MM-DD`. */
  readonly date: string;
  /** The part of the day. Undefined if the record leaves open whether the absence includes this day (rule 18.34). */
  readonly part: DayPart | undefined;
  /** The start on this day, `HH:MM`. Undefined if the absence starts at the beginning of the day or earlier. */
  readonly from: string | undefined;
  readonly until: string | undefined;
}

export function leaveDaysOf(absence: Absence, days: readonly string[], hours: WorkingHours | undefined, dates: ZoneContext): LeaveDay[] {
  return daysNear(absence, days, dates).flatMap((date): LeaveDay[] => {
    const start = startOf(date, dates);
    const end = timestampOf(date, '24:00', dates);
    const isOpen = absence.openDay?.date === date;
    if (absence.start >= end || (absence.end <= start && !isOpen)) return [];
    if (isOpen) return [{ date, part: undefined, from: undefined, until: undefined }];
    const from = absence.start <= start ? undefined : localDayAndTime(absence.start, dates).time;
    // An absence of whole days ends in the last second of its last day (rule 18.34).
    const until = absence.end >= end - SECOND ? undefined : localDayAndTime(absence.end, dates).time;
    return [{ date, part: partOf(absence, date, hours, dates, { start, end }), from, until }];
  });
}

const SECOND = 1_000;

function partOf(
  absence: Absence,
  date: string,
  hours: WorkingHours | undefined,
  dates: ZoneContext,
  day: { readonly start: number; readonly end: number },
): DayPart {
  const shifts = hours === undefined ? [] : shiftsOn(date, hours, dates);
  const first = shifts.length === 0 ? day.start : Math.min(...shifts.map(({ start }) => start));
  const last = Math.min(day.end, shifts.length === 0 ? day.end : Math.max(...shifts.map(({ end }) => end)));
  const begins = absence.start <= first;
  const ends = absence.end >= last - SECOND;
  if (begins && ends) return 'day';
  const middle = middleOf(date, hours, dates);
  if (begins && absence.end > first && absence.end <= middle) return 'am';
  return ends && absence.start < last && absence.start >= middle ? 'pm' : 'part';
}
