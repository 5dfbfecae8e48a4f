import type { ServedOperation, Success } from '../api/call.ts';
import { discoverySchema } from '../api/discovery.ts';
import { heedsKey } from '../api/idempotency.ts';
import type { JsonSchema, ServedResource } from '../resources/define.ts';
import { ANY_OBJECT } from './field-schema.ts';
import { headersOf } from './headers.ts';
import type { ParameterPlace } from './parameters.ts';
import { problemResponse } from './problems.ts';
import { objectOf, recordRef } from './record-schemas.ts';

/** Statuses that any operation may answer (rule 14.31). */
const ALWAYS = [400, 401, 404, 406, 429, 500, 503];

/** Every answer of an operation, by status. */
export function responsesOf(operation: ServedOperation, origin: string, place: ParameterPlace): JsonSchema {
  const success = operation.answer(place.knobs);
  const responses: { [status: string]: JsonSchema } = { [String(success.status)]: successResponse(operation, success, place) };
  if (operation.method === 'GET') {
    responses['304'] = { description: 'It is what you have.', headers: headersOf(['ETag'], place) };
  }
  if (success.shows === 'contents') responses['206'] = successResponse(operation, success, place);
  for (const status of failuresOf(operation, place)) responses[String(status)] = problemResponse(status, origin, place);
  return responses;
}

function failuresOf({ method, path, body, conditional }: ServedOperation, { knobs }: ParameterPlace): number[] {
  const isAction = path.includes('/actions/');
  const reuses = method === 'POST' && heedsKey(knobs, path) && knobs.reusedKey === 409;
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
    ...(method === 'POST' && heedsKey(place.knobs, path) ? ['Idempotency-Replayed'] : []),
  ];
  const common = { description: DESCRIPTIONS[success.shows], headers: headersOf(headers, place) };
  if (success.shows === 'nothing') return common;
  return { ...common, content: { [media]: { schema: successSchema(success, place) } } };
}

const DESCRIPTIONS: Readonly<Record<Success['shows'], string>> = {
  page: 'A page of records.',
  record: 'The record.',
  me: 'The user.',
  ticket: 'A ticket, and where the file goes.',
  discovery: 'What this organisation has.',
  document: 'This document.',
  contents: 'The contents of the file; 206 has what a Range asks for.',
  nothing: 'It is gone.',
};

function successSchema({ shows, resource }: Success, place: ParameterPlace): JsonSchema {
  const { components, knobs } = place;
  switch (shows) {
    case 'page':
      return resource === undefined ? {} : pageOf(`${resource.schema}Page`, eitherView(resource, 'summary', place), place);
    case 'record':
      return resource === undefined
        ? {}
        : knobs.wrapSingleRecords
          ? wrapped(eitherView(resource, 'detail', place))
          : eitherView(resource, 'detail', place);
    case 'me':
      return resource === undefined ? {} : wrapped(eitherView(resource, 'detail', place));
    case 'discovery':
      return pageOf(
        'DiscoveryPage',
        components.ref('schemas', 'DiscoveryEntry', () => discoverySchema(knobs)),
        place,
      );
    case 'ticket':
      return components.ref('schemas', 'UploadTicket', () => wrapped(TICKET));
    case 'contents':
      return { type: 'string', format: 'binary' };
    default:
      return ANY_OBJECT;
  }
}

const TICKET = objectOf({
  properties: {
    id: { type: 'integer', format: 'int64' },
    upload_url: { type: 'string', format: 'uri', description: 'Where the contents are sent.' },
    expires_at: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'upload_url', 'expires_at'],
});

/** A record in its default view, or in the other view if the caller asks for that. */
function eitherView(resource: ServedResource, usual: 'summary' | 'detail', { components, knobs }: ParameterPlace): JsonSchema {
  const other = usual === 'summary' ? 'detail' : 'summary';
  return { anyOf: [recordRef(components, resource, usual, knobs), recordRef(components, resource, other, knobs)] };
}

function wrapped(data: JsonSchema): JsonSchema {
  return objectOf({ properties: { data }, required: ['data'] });
}

function pageOf(name: string, items: JsonSchema, { components }: ParameterPlace): JsonSchema {
  return components.ref('schemas', name, () =>
    objectOf({
      properties: {
        data: { type: 'array', items },
        meta: components.ref('schemas', 'PageMeta', () => META),
        links: components.ref('schemas', 'PageLinks', () => LINKS),
      },
      required: ['data', 'meta', 'links'],
    }),
  );
}

const COUNT: JsonSchema = { type: ['integer', 'null'] };
const TEXT: JsonSchema = { type: ['string', 'null'] };
const ADDRESS: JsonSchema = { type: ['string', 'null'], format: 'uri' };

const META = objectOf({
  properties: {
    page: objectOf({
      properties: {
        per_page: { type: 'integer' },
        next_cursor: TEXT,
        prev_cursor: TEXT,
        total: COUNT,
        current_page: COUNT,
        last_page: COUNT,
      },
      required: ['per_page', 'next_cursor', 'prev_cursor', 'total', 'current_page', 'last_page'],
    }),
    warnings: {
      type: 'array',
      items: objectOf({ properties: { code: { type: 'string' }, detail: { type: 'string' } }, required: ['code', 'detail'] }),
    },
  },
  required: ['page'],
});

const LINKS = objectOf({
  properties: { self: { type: 'string', format: 'uri' }, next: ADDRESS, prev: ADDRESS },
  required: ['self', 'next', 'prev'],
});
