import type { DateContext } from '../values/dates.ts';
import { addDays, type Interval, localDayAndTime, minutesOf, startOf } from './calendar.ts';
import type { Entry } from './entry.ts';
import type { Absence, DayOff } from './leave.ts';
import { shiftsOn, type WorkingHours } from './working-hours.ts';

/** A day with its target, logged time and missing time, in whole minutes. */
export interface Day {
  readonly date: string;
  /** The minutes in the working hours, before leave and days off. Undefined if the working hours are unknown. */
  readonly working: number | undefined;
  /** The part of `working` that absences, a holiday or a free day take. Undefined if unknown. */
  readonly away: number | undefined;
  /** The minutes to work: `working` without `away`. Undefined if unknown. */
  readonly target: number | undefined;
  readonly logged: number;
  /** The minutes that are missing to reach the target. 0 for a future day; undefined if the target is unknown. */
  readonly gap: number | undefined;
  readonly daysOff: readonly DayOff[];
  readonly absences: readonly AbsenceOnDay[];
}

export interface AbsenceOnDay {
  readonly label: string;
  /** The start on this day, `HH:MM`. Undefined if the absence started earlier. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface Calendar {
  readonly hours: WorkingHours | undefined;
  readonly absences: readonly Absence[];
  readonly daysOff: readonly DayOff[];
  readonly dates: DateContext;
  /** The current day, `YYYY-MM-DD`. Later days have no missing time. */
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

/** Measures how much of an interval the other intervals cover, in milliseconds. Overlapping time counts once. */
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

function absencesOn(date: string, absences: readonly Absence[], dates: DateContext): AbsenceOnDay[] {
  const start = startOf(date, dates);
  const end = startOf(addDays(date, 1, dates.temporal), dates);
  return absences
    .filter((absence) => absence.start < end && absence.end > start)
    .map((absence) => ({
      label: absence.label,
      from: absence.start <= start ? undefined : localDayAndTime(absence.start, dates).time,
      // An absence of whole days ends in the last second of its last day (rule 18.34).
      to: absence.end >= end - 1_000 ? undefined : localDayAndTime(absence.end, dates).time,
    }));
}
