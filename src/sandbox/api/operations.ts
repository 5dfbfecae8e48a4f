import type { SandboxKnobs } from '../knobs.ts';
import { describe, describeInYaml } from '../openapi/serve.ts';
import type { Field, NestedCollection, Resource, Verb } from '../resources/define.ts';
import { RESOURCES, resourceNamed } from '../resources/index.ts';
import type { AbilityClass } from '../tokens/abilities.ts';
import { completeSprint, MOVE_FIELDS, move, TRANSITION_FIELDS, transition } from './actions.ts';
import type { Body, Call, Method, Operation, Success } from './call.ts';
import { discover, me } from './discovery.ts';
import { includeCost } from './include.ts';
import { list } from './list.ts';
import { get } from './record.ts';
import type { Reply } from './reply.ts';
import { stopTimer } from './timers.ts';
import { receiveUpload, requestTicket, requestUpload, ticketFields } from './uploads.ts';
import { create, DELETE_ANSWERS, remove, update } from './write.ts';

type Run = (call: Call, resource: Resource, nested: NestedCollection | undefined) => Reply;

interface VerbWay {
  readonly method: Method;
  readonly onItem: boolean;
  readonly needs: AbilityClass;
  readonly query: Operation['query'];
  readonly body?: 'create' | 'update';
  readonly run: Run;
}

const RECORD_QUERY = ['view', 'include'] as const;

const VERBS: Readonly<Record<Verb, VerbWay>> = {
  list: { method: 'GET', onItem: false, needs: 'read', query: 'list', run: list },
  get: { method: 'GET', onItem: true, needs: 'read', query: RECORD_QUERY, run: get },
  create: { method: 'POST', onItem: false, needs: 'write', query: RECORD_QUERY, body: 'create', run: create },
  update: { method: 'PATCH', onItem: true, needs: 'write', query: RECORD_QUERY, body: 'update', run: update },
  delete: { method: 'DELETE', onItem: true, needs: 'destroy', query: [], run: remove },
};

function operation(resource: Resource, verb: Verb, nested: NestedCollection | undefined): Operation {
  const { method, onItem, needs, query, body, run } = VERBS[verb];
  const collection =
    nested === undefined ? `/${resource.name}` : `/${nested.parent}/{${resourceNamed(nested.parent).parameter}}/${nested.segment}`;
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

function summaryOf(resource: Resource, verb: Verb, nested: NestedCollection | undefined): string {
  const one = resource.schema.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const article = /^(?:[aeio]|u(?!ser))/.test(one) ? 'an' : 'a';
  const below = nested === undefined ? '' : ` of a ${resourceNamed(nested.parent).parameter.replaceAll('_', ' ')}`;
  switch (verb) {
    case 'list':
      return `List ${(nested === undefined ? resource.name : nested.segment).replaceAll('-', ' ')}${below}`;
    case 'get':
      return `Read ${article} ${one}${below}`;
    case 'create':
      return `Add ${article} ${one}${nested === undefined ? '' : below.replace(' of', ' to')}`;
    case 'update':
      return `Change ${article} ${one}${below}`;
    case 'delete':
      return `Delete ${article} ${one}${below}`;
  }
}

function answerOf(resource: Resource, verb: Verb, knobs: SandboxKnobs): Success {
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

/** Units of a collection read without its includes (rules 15.16 to 15.22). */
function listCost(query: URLSearchParams): number {
  return (query.get('view') === 'detail' ? 3 : 1) + (query.has('q') ? 2 : 0) + (query.get('with_total') === '1' ? 2 : 0);
}

interface Act {
  readonly summary: string;
  readonly run: (call: Call) => Reply;
  /** Members of its body; absent: an empty one. */
  readonly fields?: Readonly<Record<string, Field>>;
}

function action(resourceName: string, name: string, { summary, run, fields = {} }: Act): Operation {
  const resource = resourceNamed(resourceName);
  return {
    method: 'POST',
    path: `/${resource.name}/{${resource.parameter}}/actions/${name}`,
    resource,
    name,
    summary,
    query: ['view'],
    body: { kind: 'update', fields },
    conditional: true,
    answer: () => ({ status: 200, shows: 'record', resource }),
    need: () => ({ class: 'write', prefixes: resource.prefixes }),
    permission: resource.permissions.update,
    cost: () => 1,
    run,
  };
}

function operationsOf(resource: Resource): Operation[] {
  const places: (NestedCollection | undefined)[] = resource.topLevel
    ? [undefined, ...resource.nested.map((nested) => nested)]
    : [...resource.nested];
  return places.flatMap((nested) =>
    resource.verbs
      // A child with an address of its own is not also an item under its parent.
      .filter((verb) => nested === undefined || !resource.topLevel || !VERBS[verb].onItem)
      .map((verb) => operation(resource, verb, nested)),
  );
}

const NEEDS_ANY_ABILITY = { class: 'read', prefixes: 'any' } as const;

/** The OpenAPI document, which any live token may read. */
const DOCUMENTS: readonly Operation[] = [documentIn('json', describe), documentIn('yaml', describeInYaml)];

function documentIn(form: 'json' | 'yaml', run: (call: Call, operations: readonly Operation[]) => Reply): Operation {
  return {
    method: 'GET',
    path: `/openapi.${form}`,
    name: `openapi_${form}`,
    summary: `Read this document as ${form.toUpperCase()}`,
    query: [],
    answer: () => ({ status: 200, shows: 'document' }),
    when: ({ openapi }) => openapi === 'served',
    need: () => NEEDS_ANY_ABILITY,
    permission: null,
    media: `application/${form}`,
    cost: () => 1,
    run: (call) => run(call, OPERATIONS),
  };
}

/** Everything the API answers. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/',
    name: 'discover',
    summary: 'List what this organisation has',
    query: ['view'],
    answer: () => ({ status: 200, shows: 'discovery' }),
    need: ({ knobs }) => ({ class: 'read', prefixes: knobs.narrowedDiscovery === 'answered' ? 'any' : 'unnarrowed' }),
    permission: null,
    cost: () => 1,
    run: (call) => discover(call, OPERATIONS),
  },
  {
    method: 'GET',
    path: '/me',
    name: 'me',
    summary: 'Read the user whose token it is',
    query: RECORD_QUERY,
    answer: () => ({ status: 200, shows: 'me', resource: resourceNamed('users') }),
    need: ({ knobs }) => ({ class: 'read', prefixes: knobs.narrowedMe === 'answered' ? 'any' : 'unnarrowed' }),
    permission: null,
    cost: (query, knobs) => 1 + includeCost(resourceNamed('users'), query, knobs),
    run: me,
  },
  ...DOCUMENTS,
  ...RESOURCES.flatMap(operationsOf),
  action('work-items', 'transition', { summary: 'Move a work item to another status', run: transition, fields: TRANSITION_FIELDS }),
  action('work-items', 'move', { summary: 'Place a work item on the board or in the backlog', run: move, fields: MOVE_FIELDS }),
  action('sprints', 'complete', { summary: 'Complete a sprint', run: completeSprint }),
  {
    ...action('timers', 'stop', { summary: 'Stop a timer', run: stopTimer }),
    permission: null,
    when: ({ timerEnds }) => timerEnds === 'action' || timerEnds === 'logging-action',
  },
  ...uploadSteps(
    ({ uploads }) => uploads === 'work-item' || uploads === 'both',
    [
      { path: '/work-items/{work_item}/uploads', run: requestUpload, body: ticketBody(false) },
      { path: '/uploads/{upload}', run: receiveUpload },
    ],
    true,
  ),
  ...uploadSteps(
    ({ uploads }) => uploads === 'tickets' || uploads === 'both',
    [
      { path: '/upload-tickets', run: requestTicket, body: ticketBody(true) },
      { path: '/upload-tickets/{upload}/content', run: receiveUpload },
    ],
    false,
  ),
];

function ticketBody(namesItem: boolean): Body {
  return { kind: 'create', fields: ticketFields(resourceNamed('attachments'), namesItem) };
}

interface UploadStep {
  readonly path: string;
  readonly run: (call: Call) => Reply;
  readonly body?: Body;
}

/**
 * A way to send files: asking for a ticket, then sending the contents.
 * @param ofItem Whether discovery has them with work items. Tickets of their own belong to no resource; what they lead to is written like a work item all the same.
 */
function uploadSteps(when: Operation['when'] & object, [ask, send]: readonly [UploadStep, UploadStep], ofItem: boolean): Operation[] {
  const item = resourceNamed('work-items');
  const common = {
    method: 'POST',
    query: [],
    when,
    need: () => ({ class: 'write', prefixes: item.prefixes }) as const,
    permission: item.permissions.update,
    cost: () => 1,
    ...(ofItem && { resource: item }),
  } as const;
  return [
    {
      ...common,
      body: { kind: 'create', fields: {} },
      ...ask,
      name: 'request_upload',
      summary: 'Ask for a ticket to send a file',
      answer: () => ({ status: 201, shows: 'ticket' }),
      personalOnly: ({ uploadsRefuseApps }) => uploadsRefuseApps === 'every-step',
    },
    {
      ...common,
      body: { kind: 'contents' },
      ...send,
      name: 'upload',
      summary: 'Send the contents of a file',
      answer: () => ({ status: 201, shows: 'record', resource: resourceNamed('attachments') }),
      personalOnly: () => true,
    },
  ];
}
