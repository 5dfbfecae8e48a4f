import type { Day } from './day.ts';

/** Whether svc saw all data of a person’s days. */
export interface Seen {
  /** All leave: days with hidden leave have less to work than shown. */
  readonly leave: boolean;
  /** All entries. */
  readonly entries: boolean;
}

/**
 * Sums of days, in whole minutes; undefined if unknown. Hidden leave can only lower a target, and hidden entries can only raise the logged
 * time. The bounds hold in these cases too, and equal a known figure.
 */
export interface Tally {
  readonly away: number | undefined;
  readonly target: number | undefined;
  readonly targetAtMost: number | undefined;
  readonly logged: number | undefined;
  readonly loggedAtLeast: number;
  /** The sum of the missing time of each day: a long day does not balance a short one. */
  readonly gap: number | undefined;
  readonly gapAtMost: number | undefined;
}

export function tallyOf(days: readonly Day[], seen: Seen): Tally {
  const targetAtMost = sumOf(days.map(({ target }) => target));
  const gapAtMost = sumOf(days.map(({ gap }) => gap));
  const loggedAtLeast = days.reduce((sum, { logged }) => sum + logged, 0);
  return {
    away: seen.leave ? sumOf(days.map(({ away }) => away)) : undefined,
    target: seen.leave ? targetAtMost : undefined,
    targetAtMost,
    logged: seen.entries ? loggedAtLeast : undefined,
    loggedAtLeast,
    gap: seen.leave && seen.entries ? gapAtMost : undefined,
    gapAtMost,
  };
}

/** Returns the sum; undefined if one of the values is. */
export function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0);
}
