import type { SandboxKnobs } from '../knobs.ts';
import type { ServedChild, ServedResource, ServedVerb } from '../resources/define.ts';
import type { AbilityClass } from '../tokens/abilities.ts';
import type { Call, Method, ServedOperation, Success } from './call.ts';
import { includeCost } from './include.ts';
import { list } from './list.ts';
import { get } from './record.ts';
import type { Reply } from './reply.ts';
import { create, DELETE_ANSWERS, remove, update } from './write.ts';

export const RECORD_QUERY = ['view', 'include'] as const;

type Run = (call: Call, resource: ServedResource, nested: ServedChild | undefined) => Reply;

interface VerbWay {
  readonly method: Method;
  readonly onItem: boolean;
  readonly needs: AbilityClass;
  readonly query: ServedOperation['query'];
  readonly body?: 'create' | 'update';
  readonly run: Run;
}

const VERBS: Readonly<Record<ServedVerb, VerbWay>> = {
  list: { method: 'GET', onItem: false, needs: 'read', query: 'list', run: list },
  get: { method: 'GET', onItem: true, needs: 'read', query: RECORD_QUERY, run: get },
  create: { method: 'POST', onItem: false, needs: 'write', query: RECORD_QUERY, body: 'create', run: create },
  update: { method: 'PATCH', onItem: true, needs: 'write', query: RECORD_QUERY, body: 'update', run: update },
  delete: { method: 'DELETE', onItem: true, needs: 'destroy', query: [], run: remove },
};

/** A verb on a collection or its records, at the top or below a parent. */
export function operation(resource: ServedResource, verb: ServedVerb, nested: ServedChild | undefined): ServedOperation {
  const { method, onItem, needs, query, body, run } = VERBS[verb];
  const parent = nested === undefined ? undefined : resource.other(nested.parent);
  const collection = nested === undefined ? `/${resource.path}` : `/${parent?.path ?? ''}/{${parent?.parameter ?? ''}}/${nested.segment}`;
  const isList = verb === 'list';
  const permission = resource.permissions[verb === 'get' ? 'list' : verb];
  return {
    method,
    path: onItem ? `${collection}/{${resource.parameter}}` : collection,
    resource,
    name: verb,
    summary: summaryOf(resource, verb, nested),
    query,
    ...(nested !== undefined && { nested }),
    ...(body !== undefined && { body: { kind: body, fields: resource.fields } }),
    conditional: verb === 'update' || verb === 'delete',
    answer: (knobs) => answerOf(resource, verb, knobs),
    need: () => ({ class: needs, prefixes: resource.prefixes }),
    // Whether a write needs a permission can depend on whose record it is: then the operation itself asks.
    permission: needs !== 'read' && resource.own !== undefined ? null : permission,
    cost: (query, knobs) => (verb === 'delete' ? 1 : (isList ? listCost(query) : 1) + includeCost(resource, query, knobs)),
    run: (call) => run(call, resource, nested),
  };
}

/** A schema's name in words: `a work item`. */
export function schemaWithArticle(schema: string): string {
  const words = schema.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return `${/^(?:[aeio]|u(?!ser))/.test(words) ? 'an' : 'a'} ${words}`;
}

function summaryOf(resource: ServedResource, verb: ServedVerb, nested: ServedChild | undefined): string {
  const one = schemaWithArticle(resource.schema);
  const below = nested === undefined ? '' : ` of ${schemaWithArticle(resource.other(nested.parent).schema)}`;
  switch (verb) {
    case 'list':
      return `List ${(nested === undefined ? resource.path : nested.segment).replaceAll('-', ' ')}${below}`;
    case 'get':
      return `Read ${one}${below}`;
    case 'create':
      return `Add ${one}${nested === undefined ? '' : below.replace(' of', ' to')}`;
    case 'update':
      return `Change ${one}${below}`;
    case 'delete':
      return `Delete ${one}${below}`;
  }
}

function answerOf(resource: ServedResource, verb: ServedVerb, knobs: SandboxKnobs): Success {
  switch (verb) {
    case 'list':
      return { status: 200, shows: 'page', resource };
    case 'create':
      return { status: 201, shows: 'record', resource };
    case 'delete': {
      const status = DELETE_ANSWERS[knobs.deleteAnswers];
      return status === 204 ? { status, shows: 'nothing' } : { status, shows: 'record', resource };
    }
    default:
      return { status: 200, shows: 'record', resource };
  }
}

/** Rate-limit units of a collection read without its includes (rules 15.16 to 15.22). */
function listCost(query: URLSearchParams): number {
  return (query.get('view') === 'detail' ? 3 : 1) + (query.has('q') ? 2 : 0) + (query.get('with_total') === '1' ? 2 : 0);
}

/** Everything that is done with one resource, but for the actions that have code of their own. */
export function servedOperations(resource: ServedResource): ServedOperation[] {
  const places: (ServedChild | undefined)[] = resource.topLevel
    ? [undefined, ...resource.nested.map((nested) => nested)]
    : [...resource.nested];
  return places.flatMap((nested) =>
    resource.verbs
      // A child with an address of its own is not also an item under its parent.
      .filter((verb) => nested === undefined || !resource.topLevel || !VERBS[verb].onItem)
      .map((verb) => operation(resource, verb, nested)),
  );
}
