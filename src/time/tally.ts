import type { TemporalNamespace } from '../values/temporal.ts';
import { weekNumber } from './calendar.ts';
import type { Day } from './day.ts';
import { type FigureStep, minutesOfSteps, oppositeStep } from './figure-step.ts';

export interface Seen {
  /** True if all leave was visible. With hidden leave, the true target can be lower. */
  readonly leave: boolean;
  /** True if all entries were visible. With hidden entries, the true logged time can be higher. */
  readonly entries: boolean;
}

/**
 * The sums of some days, in minutes. Undefined sums are unknown. `…AtMost` and `…AtLeast` are bounds that stay true with hidden leave or
 * entries.
 */
export type Tally = ReturnType<typeof tallyOf>;

export type TallyFigure = Exclude<keyof Tally, 'gapSteps'>;

export function tallyOf(days: readonly Day[], seen: Seen) {
  const targetAtMost = sumOf(days.map(({ target }) => target));
  const shown = days.flatMap(({ steps: { target, logged, limit } }) => [...target, ...logged, ...limit]);
  const gapSteps = [...shown, ...hiddenSteps(seen)];
  const loggedAtLeast = days.reduce((sum, { logged }) => sum + logged, 0);
  return {
    away: seen.leave ? sumOf(days.map(({ away }) => away)) : undefined,
    target: seen.leave ? targetAtMost : undefined,
    targetAtMost,
    logged: seen.entries ? loggedAtLeast : undefined,
    loggedAtLeast,
    /** The missing time of all days. A long day does not make up for a short day. */
    gap: minutesOfSteps(gapSteps),
    gapAtMost: minutesOfSteps(shown),
    gapSteps,
  };
}

function hiddenSteps(seen: Seen): FigureStep[] {
  return [
    ...(seen.leave ? [] : [{ kind: 'hidden-leave', reason: 'svc cannot read all leave', minutes: null } as const]),
    ...(seen.entries ? [] : [{ kind: 'hidden-entries', reason: 'Some entries do not show their user', minutes: null } as const]),
  ];
}

/** The logged time compared with the target, in whole minutes. A difference above zero is overtime; an undefined figure is unknown. */
export type TimeBalance = ReturnType<typeof timeBalance>;

/** The balance of one ISO week. Days outside the requested range and future days do not count. */
export type WeekBalance = ReturnType<typeof weekBalances>[number];

/** Calculates the balance of some days. Days after today count neither as target nor as logged time. Today counts in full. */
export function timeBalance(days: readonly Day[], today: string, seen: Seen) {
  const past = days.filter(({ date }) => date <= today);
  const shown = past.flatMap(({ steps: { target, logged } }) => [...target, ...logged]).map(oppositeStep);
  const differenceSteps = [...shown, ...hiddenSteps(seen)];
  return {
    ...tallyOf(past, seen),
    difference: minutesOfSteps(differenceSteps),
    /** The lowest difference, if hidden leave or entries make the exact difference unknown. */
    differenceAtLeast: minutesOfSteps(shown),
    differenceSteps,
  };
}

/** Returns the balance of each week. `balance` is the sum of the differences from the first week up to this week. */
export function weekBalances(days: readonly Day[], today: string, seen: Seen, temporal: TemporalNamespace) {
  let balance: number | undefined = 0;
  let balanceAtLeast: number | undefined = 0;
  const past = days.filter(({ date }) => date <= today);
  return [...Map.groupBy(past, ({ date }) => weekNumber(date, temporal))].map(([week, own]) => {
    const standing = timeBalance(own, today, seen);
    balance = sumOf([balance, standing.difference]);
    balanceAtLeast = sumOf([balanceAtLeast, standing.differenceAtLeast]);
    return { ...standing, week, first: own[0]?.date ?? '', last: own.at(-1)?.date ?? '', balance, balanceAtLeast };
  });
}

export function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0);
}
