import type { TemporalNamespace } from '../values/temporal.ts';
import type { DayMinutes, Rate } from './burn.ts';
import { addDays, daysBetween } from './calendar.ts';
import type { Capacity, CapacityOn } from './capacity.ts';

/** The day on which a budget runs out. Null: later than svc calculates, {@link FORECAST_DAYS}. Undefined: unknown. */
export type End = string | null | undefined;

/** The days between which a budget runs out. Both are equal if svc knows the capacity of everybody who works on the budget. */
export interface Forecast {
  readonly earliest: End;
  readonly latest: End;
}

/** The days after today for which svc calculates: two years. */
export const FORECAST_DAYS = 731;

export interface Worker {
  /** The minutes that the person logged on the budget, by day. */
  readonly logged: DayMinutes;
  readonly capacityOn: CapacityOn;
}

/** The work of a person on a budget in the weeks of the rate. The person will log `minutes` in each `capacity` of working time. */
export interface WorkShare {
  readonly minutes: number;
  /** Undefined if the working hours are unknown. */
  readonly capacity: Capacity | undefined;
  readonly capacityOn: CapacityOn;
}

/**
 * Compares the logged time of a person with their capacity, in the weeks of the rate. Nobody logs hours while away, so
 * uncertain leave did not take the logged hours of a day.
 */
export function workShareOf({ logged, capacityOn }: Worker, { first, last }: Rate, temporal: TemporalNamespace): WorkShare {
  let minutes = 0;
  let sum: Capacity | undefined = { working: 0, least: 0, most: 0 };
  for (const date of daysBetween(first, last, temporal)) {
    const own = logged.get(date) ?? 0;
    const day = capacityOn(date);
    minutes += own;
    sum = sum &&
      day && {
        working: sum.working + day.working,
        least: sum.least + Math.max(day.least, Math.min(own, day.most)),
        most: sum.most + day.most,
      };
  }
  return { minutes, capacity: sum, capacityOn };
}

/**
 * Calculates when the rest of a budget is used up, day by day, from tomorrow on. On each day, a person logs the same share of their
 * capacity as in the weeks of the rate. The earliest day has the largest shares and the least leave, and the latest day the opposite.
 *
 * @param left more than 0 minutes.
 */
export function forecastOf(left: number, shares: readonly WorkShare[], today: string, temporal: TemporalNamespace): Forecast {
  const working = shares.filter(({ minutes }) => minutes > 0);
  const days = daysBetween(addDays(today, 1, temporal), addDays(today, FORECAST_DAYS, temporal), temporal);
  const isBounded = working.every(({ capacity }) => capacity !== undefined && capacity.least > 0);
  const earliest = isBounded ? runOut(left, working, days, { per: 'least', takes: 'most' }) : undefined;
  const latest = runOut(left, working, days, { per: 'most', takes: 'least' });
  return { earliest, latest: latest === null && earliest !== null ? undefined : latest };
}

interface Bound {
  readonly per: 'least' | 'most';
  readonly takes: 'least' | 'most';
}

/** Returns the day on which these people use up the minutes. Calculates in whole numbers, so that no rounding moves the day. */
function runOut(left: number, shares: readonly WorkShare[], days: readonly string[], { per, takes }: Bound): string | null {
  const parts = shares.flatMap(({ minutes, capacity, capacityOn }) =>
    capacity === undefined || capacity[per] <= 0 ? [] : [{ minutes: BigInt(minutes), per: BigInt(capacity[per]), capacityOn }],
  );
  const whole = parts.reduce((product, part) => (product / divisorOf(product, part.per)) * part.per, 1n);
  let rest = BigInt(left) * whole;
  for (const date of days) {
    for (const part of parts) rest -= ((part.minutes * whole) / part.per) * BigInt(part.capacityOn(date)?.[takes] ?? 0);
    if (rest <= 0n) return date;
  }
  return null;
}

function divisorOf(one: bigint, other: bigint): bigint {
  return other === 0n ? one : divisorOf(other, one % other);
}
