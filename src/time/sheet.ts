import { amountFor, type Cents } from '../values/money.ts';
import { compareTexts } from '../values/text.ts';
import type { Entry } from './entry.ts';
import type { Dimension, EntryPlace } from './places.ts';
import { orderedGroups } from './totals.ts';

export type SheetLine = ReturnType<typeof lineOf>;

/** The entries of one group. An outer group has inner groups; only the innermost groups have `lines`. */
export interface SheetGroup {
  readonly place: EntryPlace;
  readonly sums: ReturnType<typeof sumsOf>;
  readonly groups: readonly SheetGroup[];
  readonly lines: readonly SheetLine[];
}

/** Returns an entry with its price. The price is undefined without a rate, and for an entry that is not billable. */
export function lineOf(entry: Entry, places: readonly EntryPlace[], rate: Cents | undefined) {
  const amount = rate === undefined || entry.billable === false ? undefined : amountFor(entry.minutes, rate);
  return { entry, places, amount };
}

/** Adds up entries. `amount` adds up rounded prices, so that it equals the sum of the printed prices. */
export function sumsOf(lines: readonly SheetLine[]) {
  return {
    entries: lines.length,
    minutes: lines.reduce((sum, { entry }) => sum + entry.minutes, 0),
    notBillable: lines.reduce((sum, { entry }) => sum + (entry.billable === false ? entry.minutes : 0), 0),
    amount: lines.reduce((sum, { amount = 0n }) => sum + amount, 0n),
  };
}

export function groupLines(lines: readonly SheetLine[], dimensions: readonly Dimension[], depth = 0): readonly SheetGroup[] {
  const dimension = dimensions[depth];
  if (dimension === undefined) return [];
  const groups = [...Map.groupBy(lines, ({ places }) => places[depth]?.key)].map(([key = '', some]) => {
    const place = some[0]?.places[depth] ?? { key, label: '' };
    const inner = groupLines(some, dimensions, depth + 1);
    return { ...place, group: { place, sums: sumsOf(some), groups: inner, lines: inner.length > 0 ? [] : byDay(some) } };
  });
  return groups.sort(orderedGroups(dimension, ({ group }) => group.sums.minutes)).map(({ group }) => group);
}

export function byDay(lines: readonly SheetLine[]): readonly SheetLine[] {
  return lines.toSorted(({ entry: one }, { entry: other }) => compareTexts(one.date, other.date) || (one.id ?? 0) - (other.id ?? 0));
}
