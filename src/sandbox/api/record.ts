import type { Row } from '../json.ts';
import { unsupportedParameter } from '../problem.ts';
import type { ServedChild, ServedResource } from '../resources/define.ts';
import type { Call } from './call.ts';
import { isUnchanged, strongTag } from './etag.ts';
import { parseInclude } from './include.ts';
import { oneOf } from './list-query.ts';
import { rowOfPath } from './lookup.ts';
import { renderer } from './render.ts';
import type { Reply } from './reply.ts';

/** Answers one record by its path. */
export function get(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  checkRecordQuery(call, resource);
  const row = rowOfPath(call, resource, nested);
  const reply = recordReply(call, resource, row, 200);
  const etag = reply.headers?.['ETag'] ?? '';
  const cache = resource.cacheSeconds;
  const headers = { ...reply.headers, ...(cache === undefined ? {} : { 'Cache-Control': `private, max-age=${cache}` }) };
  return isUnchanged(call.headers, etag) ? { status: 304, headers } : { ...reply, headers };
}

/** Checks the query against what the operation takes. @throws Problem 400 for anything else. */
export function checkRecordQuery(call: Call, resource: ServedResource): void {
  const known = call.operation.query;
  for (const parameter of call.query.keys()) if (!known.includes(parameter)) throw unsupportedParameter(parameter);
  oneOf(call.query, 'view', ['summary', 'detail']);
  parseInclude(resource, call.query, call.world.knobs);
}

/** @throws Problem 400 for any parameter. */
export function checkNoQuery({ query }: Call): void {
  for (const parameter of query.keys()) throw unsupportedParameter(parameter);
}

/** A record in the requested view (default: detail), with its strong validator. */
export function recordReply(
  call: Call,
  resource: ServedResource,
  row: Row,
  status: number,
  wrapped = call.world.knobs.wrapSingleRecords,
): Reply {
  const view = oneOf(call.query, 'view', ['summary', 'detail']) ?? 'detail';
  const { includes } = parseInclude(resource, call.query, call.world.knobs);
  const record = renderer(call.world, resource, view, includes)(row);
  const text = JSON.stringify(wrapped ? { data: record } : record);
  return { status, text, headers: { ETag: strongTag(call, resource, row, text) } };
}
