import type { TemporalNamespace } from '../values/temporal.ts';
import { compareTexts } from '../values/text.ts';
import type { Entry } from './entry.ts';
import type { FigureStep } from './figure-step.ts';
import { type Beyond, createPlacing, type Dimension, type EntryPlace, isPeriod } from './places.ts';

/**
 * The sums of entries, in minutes. `billable`, `notBillable` and `billableUnknown` add up to `minutes`. `…Unknown` minutes come from
 * entries that do not show the field. `entries` is the number of entries.
 */
export type Sums = Readonly<typeof EMPTY_SUMS>;

export const EMPTY_SUMS = { minutes: 0, billable: 0, notBillable: 0, billableUnknown: 0, overtime: 0, overtimeUnknown: 0, entries: 0 };

export interface Group extends EntryPlace {
  readonly dimension: Dimension;
  readonly sums: Sums;
  /** The steps that {@link createTimeTotals} got with the entries of the group. */
  readonly steps: readonly FigureStep[];
  readonly children: readonly Group[];
}

export type Totals = ReturnType<typeof createTimeTotals>;

export function createTimeTotals(dimensions: readonly Dimension[], temporal: TemporalNamespace, beyond?: Beyond) {
  const root: Node = { place: { key: '', label: '' }, sums: { ...EMPTY_SUMS }, steps: [], children: new Map() };
  const placesOf = createPlacing(dimensions, temporal, beyond);
  return {
    /** @param steps The steps that add up to the minutes of the entry. The totals keep the steps in memory. Default: none. */
    add(entry: Entry, steps: readonly FigureStep[] = []): void {
      let node = root;
      addTo(node.sums, entry);
      for (const place of placesOf(entry)) {
        const child: Node = node.children.get(place.key) ?? { place, sums: { ...EMPTY_SUMS }, steps: [], children: new Map() };
        node.children.set(place.key, child);
        addTo(child.sums, entry);
        child.steps.push(...steps);
        node = child;
      }
    },
    groups: () => groupsOf(root, dimensions),
    total: (): Sums => ({ ...root.sums }),
  };
}

/** Calculates the part in percent of the whole, with one decimal. Returns 0 if the whole is 0. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10;
}

interface Node {
  readonly place: EntryPlace;
  readonly sums: typeof EMPTY_SUMS;
  readonly steps: FigureStep[];
  readonly children: Map<string, Node>;
}

function addTo(sums: typeof EMPTY_SUMS, { minutes, billable, overtime }: Entry): void {
  sums.minutes += minutes;
  sums[billable === undefined ? 'billableUnknown' : billable ? 'billable' : 'notBillable'] += minutes;
  if (overtime !== false) sums[overtime === undefined ? 'overtimeUnknown' : 'overtime'] += minutes;
  sums.entries += 1;
}

function groupsOf({ children }: Node, [dimension, ...rest]: readonly Dimension[]): Group[] {
  if (dimension === undefined) return [];
  return [...children.values()]
    .map((child) => ({ dimension, ...child.place, sums: { ...child.sums }, steps: child.steps, children: groupsOf(child, rest) }))
    .sort(orderedGroups(dimension, ({ sums }) => sums.minutes));
}

export function orderedGroups<T extends EntryPlace>(dimension: Dimension, minutesOf: (one: T) => number): (one: T, other: T) => number {
  return isPeriod(dimension)
    ? (one, other) => compareTexts(one.key, other.key)
    : (one, other) => minutesOf(other) - minutesOf(one) || compareTexts(one.label, other.label);
}
