import type { DayMinutes } from './burn.ts';

/** A day of a sprint, in minutes; undefined for unknown or future values. */
export interface BurndownDay {
  readonly date: string;
  readonly logged: number | undefined;
  /** Time logged from the first day to the end of this one. */
  readonly total: number | undefined;
  /** Remaining estimated time; below zero if more was logged. */
  readonly remaining: number | undefined;
  /** The remaining time if every calendar day took the same share, with nothing left on the last. */
  readonly ideal: number | undefined;
}

/**
 * Calculates the remaining estimated time, day by day. Future days have no time yet, unless someone logged time on them or later.
 *
 * @param days every day of the sprint, in order.
 * @param estimated sum of all its work items; undefined if unknown.
 */
export function burndownOf(days: readonly string[], estimated: number | undefined, logged: DayMinutes, today: string): BurndownDay[] {
  const last = [...logged.keys()].reduce((latest, day) => (day > latest ? day : latest), today);
  let so = 0;
  return days.map((date, index) => {
    const minutes = logged.get(date) ?? 0;
    so += minutes;
    const isKnown = date <= last;
    return {
      date,
      logged: isKnown ? minutes : undefined,
      total: isKnown ? so : undefined,
      remaining: isKnown && estimated !== undefined ? estimated - so : undefined,
      ideal: estimated === undefined ? undefined : Math.round((estimated * (days.length - index - 1)) / days.length),
    };
  });
}
