import type { DayMinutes } from './burn.ts';
import { type CapacityOn, sumCapacity } from './capacity.ts';
import { rangeOf } from './date-range.ts';

/** A day of a sprint. Times are in minutes. An unknown time is undefined. */
export type BurndownDay = ReturnType<typeof burndownOf>[number];

/**
 * Returns the days of a sprint. Future days have no logged time, unless somebody logged time on that day or a later day. @param estimated
 * minutes of all work items. @param teamOn capacity of the team. Default: unknown.
 */
export function burndownOf(
  days: readonly string[],
  estimated: number | undefined,
  logged: DayMinutes,
  today: string,
  teamOn: CapacityOn = () => undefined,
) {
  const { last } = rangeOf([...logged.keys(), today]);
  let so = 0;
  return days.map((date, index) => {
    const minutes = logged.get(date) ?? 0;
    so += minutes;
    const isKnown = date <= last;
    return {
      date,
      logged: isKnown ? minutes : undefined,
      total: isKnown ? so : undefined,
      /** Negative if more time was logged than estimated. */
      remaining: isKnown && estimated !== undefined ? estimated - so : undefined,
      /** Every calendar day takes the same share, and the last day ends at zero. */
      ideal: estimated === undefined ? undefined : Math.round((estimated * (days.length - index - 1)) / days.length),
      capacity: teamOn(date),
      /** The capacity of the days after this day. */
      capacityLeft: sumCapacity(days.slice(index + 1).map(teamOn)),
    };
  });
}
