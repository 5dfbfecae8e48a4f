import { formatDuration } from '../values/duration.ts';
import type { TemporalNamespace } from '../values/temporal.ts';
import type { DayMinutes, Rate } from './burn.ts';
import { addDays, daysBetween } from './calendar.ts';
import { type CapacityOn, sumCapacity } from './capacity.ts';
import type { FigureStep, StepRecord } from './figure-step.ts';

/** The day on which a budget runs out. Null: later than svc calculates, {@link FORECAST_DAYS}. Undefined: unknown. */
export type End = string | null | undefined;

export type Forecast = ReturnType<typeof forecastOf>;

/** The number of days after today for which svc calculates: two years. */
export const FORECAST_DAYS = 731;

export interface Worker {
  /** The minutes that the person logged on the budget, by day. */
  readonly logged: DayMinutes;
  readonly capacityOn: CapacityOn;
  /** The user of the worklogs. Undefined if the service does not show the user. */
  readonly record: StepRecord | undefined;
}

/**
 * The work of a person on a budget in the weeks of the rate. svc expects the person to log `minutes` for each `capacity` of working time.
 */
export type WorkShare = ReturnType<typeof workShareOf>;

/**
 * Compares the logged time of a person with their capacity, in the weeks of the rate. Nobody logs hours while away. svc therefore counts the
 * logged hours of a day as worked, even if leave on that day is uncertain.
 */
export function workShareOf({ logged, capacityOn, record }: Worker, { first, last }: Rate, temporal: TemporalNamespace) {
  const days = daysBetween(first, last, temporal).map((date) => ({ own: logged.get(date) ?? 0, day: capacityOn(date) }));
  const worked = days.map(({ own, day }) => day && { ...day, least: Math.max(day.least, Math.min(own, day.most)) });
  return { minutes: days.reduce((sum, { own }) => sum + own, 0), capacity: sumCapacity(worked), capacityOn, record };
}

/**
 * Calculates the days between which the rest of a budget runs out, from tomorrow on. On each day, a person logs the same share of their
 * capacity as in the weeks of the rate. The earliest day has the largest shares and the least leave, and the latest day the opposite.
 * Both are equal if svc knows the capacity of everybody. If a day is known, its steps add up to the time left.
 *
 * @param left more than 0 minutes.
 */
export function forecastOf(left: number, shares: readonly WorkShare[], today: string, temporal: TemporalNamespace) {
  const working = shares.filter(({ minutes }) => minutes > 0);
  const days = daysBetween(addDays(today, 1, temporal), addDays(today, FORECAST_DAYS, temporal), temporal);
  const first = runOut(left, working, days, 'least', 'most');
  const last = runOut(left, working, days, 'most', 'least');
  const earliest = first.isComplete ? first.end : undefined;
  // Without a latest day, hidden leave or unknown hours leave the end open. The budget can still end within the two years.
  const isOpen = last.end === null && earliest !== null;
  const steps = {
    earliest: first.isComplete ? first.steps : first.steps.filter(({ minutes }) => minutes === null),
    latest: isOpen ? [...last.steps, UNCERTAIN] : last.steps,
  };
  return { earliest, latest: isOpen ? undefined : last.end, steps };
}

const UNCERTAIN: FigureStep = {
  kind: 'uncertain-leave',
  reason: 'svc does not know how much uncertain leave there will be',
  minutes: null,
};

type Bound = 'least' | 'most';

/**
 * Returns the day on which some people use up the minutes. Calculates in whole numbers, so that no rounding moves the day. `isComplete` is
 * false if the share of somebody is unknown: the day can then be earlier.
 */
function runOut(left: number, shares: readonly WorkShare[], days: readonly string[], per: Bound, takes: Bound) {
  const parts = shares.map((share) => ({ share, of: BigInt(share.capacity?.[per] ?? 0), capacity: 0n }));
  const known = parts.filter(({ of }) => of > 0n);
  const whole = known.reduce((product, { of }) => (product / divisorOf(product, of)) * of, 1n);
  let rest = BigInt(left) * whole;
  let end: string | null = null;
  for (const date of days) {
    for (const part of known) {
      const more = BigInt(part.share.capacityOn(date)?.[takes] ?? 0);
      part.capacity += more;
      rest -= ((BigInt(part.share.minutes) * whole) / part.of) * more;
    }
    if (rest > 0n) continue;
    end = date;
    break;
  }
  const steps = parts.map(({ share, of, capacity }): FigureStep => {
    const { record, minutes } = share;
    const name = record?.name ?? 'Somebody';
    if (of === 0n) {
      const unknown = `${name}: svc does not know the share of the working hours`;
      // For the latest day, svc counts no time of this person. The budget then lasts longer, because only the other people use the budget.
      return takes === 'most'
        ? { kind: 'unknown-hours', reason: unknown, record, minutes: null }
        : { kind: 'unknown-hours', reason: `${unknown}, and counts nothing`, record, minutes: 0 };
    }
    const [own, all, later] = [minutes, Number(of), Number(capacity)].map((some) => formatDuration(some));
    const reason = `${name}: ${own} of ${all} logged in the weeks of the rate, ${later} to come`;
    return { kind: 'share-of-hours', reason, record, minutes: Number((BigInt(minutes) * capacity) / of) };
  });
  const used = steps.reduce((sum, { minutes }) => sum + (minutes ?? 0), 0);
  if (end !== null && used !== left)
    steps.push({ kind: 'last-day', reason: 'Fractions of a minute, and the rest of the last day', date: end, minutes: left - used });
  return { end, steps, isComplete: known.length === parts.length };
}

function divisorOf(one: bigint, other: bigint): bigint {
  return other === 0n ? one : divisorOf(other, one % other);
}
