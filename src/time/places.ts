import type { TemporalNamespace } from '../values/temporal.ts';
import { weekNumber } from './calendar.ts';
import { type Entry, entryBudgetName, nameById, projectName, userName, workItemName } from './entry.ts';

/** What time can be added up by. */
export const DIMENSIONS = ['customer', 'project', 'budget', 'work-item', 'sprint', 'label', 'user', 'day', 'week', 'month'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Whether a dimension is a stretch of time, whose groups stand in their order. */
export function isPeriod(dimension: Dimension | undefined): boolean {
  return dimension === 'day' || dimension === 'week' || dimension === 'month';
}

/** A record by what people call it; `name` is undefined where only its id is known. */
export interface NamedRecord {
  readonly id: number;
  readonly name: string | undefined;
}

/** What entries belong to by way of their projects and work items. `null`: to none; `undefined`: that is not known. */
export interface Beyond {
  customerOf(projectId: number): NamedRecord | null | undefined;
  sprintOf(workItemId: number): NamedRecord | null | undefined;
  /** In the order in which they are shown; none: an empty list. */
  labelsOf(workItemId: number): readonly NamedRecord[] | undefined;
}

/** Nothing is known beyond the entries. */
export const NOTHING_BEYOND: Beyond = { customerOf: () => undefined, sprintOf: () => undefined, labelsOf: () => undefined };

/** The key of the group of entries that do not show where they belong. */
export const UNKNOWN = 'unknown';

/** Where an entry belongs in one dimension. */
export interface EntryPlace {
  /** Id of the record, or the period: `2026-06-04`, `2026-W23`, `2026-06`; empty for what has none, {@link UNKNOWN} where that is not known. */
  readonly key: string;
  readonly label: string;
  /** Of a combination of labels: each of them. */
  readonly members?: readonly NamedRecord[];
}

/** Where entries belong in each of some dimensions. */
export function createPlacing(
  dimensions: readonly Dimension[],
  temporal: TemporalNamespace,
  beyond: Beyond = NOTHING_BEYOND,
): (entry: Entry) => readonly EntryPlace[] {
  const weeks = new Map<string, string>();
  const week = (date: string) => {
    const known = weeks.get(date);
    if (known !== undefined) return known;
    const name = isDate(date) ? weekNumber(date, temporal) : '';
    weeks.set(date, name);
    return name;
  };
  return (entry) => dimensions.map((dimension) => placeIn(dimension, entry, { beyond, week }));
}

interface Reading {
  readonly beyond: Beyond;
  readonly week: (date: string) => string;
}

function placeIn(dimension: Dimension, entry: Entry, { beyond, week }: Reading): EntryPlace {
  switch (dimension) {
    case 'customer':
      return placeOf('customer', through(entry.projectId, beyond.customerOf));
    case 'project':
      return { key: keyOf(entry.projectId), label: projectName(entry) };
    case 'budget':
      return { key: keyOf(entry.budgetId), label: entryBudgetName(entry) };
    case 'work-item':
      return { key: keyOf(entry.workItemId), label: workItemName(entry) };
    case 'sprint':
      return placeOf('sprint', through(entry.workItemId, beyond.sprintOf));
    case 'label':
      return placeOfLabels(through(entry.workItemId, beyond.labelsOf));
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

/** What a record leads to, which is none where there is no record, and not known where nobody knows which it is. */
function through<T>(id: number | null | undefined, find: (id: number) => T): T | null | undefined {
  return typeof id === 'number' ? find(id) : id;
}

function placeOf(what: string, record: NamedRecord | null | undefined): EntryPlace {
  const id = record === undefined || record === null ? record : record.id;
  return { key: keyOf(id), label: record?.name ?? nameById(what, id) };
}

/** Each combination is a group of its own, so that no minute counts twice. */
function placeOfLabels(labels: readonly NamedRecord[] | null | undefined): EntryPlace {
  if (labels === undefined) return { key: UNKNOWN, label: 'Unknown labels' };
  if (labels === null || labels.length === 0) return { key: '', label: 'No labels', members: [] };
  return {
    key: labels.map(({ id }) => id).join(','),
    label: labels.map(({ id, name }) => name ?? nameById('label', id)).join(', '),
    members: labels,
  };
}

function keyOf(id: number | null | undefined): string {
  return id === undefined ? UNKNOWN : String(id ?? '');
}

function period(name: string): EntryPlace {
  return { key: name, label: name || 'No date' };
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}
