import { createHash } from 'node:crypto';
import { UsageError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonIn, jsonObjectIn, stringifyJson } from '../values/json.ts';
import { withoutUndefined } from '../values/without-undefined.ts';
import { hasValidReferences, withIds } from './plan-references.ts';
import { apiPath } from './request-digest.ts';
import { createsRecord } from './written-values.ts';

/** Planned writes for a person to review. svc later sends exactly these writes. */
export interface Plan extends PlanHead {
  readonly writes: readonly PlannedWrite[];
}

/** The organisation and the account that own a plan. svc refuses to apply the plan for another organisation or account. */
export interface PlanHead {
  /** The origin of the organisation: `https://acme.example.com`. */
  readonly origin: string;
  readonly account: string;
  /** The name of the user who made the plan. Undefined if svc does not know the name. */
  readonly madeBy?: string | undefined;
}

export interface PlannedWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The exact body of the write, in UTF-8. Undefined without a body. */
  readonly body: string | undefined;
  /** The unique name of this write. A plan that you apply twice therefore runs once. */
  readonly key: string;
  readonly ifMatch: string | undefined;
  /**
   * The values that the record had at planning time. A PATCH and a transition have the values of their fields. A DELETE and other actions
   * have the values of all known fields. svc sends the write only if the record still has these values. Undefined for a create, and for a
   * write with another precondition.
   */
  readonly before?: JsonObject | undefined;
  /**
   * The numbers of the earlier writes whose records this write names, in ascending order. `{3}` stands for the id of the record that write
   * 3 creates. The reference is a part of the path, or a whole string in the body or in the earlier values.
   */
  readonly takes?: readonly number[] | undefined;
  readonly noun: string | undefined;
  readonly command: readonly string[];
}

/** The largest plan that svc reads, in bytes. A person could not review a larger file. */
const LARGEST = 16 * 1024 * 1024;
const HINT = 'Create the plan again: the file has changed since svc wrote it.';

/** Writes a plan as text. Each plan has exactly one text, so {@link decodePlan} can refuse any other text. */
export function encodePlan({ writes, ...head }: Plan): string {
  return encodeHead(head) + writes.map(encodeWrite).join('');
}

export function encodeHead({ origin, account, madeBy }: PlanHead): string {
  return `${stringifyJson(withoutUndefined({ svc_plan: 1, origin, account, made_by: madeBy }))}\n`;
}

export function encodeWrite({ method, path, body, key, ifMatch, before, takes, noun, command }: PlannedWrite): string {
  return `${stringifyJson(withoutUndefined({ method, path, body, key, if_match: ifMatch, before, takes, noun, command }))}\n`;
}

/** Returns the digest by which a person approves a plan: the SHA-256 of the file, in hexadecimal. */
export function planDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Reads a plan from an untrusted file. svc refuses any text that {@link encodePlan} would not write. @throws UsageError. For a wrong line,
 * the message has the line number.
 */
export function decodePlan(bytes: Uint8Array): Plan {
  checkPlanSize(bytes.length);
  const text = decodeUtf8(bytes);
  if (!text.endsWith('\n')) throw new UsageError('The plan is incomplete: its last line has no end.', { hint: HINT });
  const [first = '', ...rest] = text.slice(0, -1).split('\n');
  const firstLine = readLine(first, 1);
  if (Number(firstLine['svc_plan']) > 1) throw new UsageError('A newer svc wrote the plan.', { hint: 'Use the newer svc.' });
  const head = readPlanHead(firstLine);
  if (head === undefined) throw wrongLine(1);
  const writes = rest.map((line, index) => readPlannedWrite(readLine(line, index + 2)) ?? raise(wrongLine(index + 2)));
  const unreferred = writes.findIndex((_, index) => !hasValidReferences(writes, index));
  if (unreferred >= 0) throw wrongLine(unreferred + 2);
  const plan = { ...head, writes };
  const keys = new Set(writes.map(({ key }) => key));
  if (keys.size < writes.length) throw new UsageError('Two writes of the plan have the same key.', { hint: HINT });
  // The comparison finds unknown members and other spellings: a repeated name, a blank or an escape.
  const wrong = encodePlan(plan)
    .split('\n')
    .findIndex((line, index) => line !== [first, ...rest][index]);
  if (wrong >= 0 && wrong <= rest.length) throw wrongLine(wrong + 1);
  return plan;
}

/** Checks the size of a plan. @param size the length of the file in bytes. @throws UsageError above 16 MiB. */
export function checkPlanSize(size: number): void {
  if (size > LARGEST) throw new UsageError('The plan is larger than 16 MiB.', { hint: 'Put fewer writes into a plan.' });
}

/**
 * Returns the rows of a plan for a table. A row has the body as JSON. If svc would write that JSON as another text, the row has the text of
 * the body.
 */
export function planRows({ writes }: Plan): JsonObject[] {
  return writes.map(({ method, path, body, ifMatch, before, takes }, index) => ({
    number: index + 1,
    method,
    path,
    body: body === undefined ? null : shownBody(body),
    if_match: ifMatch ?? null,
    ...withoutUndefined({ before, takes }),
  }));
}

function shownBody(body: string): JsonValue {
  const value = jsonIn(body);
  return value !== undefined && stringifyJson(value) === body ? value : body;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError('The plan is not text.', { hint: HINT, cause });
  }
}

function readLine(line: string, number: number): JsonObject {
  const value = jsonObjectIn(line);
  if (value === undefined) throw wrongLine(number);
  return value;
}

function wrongLine(number: number): UsageError {
  return new UsageError(`Line ${number} of the plan does not have the form that svc writes.`, { hint: HINT });
}

function raise(error: Error): never {
  throw error;
}

/**
 * Reads the first line of a plan. Undefined if the line is invalid. The caller finds unknown members, because the caller encodes the result
 * again.
 */
function readPlanHead({ svc_plan: version, origin, account, made_by: madeBy }: JsonObject): PlanHead | undefined {
  if (version !== 1) return undefined;
  if (typeof origin !== 'string' || typeof account !== 'string' || !isOrigin(origin) || !/^[\x20-\x7e]{1,255}$/.test(account))
    return undefined;
  if (!isTextOrAbsent(madeBy)) return undefined;
  return { origin, account, ...withoutUndefined({ madeBy }) };
}

function readPlannedWrite(line: JsonObject): PlannedWrite | undefined {
  const { method, path, body, key, if_match: ifMatch, before, takes, noun, command } = line;
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') return undefined;
  if (takes !== undefined && !isNumbers(takes)) return undefined;
  if (typeof path !== 'string' || !isWords(command)) return undefined;
  // With ids in place of the references, the path must be unambiguous.
  if (!isPath(withIds({ method, path, body: undefined, takes }, () => '1').path)) return undefined;
  if (!isTextOrAbsent(body) || !isTextOrAbsent(ifMatch) || !isTextOrAbsent(noun)) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) return undefined;
  if ((ifMatch !== undefined && !ETAG.test(ifMatch)) || (noun !== undefined && !RESOURCE_NAME.test(noun))) return undefined;
  if (before !== undefined && (!isJsonObject(before) || createsRecord({ method, path }) || ifMatch !== undefined)) return undefined;
  return { method, path, body, key, ifMatch, ...withoutUndefined({ before, takes }), noun, command };
}

/** Matches a key that the client accepts (rule 6.11), without blanks. */
const KEY = /^[\x21-\x7e]{1,255}$/;
/** Matches an entity tag (RFC 9110 §8.8.3) or the `*` of If-Match. */
const ETAG = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]*")$/;
const RESOURCE_NAME = /^[a-z]+(?:-[a-z]+)*$/;

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text;
}

/** Returns true if a path is unambiguous: no host, no `..`, nothing that a URL parser would change. */
function isPath(path: string): boolean {
  if (!/^\/[\x21-\x7e]*$/.test(path) || /^\/\/|[\\#]|%2e|%2f|%5c/i.test(path)) return false;
  return apiPath(path) === path;
}

function isWords(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

function isNumbers(value: JsonValue): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each));
}

function isTextOrAbsent(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
