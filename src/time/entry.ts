import { UnavailableError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../values/json.ts';

/** A worklog (rules 4.1 to 4.10). A null field has no value. The service does not show an undefined field (rule 18.23). */
export type Entry = Readonly<ReturnType<typeof readEntry>>;

/** Reads a worklog. @throws UnavailableError for a record without a day or without minutes, because every view has both. */
export function readEntry(record: JsonObject) {
  const project = member(record, 'project');
  const budget = member(record, 'budget');
  const item = member(record, 'work_item');
  const user = member(record, 'user');
  const notBillable = booleanIn(record['is_not_billable']);
  return {
    id: idOf(record['id']) ?? undefined,
    date: dayOf(record),
    minutes: minutesOf(record),
    /** The text. Empty without a text, and if the service does not show the field. */
    description: scalarText(record['description']),
    showsDescription: record['description'] !== undefined,
    projectId: idIn(record['project_id'], project),
    project: textIn(project, 'name'),
    isProjectOver: isOver(project, dayOf(record)),
    budgetId: idIn(record['budget_id'], budget),
    budget: textIn(budget, 'name'),
    workItemId: idIn(record['work_item_id'], item),
    key: textIn(item, 'issue_key'),
    title: textIn(item, 'title') ?? textIn(item, 'name'),
    userId: idIn(record['user_id'], user),
    user: textIn(user, 'name'),
    billable: notBillable === undefined ? undefined : !notBillable,
    overtime: booleanIn(record['is_overtime']),
  };
}

/** Returns true if the project of a record is on hold, or ended before the day (rules 4.37, 4.38). */
export function isOver(project: JsonObject | null | undefined, day: string): boolean {
  const { status, end_date: end } = project ?? {};
  return status === 'on-hold' || (typeof end === 'string' && end < day);
}

export function projectName({ project, projectId }: Pick<Entry, 'project' | 'projectId'>): string {
  return project ?? nameById('project', projectId);
}

export function entryBudgetName({ budget, budgetId }: Pick<Entry, 'budget' | 'budgetId'>): string {
  return budget ?? nameById('budget', budgetId);
}

/**
 * Returns the key and the title of a work item: `ABC-12 Title`, or only the key or the title. Without both: `Work item 12`, `No work item`
 * or `Unknown work item`.
 */
export function workItemName({ key, title, workItemId }: Pick<Entry, 'key' | 'title' | 'workItemId'>): string {
  const name = [key, title].filter((part) => part !== undefined).join(' ');
  return name || nameById('work item', workItemId);
}

export function userName({ user, userId }: Pick<Entry, 'user' | 'userId'>): string {
  return user ?? (userId === null ? 'Nobody' : nameById('user', userId));
}

/** Returns the text of an entry. @throws UnavailableError for an entry that does not show its text, because every view has the text. */
export function shownDescription({ id, description, showsDescription }: Pick<Entry, 'id' | 'description' | 'showsDescription'>): string {
  if (showsDescription) return description;
  throw unreadable(id, 'description', false);
}

/** Describes a record whose name is unknown: `Project 3`, `No project` or `Unknown project`. */
export function nameById(what: string, id: number | null | undefined): string {
  if (id === undefined) return `Unknown ${what}`;
  return id === null ? `No ${what}` : `${what.charAt(0).toUpperCase()}${what.slice(1)} ${id}`;
}

function dayOf(record: JsonObject): string {
  const date = scalarText(record['date']).slice(0, 10);
  if (/^\d{4}-\d{2}-\d{2}$/.test(date)) return date;
  throw unreadable(record['id'], 'date', Object.hasOwn(record, 'date'));
}

function minutesOf(record: JsonObject): number {
  const text = scalarText(record['minutes']);
  const minutes = Number(text);
  if (text !== '' && Number.isFinite(minutes)) return Math.round(minutes);
  throw unreadable(record['id'], 'minutes', Object.hasOwn(record, 'minutes'));
}

function unreadable(id: JsonValue | undefined, field: string, isShown: boolean): UnavailableError {
  const shown = isShown ? 'in a form that svc cannot read' : 'not at all';
  return new UnavailableError(`The service shows the ${field} of entry ${scalarText(id) || '?'} ${shown}.`, {
    hint: 'See the record: svc worklogs get <id> --output json',
  });
}

export function idIn(own: JsonValue | undefined, relation: JsonObject | null | undefined): number | null | undefined {
  const id = idOf(own);
  if (typeof id === 'number' || relation === undefined) return id;
  return relation === null ? null : (idOf(relation['id']) ?? id);
}

function idOf(value: JsonValue | undefined): number | null | undefined {
  if (value === null) return null;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** Reads a boolean field. Undefined for null, a missing field, and any other value. */
export function booleanIn(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function textIn(record: JsonObject | null | undefined, name: string): string | undefined {
  const value = record?.[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Returns an included record. Null: there is no related record. Undefined: the service does not show the relation. */
export function member(record: JsonObject, name: string): JsonObject | null | undefined {
  const value = record[name];
  return isJsonObject(value) || value === null ? value : undefined;
}

export function idsOf(entries: readonly Pick<Entry, 'id'>[]): number[] {
  return entries.flatMap(({ id }) => id ?? []).sort((one, other) => one - other);
}

export function minutesIn(entries: readonly Pick<Entry, 'minutes'>[]): number {
  return entries.reduce((sum, { minutes }) => sum + minutes, 0);
}
