import type { DayMinutes } from './burn.ts';

/** A day of a sprint; minutes throughout, undefined for what is not known or not yet. */
export interface BurndownDay {
  readonly date: string;
  readonly logged: number | undefined;
  /** Logged from the first day to the end of this one. */
  readonly total: number | undefined;
  /** Of what was estimated; below zero where more was logged. */
  readonly remaining: number | undefined;
  /** What would remain if every day of the calendar took the same share, nothing on the last. */
  readonly ideal: number | undefined;
}

/**
 * What is left of an estimation, day by day. Days ahead have no hours yet, unless something is logged on them or later.
 *
 * @param days every day of the sprint, in order.
 * @param estimated of all its work items; undefined where that is not known.
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
