import { describe, describeInYaml } from '../openapi/serve.ts';
import type { Field, Resource } from '../resources/define.ts';
import { SERVICE, type Service } from '../resources/index.ts';
import { completeSprint, MOVE_FIELDS, move, runPlain, TRANSITION_FIELDS, transition } from './actions.ts';
import type { Body, Call, Operation } from './call.ts';
import { discover, me } from './discovery.ts';
import { includeCost } from './include.ts';
import type { Reply } from './reply.ts';
import { stopTimer } from './timers.ts';
import { receiveUpload, requestTicket, requestUpload, ticketFields } from './uploads.ts';
import { operationsOf, RECORD_QUERY } from './verbs.ts';

interface Act {
  readonly summary: string;
  readonly run: (call: Call) => Reply;
  /** Members of its body; absent: an empty one. */
  readonly fields?: Readonly<Record<string, Field>>;
}

function action(resource: Resource, name: string, { summary, run, fields = {} }: Act): Operation {
  return {
    method: 'POST',
    path: `/${resource.path}/{${resource.parameter}}/actions/${name}`,
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

const NEEDS_ANY_ABILITY = { class: 'read', prefixes: 'any' } as const;

/** The OpenAPI document, which any live token may read. */
function documentIn(form: 'json' | 'yaml', run: (call: Call) => Reply): Operation {
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
    run,
  };
}

/** Everything that the API of a service answers. */
export function createOperations({ named, resources }: Service): readonly Operation[] {
  const items = named('work-items');
  const users = named('users');
  const attachments = named('attachments');
  const operations: readonly Operation[] = [
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
      run: (call) => discover(call, operations),
    },
    {
      method: 'GET',
      path: '/me',
      name: 'me',
      summary: 'Read the user whose token it is',
      query: RECORD_QUERY,
      answer: () => ({ status: 200, shows: 'me', resource: users }),
      need: ({ knobs }) => ({ class: 'read', prefixes: knobs.narrowedMe === 'answered' ? 'any' : 'unnarrowed' }),
      permission: null,
      cost: (query, knobs) => 1 + includeCost(users, query, knobs),
      run: me,
    },
    documentIn('json', (call) => describe(call, operations)),
    documentIn('yaml', (call) => describeInYaml(call, operations)),
    ...resources.flatMap(operationsOf),
    ...resources.flatMap(plainActions),
    action(items, 'transition', { summary: 'Move a work item to another status', run: transition, fields: TRANSITION_FIELDS }),
    action(items, 'move', { summary: 'Place a work item on the board or in the backlog', run: move, fields: MOVE_FIELDS }),
    action(named('sprints'), 'complete', { summary: 'Complete a sprint', run: completeSprint }),
    {
      ...action(named('timers'), 'stop', { summary: 'Stop a timer', run: stopTimer }),
      permission: null,
      when: ({ timerEnds }) => timerEnds === 'action' || timerEnds === 'logging-action',
    },
    ...uploadSteps(
      named,
      ({ uploads }) => uploads === 'work-item' || uploads === 'both',
      [
        { path: '/work-items/{work_item}/uploads', run: requestUpload, body: ticketBody(attachments, false) },
        { path: '/uploads/{upload}', run: receiveUpload },
      ],
      true,
    ),
    ...uploadSteps(
      named,
      ({ uploads }) => uploads === 'tickets' || uploads === 'both',
      [
        { path: '/upload-tickets', run: requestTicket, body: ticketBody(attachments, true) },
        { path: '/upload-tickets/{upload}/content', run: receiveUpload },
      ],
      false,
    ),
  ];
  return operations;
}

/** What the service as it is documented answers. */
export const OPERATIONS: readonly Operation[] = createOperations(SERVICE);

/** Actions that are nothing but what they set. */
function plainActions(resource: Resource): Operation[] {
  return (resource.actions ?? []).map((known) =>
    action(resource, known.name, { summary: known.summary, fields: known.fields, run: (call) => runPlain(call, resource, known) }),
  );
}

function ticketBody(attachments: Resource, namesItem: boolean): Body {
  return { kind: 'create', fields: ticketFields(attachments, namesItem) };
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
function uploadSteps(
  named: Service['named'],
  when: Operation['when'] & object,
  [ask, send]: readonly [UploadStep, UploadStep],
  ofItem: boolean,
): Operation[] {
  const item = named('work-items');
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
      answer: () => ({ status: 201, shows: 'record', resource: named('attachments') }),
      personalOnly: () => true,
    },
  ];
}
