import type { Json } from '../json.ts';
import type { SandboxKnobs } from '../knobs.ts';
import { problemType, problemTypes } from '../problem.ts';
import { memberSchemas } from '../problem-members.ts';
import type { JsonSchema } from '../resources/define.ts';
import { headersOf } from './headers.ts';
import type { ParameterPlace } from './parameters.ts';
import { objectOf } from './record-schemas.ts';

/** Names of the responses in the components. */
const NAMES: Readonly<Record<number, readonly [name: string, words: string]>> = {
  400: ['BadRequest', 'A parameter is not known here, or its value is not valid.'],
  401: ['Unauthenticated', 'The token is missing, invalid, expired or revoked.'],
  403: ['Forbidden', 'The token lacks the ability, or its user the permission.'],
  404: ['NotFound', 'There is no such endpoint, or no such record.'],
  406: ['NotAcceptable', 'The wanted representation cannot be had.'],
  409: ['Conflict', 'The record is not in a state that allows this.'],
  412: ['PreconditionFailed', 'The record has changed since it was read.'],
  415: ['UnsupportedMediaType', 'The content type is not supported.'],
  422: ['ValidationFailed', 'The body is not valid; it names the keys.'],
  429: ['TooManyRequests', 'A budget is used up. The request did not run.'],
  500: ['ServerError', 'The server failed.'],
  503: ['Unavailable', 'The service is unavailable.'],
};

/** The response of a failed request with this status: a problem document (RFC 9457). */
export function problemResponse(status: number, origin: string, { components, knobs }: ParameterPlace): JsonSchema {
  const [name, description] = NAMES[status] ?? ['Problem', 'Something is wrong.'];
  return components.ref('responses', name, () => {
    const schema = components.ref('schemas', `${name}Problem`, () => ({
      allOf: [components.ref('schemas', 'Problem', () => problemSchema(knobs)), ofStatus(status, origin, knobs)],
    }));
    const retry = status === 429 || status === 503 ? ['Retry-After'] : [];
    return { description, headers: headersOf(retry, { components, knobs }), content: { 'application/problem+json': { schema } } };
  });
}

function problemSchema(knobs: SandboxKnobs): JsonSchema {
  const text = { type: 'string' };
  return objectOf({
    properties: {
      type: { ...text, description: 'An address that ends in the name of the problem type.' },
      title: text,
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: text,
      instance: { ...text, description: 'The path of the request.' },
      request_id: { ...text, description: 'The server’s id of the request, a ULID.' },
      code: { ...text, description: 'The rule that was broken.' },
      ...memberSchemas(knobs),
    },
    required: ['title', 'status', 'detail', 'instance', 'request_id'],
  });
}

function ofStatus(status: number, origin: string, knobs: SandboxKnobs): JsonSchema {
  const addresses = [...new Set(problemTypes(status, knobs).map((type) => problemType(status, type, origin, knobs)))];
  const known = addresses.filter((address) => address !== undefined) as Json[];
  const type = known.length === 0 ? {} : { type: { type: 'string', enum: known, 'x-extensible-enum': true } };
  return objectOf({
    properties: { ...type, status: { type: 'integer', enum: [status] } },
    required: known.length === 0 ? ['status'] : ['type', 'status'],
  });
}
