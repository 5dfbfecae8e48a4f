import type { JsonObject, JsonValue } from '../values/json.ts';
import type { PlanHead, PlannedWrite } from './plan.ts';
import { apiPath } from './request-digest.ts';

/** The first line of a plan; undefined when anything in it is wrong. The caller finds further members by encoding the result again. */
export function readPlanHead({ svc_plan: version, origin, account }: JsonObject): PlanHead | undefined {
  if (version !== 1) return undefined;
  if (typeof origin !== 'string' || typeof account !== 'string' || !isOrigin(origin) || !/^[\x20-\x7e]{1,255}$/.test(account))
    return undefined;
  return { origin, account };
}

/** Reads a further line, in the same way. */
export function readPlannedWrite(line: JsonObject): PlannedWrite | undefined {
  const { method, path, body, key, if_match: ifMatch, noun, command } = line;
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') return undefined;
  if (typeof path !== 'string' || !isPath(path) || !isWords(command)) return undefined;
  if (!isTextOrAbsent(body) || !isTextOrAbsent(ifMatch) || !isTextOrAbsent(noun)) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) return undefined;
  if ((ifMatch !== undefined && !ETAG.test(ifMatch)) || (noun !== undefined && !NOUN.test(noun))) return undefined;
  return { method, path, body, key, ifMatch, noun, command };
}

/** As the client accepts it (rule 6.11), without blanks. */
const KEY = /^[\x21-\x7e]{1,255}$/;
/** RFC 9110 §8.8.3, or the `*` of an If-Match. */
const ETAG = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]*")$/;
const NOUN = /^[a-z]+(?:-[a-z]+)*$/;

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
