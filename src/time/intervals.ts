import type { Interval } from './calendar.ts';

/** Sorts intervals by start, joins intervals that touch or overlap, and drops empty intervals. */
export function union(intervals: readonly Interval[]): Interval[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of intervals.filter((one) => one.end > one.start).toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

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

/** Measures how much of an interval the other intervals cover, in milliseconds. Overlapping time counts once. */
export function covered(interval: Interval, others: readonly Interval[]): number {
  const parts = union(others.map(({ start, end }) => ({ start: Math.max(start, interval.start), end: Math.min(end, interval.end) })));
  return parts.reduce((sum, { start, end }) => sum + end - start, 0);
}
