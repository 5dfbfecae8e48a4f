import type { ServedOperation, Success } from '../api/call.ts';
import { discoverySchema } from '../api/discovery.ts';
import { heedsKey } from '../api/idempotency.ts';
import type { Interpretations } from '../interpretations.ts';
import type { Json } from '../json.ts';
import { memberSchemas, problemType, problemTypes } from '../problem.ts';
import { type JsonSchema, objectOf, type ServedResource } from '../resources/define.ts';
import { headersOf, type ParameterPlace } from './parameters.ts';
import { ANY_OBJECT, recordRef } from './schemas.ts';

const NAMES: Readonly<Record<number, readonly [name: string, words: string]>> = {
  400: ['BadRequest', 'A parameter is not known here, or its value is not valid.'],
  401: ['Unauthenticated', 'The token is missing, invalid, expired or revoked.'],
  403: ['Forbidden', 'The token lacks the ability, or its user the permission.'],
  404: ['NotFound', 'There is no such endpoint, or no such record.'],
  406: ['NotAcceptable', 'The requested representation is not available.'],
  409: ['Conflict', 'The record is not in a state that allows this.'],
  412: ['PreconditionFailed', 'The record has changed since it was read.'],
  415: ['UnsupportedMediaType', 'The content type is not supported.'],
  422: ['ValidationFailed', 'The body is not valid. The answer names the wrong keys.'],
  429: ['TooManyRequests', 'A rate limit is used up. The request did not run.'],
  500: ['ServerError', 'The server failed.'],
  503: ['Unavailable', 'The service is unavailable.'],
};

function problemResponse(status: number, origin: string, { components, interpretations }: ParameterPlace): JsonSchema {
  const [name, description] = NAMES[status] ?? ['Problem', 'Something is wrong.'];
  return components.ref('responses', name, () => {
    const schema = components.ref('schemas', `${name}Problem`, () => ({
      allOf: [components.ref('schemas', 'Problem', () => problemSchema(interpretations)), ofStatus(status, origin, interpretations)],
    }));
    const retry = status === 429 || status === 503 ? ['Retry-After'] : [];
    return { description, headers: headersOf(retry, { components, interpretations }), content: { 'application/problem+json': { schema } } };
  });
}

function problemSchema(interpretations: Interpretations): JsonSchema {
  const text = { type: 'string' };
  const properties = {
    type: { ...text, description: 'A URL that ends with the name of the problem type.' },
    title: text,
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: text,
    instance: { ...text, description: 'The path of the request.' },
    request_id: { ...text, description: 'The server’s id of the request, a ULID.' },
    code: { ...text, description: 'The violated rule.' },
    ...memberSchemas(interpretations),
  };
  return objectOf(properties, ['title', 'status', 'detail', 'instance', 'request_id']);
}

function ofStatus(status: number, origin: string, interpretations: Interpretations): JsonSchema {
  const addresses = [...new Set(problemTypes(status, interpretations).map((type) => problemType(status, type, origin, interpretations)))];
  const known = addresses.filter((address) => address !== undefined) as Json[];
  const type = known.length === 0 ? {} : { type: { type: 'string', enum: known, 'x-extensible-enum': true } };
  return objectOf({ ...type, status: { type: 'integer', enum: [status] } });
}

/** The error statuses that every operation can have (rule 14.31). */
const ALWAYS = [400, 401, 404, 406, 429, 500, 503];

export function responsesOf(operation: ServedOperation, origin: string, place: ParameterPlace): JsonSchema {
  const success = operation.answer(place.interpretations);
  const responses: { [status: string]: JsonSchema } = { [String(success.status)]: successResponse(operation, success, place) };
  if (operation.method === 'GET') {
    responses['304'] = { description: 'The content has not changed since your ETag.', headers: headersOf(['ETag'], place) };
  }
  if (success.shows === 'contents') responses['206'] = successResponse(operation, success, place);
  for (const status of failuresOf(operation, place)) responses[String(status)] = problemResponse(status, origin, place);
  return responses;
}

function failuresOf({ method, path, body, conditional }: ServedOperation, { interpretations }: ParameterPlace): number[] {
  const isAction = path.includes('/actions/');
  const reuses = method === 'POST' && heedsKey(interpretations, path) && interpretations.reusedKey === 409;
  const some = [
    ...ALWAYS,
    403,
    ...(isAction || reuses ? [409] : []),
    ...(conditional === true ? [412] : []),
    ...(body === undefined ? [] : [415, 422]),
  ];
  return some.sort((a, b) => a - b);
}

function successResponse(operation: ServedOperation, success: Success, place: ParameterPlace): JsonSchema {
  const { method, path, media = 'application/json' } = operation;
  const headers = [
    ...(success.shows === 'nothing' || success.shows === 'ticket' ? [] : ['ETag']),
    ...(success.status === 201 && success.shows !== 'me' && operation.name !== 'upload' ? ['Location'] : []),
    ...(method === 'POST' && heedsKey(place.interpretations, path) ? ['Idempotency-Replayed'] : []),
  ];
  const common = { description: DESCRIPTIONS[success.shows], headers: headersOf(headers, place) };
  if (success.shows === 'nothing') return common;
  return { ...common, content: { [media]: { schema: successSchema(success, place) } } };
}

const DESCRIPTIONS: Readonly<Record<Success['shows'], string>> = {
  page: 'A page of records.',
  record: 'The record.',
  me: 'The user.',
  ticket: 'A ticket with the address for the upload.',
  discovery: 'The resources of this organisation.',
  document: 'This document.',
  contents: 'The contents of the file. A 206 answer has the requested range.',
  nothing: 'The record was deleted.',
};

function successSchema({ shows, resource }: Success, place: ParameterPlace): JsonSchema {
  const { components, interpretations } = place;
  switch (shows) {
    case 'page':
      return resource === undefined ? {} : pageOf(`${resource.schema}Page`, eitherView(resource, 'summary', place), place);
    case 'record':
    case 'me': {
      const record = resource === undefined ? {} : eitherView(resource, 'detail', place);
      return resource !== undefined && (shows === 'me' || interpretations.wrapSingleRecords) ? objectOf({ data: record }) : record;
    }
    case 'discovery':
      return pageOf(
        'DiscoveryPage',
        components.ref('schemas', 'DiscoveryEntry', () => discoverySchema(interpretations)),
        place,
      );
    case 'ticket':
      return components.ref('schemas', 'UploadTicket', () => objectOf({ data: TICKET }));
    case 'contents':
      return { type: 'string', format: 'binary' };
    default:
      return ANY_OBJECT;
  }
}

const TICKET = objectOf({
  id: { type: 'integer', format: 'int64' },
  upload_url: { type: 'string', format: 'uri', description: 'The address for the contents.' },
  expires_at: { type: 'string', format: 'date-time' },
});

function eitherView(resource: ServedResource, usual: 'summary' | 'detail', { components, interpretations }: ParameterPlace): JsonSchema {
  const other = usual === 'summary' ? 'detail' : 'summary';
  return { anyOf: [recordRef(components, resource, usual, interpretations), recordRef(components, resource, other, interpretations)] };
}

function pageOf(name: string, items: JsonSchema, { components }: ParameterPlace): JsonSchema {
  return components.ref('schemas', name, () =>
    objectOf({
      data: { type: 'array', items },
      meta: components.ref('schemas', 'PageMeta', () => META),
      links: components.ref('schemas', 'PageLinks', () => LINKS),
    }),
  );
}

const COUNT: JsonSchema = { type: ['integer', 'null'] };
const TEXT: JsonSchema = { type: ['string', 'null'] };
const ADDRESS: JsonSchema = { type: ['string', 'null'], format: 'uri' };

const META = objectOf(
  {
    page: objectOf({
      per_page: { type: 'integer' },
      next_cursor: TEXT,
      prev_cursor: TEXT,
      total: COUNT,
      current_page: COUNT,
      last_page: COUNT,
    }),
    warnings: { type: 'array', items: objectOf({ code: { type: 'string' }, detail: { type: 'string' } }) },
  },
  ['page'],
);

const LINKS = objectOf({ self: { type: 'string', format: 'uri' }, next: ADDRESS, prev: ADDRESS });
