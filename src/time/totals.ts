import { compareTexts } from '../values/compare.ts';
import type { TemporalNamespace } from '../values/temporal.ts';
import { weekNumber } from './calendar.ts';
import { type Entry, projectName, userName, workItemName } from './entry.ts';

/** What time can be added up by. */
export const DIMENSIONS = ['project', 'work-item', 'user', 'day', 'week', 'month'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Whether a dimension is a stretch of time, whose groups stand in their order. */
export function isPeriod(dimension: Dimension | undefined): boolean {
  return dimension === 'day' || dimension === 'week' || dimension === 'month';
}

/**
 * Minutes, taken apart. `billable`, `notBillable` and `billableUnknown` make up `minutes`; `overtime` is a part of them, and so is
 * `overtimeUnknown`. Unknown are those of entries that do not show it.
 */
export interface Sums {
  readonly minutes: number;
  readonly billable: number;
  readonly notBillable: number;
  readonly billableUnknown: number;
  readonly overtime: number;
  readonly overtimeUnknown: number;
  readonly entries: number;
}

/** Sums of nothing. */
export const NOTHING: Sums = {
  minutes: 0,
  billable: 0,
  notBillable: 0,
  billableUnknown: 0,
  overtime: 0,
  overtimeUnknown: 0,
  entries: 0,
};

/** The key of the group of entries that do not show where they belong. */
export const UNKNOWN = 'unknown';

/** Entries that have something in common. */
export interface Group {
  readonly dimension: Dimension;
  /** Id of the record, or the period: `2026-06-04`, `2026-W23`, `2026-06`; empty for what has none, {@link UNKNOWN} where that is not known. */
  readonly key: string;
  readonly label: string;
  readonly sums: Sums;
  /** By the next dimension; empty on the last. */
  readonly children: readonly Group[];
}

/** Adds entries up as they come; holds groups, never entries. */
export interface Totals {
  add(entry: Entry): void;
  /** The groups, largest first; periods in their order. */
  groups(): readonly Group[];
  total(): Sums;
}

/** Totals by one dimension, and within it by the next. */
export function createTotals(dimensions: readonly Dimension[], temporal: TemporalNamespace): Totals {
  const root: Node = { key: '', label: '', sums: { ...NOTHING }, children: new Map() };
  const weeks = new Map<string, string>();
  const week = (date: string) => {
    const known = weeks.get(date);
    if (known !== undefined) return known;
    const name = isDate(date) ? weekNumber(date, temporal) : '';
    weeks.set(date, name);
    return name;
  };
  return {
    add(entry) {
      let node = root;
      addTo(node.sums, entry);
      for (const dimension of dimensions) {
        const place = placeIn(dimension, entry, week);
        const child = node.children.get(place.key) ?? { ...place, sums: { ...NOTHING }, children: new Map() };
        node.children.set(place.key, child);
        addTo(child.sums, entry);
        node = child;
      }
    },
    groups: () => groupsOf(root, dimensions),
    total: () => ({ ...root.sums }),
  };
}

/** A share of a whole in percent with one decimal; 0 of nothing. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10;
}

interface Node {
  readonly key: string;
  readonly label: string;
  readonly sums: Mutable<Sums>;
  readonly children: Map<string, Node>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function addTo(sums: Mutable<Sums>, { minutes, billable, overtime }: Entry): void {
  sums.minutes += minutes;
  sums[billable === undefined ? 'billableUnknown' : billable ? 'billable' : 'notBillable'] += minutes;
  if (overtime !== false) sums[overtime === undefined ? 'overtimeUnknown' : 'overtime'] += minutes;
  sums.entries += 1;
}

function placeIn(dimension: Dimension, entry: Entry, week: (date: string) => string): { readonly key: string; readonly label: string } {
  switch (dimension) {
    case 'project':
      return { key: keyOf(entry.projectId), label: projectName(entry) };
    case 'work-item':
      return { key: keyOf(entry.workItemId), label: workItemName(entry) };
    case 'user':
      return { key: keyOf(entry.userId), label: userName(entry) };
    case 'day':
      return period(entry.date);
    case 'week':
      return period(week(entry.date));
    case 'month':
      return period(entry.date.slice(0, 7));
  }
}

function keyOf(id: number | null | undefined): string {
  return id === undefined ? UNKNOWN : String(id ?? '');
}

function period(name: string): { readonly key: string; readonly label: string } {
  return { key: name, label: name || 'No date' };
}

function groupsOf(node: Node, [dimension, ...rest]: readonly Dimension[]): Group[] {
  if (dimension === undefined) return [];
  return [...node.children.values()]
    .map((child) => ({ dimension, key: child.key, label: child.label, sums: { ...child.sums }, children: groupsOf(child, rest) }))
    .sort((a, b) => (isPeriod(dimension) ? compareTexts(a.key, b.key) : b.sums.minutes - a.sums.minutes || compareTexts(a.label, b.label)));
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}
