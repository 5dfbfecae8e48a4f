import type { Row, Values } from '../json.ts';
import type { ServedChild, ServedResource, ValidWrite } from '../resources/define.ts';
import type { Call } from './call.ts';
import { requireMatch } from './etag.ts';
import { oncePerKey } from './idempotency.ts';
import { parentOf, requireWrite, rowOfPath } from './lookup.ts';
import { checkNoQuery, checkRecordQuery, recordReply } from './record.ts';
import { servedPath } from './render.ts';
import type { Reply } from './reply.ts';
import { readRequestBody, validate } from './validate.ts';

/** Makes a record: 201 with Location and a strong ETag. */
export function create(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const given: Values = nested === undefined ? {} : { [nested.by]: parentOf(call, nested).id };
    const values = validate(resource, readRequestBody(call), 'create', call.world, given);
    const { db, now, stamp, actor } = call;
    const own = resource.own;
    const planned = own === undefined ? values : { ...values, [own]: values[own] ?? actor.user.id };
    requireWrite(call, resource, { ...planned, id: 0 }, 'create');
    const change: ValidWrite = { kind: 'create', values, actor, db, now, knobs: call.world.knobs };
    const more = resource.prepare?.(change) ?? {};
    const row = db.table(resource.name).insert({ ...planned, ...more, created_at: stamp, updated_at: stamp });
    resource.follow?.(row, change);
    const reply = recordReply(call, resource, row, 201);
    return { ...reply, headers: { ...reply.headers, Location: `${call.world.origin}/api/v2${servedPath(resource, row)}` } };
  });
}

/** Changes the fields that the body names. A body that changes nothing leaves the record and its validator alone. */
export function update(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkRecordQuery(call, resource);
  const row = rowOfPath(call, resource, nested);
  requireWrite(call, resource, row, 'update');
  requireMatch(call, resource, row);
  const values = validate(resource, readRequestBody(call), 'update', call.world);
  requireWrite(call, resource, { ...row, ...values }, 'update');
  return recordReply(call, resource, storeChanges(call, resource, row, values), 200);
}

/** Stores changes with what follows from them; the row as it was when there are none. */
export function storeChanges(call: Call, resource: ServedResource, row: Row, values: Values): Row {
  const { actor, db, now, stamp } = call;
  const { knobs } = call.world;
  const changed = Object.entries(values).some(([key, value]) => JSON.stringify(row[key] ?? null) !== JSON.stringify(value));
  if (!changed) return row;
  const more = resource.prepare?.({ kind: 'update', values, row, actor, db, now, knobs }) ?? {};
  return db.table(resource.name).update(row.id, { ...values, ...more, updated_at: stamp });
}

/** The status of a DELETE, by the value of the option `deleteAnswers`. */
export const DELETE_ANSWERS = { nothing: 204, record: 200, accepted: 202 } as const;

/** Deletes a record, or marks it deleted where the resource keeps such records. */
export function remove(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkNoQuery(call);
  const row = rowOfPath(call, resource, nested);
  requireWrite(call, resource, row, 'delete');
  requireMatch(call, resource, row);
  const { actor, db, now, stamp } = call;
  const { knobs } = call.world;
  resource.prepare?.({ kind: 'delete', values: {}, row, actor, db, now, knobs });
  const table = db.table(resource.name);
  const isKept = resource.softDelete && knobs.deletedRecords !== 'gone';
  const last = isKept ? table.update(row.id, { deleted_at: stamp }) : row;
  if (!isKept) table.remove(row.id);
  const status = DELETE_ANSWERS[knobs.deleteAnswers];
  return knobs.deleteAnswers === 'nothing' ? { status } : recordReply(call, resource, last, status);
}
