import type { DayMinutes } from './burn.ts';
import { type Capacity, type CapacityOn, sumCapacity } from './capacity.ts';

/**
 * A day of a sprint. Times are in minutes. An unknown time is undefined. On a future day after the last logged day, `logged`, `total` and
 * `remaining` are undefined.
 */
export interface BurndownDay {
  readonly date: string;
  readonly logged: number | undefined;
  readonly total: number | undefined;
  /** The remaining estimated time. Negative if more time was logged than estimated. */
  readonly remaining: number | undefined;
  /** The remaining time of an ideal sprint. Every calendar day takes the same share, and the last day ends at zero. */
  readonly ideal: number | undefined;
  readonly capacity: Capacity | undefined;
  /** The capacity of the days after this day. */
  readonly capacityLeft: Capacity | undefined;
}

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
): BurndownDay[] {
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
      capacity: teamOn(date),
      capacityLeft: sumCapacity(days.slice(index + 1).map(teamOn)),
    };
  });
}
