import { dump } from 'js-yaml';
import { documentOf } from '../openapi/document.ts';
import type { ServedField, ServedResource } from '../resources/define.ts';
import { SERVICE, type Service } from '../resources/index.ts';
import { completeSprint, MOVE_FIELDS, move, runPlain, TRANSITION_FIELDS, transition } from './actions.ts';
import type { Body, Call, ServedOperation } from './call.ts';
import { sendContents } from './contents.ts';
import { serveDiscovery, serveMe } from './discovery.ts';
import { isUnchanged, weakTag } from './etag.ts';
import { includeCost } from './include.ts';
import { checkNoQuery } from './record.ts';
import type { Reply } from './reply.ts';
import { serveTimerStop } from './timers.ts';
import { receiveUpload, requestDriveUpload, requestTicket, requestUpload, ticketFields } from './uploads.ts';
import { operation, RECORD_QUERY, schemaWithArticle, servedOperations } from './verbs.ts';

interface Act {
  readonly summary: string;
  readonly run: (call: Call) => Reply;
  /** Members of its body; absent: an empty one. */
  readonly fields?: Readonly<Record<string, ServedField>>;
}

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

/** The OpenAPI document, which any live token may read. */
function documentIn(form: 'json' | 'yaml', run: (call: Call) => Reply): ServedOperation {
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
      need: ({ knobs }) => ({ class: 'read', prefixes: knobs.narrowedDiscovery === 'answered' ? 'any' : 'unnarrowed' }),
      permission: null,
      cost: () => 1,
      run: (call) => serveDiscovery(call, operations),
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
      run: serveMe,
    },
    documentIn('json', (call) => serveDocument(call, operations)),
    documentIn('yaml', (call) => describeInYaml(call, operations)),
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
    ...uploadSteps({ owner: items, files: attachments, listed: true }, ({ uploads }) => uploads === 'work-item' || uploads === 'both', [
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

/** The operations of the service as it is documented. */
export const OPERATIONS: readonly ServedOperation[] = createOperations(SERVICE);

/** Actions without code of their own. */
function plainActions(resource: ServedResource): ServedOperation[] {
  return (resource.actions ?? []).map((known) =>
    action(resource, known.name, { summary: known.summary, fields: known.fields, run: (call) => runPlain(call, resource, known) }),
  );
}

function ticketBody(attachments: ServedResource, namesItem: boolean): Body {
  return { kind: 'create', fields: ticketFields(attachments, namesItem) };
}

interface UploadStep {
  readonly path: string;
  readonly run: (call: Call) => Reply;
  readonly body?: Body;
}

/** Files of drive items, in and out. */
function driveFiles(owner: ServedResource, files: ServedResource): ServedOperation[] {
  const uploads = `/${owner.path}/{${owner.parameter}}/uploads`;
  return [
    ...uploadSteps({ owner, files, listed: true }, (knobs) => knobs.uploads === 'work-item' || knobs.uploads === 'both', [
      { path: uploads, run: requestDriveUpload, body: ticketBody(files, false) },
      { path: `${uploads}/{upload}/content`, run: receiveUpload },
    ]),
    download(files),
  ];
}

/** The contents of a file, below its record. */
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

/** The owner of uploaded files, and the resource that they become. */
interface UploadsOf {
  readonly owner: ServedResource;
  readonly files: ServedResource;
  /**
   * Whether discovery lists the operations with their owner. Tickets at the top belong to no resource; their files need the
   * abilities of a work item.
   */
  readonly listed: boolean;
}

/** A way to send files: asking for a ticket, then sending the contents. */
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

const CACHE = 'private, max-age=300';

/** `GET /openapi.json`, for any live token. */
function serveDocument(call: Call, operations: readonly ServedOperation[]): Reply {
  return replyOf(call, JSON.stringify(documentOf(call.world, operations)), 'application/json');
}

/** `GET /openapi.yaml`: the same as YAML. */
function describeInYaml(call: Call, operations: readonly ServedOperation[]): Reply {
  const text = dump(documentOf(call.world, operations), { noRefs: true, lineWidth: -1 });
  return replyOf(call, text, 'application/yaml');
}

function replyOf(call: Call, text: string, type: string): Reply {
  checkNoQuery(call);
  const headers = { ETag: weakTag(text), 'Cache-Control': CACHE };
  if (isUnchanged(call.headers, headers.ETag)) return { status: 304, headers };
  return { status: 200, text, headers: { ...headers, 'Content-Type': type } };
}
