import { amountFor, type Cents } from '../values/money.ts';
import { compareTexts } from '../values/text.ts';
import type { Entry } from './entry.ts';
import type { Dimension, EntryPlace } from './places.ts';
import { orderedGroups } from './totals.ts';

/** An entry on a sheet, with its groups and its price. */
export interface SheetLine {
  readonly entry: Entry;
  /** Groups in each dimension of the sheet. */
  readonly places: readonly EntryPlace[];
  /** Undefined without a rate, and for an entry that is not billable. */
  readonly amount: Cents | undefined;
}

/** The sums of lines. `amount` is the sum of their rounded amounts, so that it equals the sum of the printed ones. */
export interface SheetSums {
  readonly entries: number;
  readonly minutes: number;
  /** Minutes of these. */
  readonly notBillable: number;
  readonly amount: Cents;
}

/** Lines of one group; the lines of an outer group are in its inner ones. */
export interface SheetGroup {
  readonly place: EntryPlace;
  readonly sums: SheetSums;
  readonly groups: readonly SheetGroup[];
  readonly lines: readonly SheetLine[];
}

/** Makes the line of an entry. An entry has a price unless it is known to be not billable. */
export function lineOf(entry: Entry, places: readonly EntryPlace[], rate: Cents | undefined): SheetLine {
  const amount = rate === undefined || entry.billable === false ? undefined : amountFor(entry.minutes, rate);
  return { entry, places, amount };
}

export function sumsOf(lines: readonly SheetLine[]): SheetSums {
  return {
    entries: lines.length,
    minutes: lines.reduce((sum, { entry }) => sum + entry.minutes, 0),
    notBillable: lines.reduce((sum, { entry }) => sum + (entry.billable === false ? entry.minutes : 0), 0),
    amount: lines.reduce((sum, { amount = 0n }) => sum + amount, 0n),
  };
}

/** Groups lines by one dimension, and within it by the next; within a group by day. */
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

/** Sorts lines by day, and within a day by id. */
export function byDay(lines: readonly SheetLine[]): readonly SheetLine[] {
  return lines.toSorted(({ entry: one }, { entry: other }) => compareTexts(one.date, other.date) || (one.id ?? 0) - (other.id ?? 0));
}
