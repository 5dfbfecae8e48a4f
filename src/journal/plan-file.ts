import { createHash } from 'node:crypto';
import { UsageError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../values/json.ts';
import type { Plan, PlanHead, PlannedWrite } from './plan.ts';
import { readPlanHead, readPlannedWrite } from './read-plan.ts';

/** The largest plan that a person can look at, in bytes; a larger file is something else. */
const LARGEST = 16 * 1024 * 1024;
const HINT = 'Plan it again: somebody or something changed the file.';

/**
 * Writes a plan as text: a line with its owner, then a line for each write, each JSON. One plan has one text only, so that
 * {@link decodePlan} can refuse every other.
 */
export function encodePlan({ writes, ...head }: Plan): string {
  return encodeHead(head) + writes.map(encodeWrite).join('');
}

/** The first line of a plan. */
export function encodeHead({ origin, account }: PlanHead): string {
  return `${stringifyJson({ svc_plan: 1, origin, account })}\n`;
}

/** One further line of a plan. */
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

/**
 * Reads a plan. It is a stranger's file until every part of it is checked. svc refuses any text that it would not write itself. So svc
 * sends exactly the plan that it shows.
 *
 * @throws UsageError that names the line.
 */
export function decodePlan(bytes: Uint8Array): Plan {
  if (bytes.length > LARGEST) throw new UsageError('The plan is larger than 16 MB.', { hint: 'Plan less at a time.' });
  const text = decodeUtf8(bytes);
  if (!text.endsWith('\n')) throw new UsageError('The plan is cut off: its last line has no end.', { hint: HINT });
  const [first = '', ...rest] = text.slice(0, -1).split('\n');
  const head = readPlanHead(readLine(first, 1));
  if (head === undefined) throw wrongLine(1);
  const writes = rest.map((line, index) => readPlannedWrite(readLine(line, index + 2)) ?? raise(wrongLine(index + 2)));
  const plan = { ...head, writes };
  const keys = new Set(writes.map(({ key }) => key));
  if (keys.size < writes.length) throw new UsageError('Two writes of the plan have one key.', { hint: HINT });
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
    throw new UsageError('The plan is not a text.', { hint: HINT, cause });
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
