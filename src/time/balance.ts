import type { TemporalNamespace } from '../values/temporal.ts';
import { weekNumber } from './calendar.ts';
import type { Day } from './day.ts';
import { type Seen, type Tally, tallyOf } from './tally.ts';

/** The logged time compared with the target, in whole minutes. A difference above zero is overtime; an undefined figure is unknown. */
export interface TimeBalance extends Tally {
  readonly difference: number | undefined;
  /**
   * The smallest possible difference, if hidden leave or entries make the exact one unknown. Undefined if the working hours are unknown.
   */
  readonly differenceAtLeast: number | undefined;
}

/** The balance of one ISO week. Days outside the requested range and future days do not count. */
export interface WeekStanding extends TimeBalance {
  /** The ISO 8601 week: `2026-W23`. */
  readonly week: string;
  readonly first: string;
  readonly last: string;
  /** The sum of the differences from the first week up to this week, in minutes. */
  readonly balance: number | undefined;
  readonly balanceAtLeast: number | undefined;
}

/** Calculates the balance of some days. Days after today count neither as target nor as logged time. Today counts in full. */
export function timeBalance(days: readonly Day[], today: string, seen: Seen): TimeBalance {
  const tally = tallyOf(
    days.filter(({ date }) => date <= today),
    seen,
  );
  const { target, targetAtMost, logged, loggedAtLeast } = tally;
  return {
    ...tally,
    difference: logged === undefined || target === undefined ? undefined : logged - target,
    differenceAtLeast: targetAtMost === undefined ? undefined : loggedAtLeast - targetAtMost,
  };
}

export function weekStandings(days: readonly Day[], today: string, seen: Seen, temporal: TemporalNamespace): WeekStanding[] {
  let balance: number | undefined = 0;
  let balanceAtLeast: number | undefined = 0;
  const past = days.filter(({ date }) => date <= today);
  return [...Map.groupBy(past, ({ date }) => weekNumber(date, temporal))].map(([week, own]) => {
    const standing = timeBalance(own, today, seen);
    balance = plus(balance, standing.difference);
    balanceAtLeast = plus(balanceAtLeast, standing.differenceAtLeast);
    return { ...standing, week, first: own[0]?.date ?? '', last: own.at(-1)?.date ?? '', balance, balanceAtLeast };
  });
}

function plus(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
