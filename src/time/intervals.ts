import { union } from '../values/union.ts';
import type { Interval } from './calendar.ts';

/** Returns the parts of sorted intervals outside `taken`. @param taken sorted intervals without overlaps, as {@link union} returns. */
export function without<T extends Interval>(intervals: readonly T[], taken: readonly Interval[]): T[] {
  const parts: T[] = [];
  let from = 0;
  for (const one of intervals) {
    while ((taken[from]?.end ?? Number.POSITIVE_INFINITY) <= one.start) from += 1;
    let { start } = one;
    for (let at = from; start < one.end; at += 1) {
      const next = taken[at] ?? { start: one.end, end: one.end };
      const end = Math.min(one.end, next.start);
      if (end > start) parts.push({ ...one, start, end });
      start = Math.max(start, next.end);
    }
  }
  return parts;
}

/** Returns the parts of intervals within a range. */
export function within<T extends Interval>(intervals: readonly T[], range: Interval): T[] {
  return intervals.flatMap((one) => {
    const [start, end] = [Math.max(one.start, range.start), Math.min(one.end, range.end)];
    return end > start ? [{ ...one, start, end }] : [];
  });
}

/** Measures how much of an interval the other intervals cover, in milliseconds. Overlapping time counts once. */
export function covered(interval: Interval, others: readonly Interval[]): number {
  return union(within(others, interval)).reduce((sum, { start, end }) => sum + end - start, 0);
}
