import { dump } from 'js-yaml';
import type { Call, ServedOperation } from '../api/call.ts';
import { isUnchanged, weakTag } from '../api/etag.ts';
import { checkNoQuery } from '../api/record.ts';
import type { Reply } from '../api/reply.ts';
import { documentOf } from './document.ts';

const CACHE = 'private, max-age=300';

/** `GET /openapi.json`, for any live token. */
export function serveDocument(call: Call, operations: readonly ServedOperation[]): Reply {
  return replyOf(call, JSON.stringify(documentOf(call.world, operations)), 'application/json');
}

/** `GET /openapi.yaml`: the same as YAML. */
export function describeInYaml(call: Call, operations: readonly ServedOperation[]): Reply {
  const text = dump(documentOf(call.world, operations), { noRefs: true, lineWidth: -1 });
  return replyOf(call, text, 'application/yaml');
}

function replyOf(call: Call, text: string, type: string): Reply {
  checkNoQuery(call);
  const headers = { ETag: weakTag(text), 'Cache-Control': CACHE };
  if (isUnchanged(call.headers, headers.ETag)) return { status: 304, headers };
  return { status: 200, text, headers: { ...headers, 'Content-Type': type } };
}
