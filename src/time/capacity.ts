import { addDays, startOf } from './calendar.ts';
import { type Calendar, computeDay } from './day.ts';
import type { Absence } from './leave.ts';

/** The working time of a person or a team, in minutes. `least` and `most` can differ if some leave is uncertain. */
export interface Capacity {
  /** The minutes in the working hours, before leave and days off. */
  readonly working: number;
  readonly least: number;
  readonly most: number;
}

/** Returns the capacity on a day, `YYYY-MM-DD`. Undefined if the working hours are unknown. */
export type CapacityOn = (date: string) => Capacity | undefined;

/**
 * Calculates the capacity of a person. Leave is uncertain in these cases:
 *
 * - The leave is only requested.
 * - The leave has no end, on the days after today.
 * - The record leaves open whether the last day belongs to the leave (rule 18.34).
 * - `isComplete` is false: svc cannot see all leave. The person can then be away on every day.
 */
export function capacityBy(calendar: Calendar & { readonly isComplete: boolean }): CapacityOn {
  const { absences, isComplete } = calendar;
  const isCertain = absences.every(({ end, isRequested, openDay }) => Number.isFinite(end) && !isRequested && openDay === undefined);
  const sure = isCertain ? calendar : { ...calendar, absences: absences.flatMap((absence) => shortest(absence, calendar)) };
  const possible = isCertain ? calendar : { ...calendar, absences: absences.map((absence) => longest(absence, calendar)) };
  const known = new Map<string, Capacity | undefined>();
  return (date) => {
    if (!known.has(date)) {
      const { working, target: most } = computeDay(date, [], sure);
      const least = !isComplete ? 0 : isCertain ? most : computeDay(date, [], possible).target;
      known.set(date, working === undefined || most === undefined || least === undefined ? undefined : { working, least, most });
    }
    return known.get(date);
  };
}

/** Adds up capacities. Undefined if a capacity is unknown. */
export function sumCapacity(parts: readonly (Capacity | undefined)[]): Capacity | undefined {
  return parts.reduce<Capacity | undefined>(
    (sum, part) => sum && part && { working: sum.working + part.working, least: sum.least + part.least, most: sum.most + part.most },
    { working: 0, least: 0, most: 0 },
  );
}

/** Returns the exact minutes. Undefined if the capacity is unknown, or if `least` and `most` differ. */
export function exactly(capacity: Capacity | undefined): number | undefined {
  return capacity?.least === capacity?.most ? capacity?.most : undefined;
}

/** Returns the part of an absence that is certain. */
function shortest({ isRequested, openDay, ...absence }: Absence, { dates, today }: Calendar): Absence[] {
  if (isRequested) return [];
  if (openDay !== undefined) return [{ ...absence, end: Math.min(absence.end, startOf(openDay.date, dates)) }];
  return [Number.isFinite(absence.end) ? absence : { ...absence, end: startOf(addDays(today, 1, dates.temporal), dates) }];
}

function longest({ openDay, ...absence }: Absence, { dates }: Calendar): Absence {
  return openDay === undefined ? absence : { ...absence, end: startOf(addDays(openDay.date, 1, dates.temporal), dates) };
}
