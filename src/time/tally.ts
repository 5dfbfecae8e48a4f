import type { Day } from './day.ts';

/** What was seen of somebody’s days. */
export interface Seen {
  /** All leave there is: of what may not be seen, days may be shorter than they look. */
  readonly leave: boolean;
  /** All entries there are. */
  readonly entries: boolean;
}

/**
 * Days added up, in whole minutes; undefined is what is not known. Where leave was not seen a target can only be lower than it looks, and
 * where entries were not, what was logged only higher: the bounds say how far that goes, and are the figure itself where it is known.
 */
export interface Tally {
  readonly away: number | undefined;
  readonly target: number | undefined;
  readonly targetAtMost: number | undefined;
  readonly logged: number | undefined;
  readonly loggedAtLeast: number;
  /** What is missing on each day, added up: a long day does not make up for a short one. */
  readonly gap: number | undefined;
  readonly gapAtMost: number | undefined;
}

/** Adds days up. */
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

/** The sum; undefined where one of them is. */
export function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0);
}
