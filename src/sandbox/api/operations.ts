import { dump } from 'js-yaml';
import type { Interpretations } from '../interpretations.ts';
import type { Json } from '../json.ts';
import { documentOf } from '../openapi/document.ts';
import type { ServedChild, ServedField, ServedResource, ServedVerb } from '../resources/define.ts';
import { SERVICE, type Service } from '../resources/index.ts';
import type { AbilityClass } from '../tokens/permissions.ts';
import { completeSprint, MOVE_FIELDS, move, runPlain, serveTimerStop, TRANSITION_FIELDS, transition } from './actions.ts';
import type { Body, Call, Method, ServedOperation, Success } from './call.ts';
import { serveDiscovery, serveMe } from './discovery.ts';
import { receiveUpload, requestDriveUpload, requestTicket, requestUpload, sendContents, ticketFields } from './files.ts';
import { list } from './list.ts';
import { unlessUnchanged, weakTag } from './lookup.ts';
import { checkQuery, create, DELETE_ANSWERS, get, remove, update } from './record.ts';
import { includeCost } from './render.ts';
import type { Reply } from './stores.ts';

const RECORD_QUERY = ['view', 'include'] as const;

type Run = (call: Call, resource: ServedResource, nested: ServedChild | undefined) => Reply;

interface VerbWay {
  readonly method: Method;
  readonly onItem: boolean;
  readonly needs: AbilityClass;
  readonly query: ServedOperation['query'];
  readonly body?: 'create' | 'update';
  readonly word: string;
  readonly run: Run;
}

const VERBS: Readonly<Record<ServedVerb, VerbWay>> = {
  list: { method: 'GET', onItem: false, needs: 'read', query: 'list', word: 'List', run: list },
  get: { method: 'GET', onItem: true, needs: 'read', query: RECORD_QUERY, word: 'Read', run: get },
  create: { method: 'POST', onItem: false, needs: 'write', query: RECORD_QUERY, body: 'create', word: 'Add', run: create },
  update: { method: 'PATCH', onItem: true, needs: 'write', query: RECORD_QUERY, body: 'update', word: 'Change', run: update },
  delete: { method: 'DELETE', onItem: true, needs: 'destroy', query: [], word: 'Delete', run: remove },
};

function operation(resource: ServedResource, verb: ServedVerb, nested: ServedChild | undefined): ServedOperation {
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
    answer: (interpretations) => answerOf(resource, verb, interpretations),
    need: () => ({ class: needs, prefixes: resource.prefixes }),
    // For resources with an owner, a write needs a permission only for other users’ records. The operation itself then checks the
    // permission.
    permission: needs !== 'read' && resource.own !== undefined ? null : permission,
    cost: (query, interpretations) =>
      verb === 'delete' ? 1 : (isList ? listCost(query) : 1) + includeCost(resource, query, interpretations),
    run: (call) => run(call, resource, nested),
  };
}

function schemaWithArticle(schema: string): string {
  const words = schema.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return `${/^(?:[aeio]|u(?!ser))/.test(words) ? 'an' : 'a'} ${words}`;
}

function summaryOf(resource: ServedResource, verb: ServedVerb, nested: ServedChild | undefined): string {
  const what = verb === 'list' ? (nested?.segment ?? resource.path).replaceAll('-', ' ') : schemaWithArticle(resource.schema);
  const parent = nested && schemaWithArticle(resource.other(nested.parent).schema);
  return `${VERBS[verb].word} ${what}${parent === undefined ? '' : ` ${verb === 'create' ? 'to' : 'of'} ${parent}`}`;
}

function answerOf(resource: ServedResource, verb: ServedVerb, interpretations: Interpretations): Success {
  if (verb === 'list') return { status: 200, shows: 'page', resource };
  if (verb !== 'delete') return { status: verb === 'create' ? 201 : 200, shows: 'record', resource };
  const status = DELETE_ANSWERS[interpretations.deleteAnswers];
  return status === 204 ? { status, shows: 'nothing' } : { status, shows: 'record', resource };
}

function listCost(query: URLSearchParams): number {
  return (query.get('view') === 'detail' ? 3 : 1) + (query.has('q') ? 2 : 0) + (query.get('with_total') === '1' ? 2 : 0);
}

function servedOperations(resource: ServedResource): ServedOperation[] {
  const places: (ServedChild | undefined)[] = resource.topLevel ? [undefined, ...resource.nested] : [...resource.nested];
  return places.flatMap((nested) =>
    resource.verbs
      // A child record with a top-level path has no second path under its parent.
      .filter((verb) => nested === undefined || !resource.topLevel || !VERBS[verb].onItem)
      .map((verb) => operation(resource, verb, nested)),
  );
}

type Act = Pick<ServedOperation, 'summary' | 'run'> & { readonly fields?: Readonly<Record<string, ServedField>> };

function action(resource: ServedResource, name: string, { summary, run, fields = {} }: Act): ServedOperation {
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

const WRITERS = {
  json: (document: Json) => JSON.stringify(document),
  yaml: (document: Json) => dump(document, { noRefs: true, lineWidth: -1 }),
};

function documentIn(form: 'json' | 'yaml', operations: () => readonly ServedOperation[]): ServedOperation {
  const media = `application/${form}`;
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
    media,
    cost: () => 1,
    run(call) {
      checkQuery(call);
      const text = WRITERS[form](documentOf(call.sandboxState, operations()));
      const headers = { ETag: weakTag(text), 'Cache-Control': 'private, max-age=300' };
      const reply = unlessUnchanged(call, { status: 200, text, headers });
      return reply.status === 304 ? reply : { ...reply, headers: { ...headers, 'Content-Type': media } };
    },
  };
}

const UNDER_RECORDS = ({ uploads }: Interpretations): boolean => uploads === 'work-item' || uploads === 'both';

export function createOperations({ named, resources }: Service): readonly ServedOperation[] {
  const items = named('work-items');
  const users = named('users');
  const attachments = named('attachments');
  const operations: readonly ServedOperation[] = [
    {
      method: 'GET',
      path: '/',
      name: 'discover',
      summary: 'List what this organisation has',
      query: ['view'],
      answer: () => ({ status: 200, shows: 'discovery' }),
      need: ({ interpretations }) => ({ class: 'read', prefixes: interpretations.narrowedDiscovery === 'answered' ? 'any' : 'unnarrowed' }),
      permission: null,
      cost: () => 1,
      run: (call) => serveDiscovery(call, operations),
    },
    {
      method: 'GET',
      path: '/me',
      name: 'me',
      summary: 'Read the user of the token',
      query: RECORD_QUERY,
      answer: () => ({ status: 200, shows: 'me', resource: users }),
      need: ({ interpretations }) => ({ class: 'read', prefixes: interpretations.narrowedMe === 'answered' ? 'any' : 'unnarrowed' }),
      permission: null,
      cost: (query, interpretations) => 1 + includeCost(users, query, interpretations),
      run: serveMe,
    },
    documentIn('json', () => operations),
    documentIn('yaml', () => operations),
    ...resources.flatMap(servedOperations),
    ...resources.flatMap(plainActions),
    action(items, 'transition', { summary: 'Move a work item to another status', run: transition, fields: TRANSITION_FIELDS }),
    action(items, 'move', { summary: 'Place a work item on the board or in the backlog', run: move, fields: MOVE_FIELDS }),
    action(named('sprints'), 'complete', { summary: 'Complete a sprint', run: completeSprint }),
    {
      ...action(named('timers'), 'stop', { summary: 'Stop a timer', run: serveTimerStop }),
      permission: null,
      when: ({ timerEnds }) => timerEnds === 'action' || timerEnds === 'logging-action',
    },
    ...uploadSteps({ owner: items, files: attachments, listed: true }, UNDER_RECORDS, [
      { path: '/work-items/{work_item}/uploads', run: requestUpload, body: ticketBody(attachments, false) },
      { path: '/uploads/{upload}', run: receiveUpload },
    ]),
    ...uploadSteps({ owner: items, files: attachments, listed: false }, ({ uploads }) => uploads === 'tickets' || uploads === 'both', [
      { path: '/upload-tickets', run: requestTicket, body: ticketBody(attachments, true) },
      { path: '/upload-tickets/{upload}/content', run: receiveUpload },
    ]),
    download(attachments),
    ...resources.filter(({ name }) => name === 'drive-files').flatMap((files) => driveFiles(named('drive-items'), files)),
  ];
  return operations;
}

export const OPERATIONS: readonly ServedOperation[] = createOperations(SERVICE);

function plainActions(resource: ServedResource): ServedOperation[] {
  return (resource.actions ?? []).map((known) =>
    action(resource, known.name, { summary: known.summary, fields: known.fields, run: (call) => runPlain(call, resource, known) }),
  );
}

function ticketBody(attachments: ServedResource, namesItem: boolean): Body {
  return { kind: 'create', fields: ticketFields(attachments, namesItem) };
}

function driveFiles(owner: ServedResource, files: ServedResource): ServedOperation[] {
  const uploads = `/${owner.path}/{${owner.parameter}}/uploads`;
  return [
    ...uploadSteps({ owner, files, listed: true }, UNDER_RECORDS, [
      { path: uploads, run: requestDriveUpload, body: ticketBody(files, false) },
      { path: `${uploads}/{upload}/content`, run: receiveUpload },
    ]),
    download(files),
  ];
}

function download(files: ServedResource): ServedOperation {
  const [nested] = files.nested;
  const { path, need, permission } = operation(files, 'get', nested);
  return {
    method: 'GET',
    path: `${path}/content`,
    resource: files,
    ...(nested !== undefined && { nested }),
    name: 'download',
    summary: `Get the contents of ${schemaWithArticle(files.schema)}`,
    query: [],
    answer: () => ({ status: 200, shows: 'contents' }),
    when: ({ downloads }) => downloads === 'content',
    need,
    permission,
    media: 'application/octet-stream',
    cost: () => 1,
    run: (call) => sendContents(call, files, nested),
  };
}

type UploadStep = Pick<ServedOperation, 'path' | 'run' | 'body'>;

interface UploadsOf {
  readonly owner: ServedResource;
  readonly files: ServedResource;
  /** False for top-level tickets, which belong to no resource. Their files need the abilities for work items. */
  readonly listed: boolean;
}

function uploadSteps(
  { owner: item, files, listed }: UploadsOf,
  when: ServedOperation['when'] & object,
  [ask, send]: readonly [UploadStep, UploadStep],
): ServedOperation[] {
  const common = {
    method: 'POST',
    query: [],
    when,
    need: () => ({ class: 'write', prefixes: item.prefixes }) as const,
    permission: item.permissions.update,
    cost: () => 1,
    ...(listed && { resource: item }),
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
      answer: () => ({ status: 201, shows: 'record', resource: files }),
      personalOnly: () => true,
    },
  ];
}
