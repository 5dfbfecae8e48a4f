import type { Interpretations } from './interpretations.ts';
import { isObject, type Json } from './json.ts';
import { type JsonSchema, objectOf } from './resources/define.ts';

type Members = { readonly [member: string]: Json };

/**
 * Returns the members of a problem in the form that the options choose. The sandbox itself uses `parameter`, `key`, `errors`, and
 * `conflict` with `from_status_id` and `to_status_id`.
 */
function problemMembers(
  { members, message }: { readonly members: Members; readonly message: string },
  interpretations: Interpretations,
): Members {
  if (typeof members['parameter'] === 'string')
    return withParameter(members, members['parameter'], message, interpretations.parameterMember);
  if (typeof members['key'] === 'string') return withKeys(members, members['key'], interpretations.keyMember);
  if (isObject(members['conflict'])) return withEnds(members, members['conflict'], interpretations.transitionEnds);
  return members;
}

export function memberSchemas({ parameterMember, keyMember, transitionEnds }: Interpretations): { [member: string]: JsonSchema } {
  const text: JsonSchema = { type: 'string' };
  const id: JsonSchema = { type: ['integer', 'null'] };
  const parameter: { [member: string]: JsonSchema } =
    parameterMember === 'source'
      ? { source: objectOf({ parameter: text }) }
      : parameterMember === 'errors'
        ? {}
        : { [parameterMember]: text };
  const at = keyMember === 'field' || keyMember === 'pointer' ? keyMember : 'key';
  const broken = objectOf({ [at]: text, parameter: text, code: text, message: text, detail: text }, []);
  const list: JsonSchema = { type: 'array', items: broken };
  const messages: JsonSchema = { type: 'object', additionalProperties: { type: 'array', items: text } };
  const errors = keyMember !== 'map' ? list : parameterMember === 'errors' ? { anyOf: [list, messages] } : messages;
  const key: { [member: string]: JsonSchema } = keyMember === 'errors' || keyMember === 'map' ? {} : { [keyMember]: text };
  const [from, to] = ENDS[transitionEnds];
  const ends = { [from]: id, [to]: id };
  const conflict = objectOf({ reason: text, ...(transitionEnds !== 'top-level' && ends) }, ['reason']);
  return {
    ...parameter,
    ...key,
    errors,
    conflict,
    ...(transitionEnds === 'top-level' && ends),
    permission: text,
    rate_limit: objectOf({ limit: { type: 'integer' }, retry_after: { type: 'integer' } }),
  };
}

const ENDS = {
  'status-ids': ['from_status_id', 'to_status_id'],
  'from-to': ['from', 'to'],
  'workflow-status-ids': ['from_workflow_status_id', 'to_workflow_status_id'],
  'top-level': ['from_status_id', 'to_status_id'],
} as const;

function withParameter(
  { parameter: _, ...rest }: Members,
  parameter: string,
  detail: string,
  name: Interpretations['parameterMember'],
): Members {
  if (name === 'source') return { ...rest, source: { parameter } };
  if (name === 'errors') return { errors: [{ ...rest, parameter, detail }] };
  return { ...rest, [name]: parameter };
}

function withKeys({ key: _, errors: given, ...rest }: Members, key: string, name: Interpretations['keyMember']): Members {
  const broken = (Array.isArray(given) ? given : []).filter(isObject);
  switch (name) {
    case 'key':
      return { ...rest, key, errors: broken };
    case 'map': {
      // A key of a body can have any name, even `__proto__`.
      const messages = new Map<string, string[]>();
      for (const { key: at, message } of broken) messages.set(String(at), [...(messages.get(String(at)) ?? []), String(message)]);
      return { ...rest, errors: Object.fromEntries(messages) };
    }
    case 'pointer':
      return { ...rest, pointer: `/${key}`, errors: broken.map(({ key: at, ...more }) => ({ pointer: `/${String(at)}`, ...more })) };
    case 'field':
      return { ...rest, field: key, errors: broken.map(({ key: at, ...more }) => ({ field: at ?? null, ...more })) };
    case 'errors':
      return { errors: broken };
  }
}

function withEnds(members: Members, conflict: Members, name: Interpretations['transitionEnds']): Members {
  const { from_status_id: from, to_status_id: to, ...rest } = conflict;
  if (from === undefined || to === undefined) return members;
  const [first, second] = ENDS[name];
  const ends = { [first]: from, [second]: to };
  return name === 'top-level' ? { ...members, conflict: rest, ...ends } : { ...members, conflict: { ...rest, ...ends } };
}

/** The problem types by name. The first type with a status is the default type of that status. */
const TYPES: Readonly<Record<string, { readonly status: number; readonly title: string }>> = {
  'malformed-request': { status: 400, title: 'The request is malformed' },
  'invalid-query-parameter': { status: 400, title: 'A query parameter is not valid' },
  'unsupported-parameter': { status: 400, title: 'A query parameter is not supported here' },
  'invalid-cursor': { status: 400, title: 'The cursor does not fit this query' },
  'idempotency-key-required': { status: 400, title: 'This operation needs an Idempotency-Key' },
  unauthenticated: { status: 401, title: 'The token is missing, invalid, expired or revoked' },
  'insufficient-permission': { status: 403, title: 'The user lacks the permission for this' },
  'insufficient-token-scope': { status: 403, title: 'The token lacks the ability for this' },
  'endpoint-not-found': { status: 404, title: 'There is no such endpoint' },
  'resource-not-found': { status: 404, title: 'There is no such record' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'not-acceptable': { status: 406, title: 'The requested representation is not available' },
  'state-conflict': { status: 409, title: 'The record is not in a state that allows this' },
  'precondition-failed': { status: 412, title: 'The record has changed since it was read' },
  'unsupported-media-type': { status: 415, title: 'The content type is not supported' },
  'validation-failed': { status: 422, title: 'The request body is not valid' },
  'rate-limit-exceeded': { status: 429, title: 'Too many requests' },
  'server-error': { status: 500, title: 'The server failed' },
  'service-unavailable': { status: 503, title: 'The service is unavailable' },
};

export interface ProblemDetails {
  /** The members in addition to the common members, such as `code`, `parameter`, `conflict` or `rate_limit`. Default: none. */
  readonly members?: { readonly [member: string]: Json };
  readonly headers?: Readonly<Record<string, string>>;
}

export class Problem extends Error {
  readonly status: number;
  readonly type: string;
  readonly members: { readonly [member: string]: Json };
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, type: string, detail: string, details: ProblemDetails = {}) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.type = type;
    this.members = details.members ?? {};
    this.headers = details.headers ?? {};
  }
}

export function problemDocument(
  problem: Problem,
  at: { readonly origin: string; readonly instance: string; readonly requestId: string },
  interpretations: Interpretations,
): { [member: string]: Json } {
  const type = problemType(problem.status, problem.type, at.origin, interpretations);
  return {
    ...(type !== undefined && { type }),
    title: TYPES[problem.type]?.title ?? problem.type,
    status: problem.status,
    detail: problem.message,
    instance: at.instance,
    request_id: at.requestId,
    ...problemMembers(problem, interpretations),
  };
}

export function usualType(status: number): string {
  return Object.keys(TYPES).find((type) => TYPES[type]?.status === status) ?? 'server-error';
}

const UNNAMED = [405, 406, 415, 500, 503];

export function problemType(status: number, type: string, origin: string, { statusTypes }: Interpretations): string | undefined {
  if (statusTypes === 'named' || !UNNAMED.includes(status)) return `${origin}/problems/${type}`;
  return statusTypes === 'blank' ? 'about:blank' : undefined;
}

export function problemTypes(status: number, { missingRecordType }: Interpretations): string[] {
  const known = Object.entries(TYPES).flatMap(([type, of]) => (of.status === status && type !== 'resource-not-found' ? type : []));
  return status === 404 ? [...new Set([...known, missingRecordType])] : known;
}

export function badParameter(parameter: string, code: string, detail: string): Problem {
  return new Problem(400, 'invalid-query-parameter', detail, { members: { code, parameter } });
}

export function unsupportedParameter(parameter: string, detail = `The parameter ${parameter} is not known here.`): Problem {
  return new Problem(400, 'unsupported-parameter', detail, { members: { code: 'unsupported', parameter } });
}

export interface BrokenRule {
  readonly key: string;
  readonly code: string;
  readonly message: string;
}

/** Creates the problem `422 validation-failed`. Its top level has the first violated rule, and `errors` has all violated rules. */
export function invalidBody(broken: readonly [BrokenRule, ...BrokenRule[]]): Problem {
  const [first] = broken;
  const errors = broken.map(({ key, code, message }) => ({ key, code, message }));
  return new Problem(422, 'validation-failed', first.message, { members: { code: first.code, key: first.key, errors } });
}

export function endpointNotFound(): Problem {
  return new Problem(404, 'endpoint-not-found', 'There is no endpoint at this address, or it is not enabled for this organisation.');
}

export function missingPermission(permission: string): Problem {
  return new Problem(403, 'insufficient-permission', `The user lacks the permission ${permission}.`, { members: { permission } });
}
