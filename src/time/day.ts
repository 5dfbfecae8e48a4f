import type { DateContext } from '../values/dates.ts';
import { type Interval, localDayAndTime, minutesOf } from './calendar.ts';
import type { Entry } from './entry.ts';
import type { Absence, DayOff } from './leave.ts';
import { shiftsOn, type WorkingHours } from './working-hours.ts';

/** A day with target, logged and missing time, in whole minutes. */
export interface Day {
  readonly date: string;
  /** Minutes by the working hours alone; undefined if these are unknown. */
  readonly working: number | undefined;
  /** Minutes of these on absences, a holiday or a free day; undefined if unknown. */
  readonly away: number | undefined;
  /** The rest to work. */
  readonly target: number | undefined;
  readonly logged: number;
  /** Missing minutes up to the target; 0 for a future day, undefined if the target is unknown. */
  readonly gap: number | undefined;
  readonly daysOff: readonly DayOff[];
  readonly absences: readonly AbsenceOnDay[];
}

/** The part of an absence on one day. */
export interface AbsenceOnDay {
  readonly label: string;
  /** `HH:MM` if it begins or ends on this day; undefined if it covers the day to that side. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The facts from which a day is calculated. */
export interface Calendar {
  readonly hours: WorkingHours | undefined;
  readonly absences: readonly Absence[];
  readonly daysOff: readonly DayOff[];
  readonly dates: DateContext;
  /** Today, `YYYY-MM-DD`: later days have no missing time yet. */
  readonly today: string;
}

export function computeDay(date: string, entries: readonly Entry[], { hours, absences, daysOff, dates, today }: Calendar): Day {
  const shifts = hours === undefined ? undefined : shiftsOn(date, hours, dates);
  const off = daysOff.filter((day) => day.date === date);
  const working = shifts === undefined ? undefined : minutesOf(shifts.reduce((sum, { start, end }) => sum + end - start, 0));
  const away =
    shifts === undefined || off.length > 0 ? working : minutesOf(shifts.reduce((sum, shift) => sum + covered(shift, absences), 0));
  const target = working === undefined || away === undefined ? undefined : working - away;
  const logged = entries.reduce((sum, entry) => sum + (entry.date === date ? entry.minutes : 0), 0);
  return {
    date,
    working,
    away,
    target,
    logged,
    gap: target === undefined ? undefined : date > today ? 0 : Math.max(0, target - logged),
    daysOff: off,
    absences: absencesOn(date, absences, dates),
  };
}

/** Returns the milliseconds of an interval that the others cover, each counted once. */
export function covered(interval: Interval, others: readonly Interval[]): number {
  const parts = others
    .map(({ start, end }) => ({ start: Math.max(start, interval.start), end: Math.min(end, interval.end) }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
  let reached = interval.start;
  let sum = 0;
  for (const { start, end } of parts) {
    sum += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return sum;
}

/** Returns the absences that touch a day in the user’s zone, with their start and end. */
function absencesOn(date: string, absences: readonly Absence[], dates: DateContext): AbsenceOnDay[] {
  const midnight = (day: string) => dates.temporal.PlainDate.from(day).toZonedDateTime(dates.timeZone).epochMilliseconds;
  const start = midnight(date);
  const end = midnight(dates.temporal.PlainDate.from(date).add({ days: 1 }).toString());
  return absences
    .filter((absence) => absence.start < end && absence.end > start)
    .map((absence) => ({
      label: absence.label,
      from: absence.start <= start ? undefined : localDayAndTime(absence.start, dates).time,
      // Whole days end at their last second (rule 18.34).
      to: absence.end >= end - 1_000 ? undefined : localDayAndTime(absence.end, dates).time,
    }));
}
