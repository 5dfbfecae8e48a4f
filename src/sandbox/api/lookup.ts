import { createHash } from 'node:crypto';
import type { Row } from '../json.ts';
import { missingPermission, Problem } from '../problem.ts';
import type { ServedChild, ServedResource } from '../resources/define.ts';
import { type AbilityClass, covers } from '../tokens/permissions.ts';
import type { Call } from './call.ts';
import type { Reply } from './stores.ts';

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, 20);
}

export function weakTag(text: string): string {
  return `W/"${digest(text)}"`;
}

/**
 * Returns a strong ETag. The first part changes with the record, for If-Match. The second part changes with the text of the answer, for
 * If-None-Match.
 */
export function strongTag(call: Call, resource: ServedResource, row: Row, text: string): string {
  return `"${stateTag(call, resource, row)}.${digest(text).slice(0, 8)}"`;
}

function stateTag(call: Call, resource: ServedResource, row: Row): string {
  return digest(`${resource.name}/${row.id}/${call.db.table(resource.name).revisionOf(row.id)}/${call.sandboxState.settings.seed}`);
}

export function requireMatch(call: Call, resource: ServedResource, row: Row): void {
  const condition = call.headers.get('if-match');
  if (condition === null || condition.trim() === '*') return;
  const state = stateTag(call, resource, row);
  const matches = condition.split(',').some((tag) => tag.trim().startsWith(`"${state}.`));
  if (!matches) throw new Problem(412, 'precondition-failed', 'The record has changed since it was read. Read it again, then decide.');
}

/** Returns the answer, or a 304 without a body if the client already has this answer. */
export function unlessUnchanged(call: Call, reply: Reply & Required<Pick<Reply, 'headers'>>): Reply {
  return isUnchanged(call.headers, reply.headers['ETag'] ?? '') ? { status: 304, headers: reply.headers } : reply;
}

function isUnchanged(headers: Headers, etag: string): boolean {
  const condition = headers.get('if-none-match');
  if (condition === null) return false;
  if (condition.trim() === '*') return true;
  const bare = etag.replace(/^W\//, '');
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare);
}

export function isVisible(call: Call, resource: ServedResource, row: Row): boolean {
  if (resource.visible?.(row, call.actor) === false) return false;
  return ownedBy(call, resource, row, 'read');
}

function ownedBy(call: Call, resource: ServedResource, row: Row, abilityClass: AbilityClass): boolean {
  return resource.prefixOf === undefined || covers(call.abilities, { class: abilityClass, prefixes: [resource.prefixOf(row, call.db)] });
}

function missing(call: Call, resource: ServedResource, id: string): Problem {
  return notFound(call, `There is no ${resource.parameter.replaceAll('_', ' ')} ${id}.`);
}

export function notFound({ sandboxState }: Call, detail: string): Problem {
  return new Problem(404, sandboxState.interpretations.missingRecordType, detail);
}

/**
 * Finds a row by its id or key, even a deleted row.
 * @throws Problem 404 if the row does not exist, or if the user or the token can’t see the row.
 */
function findRow(call: Call, resource: ServedResource, id: string): Row {
  const table = call.db.table(resource.name);
  const { key } = resource;
  const row = key?.pattern.test(id) === true ? table.where(key.field, id)[0] : /^\d{1,15}$/.test(id) ? table.get(Number(id)) : undefined;
  if (row === undefined || !isVisible(call, resource, row)) throw missing(call, resource, id);
  return row;
}

/**
 * Finds the row of a path. Under a parent, the record must belong to that parent. The option `deletedRecords` decides whether a GET finds a
 * deleted record.
 * @throws Problem 404 if there is no such row, or if the user or the token can’t see the row.
 */
export function rowOfPath(call: Call, resource: ServedResource, nested: ServedChild | undefined): Row {
  const id = call.params[resource.parameter] ?? '';
  const row = findRow(call, resource, id);
  const isReadable = call.sandboxState.interpretations.deletedRecords === 'readable' && (call.method === 'GET' || call.method === 'HEAD');
  if ((row['deleted_at'] ?? null) !== null && !isReadable) throw missing(call, resource, id);
  if (nested !== undefined && row[nested.by] !== parentOf(call, nested).id) throw missing(call, resource, id);
  return row;
}

export function parentOf(call: Call, nested: Pick<ServedChild, 'parent'>): Row {
  const parent = call.sandboxState.service.named(nested.parent);
  return findRow(call, parent, call.params[parent.parameter] ?? '');
}

/**
 * Checks the right to write a record. A drive needs the ability for its owner. Users need a permission, except for their own records.
 * @throws Problem 403 if the ability or the permission is missing.
 */
export function requireWrite(call: Call, resource: ServedResource, row: Row, verb: 'create' | 'update' | 'delete'): void {
  if (!ownedBy(call, resource, row, verb === 'delete' ? 'destroy' : 'write')) {
    throw new Problem(403, 'insufficient-token-scope', 'The token does not cover drives of this owner.');
  }
  if (resource.own !== undefined && row[resource.own] === call.actor.user.id) return;
  const permission = resource.permissions[verb];
  if (permission !== null && !call.actor.may(permission)) throw missingPermission(permission);
}
