import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../values/json.ts';

/** A worklog, as far as looking at time needs it (rules 4.1 to 4.10). */
export interface Entry {
  readonly id: number | undefined;
  readonly date: string;
  readonly minutes: number;
  readonly description: string;
  readonly projectId: number | undefined;
  /** The project's name, where the record holds the project. */
  readonly project: string | undefined;
  readonly workItemId: number | undefined;
  readonly key: string | undefined;
  readonly title: string | undefined;
  readonly userId: number | undefined;
  readonly user: string | undefined;
  readonly billable: boolean;
  readonly overtime: boolean;
}

/** A worklog's record, read loosely: whatever is missing is as if it had no value. */
export function readEntry(record: JsonObject): Entry {
  const project = member(record, 'project');
  const item = member(record, 'work_item');
  return {
    id: idOf(record['id']),
    date: scalarText(record['date']).slice(0, 10),
    minutes: Math.round(Number(scalarText(record['minutes']))) || 0,
    description: scalarText(record['description']),
    projectId: idOf(record['project_id']) ?? idOf(project['id']),
    project: textOf(project['name']),
    workItemId: idOf(record['work_item_id']) ?? idOf(item['id']),
    key: textOf(item['issue_key']),
    title: textOf(item['title']) ?? textOf(item['name']),
    userId: idOf(record['user_id']),
    user: textOf(member(record, 'user')['name']),
    billable: record['is_not_billable'] !== true,
    overtime: record['is_overtime'] === true,
  };
}

/** What a project is called: its name, else its id. */
export function projectName({ project, projectId }: Pick<Entry, 'project' | 'projectId'>): string {
  return project ?? (projectId === undefined ? 'No project' : `Project ${projectId}`);
}

/** What a work item is called: `ABC-12 Title`, as far as that is known. */
export function workItemName({ key, title, workItemId }: Pick<Entry, 'key' | 'title' | 'workItemId'>): string {
  const name = [key, title].filter((part) => part !== undefined).join(' ');
  return name || (workItemId === undefined ? 'No work item' : `Work item ${workItemId}`);
}

function idOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function member(record: JsonObject, name: string): JsonObject {
  const value = record[name];
  return isJsonObject(value) ? value : {};
}
