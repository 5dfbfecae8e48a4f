import type { DateContext } from '../values/dates.ts';
import { dayRange, type Interval, minutesOf } from './calendar.ts';
import type { Entry } from './entry.ts';
import { type FigureStep, minutesOfSteps, type StepRecord, worklogStep } from './figure-step.ts';
import { covered } from './intervals.ts';
import { type Absence, type DayOff, edgesOn } from './leave.ts';
import { shiftsOn, type WorkingHours } from './working-hours.ts';

/** A day with its target, logged time and missing time, in whole minutes. An undefined figure is unknown. */
export type Day = ReturnType<typeof computeDay>;

export interface Calendar {
  readonly hours: WorkingHours | undefined;
  /** The user whose record has the working hours. Default: the hours come from a flag. */
  readonly hoursFrom?: StepRecord | undefined;
  readonly absences: readonly Absence[];
  readonly daysOff: readonly DayOff[];
  readonly dates: DateContext;
  /** The current day, `YYYY-MM-DD`. Later days have no missing time. */
  readonly today: string;
}

export function computeDay(date: string, entries: readonly Entry[], calendar: Calendar) {
  const { hours, absences, daysOff, dates, today } = calendar;
  const shifts = hours === undefined ? undefined : shiftsOn(date, hours, dates);
  const off = daysOff.filter((day) => day.date === date);
  const workingSteps: FigureStep[] =
    shifts === undefined
      ? [{ kind: 'unknown-hours', reason: 'svc does not know the working hours', record: calendar.hoursFrom, date, minutes: null }]
      : shifts.map(({ start, end, text }) => hoursStep(date, `Working hours ${text}`, minutesOf(end - start), calendar));
  const working = minutesOfSteps(workingSteps);
  const awaySteps =
    shifts === undefined || working === undefined ? [] : off.length > 0 ? daysOffSteps(off, working) : absenceSteps(date, shifts, absences);
  const away = working === undefined ? undefined : minutesOfSteps(awaySteps);
  const logged = entries.flatMap((entry) =>
    entry.date === date ? [worklogStep(entry, { kind: 'worklog', reason: 'Logged', minutes: 0 - entry.minutes })] : [],
  );
  const isFree = shifts?.length === 0 && logged.length > 0;
  const target = [...workingSteps, ...awaySteps, ...(isFree ? [hoursStep(date, 'No working hours on this weekday', 0, calendar)] : [])];
  const rest = minutesOfSteps([...target, ...logged]);
  const limit = rest === undefined ? [] : limitSteps(date, rest, date > today);
  return {
    date,
    /** The minutes in the working hours, before leave and days off. */
    working,
    /** The part of `working` that absences, a holiday or a free day take. */
    away: away === undefined ? undefined : 0 - away,
    target: minutesOfSteps(target),
    logged: 0 - (minutesOfSteps(logged) ?? 0),
    /** The minutes that are missing to reach the target. 0 for a future day. */
    gap: minutesOfSteps([...target, ...logged, ...limit]),
    daysOff: off,
    absences: absencesOn(date, absences, dates),
    /** The steps of the target, the entries below zero, and at most one step that brings `gap` to zero. All steps add up to `gap`. */
    steps: { target, logged, limit },
  };
}

function hoursStep(date: string, reason: string, minutes: number, { hoursFrom }: Calendar): FigureStep {
  if (hoursFrom === undefined) return { kind: 'given-hours', reason: 'Working time from --target', date, minutes };
  return { kind: 'working-hours', reason, record: hoursFrom, date, minutes };
}

/** Returns a step for each day off. The first day off takes all working time. */
function daysOffSteps(off: readonly DayOff[], working: number): FigureStep[] {
  return off.map(({ id, name, kind, date }, index) => ({
    kind: kind === 'holiday' ? 'holiday' : 'free-day',
    reason: kind === 'holiday' ? `Public holiday: ${name}` : `Free day: ${name}`,
    record: id === undefined ? undefined : { noun: kind === 'holiday' ? 'holidays' : 'free-days', id, name },
    date,
    minutes: index === 0 ? 0 - working : 0,
  }));
}

/**
 * Returns a step for each absence that takes working time of the day, or possibly includes the day. Time in several absences counts for the
 * absence that starts first.
 */
function absenceSteps(date: string, shifts: readonly Interval[], absences: readonly Absence[]): FigureStep[] {
  const touching = absences
    .filter((absence) => absence.openDay?.date === date || shifts.some(({ start, end }) => absence.start < end && absence.end > start))
    .sort((one, other) => one.start - other.start);
  const takenBy = (some: readonly Absence[]) => minutesOf(shifts.reduce((sum, shift) => sum + covered(shift, some), 0));
  return touching.map(({ id, label, openDay }, index) => ({
    kind: 'absence',
    reason: `Absent: ${label}${openDay?.date === date ? `. svc does not know whether this last day is included, and ${openDay.counted ? 'counts' : 'does not count'} it` : ''}`,
    record: id === undefined ? undefined : { noun: 'absences', id, name: label },
    date,
    minutes: takenBy(touching.slice(0, index)) - takenBy(touching.slice(0, index + 1)),
  }));
}

function limitSteps(date: string, rest: number, isLater: boolean): FigureStep[] {
  const minutes = 0 - rest;
  if (rest < 0) return [{ kind: 'above-target', reason: 'More than the target, so no time is missing', date, minutes }];
  return rest > 0 && isLater ? [{ kind: 'later-day', reason: 'The day is after today, so nothing is missing yet', date, minutes }] : [];
}

function absencesOn(date: string, absences: readonly Absence[], dates: DateContext) {
  const day = dayRange(date, dates);
  const touching = absences.filter(({ start, end }) => start < day.end && end > day.start);
  return touching.map((absence) => ({ label: absence.label, ...edgesOn(absence, day, dates) }));
}
