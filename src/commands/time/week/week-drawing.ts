import { type HoursPeriod, hoursLegend, hoursTiles, periodChart } from '../../../output/hours-charts.ts';
import type { Day } from '../../../time/day.ts';
import type { Entry } from '../../../time/entry.ts';
import { sumOf } from '../../../time/tally.ts';
import { createTimeTotals, EMPTY_SUMS } from '../../../time/totals.ts';
import type { TemporalNamespace } from '../../../values/temporal.ts';

export interface DrawnWeek {
  /** The days of each person, with the same dates. */
  readonly people: readonly (readonly Day[])[];
  readonly entries: readonly Entry[];
  /** The sums of the targets and of the missing hours as texts. */
  readonly target: string;
  readonly missing: string;
  /** Returns the label of a day, such as `Mon 15`. */
  readonly nameOf: (date: string) => string;
  readonly temporal: TemporalNamespace;
}

/** Returns HTML that shows the sums of a week as tiles, and its days as columns with their targets. */
export function drawWeek({ people, entries, target, missing, nameOf, temporal }: DrawnWeek): string {
  const totals = createTimeTotals(['day'], temporal);
  for (const entry of entries) totals.add(entry);
  const found = new Map(totals.groups().map(({ key, sums }) => [key, sums]));
  const periods = (people[0] ?? []).map(
    ({ date }, at): HoursPeriod => ({
      label: nameOf(date),
      target: sumOf(people.map((days) => days[at]?.target)),
      ...(found.get(date) ?? EMPTY_SUMS),
    }),
  );
  const total = totals.total();
  const hasTarget = periods.some((period) => (period.target ?? 0) > 0);
  const sums = [
    ['Target', target],
    ['Missing', missing],
  ] as const;
  return hoursTiles(total, sums) + hoursLegend(total, hasTarget) + periodChart('day', periods);
}
