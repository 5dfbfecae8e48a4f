import type { Needs } from '../session/context.ts';
import { idIn, member } from '../time/entry.ts';
import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import { collectRows, DETAIL } from './all-rows.ts';
import { assumedFilter } from './list-filter.ts';
import { recordAt } from './record-at.ts';

/**
 * A sprint. Its days are not documented. `null` means that the sprint has no such day. `undefined` means that the service does not show the
 * day.
 */
export interface Sprint {
  readonly id: number;
  readonly name: string;
  readonly start: string | null | undefined;
  readonly end: string | null | undefined;
  readonly state: string | undefined;
}

export interface SprintItem {
  readonly id: number;
  readonly key: string;
  /** The estimate in minutes. `null` means no estimate. `undefined` means that the service does not show the estimate. */
  readonly estimation: number | null | undefined;
  readonly assigneeId: number | null | undefined;
}

export async function readSprint(context: Needs<'client'>, id: string): Promise<Sprint> {
  const { record } = await recordAt(context, `/sprints/${id}`);
  return sprintOf(record, id);
}

export async function readSprints(context: Needs<'client'>): Promise<readonly Sprint[]> {
  return (await collectRows(context, '/sprints', DETAIL)).map((record) => sprintOf(record, scalarText(record['id'] ?? null)));
}

function sprintOf(record: JsonObject, id: string): Sprint {
  return {
    id: Number(scalarText(record['id'] ?? id)),
    name: scalarText(record['name']).trim() || `Sprint ${id}`,
    start: textOf(record['start_date']),
    end: textOf(record['end_date']),
    state: textOf(record['state']) ?? undefined,
  };
}

/**
 * Reads the work items of a sprint. The filter is undocumented (rule 18.27). If the service refuses the filter, svc reads all items and
 * filters them itself.
 */
export async function readSprintItems(context: Needs<'client' | 'notice'>, id: string): Promise<readonly SprintItem[]> {
  const rows = await collectRows(context, '/work-items', DETAIL, {
    filters: [assumedFilter('sprint_id', id)],
    onRefused: () =>
      context.notice('The service does not filter work items by sprint, so svc reads all work items and filters them itself.'),
  });
  return rows.flatMap(readItem);
}

function readItem(record: JsonObject): SprintItem[] {
  const { id, estimation } = record;
  if (typeof id !== 'number') return [];
  const minutes = typeof estimation === 'number' ? Math.round(estimation) : undefined;
  return [
    {
      id,
      key: scalarText(record['issue_key']) || `#${id}`,
      estimation: estimation === null ? null : minutes,
      assigneeId: idIn(record['assignee_id'], member(record, 'assignee')),
    },
  ];
}

function textOf(value: JsonValue | undefined): string | null | undefined {
  if (value === null) return null;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
