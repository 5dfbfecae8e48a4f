import type { NestedCollection, Resource, Verb } from '../resources/define.ts';
import { RESOURCES, resourceNamed } from '../resources/index.ts';
import type { AbilityClass } from '../tokens/abilities.ts';
import { completeSprint, move, transition } from './actions.ts';
import type { Call, Method, Operation } from './call.ts';
import { discover, me } from './discovery.ts';
import { includeCost } from './include.ts';
import { list } from './list.ts';
import { get } from './record.ts';
import type { Reply } from './reply.ts';
import { stopTimer } from './timers.ts';
import { receiveUpload, requestTicket, requestUpload } from './uploads.ts';
import { create, remove, update } from './write.ts';

type Run = (call: Call, resource: Resource, nested: NestedCollection | undefined) => Reply;

const VERBS: Readonly<Record<Verb, { method: Method; onItem: boolean; needs: AbilityClass; run: Run }>> = {
  list: { method: 'GET', onItem: false, needs: 'read', run: list },
  get: { method: 'GET', onItem: true, needs: 'read', run: get },
  create: { method: 'POST', onItem: false, needs: 'write', run: create },
  update: { method: 'PATCH', onItem: true, needs: 'write', run: update },
  delete: { method: 'DELETE', onItem: true, needs: 'destroy', run: remove },
};

function operation(resource: Resource, verb: Verb, nested: NestedCollection | undefined): Operation {
  const { method, onItem, needs, run } = VERBS[verb];
  const collection =
    nested === undefined ? `/${resource.name}` : `/${nested.parent}/{${resourceNamed(nested.parent).parameter}}/${nested.segment}`;
  const isList = verb === 'list';
  const permission = resource.permissions[verb === 'get' ? 'list' : verb];
  return {
    method,
    path: onItem ? `${collection}/{${resource.parameter}}` : collection,
    resource,
    name: verb,
    need: () => ({ class: needs, prefixes: resource.prefixes }),
    // Whether a write needs a permission can depend on whose record it is: then the operation itself asks.
    permission: needs !== 'read' && resource.own !== undefined ? null : permission,
    cost: (query, knobs) => (verb === 'delete' ? 1 : (isList ? listCost(query) : 1) + includeCost(resource, query, knobs)),
    run: (call) => run(call, resource, nested),
  };
}

/** Units of a collection read without its includes (rules 15.16 to 15.22). */
function listCost(query: URLSearchParams): number {
  return (query.get('view') === 'detail' ? 3 : 1) + (query.has('q') ? 2 : 0) + (query.get('with_total') === '1' ? 2 : 0);
}

function action(resourceName: string, name: string, run: (call: Call) => Reply, path = `actions/${name}`): Operation {
  const resource = resourceNamed(resourceName);
  return {
    method: 'POST',
    path: `/${resource.name}/{${resource.parameter}}/${path}`,
    resource,
    name,
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

/** Everything the API answers. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/',
    name: 'discover',
    need: ({ knobs }) => ({ class: 'read', prefixes: knobs.narrowedDiscovery === 'answered' ? 'any' : 'unnarrowed' }),
    permission: null,
    cost: () => 1,
    run: (call) => discover(call, OPERATIONS),
  },
  {
    method: 'GET',
    path: '/me',
    name: 'me',
    need: ({ knobs }) => ({ class: 'read', prefixes: knobs.narrowedMe === 'answered' ? 'any' : 'unnarrowed' }),
    permission: null,
    cost: (query, knobs) => 1 + includeCost(resourceNamed('users'), query, knobs),
    run: me,
  },
  ...RESOURCES.flatMap(operationsOf),
  action('work-items', 'transition', transition),
  action('work-items', 'move', move),
  action('sprints', 'complete', completeSprint),
  {
    ...action('timers', 'stop', stopTimer),
    permission: null,
    when: ({ timerEnds }) => timerEnds === 'action' || timerEnds === 'logging-action',
  },
  ...uploadSteps(
    ({ uploads }) => uploads === 'work-item' || uploads === 'both',
    [
      action('work-items', 'request_upload', requestUpload, 'uploads'),
      { ...action('work-items', 'upload', receiveUpload), path: '/uploads/{upload}' },
    ],
  ),
  ...uploadSteps(
    ({ uploads }) => uploads === 'tickets' || uploads === 'both',
    [
      ticketStep('request_upload', '/upload-tickets', requestTicket),
      ticketStep('upload', '/upload-tickets/{upload}/content', receiveUpload),
    ],
  ),
];

/** A way to send files: asking for a ticket, then sending the contents. */
function uploadSteps(when: Operation['when'] & object, [ask, send]: readonly [Operation, Operation]): Operation[] {
  return [
    { ...ask, when, personalOnly: ({ uploadsRefuseApps }) => uploadsRefuseApps === 'every-step' },
    { ...send, when, personalOnly: () => true },
  ];
}

/** Tickets belong to no resource; what they lead to is written like a work item. */
function ticketStep(name: string, path: string, run: (call: Call) => Reply): Operation {
  const { resource: _, ...step } = action('work-items', name, run);
  return { ...step, path };
}
