import type { TemporalNamespace } from '../values/temporal.ts';
import { quote } from '../values/text.ts';
import { weekNumber } from './calendar.ts';
import { type Entry, entryBudgetName, nameById, projectName, shownDescription, userName, workItemName } from './entry.ts';

export const DIMENSIONS = [
  'customer',
  'project',
  'budget',
  'work-item',
  'sprint',
  'label',
  'description',
  'user',
  'day',
  'week',
  'month',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export function isPeriod(dimension: Dimension | undefined): boolean {
  return dimension === 'day' || dimension === 'week' || dimension === 'month';
}

/** A record with its id and name. An undefined `name` means that only the id is known. */
export interface NamedRecord {
  readonly id: number;
  readonly name: string | undefined;
}

/**
 * Finds records that entries do not name themselves, from their projects and work items. Null means no record; undefined means unknown.
 */
export interface Beyond {
  customerOf(projectId: number): NamedRecord | null | undefined;
  sprintOf(workItemId: number): NamedRecord | null | undefined;
  labelsOf(workItemId: number): readonly NamedRecord[] | undefined;
}

export const NOTHING_BEYOND: Beyond = { customerOf: () => undefined, sprintOf: () => undefined, labelsOf: () => undefined };

export const UNKNOWN = 'unknown';

export interface EntryPlace {
  /**
   * The key of the group: `2026-06-04`, `2026-W23`, `2026-06`, an id or a text. An empty string means that the entry has no such value;
   * {@link UNKNOWN} means unknown.
   */
  readonly key: string;
  readonly label: string;
  readonly members?: readonly NamedRecord[];
}

export function createPlacing(
  dimensions: readonly Dimension[],
  temporal: TemporalNamespace,
  beyond: Beyond = NOTHING_BEYOND,
): (entry: Entry) => readonly EntryPlace[] {
  const weeks = new Map<string, string>();
  const week = (date: string) => {
    const known = weeks.get(date);
    if (known !== undefined) return known;
    const name = /^\d{4}-\d{2}-\d{2}$/.test(date) ? weekNumber(date, temporal) : '';
    weeks.set(date, name);
    return name;
  };
  return (entry) => dimensions.map((dimension) => placeIn(dimension, entry, beyond, week));
}

function placeIn(dimension: Dimension, entry: Entry, beyond: Beyond, week: (date: string) => string): EntryPlace {
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
    case 'description':
      return placeOfText(shownDescription(entry));
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

function through<T>(id: number | null | undefined, find: (id: number) => T): T | null | undefined {
  return typeof id === 'number' ? find(id) : id;
}

function placeOf(what: string, record: NamedRecord | null | undefined): EntryPlace {
  const id = record === undefined || record === null ? record : record.id;
  return { key: keyOf(id), label: record?.name ?? nameById(what, id) };
}

/** Groups entries by their whole combination of labels, so that no minute counts twice. */
function placeOfLabels(labels: readonly NamedRecord[] | null | undefined): EntryPlace {
  if (labels === undefined) return { key: UNKNOWN, label: 'Unknown labels' };
  if (labels === null || labels.length === 0) return { key: '', label: 'No labels', members: [] };
  return {
    key: labels.map(({ id }) => id).join(','),
    label: labels.map(({ id, name }) => name ?? nameById('label', id)).join(', '),
    members: labels,
  };
}

/**
 * Groups texts without the space around them, in Unicode’s composed form (NFC). Quotes a text that equals the label of entries without
 * text.
 */
function placeOfText(text: string): EntryPlace {
  const key = text.trim().normalize('NFC');
  return { key, label: key === '' ? NO_TEXT : key === NO_TEXT ? quote(key) : key };
}

const NO_TEXT = 'No description';

function keyOf(id: number | null | undefined): string {
  return id === undefined ? UNKNOWN : String(id ?? '');
}

function period(name: string): EntryPlace {
  return { key: name, label: name || 'No date' };
}
