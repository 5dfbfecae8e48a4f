import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { wordsOf } from '../../src/catalog/rules.ts';
import { type Recording, startRecording } from '../support/recording.ts';

/**
 * Every path of chapter 10 of docs/service-rules.md, written by hand. Each row has the words of the commands, the list and one
 * record. Nothing comes from the catalog.
 */
const TOP: readonly (readonly [noun: string, singular: string])[] = [
  // 10.1
  ['projects', 'project'],
  ['project-links', 'project-link'],
  ['budgets', 'budget'],
  ['budget-groups', 'budget-group'],
  // 10.2
  ['work-types', 'work-type'],
  ['workflows', 'workflow'],
  ['workflow-statuses', 'workflow-status'],
  ['workflow-transitions', 'workflow-transition'],
  ['labels', 'label'],
  // 10.3
  ['customers', 'customer'],
  ['contacts', 'contact'],
  ['contact-roles', 'contact-role'],
  ['customer-categories', 'customer-category'],
  // 10.4, 10.5
  ['sales-invoices', 'sales-invoice'],
  ['sales-invoice-rows', 'sales-invoice-row'],
  ['invoices', 'invoice'],
  // 10.6 to 10.8
  ['customer-subscriptions', 'customer-subscription'],
  ['subscription-items', 'subscription-item'],
  ['subscription-types', 'subscription-type'],
  ['subscription-type-items', 'subscription-type-item'],
  ['subscription-products', 'subscription-product'],
  // 10.9
  ['company-branches', 'company-branch'],
  ['users', 'user'],
  // 10.10 to 10.13
  ['work-items', 'work-item'],
  ['subtasks', 'subtask'],
  ['work-item-links', 'work-item-link'],
  ['sprints', 'sprint'],
  ['todos', 'todo'],
  ['tasks', 'task'],
  // 10.14
  ['drive-items', 'drive-item'],
  ['drive-folders', 'drive-folder'],
  ['drive-documents', 'drive-document'],
  ['notes', 'note'],
  // 10.15
  ['absences', 'absence'],
  ['holidays', 'holiday'],
  ['free-days', 'free-day'],
  ['checkins', 'checkin'],
  ['furlough-balance-mutations', 'furlough-balance-mutation'],
  // 10.16, 10.17
  ['events', 'event'],
  ['worklogs', 'worklog'],
  ['timers', 'timer'],
];

/** Child resources: words, parent as typed, list, and whether the records are below the parent as well. */
const NESTED: readonly (readonly [words: string, parent: string, path: string, verbs: string])[] = [
  ['work-items subtasks', 'ABC-12', '/work-items/ABC-12/subtasks', 'list create'],
  ['work-items links', 'ABC-12', '/work-items/ABC-12/links', 'list create'],
  ['work-items comments', 'ABC-12', '/work-items/ABC-12/comments', 'list get create update delete'],
  ['work-items attachments', '4711', '/work-items/4711/attachments', 'list get delete'],
  ['drive-items files', '3', '/drive-items/3/files', 'list get delete'],
  ['drive-items comments', '3', '/drive-items/3/comments', 'list get create update delete'],
  ['sales-invoices rows', '7', '/sales-invoices/7/rows', 'list create'],
  ['customer-subscriptions items', '7', '/customer-subscriptions/7/items', 'list create'],
  ['subscription-types items', '2', '/subscription-types/2/items', 'list create'],
];

let here: Recording;
beforeAll(async () => {
  here = await startRecording();
  // The first command that needs the day of the user asks once who the token belongs to.
  await here.svc(['me']);
  here.sent();
});
afterAll(() => here.remove());

async function requestsOf(...argv: string[]): Promise<string[]> {
  const result = await here.svc(argv);
  expect(result.code, `${argv.join(' ')}\n${result.stderr}`).toBe(0);
  return here.sent().map((line) => line.replace(/\?.*$/, ''));
}

describe('the commands of a resource (rules 9.61, 9.62, 9.66 and 10.1 to 10.18)', () => {
  it.each(TOP)('(svc %s) send list, get, create, update and delete to the path of the resource', async (noun, singular) => {
    expect(await requestsOf(noun, 'list')).toEqual([`GET /${noun}`]);
    expect(await requestsOf(singular, 'get', '31')).toEqual([`GET /${noun}/31`]);
    // Resources need different fields, but every create goes to the path of the list.
    expect(await requestsOf(noun, 'create', '--data', everything(noun))).toEqual([`POST /${noun}`]);
    expect(await requestsOf(noun, 'update', '31', '-f', 'name=Other')).toEqual([`PATCH /${noun}/31`]);
    expect(await requestsOf(singular, 'delete', '31', '--yes')).toEqual([`DELETE /${noun}/31`]);
  });

  it.each(NESTED)('(svc %s) send their requests to paths under the parent record', async (words, parent, path, verbs) => {
    const at = words.split(' ');
    const requests: Record<string, string[]> = {
      list: [parent],
      get: [parent, '31'],
      create: [parent, '--data', '{"name": "Thing", "body": "<p>Thing</p>"}'],
      update: [parent, '31', '-f', 'body=Other'],
      delete: [parent, '31', '--yes'],
    };
    const expected: Record<string, string> = {
      list: `GET ${path}`,
      get: `GET ${path}/31`,
      create: `POST ${path}`,
      update: `PATCH ${path}/31`,
      delete: `DELETE ${path}/31`,
    };
    for (const verb of verbs.split(' ')) expect(await requestsOf(...at, verb, ...(requests[verb] ?? []))).toEqual([expected[verb]]);
  });

  it('exist for exactly the paths in chapter 10 of the service rules', async () => {
    const known = [...TOP.map(([noun]) => noun), ...NESTED.map(([words]) => words)].sort();
    expect((await builtInCatalog().all()).map(wordsOf).sort()).toEqual(known);
  });
});

/** The fields that the documentation requires for a create. */
function everything(noun: string): string {
  switch (noun) {
    case 'worklogs':
      return '{"minutes": 90}';
    case 'workflow-statuses':
      return '{"workflow_id": 1, "name": "Waiting"}';
    case 'workflow-transitions':
      return '{"from_status_id": 1, "to_status_id": 2}';
    default:
      return '{"name": "Thing"}';
  }
}

describe('a reference to a work item', () => {
  it('is an id or an upper-case key in a path (rules 2.12, 9.46)', async () => {
    expect((await requestsOf('work-items', 'get', 'abc-12', '4711')).toSorted()).toEqual([
      'GET /work-items/4711',
      'GET /work-items/ABC-12',
    ]);
    expect(await requestsOf('work-item', 'update', 'ABC-12', '--due-date', '2026-05-01')).toEqual(['PATCH /work-items/ABC-12']);
  });

  it('is sent as an id in a body or filter, after one lookup (rule 2.13)', async () => {
    await here.svc(['worklogs', 'add', '--minutes', '90', '--work-item', 'ABC-12']);
    expect(here.sent()).toEqual(['GET /work-items/ABC-12', 'POST /worklogs']);
    expect(JSON.parse(here.server.requests.at(-1)?.body ?? '')).toMatchObject({ work_item_id: 31 });
    await here.svc(['worklogs', 'list', '--work-item', 'ABC-12']);
    expect(here.sent()).toEqual(['GET /work-items/ABC-12', 'GET /worklogs?filter[work_item_id]=31&per_page=100']);
  });

  it('is sent as typed by move --after (rules 2.14, 9.58, 9.59)', async () => {
    await here.svc(['work-items', 'move', 'ABC-12', '--after', 'ABC-7']);
    await here.svc(['work-items', 'move', 'ABC-12', '--after', '7']);
    expect(here.sent()).toEqual(['POST /work-items/ABC-12/actions/move', 'POST /work-items/ABC-12/actions/move']);
    expect(here.server.requests.slice(-2).map(({ body }) => body)).toEqual(['{"after_work_item_id":"ABC-7"}', '{"after_work_item_id":7}']);
  });

  it.each([['0'], ['']])('is refused without a request as "%s"', async (id) => {
    expect((await here.svc(['work-items', 'get', id])).code).toBe(2);
    expect((await here.svc(['work-items', 'comments', 'list', id])).code).toBe(2);
    expect(here.sent()).toEqual([]);
  });

  it.each([['../users'], ['ABC'], ['12/comments']])('is looked up by title as "%s", and never sent in a path', async (title) => {
    expect((await here.svc(['work-items', 'get', title])).code).toBe(3);
    expect((await here.svc(['work-items', 'comments', 'list', title])).code).toBe(3);
    expect(here.sent()).toEqual(['GET /work-items?per_page=100', 'GET /work-items?per_page=100']);
  });
});

describe('an action on a record', () => {
  it('has a separate path, and a transition sends the id of the status (rule 5.2)', async () => {
    expect(await requestsOf('work-items', 'transition', 'ABC-12', '--to', '7')).toEqual(['POST /work-items/ABC-12/actions/transition']);
    expect(here.server.requests.at(-1)?.body).toBe('{"workflow_status_id":7}');
  });

  it('can have additional fields and headers, as in sprints complete (rule 9.60)', async () => {
    expect(await requestsOf('sprints', 'complete', '14')).toEqual(['POST /sprints/14/actions/complete']);
    expect(here.server.requests.at(-1)?.body).toBe('{}');
    await here.svc(['sprints', 'complete', '14', '-F', 'move_to_sprint_id=15', '--if-match', '"v1"', '--idempotency-key', 'k1']);
    expect(here.server.requests.at(-1)).toMatchObject({
      body: '{"move_to_sprint_id":15}',
      headers: { 'if-match': '"v1"', 'idempotency-key': 'k1' },
    });
  });
});
