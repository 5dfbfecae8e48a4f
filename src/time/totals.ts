import type { TemporalNamespace } from '../values/temporal.ts';
import { weekNumber } from './calendar.ts';
import { type Entry, projectName, workItemName } from './entry.ts';

/** What time can be added up by. */
export const DIMENSIONS = ['project', 'work-item', 'user', 'day', 'week', 'month'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Whether a dimension is a stretch of time, whose groups stand in their order. */
export function isPeriod(dimension: Dimension | undefined): boolean {
  return dimension === 'day' || dimension === 'week' || dimension === 'month';
}

/** Minutes, taken apart. `billable` and `notBillable` make up `minutes`; `overtime` is a part of both. */
export interface Sums {
  readonly minutes: number;
  readonly billable: number;
  readonly notBillable: number;
  readonly overtime: number;
  readonly entries: number;
}

/** Entries that have something in common. */
export interface Group {
  readonly dimension: Dimension;
  /** Id of the record, or the period: `2026-06-04`, `2026-W23`, `2026-06`; empty for what has none. */
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
  const root: Node = { key: '', label: '', sums: emptySums(), children: new Map() };
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
        const child = node.children.get(place.key) ?? { ...place, sums: emptySums(), children: new Map() };
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

function emptySums(): Mutable<Sums> {
  return { minutes: 0, billable: 0, notBillable: 0, overtime: 0, entries: 0 };
}

function addTo(sums: Mutable<Sums>, { minutes, billable, overtime }: Entry): void {
  sums.minutes += minutes;
  sums[billable ? 'billable' : 'notBillable'] += minutes;
  if (overtime) sums.overtime += minutes;
  sums.entries += 1;
}

function placeIn(dimension: Dimension, entry: Entry, week: (date: string) => string): { readonly key: string; readonly label: string } {
  switch (dimension) {
    case 'project':
      return { key: String(entry.projectId ?? ''), label: projectName(entry) };
    case 'work-item':
      return { key: String(entry.workItemId ?? ''), label: workItemName(entry) };
    case 'user':
      return { key: String(entry.userId ?? ''), label: entry.user ?? (entry.userId === undefined ? 'Nobody' : `User ${entry.userId}`) };
    case 'day':
      return period(entry.date);
    case 'week':
      return period(week(entry.date));
    case 'month':
      return period(entry.date.slice(0, 7));
  }
}

function period(name: string): { readonly key: string; readonly label: string } {
  return { key: name, label: name || 'No date' };
}

function groupsOf(node: Node, [dimension, ...rest]: readonly Dimension[]): Group[] {
  if (dimension === undefined) return [];
  return [...node.children.values()]
    .map((child) => ({ dimension, key: child.key, label: child.label, sums: { ...child.sums }, children: groupsOf(child, rest) }))
    .sort((a, b) => (isPeriod(dimension) ? compare(a.key, b.key) : b.sums.minutes - a.sums.minutes || compare(a.label, b.label)));
}

/** By code points: the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}
