import { localDate, MINUTE, utcSecond } from '../dates.ts';
import type { Json, Row } from '../json.ts';
import { invalidBody, Problem } from '../problem.ts';
import type { ResourceAction, ServedField, ServedResource } from '../resources/define.ts';
import { zoneOf } from '../resources/fields.ts';
import type { Call, ServedOperation } from './call.ts';
import { oncePerKey } from './idempotency.ts';
import { requireMatch, requireWrite, rowOfPath } from './lookup.ts';
import { checkRecordQuery, recordReply, storeChanges } from './record.ts';
import type { Reply } from './stores.ts';
import { readRequestBody, validate } from './validate.ts';

function taking(resource: ServedResource, { body }: ServedOperation): ServedResource {
  return { ...resource, fields: body !== undefined && 'fields' in body ? body.fields : {} };
}

type Fields = Readonly<Record<string, ServedField>>;

export const TRANSITION_FIELDS: Fields = { workflow_status_id: { type: 'reference', to: 'workflow-statuses', write: 'required' } };

/** The body of `move`. `after_work_item_id` is the only field that accepts an id or a key (rule 2.14). Null means the first position. */
export const MOVE_FIELDS: Fields = {
  after_work_item_id: {
    type: 'reference',
    to: 'work-items',
    nullable: true,
    write: 'optional',
    takes: { type: ['integer', 'string', 'null'], description: 'The id or the key of a work item to stand after; null: the first place.' },
  },
  sprint_id: { type: 'reference', to: 'sprints', nullable: true, write: 'optional' },
};

function conflict(reason: string, detail: string, more: { readonly [key: string]: Json } = {}): Problem {
  return new Problem(409, 'state-conflict', detail, { members: { conflict: { reason, ...more } } });
}

export function transition(call: Call): Reply {
  const resource = call.sandboxState.service.named('work-items');
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const row = rowOfPath(call, resource, undefined);
    const to = validate(taking(resource, call.operation), readRequestBody(call), 'create', call.sandboxState)['workflow_status_id'];
    const from = row['workflow_status_id'] ?? null;
    if (to !== from || call.sandboxState.interpretations.staleNoop === 412) requireMatch(call, resource, row);
    const legal = call.db
      .table('workflow-transitions')
      .where('from_status_id', from)
      .map((known) => known['to_status_id']);
    if (to !== from && !legal.includes(to)) {
      throw conflict('illegal_transition', `The workflow has no transition from status ${String(from)} to status ${String(to)}.`, {
        from_status_id: from,
        to_status_id: to ?? null,
      });
    }
    return recordReply(call, resource, storeChanges(call, resource, row, { workflow_status_id: to ?? null }), 200);
  });
}

export function move(call: Call): Reply {
  const resource = call.sandboxState.service.named('work-items');
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const row = rowOfPath(call, resource, undefined);
    requireMatch(call, resource, row);
    const { after_work_item_id: afterId = null, ...rest } = readRequestBody(call);
    const values = validate(taking(resource, call.operation), rest, 'update', call.sandboxState);
    const after = afterId === null ? undefined : workItem(call, afterId);
    const sprint = values['sprint_id'] ?? (after ?? row)['sprint_id'] ?? null;
    const isToBacklog = values['sprint_id'] === null;
    return recordReply(call, resource, place(call, resource, row, after, isToBacklog ? null : sprint), 200);
  });
}

function workItem(call: Call, id: Json): Row {
  const table = call.db.table('work-items');
  const row = typeof id === 'number' ? table.get(id) : typeof id === 'string' ? table.where('issue_key', id)[0] : undefined;
  if (row === undefined) {
    throw invalidBody([{ key: 'after_work_item_id', code: 'exists', message: 'after_work_item_id is not the id or key of a work item.' }]);
  }
  return row;
}

function place(call: Call, resource: ServedResource, row: Row, after: Row | undefined, sprint: Json): Row {
  const table = call.db.table('work-items');
  const others = table
    .where('project_id', row['project_id'] ?? null)
    .filter((other) => other.id !== row.id && (other['sprint_id'] ?? null) === sprint)
    .sort((a, b) => Number(a['order']) - Number(b['order']) || a.id - b.id);
  const at = after === undefined ? 0 : others.findIndex((other) => other.id === after.id) + 1;
  const moved = storeChanges(call, resource, row, { sprint_id: sprint, order: at + 1 });
  for (const [index, other] of others.entries()) {
    const order = index < at ? index + 1 : index + 2;
    // The positions and the ETags of the other items change, but not their fields `version` and `updated_at`.
    if (other['order'] !== order) table.update(other.id, { order });
  }
  return moved;
}

/**
 * Completes a sprint. Moves unfinished work items back to the backlog (assumed).
 * @throws Problem 409 if the sprint is already completed, or another Problem for a refused request.
 */
export function completeSprint(call: Call): Reply {
  const resource = call.sandboxState.service.named('sprints');
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const row = rowOfPath(call, resource, undefined);
    requireMatch(call, resource, row);
    validate(taking(resource, call.operation), readRequestBody(call), 'update', call.sandboxState);
    if (row['state'] === 'completed') throw conflict('sprint_already_completed', 'The sprint is already completed.');
    const statuses = call.db.table('workflow-statuses');
    for (const item of call.db.table('work-items').where('sprint_id', row.id)) {
      const status = item['workflow_status_id'];
      const isDone = typeof status === 'number' && statuses.get(status)?.['category'] === 'done';
      if (!isDone) storeChanges(call, call.sandboxState.service.named('work-items'), item, { sprint_id: null });
    }
    return recordReply(call, resource, storeChanges(call, resource, row, { state: 'completed', completed_at: utcSecond(call.now) }), 200);
  });
}

/**
 * Runs an action that has no code of its own. Stores fixed values and the fields of the body in the record.
 * @throws Problem 409 if the record already has the fixed values, or another Problem for a refused request.
 */
export function runPlain(call: Call, resource: ServedResource, { sets }: ResourceAction): Reply {
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const row = rowOfPath(call, resource, undefined);
    requireMatch(call, resource, row);
    const values = validate(taking(resource, call.operation), readRequestBody(call), 'create', call.sandboxState);
    const isDone = Object.entries(sets).every(([field, value]) => row[field] === value);
    if (isDone) throw conflict('already_done', 'The record is already in this state.');
    return recordReply(call, resource, storeChanges(call, resource, row, { ...values, ...sets }), 200);
  });
}

/**
 * Ends a timer. Lists then no longer show the timer (assumed). If the option `timerEnds` is `logging-action`, also logs the time, in whole
 * minutes and at least one minute.
 * @throws Problem for a refused request.
 */
export function serveTimerStop(call: Call): Reply {
  const resource = call.sandboxState.service.named('timers');
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const row = rowOfPath(call, resource, undefined);
    requireWrite(call, resource, row, 'update');
    requireMatch(call, resource, row);
    validate({ ...resource, fields: {} }, readRequestBody(call), 'update', call.sandboxState);
    const { db, now, stamp } = call;
    if (call.sandboxState.interpretations.timerEnds === 'logging-action') {
      const { user_id = null, project_id = null, work_item_id = null, description = '', started_at } = row;
      const minutes = Math.max(1, Math.round((now - Date.parse(String(started_at))) / MINUTE));
      const date = localDate(now, zoneOf(db, user_id));
      const values = { date, minutes, description, user_id, project_id, work_item_id, is_overtime: false, is_not_billable: false };
      db.table('worklogs').insert({ ...values, exceeded_budget: false, created_at: stamp, updated_at: stamp });
    }
    return recordReply(call, resource, storeChanges(call, resource, row, { stopped_at: stamp }), 200);
  });
}
