import type { Json } from './json.ts';
import type { SandboxKnobs } from './knobs.ts';
import { problemMembers } from './problem-members.ts';

/** The problem types the service's documentation names, and its words for the statuses it gives no name. */
const TYPES: Readonly<Record<string, { readonly status: number; readonly title: string }>> = {
  'invalid-query-parameter': { status: 400, title: 'A query parameter is not valid' },
  'unsupported-parameter': { status: 400, title: 'A query parameter is not supported here' },
  'invalid-cursor': { status: 400, title: 'The cursor does not fit this query' },
  'malformed-request': { status: 400, title: 'The request is malformed' },
  'idempotency-key-required': { status: 400, title: 'This operation needs an Idempotency-Key' },
  unauthenticated: { status: 401, title: 'The token is missing, invalid, expired or revoked' },
  'insufficient-token-scope': { status: 403, title: 'The token lacks the ability for this' },
  'insufficient-permission': { status: 403, title: 'The user lacks the permission for this' },
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
  /** Members beside the common ones: `code`, `parameter`, `conflict`, `rate_limit`. */
  readonly members?: { readonly [member: string]: Json };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown anywhere in the sandbox, answered as `application/problem+json`. */
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

/** The document of RFC 9457 for a problem; the detail is its message. */
export function problemDocument(
  problem: Problem,
  at: { readonly origin: string; readonly instance: string; readonly requestId: string },
  knobs: SandboxKnobs,
): { [member: string]: Json } {
  return {
    ...typeMember(problem, at.origin, knobs),
    title: TYPES[problem.type]?.title ?? problem.type,
    status: problem.status,
    detail: problem.message,
    instance: at.instance,
    request_id: at.requestId,
    ...problemMembers(problem, knobs),
  };
}

/** Of these the documentation names no type. */
const UNNAMED = [405, 406, 415, 500, 503];

function typeMember({ status, type }: Problem, origin: string, knobs: SandboxKnobs): { readonly type?: string } {
  const written = problemType(status, type, origin, knobs);
  return written === undefined ? {} : { type: written };
}

/** The member `type` of a problem document, or undefined when there is none. */
export function problemType(status: number, type: string, origin: string, { statusTypes }: SandboxKnobs): string | undefined {
  if (statusTypes === 'named' || !UNNAMED.includes(status)) return `${origin}/problems/${type}`;
  return statusTypes === 'blank' ? 'about:blank' : undefined;
}

/** The problem types that an answer of this status may have. */
export function problemTypes(status: number, { missingRecordType }: SandboxKnobs): string[] {
  const known = Object.entries(TYPES).flatMap(([type, of]) => (of.status === status && type !== 'resource-not-found' ? type : []));
  return status === 404 ? [...new Set([...known, missingRecordType])] : known;
}

/** `400 invalid-query-parameter`, with the broken rule and the parameter as it was sent. */
export function badParameter(parameter: string, code: string, detail: string): Problem {
  return new Problem(400, 'invalid-query-parameter', detail, { members: { code, parameter } });
}

/** `400 unsupported-parameter`. */
export function unsupportedParameter(parameter: string, detail = `The parameter ${parameter} is not known here.`): Problem {
  return new Problem(400, 'unsupported-parameter', detail, { members: { code: 'unsupported', parameter } });
}

export interface BrokenRule {
  readonly key: string;
  readonly code: string;
  readonly message: string;
}

/** `422 validation-failed`: the first broken rule at the top, all of them in `errors`. */
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
