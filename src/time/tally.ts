import type { Day } from './day.ts';

export interface Seen {
  /** Whether all leave was visible. With hidden leave, the true target can be lower. */
  readonly leave: boolean;
  /** Whether all entries were visible. With hidden entries, the true logged time can be higher. */
  readonly entries: boolean;
}

/** An undefined sum is unknown. `…AtMost` and `…AtLeast` are bounds, which also hold when leave or entries are hidden. */
export interface Tally {
  readonly away: number | undefined;
  readonly target: number | undefined;
  readonly targetAtMost: number | undefined;
  readonly logged: number | undefined;
  readonly loggedAtLeast: number;
  /** The missing time of all days. A long day does not make up for a short one. */
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

export function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0);
}
