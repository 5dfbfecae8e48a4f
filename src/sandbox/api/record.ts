import type { Row, Values } from '../json.ts';
import { unsupportedParameter } from '../problem.ts';
import type { ServedChild, ServedResource, ValidWrite } from '../resources/define.ts';
import type { Call } from './call.ts';
import { oncePerKey } from './idempotency.ts';
import { oneOf } from './list.ts';
import { parentOf, requireMatch, requireWrite, rowOfPath, strongTag, unlessUnchanged } from './lookup.ts';
import { parseInclude, renderer, servedPath } from './render.ts';
import type { Reply } from './stores.ts';
import { readRequestBody, validate } from './validate.ts';

export function get(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkRecordQuery(call, resource);
  const row = rowOfPath(call, resource, nested);
  const reply = recordReply(call, resource, row, 200);
  const cache = resource.cacheSeconds;
  const headers = { ...reply.headers, ...(cache === undefined ? {} : { 'Cache-Control': `private, max-age=${cache}` }) };
  return unlessUnchanged(call, { ...reply, headers });
}

export function checkRecordQuery(call: Call, resource: ServedResource): void {
  checkQuery(call);
  oneOf(call.query, 'view', ['summary', 'detail']);
  parseInclude(resource, call.query, call.sandboxState.interpretations);
}

export function checkQuery({ operation, query }: Call): void {
  for (const parameter of query.keys()) if (!operation.query.includes(parameter)) throw unsupportedParameter(parameter);
}

export function recordReply(
  call: Call,
  resource: ServedResource,
  row: Row,
  status: number,
  wrapped = call.sandboxState.interpretations.wrapSingleRecords,
): Reply & Required<Pick<Reply, 'headers'>> {
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
    const { db, stamp, actor } = call;
    const own = resource.own;
    const planned = own === undefined ? values : { ...values, [own]: values[own] ?? actor.user.id };
    requireWrite(call, resource, { ...planned, id: 0 }, 'create');
    const change = writeOf(call, 'create', values);
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
  const changed = Object.entries(values).some(([key, value]) => JSON.stringify(row[key] ?? null) !== JSON.stringify(value));
  if (!changed) return row;
  const more = resource.prepare?.({ ...writeOf(call, 'update', values), row }) ?? {};
  return call.db.table(resource.name).update(row.id, { ...values, ...more, updated_at: call.stamp });
}

function writeOf({ actor, db, now, sandboxState }: Call, kind: ValidWrite['kind'], values: Values): ValidWrite {
  return { kind, values, actor, db, now, interpretations: sandboxState.interpretations };
}

export const DELETE_ANSWERS = { nothing: 204, record: 200, accepted: 202 } as const;

export function remove(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkQuery(call);
  const row = rowOfPath(call, resource, nested);
  requireWrite(call, resource, row, 'delete');
  requireMatch(call, resource, row);
  const { interpretations } = call.sandboxState;
  resource.prepare?.({ ...writeOf(call, 'delete', {}), row });
  const table = call.db.table(resource.name);
  const isStored = resource.softDelete && interpretations.deletedRecords !== 'gone';
  const last = isStored ? table.update(row.id, { deleted_at: call.stamp }) : row;
  if (!isStored) table.remove(row.id);
  const status = DELETE_ANSWERS[interpretations.deleteAnswers];
  return interpretations.deleteAnswers === 'nothing' ? { status } : recordReply(call, resource, last, status);
}
