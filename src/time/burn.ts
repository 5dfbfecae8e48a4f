import type { TemporalNamespace } from '../values/temporal.ts';
import { addDays, daysBetween, weekNumber, weekOf } from './calendar.ts';
import { rangeOf } from './date-range.ts';
import { type FigureStep, minutesOfSteps, type StepRecord } from './figure-step.ts';
import { shareOf } from './totals.ts';

/** Logged minutes by day. The keys are dates: `2026-06-04`. */
export type DayMinutes = ReadonlyMap<string, number>;

/** The facts that svc needs to calculate the state of a budget. All times are in minutes. */
export interface BurnInput {
  /** The size of the budget. Null: the budget has no limit. Undefined: the service does not show the size. */
  readonly budget: number | null | undefined;
  /** The spent time that the service reports. Undefined if the service does not show this time. */
  readonly shown: number | undefined;
  /** The logged minutes by day, from all worklogs that you can read. Undefined if svc did not read the worklogs. */
  readonly logged: DayMinutes | undefined;
  /** The steps of the worklogs, below zero. Default: one step for all worklogs. */
  readonly worklogs?: readonly FigureStep[] | undefined;
  readonly record?: StepRecord;
}

/** The state of a budget. All times are in minutes. An undefined figure is unknown, or does not exist, such as `left` without a limit. */
export type Burn = ReturnType<typeof burnOf>;

export interface Rate {
  readonly minutes: number;
  /** The number of full weeks that the rate covers, 1 to 4. */
  readonly weeks: number;
  /** The first day of the weeks, a Monday (`first`), and the last day (`last`). */
  readonly first: string;
  readonly last: string;
}

const RATE_WEEKS = 4;

/**
 * Calculates the state of a budget. The service’s figure of the spent time takes precedence over the sum of the worklogs. The rate covers
 * the last four full ISO weeks. Weeks without entries count, but not the weeks before the first entry. The rate is unknown if the first
 * entry is in the current week or later. The rate is also unknown if svc does not know all worklogs.
 */
export function burnOf(input: BurnInput, today: string, temporal: TemporalNamespace) {
  const { budget, shown, logged, record } = input;
  const summed = logged && sum(logged);
  const spentSteps = spentStepsOf(input, summed);
  const spentBelowZero = minutesOfSteps(spentSteps);
  const spent = spentBelowZero === undefined ? undefined : 0 - spentBelowZero;
  const size = { kind: 'budget-size', reason: 'Size of the budget', record, minutes: budget ?? null } as const;
  // Without a limit, the steps add up to the spent time below zero.
  const steps = budget === null ? spentSteps : [size, ...spentSteps];
  const left = budget === null ? undefined : minutesOfSteps(steps);
  // If the worklogs add up to less than the service reports, you probably can’t read all worklogs.
  const isPartial = shown !== undefined && summed !== undefined && summed < shown;
  const known = isPartial ? undefined : logged;
  const rate = known === undefined ? undefined : rateOf(known, today, temporal);
  return {
    spent,
    left,
    steps,
    over: left === undefined ? undefined : Math.max(0, -left),
    /** The spent share of the budget, with one decimal. */
    percent: typeof budget === 'number' && budget > 0 && spent !== undefined ? shareOf(spent, budget) : undefined,
    summed,
    isPartial,
    rate,
    /** The first day of the current overrun. */
    overSince: known !== undefined && typeof budget === 'number' && left !== undefined && left < 0 ? crossing(known, budget) : undefined,
  };
}

/**
 * Returns steps that add up to the spent time, below zero. If the worklogs differ from the service’s figure, the last step is the
 * difference.
 */
function spentStepsOf({ shown, worklogs, record }: BurnInput, summed: number | undefined): readonly FigureStep[] {
  const reported = (reason: string, minutes: number): FigureStep => ({ kind: 'reported-time', reason, record, minutes: 0 - minutes });
  if (summed === undefined)
    return shown === undefined
      ? [{ kind: 'hidden-entries', reason: 'svc does not know the spent time', record, minutes: null }]
      : [reported('Spent, as the service reports', shown)];
  const known = worklogs ?? [{ kind: 'worklog', reason: 'All worklogs', minutes: 0 - summed }];
  if (shown === undefined || shown === summed) return known;
  const why =
    shown > summed ? 'The service reports more than the worklogs that you can read' : 'The service reports less than the worklogs';
  return [...known, reported(why, shown - summed)];
}

export function perWeek({ minutes, weeks }: Rate): number {
  return Math.round(minutes / weeks);
}

export function weeksOf(logged: DayMinutes, today: string, temporal: TemporalNamespace) {
  if (logged.size === 0) return [];
  const { first, last } = rangeOf([...logged.keys(), today]);
  const byWeek = Map.groupBy(logged, ([day]) => mondayOf(day, temporal));
  let total = 0;
  return daysBetween(mondayOf(first, temporal), last, temporal).flatMap((monday, index) => {
    if (index % 7 !== 0) return [];
    const minutes = sum(byWeek.get(monday) ?? []);
    total += minutes;
    return [{ week: weekNumber(monday, temporal), monday, minutes, total }];
  });
}

function rateOf(logged: DayMinutes, today: string, temporal: TemporalNamespace): Rate | undefined {
  const thisWeek = mondayOf(today, temporal);
  const [first] = [...logged.keys()].sort();
  const days =
    first === undefined ? Infinity : temporal.PlainDate.from(mondayOf(first, temporal)).until(thisWeek, { largestUnit: 'days' }).days;
  const weeks = Math.min(RATE_WEEKS, days / 7);
  if (weeks < 1) return undefined;
  const from = addDays(thisWeek, -7 * weeks, temporal);
  const minutes = sum([...logged].filter(([day]) => day >= from && day < thisWeek));
  return { minutes, weeks, first: from, last: addDays(thisWeek, -1, temporal) };
}

/** Returns the first day of the current overrun. Undefined if the sum of all minutes is within the budget. */
function crossing(logged: DayMinutes, budget: number): string | undefined {
  let total = 0;
  let since: string | undefined;
  for (const [day, minutes] of [...logged].sort(([one], [other]) => (one < other ? -1 : 1))) {
    total += minutes;
    if (total <= budget) since = undefined;
    else since ??= day;
  }
  return since;
}

function mondayOf(day: string, temporal: TemporalNamespace): string {
  return weekOf(day, temporal)[0] ?? day;
}

function sum(logged: Iterable<readonly [day: string, minutes: number]>): number {
  return Array.from(logged).reduce((total, [, minutes]) => total + minutes, 0);
}
