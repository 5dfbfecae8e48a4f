import { assertGuarded } from '../config/guarded.ts';
import type { Files } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonIn, scalarText } from '../values/json.ts';
import { quote } from '../values/text.ts';

/** The writes that svc can send, and the resources that svc can read. */
export interface Policy {
  readonly allow: readonly PolicyRule[];
  /** The resources that svc can read. svc can always read discovery and `/me`. Default: all. */
  readonly reads?: readonly string[];
}

/** A rule of a policy, which allows some writes to one resource. */
export interface PolicyRule {
  /** The resource as the user types it: `worklogs`, `work-items subtasks`. */
  readonly resource: string;
  /** The allowed verbs: `create`, `update`, `delete`, `upload`, or the name of an action such as `transition`. */
  readonly verbs: readonly string[];
  /** The fields that a write can set. Default: all. */
  readonly fields?: readonly string[];
  /** The values that the record must have, before and after the write. `me` means the id of the user. Default: any values. */
  readonly where?: Readonly<Record<string, readonly string[]>>;
  /** The highest sum of a field over all writes of a day in the user’s time zone. Default: no limit. */
  readonly per_day?: Readonly<Record<string, number>>;
}

export interface ActivePolicy extends Policy {
  /** The setting, variable or file that activates the policy, for messages: `SVC_READ_ONLY`. */
  readonly source: string;
}

/** The largest policy file that svc reads, in bytes. */
export const MOST_POLICY_BYTES = 256 * 1024;

/**
 * Reads a policy. An unknown member is an error, because a rule with a typing mistake could allow more than its author intended.
 * @param source name of the file, for the message.
 * @throws UsageError that names the wrong member.
 */
export function readPolicy(text: string, source: string): Policy {
  const wrong = (where: string, what: string) =>
    new UsageError(`svc cannot use the policy ${source}: ${where} ${what}.`, { hint: 'For an example: svc policy set --help' });
  const members = (value: JsonValue | undefined, where: string, known: readonly string[]): JsonObject => {
    if (!isJsonObject(value)) throw wrong(where, 'is not an object');
    const unknown = Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined) throw wrong(where, `has the unknown member ${quote(unknown)}; it can have ${known.join(', ')}`);
    return value;
  };
  const words = (value: JsonValue | undefined, where: string): string[] => {
    const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
    if (list.length === 0 || !list.every((word) => typeof word === 'string' && word !== '')) throw wrong(where, 'is not a list of names');
    return list.map(String);
  };
  const table = <Value>(
    value: JsonValue | undefined,
    where: string,
    read: (entry: JsonValue, at: string) => Value,
  ): Record<string, Value> => {
    if (!isJsonObject(value) || Object.keys(value).length === 0) throw wrong(where, 'is not an object with a field');
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, read(entry, `${where}.${name}`)]));
  };
  const values = (value: JsonValue, where: string): string[] => {
    const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    if (list.length === 0 || list.some((one) => Array.isArray(one) || isJsonObject(one)))
      throw wrong(where, 'is not a value or a list of values');
    return list.map(comparableText);
  };
  const amount = (value: JsonValue, where: string): number => {
    if (typeof value !== 'number' || value < 0) throw wrong(where, 'is not a number from 0');
    return value;
  };
  const rule = (value: JsonValue, index: number): PolicyRule => {
    const at = `allow[${index}]`;
    const { resource, verbs, fields, where, per_day: perDay } = members(value, at, ['resource', 'verbs', 'fields', 'where', 'per_day']);
    if (typeof resource !== 'string' || resource === '') throw wrong(`${at}.resource`, 'is not the name of a resource');
    return {
      resource,
      verbs: words(verbs, `${at}.verbs`),
      ...(fields !== undefined && { fields: words(fields, `${at}.fields`) }),
      ...(where !== undefined && { where: table(where, `${at}.where`, values) }),
      ...(perDay !== undefined && { per_day: table(perDay, `${at}.per_day`, amount) }),
    };
  };
  const value = jsonIn(text);
  if (value === undefined) throw wrong('the file', 'is not JSON');
  const { allow, reads } = members(value, 'the file', ['allow', 'reads']);
  if (!Array.isArray(allow)) throw wrong('allow', 'is not a list of rules');
  return { allow: (allow as readonly JsonValue[]).map(rule), ...(reads !== undefined && { reads: words(reads, 'reads') }) };
}

/** Reads the policy in a file that only the user can change. @throws UsageError or UnguardedError: svc then sends no request. */
export async function openPolicy(files: Pick<Files, 'readText' | 'weakness'>, path: string): Promise<ActivePolicy> {
  await assertGuarded(files, path, 'the policy');
  const text = await files.readText(path);
  if (text === undefined) throw new UsageError(`There is no policy ${path}.`, { hint: 'Check SVC_POLICY.' });
  return { source: path, ...readPolicy(text, path) };
}

/** Returns a value of a body, a record or a rule as comparable text: `7` for 7, `null` for null. */
export function comparableText(value: JsonValue): string {
  return value === null ? 'null' : scalarText(value);
}

/** Returns a rule as text for a person: `worklogs create, update (fields minutes; user_id = me; at most 480 minutes a day)`. */
export function ruleText({ resource, verbs, fields, where = {}, per_day: perDay = {} }: PolicyRule): string {
  const limits = [
    fields && `fields ${fields.join(', ')}`,
    ...Object.entries(where).map(([field, values]) => `${field} = ${values.join(' or ')}`),
    ...Object.entries(perDay).map(([field, most]) => `at most ${most} ${field} a day`),
  ].filter(Boolean);
  return `${resource} ${verbs.join(', ')}${limits.length === 0 ? '' : ` (${limits.join('; ')})`}`;
}
