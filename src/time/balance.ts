import type { TemporalNamespace } from '../values/temporal.ts';
import { weekNumber } from './calendar.ts';
import type { Day } from './day.ts';
import { type Seen, type Tally, tallyOf } from './tally.ts';

/** The logged time against the target, in whole minutes: above zero is surplus. Undefined: unknown. */
export interface TimeBalance extends Tally {
  readonly difference: number | undefined;
  /** The lower bound of the difference; undefined if unknown. */
  readonly differenceAtLeast: number | undefined;
}

/** A week of a range, or the part of it that lies in the range and not in the future. */
export interface WeekStanding extends TimeBalance {
  /** `2026-W23` */
  readonly week: string;
  readonly first: string;
  readonly last: string;
  /** The sum of the differences up to this week. */
  readonly balance: number | undefined;
  readonly balanceAtLeast: number | undefined;
}

/** Calculates the balance of some days. Later days than today count neither target nor time; today counts in full, as in a week. */
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

/** Returns the weeks of some days in order, up to today. */
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
