import { createHash } from 'node:crypto';
import { UsageError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../values/json.ts';
import { apiPath } from './request-digest.ts';

/** Writes that were planned instead of sent, for a person to look at. svc then sends exactly these. */
export interface Plan extends PlanHead {
  readonly writes: readonly PlannedWrite[];
}

/** The owner of a plan: svc applies it nowhere else. */
export interface PlanHead {
  /** `https://acme.example.com` */
  readonly origin: string;
  readonly account: string;
}

export interface PlannedWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the API, with its query. */
  readonly path: string;
  /** The exact text of the body, UTF-8. */
  readonly body: string | undefined;
  /** The name of this write alone, so that a plan applied twice runs once. */
  readonly key: string;
  readonly ifMatch: string | undefined;
  readonly noun: string | undefined;
  readonly command: readonly string[];
}

/** The largest plan that a person can look at, in bytes; a larger file is something else. */
const LARGEST = 16 * 1024 * 1024;
const HINT = 'Create the plan again: the file has changed since svc wrote it.';

/** One plan has one text only, so that {@link decodePlan} can refuse every other. */
export function encodePlan({ writes, ...head }: Plan): string {
  return encodeHead(head) + writes.map(encodeWrite).join('');
}

export function encodeHead({ origin, account }: PlanHead): string {
  return `${stringifyJson({ svc_plan: 1, origin, account })}\n`;
}

export function encodeWrite({ method, path, body, key, ifMatch, noun, command }: PlannedWrite): string {
  const line: JsonObject = {
    method,
    path,
    ...(body !== undefined && { body }),
    key,
    ...(ifMatch !== undefined && { if_match: ifMatch }),
    ...(noun !== undefined && { noun }),
    command,
  };
  return `${stringifyJson(line)}\n`;
}

/** The digest by which a person approves a plan: the SHA-256 of its file, in hexadecimal. */
export function planDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A stranger's file until it is checked: svc refuses text that it would not write itself. @throws UsageError that names the line. */
export function decodePlan(bytes: Uint8Array): Plan {
  if (bytes.length > LARGEST) throw new UsageError('The plan is larger than 16 MB.', { hint: 'Put fewer writes into a plan.' });
  const text = decodeUtf8(bytes);
  if (!text.endsWith('\n')) throw new UsageError('The plan is incomplete: its last line has no end.', { hint: HINT });
  const [first = '', ...rest] = text.slice(0, -1).split('\n');
  const head = readPlanHead(readLine(first, 1));
  if (head === undefined) throw wrongLine(1);
  const writes = rest.map((line, index) => readPlannedWrite(readLine(line, index + 2)) ?? raise(wrongLine(index + 2)));
  const plan = { ...head, writes };
  const keys = new Set(writes.map(({ key }) => key));
  if (keys.size < writes.length) throw new UsageError('Two writes of the plan have the same key.', { hint: HINT });
  // A line that says more shows here, and one that is written differently (a name twice, blanks, an escape).
  const wrong = encodePlan(plan)
    .split('\n')
    .findIndex((line, index) => line !== [first, ...rest][index]);
  if (wrong >= 0 && wrong <= rest.length) throw wrongLine(wrong + 1);
  return plan;
}

/** A plan as rows to look at. A body that svc would write differently (a field twice) is shown as the text that svc sends. */
export function planRows({ writes }: Plan): JsonObject[] {
  return writes.map(({ method, path, body, ifMatch }, index) => ({
    number: index + 1,
    method,
    path,
    body: body === undefined ? null : shownBody(body),
    if_match: ifMatch ?? null,
  }));
}

function shownBody(body: string): JsonValue {
  try {
    const value = parseJson(body);
    return stringifyJson(value) === body ? value : body;
  } catch {
    return body;
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError('The plan is not text.', { hint: HINT, cause });
  }
}

function readLine(line: string, number: number): JsonObject {
  try {
    const value = parseJson(line);
    if (isJsonObject(value)) return value;
  } catch {
    // The caller gets the same message for both.
  }
  throw wrongLine(number);
}

function wrongLine(number: number): UsageError {
  return new UsageError(`Line ${number} of the plan is not as svc writes it.`, { hint: HINT });
}

function raise(error: Error): never {
  throw error;
}

/** The first line of a plan; undefined when anything in it is wrong. The caller finds further members by encoding the result again. */
function readPlanHead({ svc_plan: version, origin, account }: JsonObject): PlanHead | undefined {
  if (version !== 1) return undefined;
  if (typeof origin !== 'string' || typeof account !== 'string' || !isOrigin(origin) || !/^[\x20-\x7e]{1,255}$/.test(account))
    return undefined;
  return { origin, account };
}

function readPlannedWrite(line: JsonObject): PlannedWrite | undefined {
  const { method, path, body, key, if_match: ifMatch, noun, command } = line;
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') return undefined;
  if (typeof path !== 'string' || !isPath(path) || !isWords(command)) return undefined;
  if (!isTextOrAbsent(body) || !isTextOrAbsent(ifMatch) || !isTextOrAbsent(noun)) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) return undefined;
  if ((ifMatch !== undefined && !ETAG.test(ifMatch)) || (noun !== undefined && !RESOURCE_NAME.test(noun))) return undefined;
  return { method, path, body, key, ifMatch, noun, command };
}

/** As the client accepts it (rule 6.11), without blanks. */
const KEY = /^[\x21-\x7e]{1,255}$/;
/** RFC 9110 §8.8.3, or the `*` of an If-Match. */
const ETAG = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]*")$/;
const RESOURCE_NAME = /^[a-z]+(?:-[a-z]+)*$/;

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text;
}

/** Whether a path leads where it says: no host, no way up, nothing that a URL parser would read differently. */
function isPath(path: string): boolean {
  if (!/^\/[\x21-\x7e]*$/.test(path) || /^\/\/|[\\#]|%2e|%2f|%5c/i.test(path)) return false;
  return apiPath(path) === path;
}

function isWords(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

function isTextOrAbsent(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
