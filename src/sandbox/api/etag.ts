import { createHash } from 'node:crypto';
import type { Row } from '../json.ts';
import { Problem } from '../problem.ts';
import type { ServedResource } from '../resources/define.ts';
import type { Call } from './call.ts';

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, 20);
}

/** The validator of a collection page: weak, good for If-None-Match alone. */
export function weakTag(text: string): string {
  return `W/"${digest(text)}"`;
}

/**
 * The validator of a record: strong. Its first part stands for the record's state and is what If-Match compares; the
 * second stands for this view of it, relations included, so that If-None-Match sees those change too.
 */
export function strongTag(call: Call, resource: ServedResource, row: Row, text: string): string {
  return `"${stateTag(call, resource, row)}.${digest(text).slice(0, 8)}"`;
}

function stateTag(call: Call, resource: ServedResource, row: Row): string {
  return digest(`${resource.name}/${row.id}/${call.db.table(resource.name).revisionOf(row.id)}/${call.world.settings.seed}`);
}

/** @throws Problem 412 when If-Match is there and names another state of the record. */
export function requireMatch(call: Call, resource: ServedResource, row: Row): void {
  const condition = call.headers.get('if-match');
  if (condition === null || condition.trim() === '*') return;
  const state = stateTag(call, resource, row);
  const matches = condition.split(',').some((tag) => tag.trim().startsWith(`"${state}.`));
  if (!matches) throw new Problem(412, 'precondition-failed', 'The record has changed since it was read. Read it again and decide anew.');
}

/** Whether If-None-Match says that the client has this already; weak comparison (RFC 9110 §13.1.2). */
export function isUnchanged(headers: Headers, etag: string): boolean {
  const condition = headers.get('if-none-match');
  if (condition === null) return false;
  if (condition.trim() === '*') return true;
  const bare = etag.replace(/^W\//, '');
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare);
}
