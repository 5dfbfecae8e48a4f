import type { DateContext } from '../values/dates.ts';
import { daysNear, localDayAndTime, momentOf, startOf } from './calendar.ts';
import { middleOf } from './count-leave.ts';
import type { Absence } from './leave.ts';
import { shiftsOn, type WorkingHours } from './working-hours.ts';

/**
 * How much of a day somebody is away: all of their working time; from its beginning to the middle at most; from the middle or later to its
 * end; or another part. Of a day that is not worked, or of which nobody knows when, the day from midnight to midnight counts.
 */
export type DayPart = 'day' | 'am' | 'pm' | 'part';

/** A day of an absence. */
export interface LeaveDay {
  /** `YYYY-MM-DD` where the person is. */
  readonly date: string;
  /** Undefined where the record leaves open whether this day is one of it (rule 18.34). */
  readonly part: DayPart | undefined;
  /** `HH:MM` where it begins or ends on this day; undefined where it covers the day to that side. */
  readonly from: string | undefined;
  readonly until: string | undefined;
}

type Place = Pick<DateContext, 'timeZone' | 'temporal'>;

/** Those of some days (`YYYY-MM-DD`) that an absence touches, or may touch. */
export function leaveDaysOf(absence: Absence, days: readonly string[], hours: WorkingHours | undefined, dates: Place): LeaveDay[] {
  return daysNear(absence, days, dates).flatMap((date): LeaveDay[] => {
    const start = startOf(date, dates);
    const end = momentOf(date, '24:00', dates);
    const isOpen = absence.openDay?.date === date;
    if (absence.start >= end || (absence.end <= start && !isOpen)) return [];
    if (isOpen) return [{ date, part: undefined, from: undefined, until: undefined }];
    const from = absence.start <= start ? undefined : localDayAndTime(absence.start, dates).time;
    // Whole days end with their last second (rule 18.34).
    const until = absence.end >= end - SECOND ? undefined : localDayAndTime(absence.end, dates).time;
    return [{ date, part: partOf(absence, date, hours, dates, { start, end }), from, until }];
  });
}

const SECOND = 1_000;

function partOf(
  absence: Absence,
  date: string,
  hours: WorkingHours | undefined,
  dates: Place,
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
