import type { Row, Values } from '../json.ts';
import { unsupportedParameter } from '../problem.ts';
import type { ServedChild, ServedResource, ValidWrite } from '../resources/define.ts';
import type { Call } from './call.ts';
import { oncePerKey } from './idempotency.ts';
import { oneOf } from './list.ts';
import { isUnchanged, parentOf, requireMatch, requireWrite, rowOfPath, strongTag } from './lookup.ts';
import { parseInclude, renderer, servedPath } from './render.ts';
import type { Reply } from './stores.ts';
import { readRequestBody, validate } from './validate.ts';

export function get(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkRecordQuery(call, resource);
  const row = rowOfPath(call, resource, nested);
  const reply = recordReply(call, resource, row, 200);
  const etag = reply.headers?.['ETag'] ?? '';
  const cache = resource.cacheSeconds;
  const headers = { ...reply.headers, ...(cache === undefined ? {} : { 'Cache-Control': `private, max-age=${cache}` }) };
  return isUnchanged(call.headers, etag) ? { status: 304, headers } : { ...reply, headers };
}

export function checkRecordQuery(call: Call, resource: ServedResource): void {
  const known = call.operation.query;
  for (const parameter of call.query.keys()) if (!known.includes(parameter)) throw unsupportedParameter(parameter);
  oneOf(call.query, 'view', ['summary', 'detail']);
  parseInclude(resource, call.query, call.sandboxState.interpretations);
}

export function checkNoQuery({ query }: Call): void {
  for (const parameter of query.keys()) throw unsupportedParameter(parameter);
}

export function recordReply(
  call: Call,
  resource: ServedResource,
  row: Row,
  status: number,
  wrapped = call.sandboxState.interpretations.wrapSingleRecords,
): Reply {
  const view = oneOf(call.query, 'view', ['summary', 'detail']) ?? 'detail';
  const { includes } = parseInclude(resource, call.query, call.sandboxState.interpretations);
  const record = renderer(call.sandboxState, resource, view, includes)(row);
  const text = JSON.stringify(wrapped ? { data: record } : record);
  return { status, text, headers: { ETag: strongTag(call, resource, row, text) } };
}

export function create(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkRecordQuery(call, resource);
  return oncePerKey(call, () => {
    const given: Values = nested === undefined ? {} : { [nested.by]: parentOf(call, nested).id };
    const values = validate(resource, readRequestBody(call), 'create', call.sandboxState, given);
    const { db, now, stamp, actor } = call;
    const own = resource.own;
    const planned = own === undefined ? values : { ...values, [own]: values[own] ?? actor.user.id };
    requireWrite(call, resource, { ...planned, id: 0 }, 'create');
    const change: ValidWrite = { kind: 'create', values, actor, db, now, interpretations: call.sandboxState.interpretations };
    const more = resource.prepare?.(change) ?? {};
    const row = db.table(resource.name).insert({ ...planned, ...more, created_at: stamp, updated_at: stamp });
    resource.follow?.(row, change);
    const reply = recordReply(call, resource, row, 201);
    return { ...reply, headers: { ...reply.headers, Location: `${call.sandboxState.origin}/api/v2${servedPath(resource, row)}` } };
  });
}

export function update(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkRecordQuery(call, resource);
  const row = rowOfPath(call, resource, nested);
  requireWrite(call, resource, row, 'update');
  requireMatch(call, resource, row);
  const values = validate(resource, readRequestBody(call), 'update', call.sandboxState);
  requireWrite(call, resource, { ...row, ...values }, 'update');
  return recordReply(call, resource, storeChanges(call, resource, row, values), 200);
}

export function storeChanges(call: Call, resource: ServedResource, row: Row, values: Values): Row {
  const { actor, db, now, stamp } = call;
  const { interpretations } = call.sandboxState;
  const changed = Object.entries(values).some(([key, value]) => JSON.stringify(row[key] ?? null) !== JSON.stringify(value));
  if (!changed) return row;
  const more = resource.prepare?.({ kind: 'update', values, row, actor, db, now, interpretations }) ?? {};
  return db.table(resource.name).update(row.id, { ...values, ...more, updated_at: stamp });
}

export const DELETE_ANSWERS = { nothing: 204, record: 200, accepted: 202 } as const;

export function remove(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkNoQuery(call);
  const row = rowOfPath(call, resource, nested);
  requireWrite(call, resource, row, 'delete');
  requireMatch(call, resource, row);
  const { actor, db, now, stamp } = call;
  const { interpretations } = call.sandboxState;
  resource.prepare?.({ kind: 'delete', values: {}, row, actor, db, now, interpretations });
  const table = db.table(resource.name);
  const isStored = resource.softDelete && interpretations.deletedRecords !== 'gone';
  const last = isStored ? table.update(row.id, { deleted_at: stamp }) : row;
  if (!isStored) table.remove(row.id);
  const status = DELETE_ANSWERS[interpretations.deleteAnswers];
  return interpretations.deleteAnswers === 'nothing' ? { status } : recordReply(call, resource, last, status);
}
