import { undefinedIfRefused } from '../client/assumed.ts';
import type { Needs } from '../session/context.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { parseWorkItem } from '../values/scalars.ts';
import { collectRows } from './all-rows.ts';
import { idOf } from './me.ts';
import { recordAt } from './record-at.ts';

export interface WorkItem {
  readonly id: number;
  readonly key: string;
  readonly title: string;
  readonly projectId: number | undefined;
}

/** Reads a work item by id or key: the path accepts both (rule 2.12). Costs one request. @throws NotFoundError */
export async function readWorkItem(context: Needs<'client'>, ref: string): Promise<WorkItem> {
  const { record } = await recordAt(context, `/work-items/${ref}`);
  return workItemOf(record, ref);
}

/**
 * Returns the id of a work item, because bodies and filters accept only ids (rule 2.13). A key costs one request. A dry run uses a
 * placeholder text.
 */
export async function workItemId(context: Needs<'client' | 'globals' | 'notifyOnce'>, text: string): Promise<number | string> {
  const typed = parseWorkItem(text);
  if (typed.kind === 'id') return typed.id;
  if (context.globals.dryRun) return (await import('./placeholder-id.ts')).placeholderId(context, typed.key);
  return (await readWorkItem(context, typed.key)).id;
}

/** Finds work items with exactly this title. Search is not documented. If the service does not search, the result is empty. */
export async function workItemsTitled(context: Needs<'client'>, title: string): Promise<readonly WorkItem[]> {
  const rows = await collectRows(context, '/work-items', [['q', title]], { assumed: ['q'] }).catch(undefinedIfRefused('q'));
  const items = (rows ?? []).flatMap((row) => (typeof row['id'] === 'number' ? [workItemOf(row, String(row['id']))] : []));
  return items.filter((item) => item.title === title);
}

function workItemOf(record: JsonObject, ref: string): WorkItem {
  const { project_id: project } = record;
  return {
    id: idOf(record, ref),
    key: scalarText(record['issue_key']) || ref,
    title: scalarText(record['title'] ?? record['name']).trim(),
    projectId: typeof project === 'number' ? project : undefined,
  };
}
