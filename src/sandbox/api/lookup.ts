import { createHash } from 'node:crypto';
import type { Row } from '../json.ts';
import { missingPermission, Problem } from '../problem.ts';
import type { ServedChild, ServedResource } from '../resources/define.ts';
import { type AbilityClass, covers } from '../tokens/permissions.ts';
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

/** Whether this caller may see the row at all: the resource's own rule, and for a drive its owner's ability. */
export function isVisible(call: Call, resource: ServedResource, row: Row): boolean {
  if (resource.visible?.(row, call.actor) === false) return false;
  return ownedBy(call, resource, row, 'read');
}

function ownedBy(call: Call, resource: ServedResource, row: Row, abilityClass: AbilityClass): boolean {
  return resource.prefixOf === undefined || covers(call.abilities, { class: abilityClass, prefixes: [resource.prefixOf(row, call.db)] });
}

/** @throws Problem 404 in words for a record, not an endpoint. */
function missing(call: Call, resource: ServedResource, id: string): Problem {
  return new Problem(404, call.world.interpretations.missingRecordType, `There is no ${resource.parameter.replaceAll('_', ' ')} ${id}.`);
}

/** The record that a path names by id or key. Deleted records are found too: only lists leave them out. */
export function findRow(call: Call, resource: ServedResource, id: string): Row {
  const table = call.db.table(resource.name);
  const { key } = resource;
  const row = key?.pattern.test(id) === true ? table.where(key.field, id)[0] : /^\d{1,15}$/.test(id) ? table.get(Number(id)) : undefined;
  if (row === undefined || !isVisible(call, resource, row)) throw missing(call, resource, id);
  return row;
}

/** The record of an item path, which under a parent must belong to that parent. An option decides whether deleted records can be read. */
export function rowOfPath(call: Call, resource: ServedResource, nested: ServedChild | undefined): Row {
  const id = call.params[resource.parameter] ?? '';
  const row = findRow(call, resource, id);
  const isReadable = call.world.interpretations.deletedRecords === 'readable' && (call.method === 'GET' || call.method === 'HEAD');
  if ((row['deleted_at'] ?? null) !== null && !isReadable) throw missing(call, resource, id);
  if (nested !== undefined && row[nested.by] !== parentOf(call, nested).id) throw missing(call, resource, id);
  return row;
}

/** The parent that a nested collection's path names. */
export function parentOf(call: Call, nested: ServedChild): Row {
  const parent = call.world.service.named(nested.parent);
  return findRow(call, parent, call.params[parent.parameter] ?? '');
}

/**
 * Whether the caller may write this row: its owner's ability, then the permission, which one's own records need not.
 * @throws Problem 403.
 */
export function requireWrite(call: Call, resource: ServedResource, row: Row, verb: 'create' | 'update' | 'delete'): void {
  if (!ownedBy(call, resource, row, verb === 'delete' ? 'destroy' : 'write')) {
    throw new Problem(403, 'insufficient-token-scope', 'The token does not cover drives of this owner.');
  }
  if (resource.own !== undefined && row[resource.own] === call.actor.user.id) return;
  const permission = resource.permissions[verb];
  if (permission !== null && !call.actor.may(permission)) throw missingPermission(permission);
}
