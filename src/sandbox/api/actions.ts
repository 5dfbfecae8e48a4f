import { localDate, MINUTE, utcSecond } from '../dates.ts';
import type { Json, Row, Values } from '../json.ts';
import { invalidBody, Problem } from '../problem.ts';
import type { ResourceAction, ServedField, ServedResource } from '../resources/define.ts';
import { zoneOf } from '../resources/fields.ts';
import type { Call } from './call.ts';
import { oncePerKey } from './idempotency.ts';
import { requireMatch, requireWrite, rowOfPath } from './lookup.ts';
import { checkRecordQuery, recordReply, storeChanges } from './record.ts';
import type { Reply } from './stores.ts';
import { readRequestBody, validate } from './validate.ts';

/** Runs an action on the record of the path, once for each Idempotency-Key, and answers with the changed record. */
function onRecord(call: Call, resource: ServedResource, act: (row: Row) => Row): Reply {
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => recordReply(call, resource, act(rowOfPath(call, resource, undefined)), 200));
}

function valuesOf(call: Call, resource: ServedResource, kind: 'create' | 'update', sent = readRequestBody(call)): Values {
  const { body } = call.operation;
  const fields = body !== undefined && 'fields' in body ? body.fields : {};
  return validate({ ...resource, fields }, sent, kind, call.sandboxState);
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
  return onRecord(call, resource, (row) => {
    const to = valuesOf(call, resource, 'create')['workflow_status_id'] ?? null;
    const from = row['workflow_status_id'] ?? null;
    if (to !== from || call.sandboxState.interpretations.staleNoop === 412) requireMatch(call, resource, row);
    const legal = call.db
      .table('workflow-transitions')
      .where('from_status_id', from)
      .map((known) => known['to_status_id']);
    if (to !== from && !legal.includes(to)) {
      throw conflict('illegal_transition', `The workflow has no transition from status ${String(from)} to status ${String(to)}.`, {
        from_status_id: from,
        to_status_id: to,
      });
    }
    return storeChanges(call, resource, row, { workflow_status_id: to });
  });
}

export function move(call: Call): Reply {
  const resource = call.sandboxState.service.named('work-items');
  return onRecord(call, resource, (row) => {
    requireMatch(call, resource, row);
    const { after_work_item_id: afterId = null, ...rest } = readRequestBody(call);
    const values = valuesOf(call, resource, 'update', rest);
    const after = afterId === null ? undefined : workItem(call, afterId);
    const sprint = values['sprint_id'] ?? (after ?? row)['sprint_id'] ?? null;
    const isToBacklog = values['sprint_id'] === null;
    return place(call, resource, row, after, isToBacklog ? null : sprint);
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
  return onRecord(call, resource, (row) => {
    requireMatch(call, resource, row);
    valuesOf(call, resource, 'update');
    if (row['state'] === 'completed') throw conflict('sprint_already_completed', 'The sprint is already completed.');
    const statuses = call.db.table('workflow-statuses');
    for (const item of call.db.table('work-items').where('sprint_id', row.id)) {
      const status = item['workflow_status_id'];
      const isDone = typeof status === 'number' && statuses.get(status)?.['category'] === 'done';
      if (!isDone) storeChanges(call, call.sandboxState.service.named('work-items'), item, { sprint_id: null });
    }
    return storeChanges(call, resource, row, { state: 'completed', completed_at: utcSecond(call.now) });
  });
}

/**
 * Runs an action that has no code of its own. Stores fixed values and the fields of the body in the record.
 * @throws Problem 409 if the record already has the fixed values, or another Problem for a refused request.
 */
export function runPlain(call: Call, resource: ServedResource, { sets }: ResourceAction): Reply {
  return onRecord(call, resource, (row) => {
    requireMatch(call, resource, row);
    const values = valuesOf(call, resource, 'create');
    const isDone = Object.entries(sets).every(([field, value]) => row[field] === value);
    if (isDone) throw conflict('already_done', 'The record is already in this state.');
    return storeChanges(call, resource, row, { ...values, ...sets });
  });
}

/**
 * Ends a timer. Lists then no longer show the timer (assumed). If the option `timerEnds` is `logging-action`, also logs the time, in whole
 * minutes and at least one minute.
 * @throws Problem for a refused request.
 */
export function serveTimerStop(call: Call): Reply {
  const resource = call.sandboxState.service.named('timers');
  return onRecord(call, resource, (row) => {
    requireWrite(call, resource, row, 'update');
    requireMatch(call, resource, row);
    valuesOf(call, resource, 'update');
    const { db, now, stamp } = call;
    if (call.sandboxState.interpretations.timerEnds === 'logging-action') {
      const { user_id = null, project_id = null, work_item_id = null, description = '', started_at } = row;
      const minutes = Math.max(1, Math.round((now - Date.parse(String(started_at))) / MINUTE));
      const date = localDate(now, zoneOf(db, user_id));
      const values = { date, minutes, description, user_id, project_id, work_item_id, is_overtime: false, is_not_billable: false };
      db.table('worklogs').insert({ ...values, exceeded_budget: false, created_at: stamp, updated_at: stamp });
    }
    return storeChanges(call, resource, row, { stopped_at: stamp });
  });
}
