/** A range from `start` to `end`. The end is not part of the range. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Sorts ranges by start, joins ranges that touch or overlap, and drops empty ranges. */
export function union(ranges: readonly Range[]): Range[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.filter((one) => one.end > one.start).toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}
