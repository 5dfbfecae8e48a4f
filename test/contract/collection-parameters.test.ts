import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

const NOW = Date.parse('2026-06-10T10:00:00Z');

let here: Recording;
beforeAll(async () => {
  here = await startRecording();
  // The first command that needs the id or the day of the user asks once who the token belongs to.
  await here.svc(['me'], { now: NOW });
});
afterAll(() => here.remove());
beforeEach(() => void here.sent());

/** Returns the requests of `list`. */
async function listed(...argv: string[]): Promise<string[]> {
  const result = await here.svc(argv, { now: NOW });
  expect(result.code, result.stderr).toBe(0);
  return here.sent();
}

/** Expects exit 2 and no request, and returns stderr. */
async function refused(...argv: string[]): Promise<string> {
  const result = await here.svc(argv);
  expect([result.code, here.sent()], argv.join(' ')).toEqual([2, []]);
  return result.stderr;
}

describe('per_page (rules 8.1, 8.3 to 8.5, 16.1)', () => {
  it.each([
    ['100 by default', ['worklogs', 'list'], 100],
    ['the value of --limit below 100', ['worklogs', 'list', '--limit', '7'], 7],
    ['25 with a to-many relation', ['work-items', 'list', '--include', 'assignee,labels'], 25],
    ['50 with tags', ['projects', 'list', '--include', 'tags'], 50],
    ['25 with tags and another relation', ['work-items', 'list', '--include', 'tags,labels'], 25],
    ['25 with a relation that svc does not know', ['projects', 'list', '--include', 'mysteries'], 25],
    ['25 with a relation of a to-many relation', ['work-items', 'list', '--include', 'comments.user'], 25],
    ['the value of --per-page', ['worklogs', 'list', '--per-page', '10'], 10],
  ])('is %s', async (_, argv, rows) => {
    expect(new URL(`x:${(await listed(...argv))[0]?.slice(4)}`).searchParams.get('per_page')).toBe(String(rows));
  });

  it.each([
    [['worklogs', 'list', '--per-page', '101']],
    [['worklogs', 'list', '--per-page', '0']],
    [['work-items', 'list', '--include', 'labels', '--per-page', '26']],
    [['projects', 'list', '--include', 'tags', '--per-page', '51']],
  ])('has limits, so svc refuses %j without a request', async (argv) => {
    expect(await refused(...argv)).toContain('a page has 1 to');
  });
});

describe('page (rules 8.12, 8.13, 8.18 to 8.20, 16.2)', () => {
  it('is sent for a resource with counted rows, without a page size', async () => {
    expect(await listed('projects', 'list', '--page', '3')).toEqual(['GET /projects?page=3']);
  });

  it('is refused by svc for a resource without counted rows', async () => {
    expect(await refused('worklogs', 'list', '--page', '3')).toContain('worklogs has no page numbers');
    expect(await refused('work-items', 'comments', 'list', 'ABC-12', '--page', '3')).toContain('has no page numbers');
  });

  it.each([['0'], ['1001'], ['-1'], ['x']])('is refused by svc when the value is %s', async (page) => {
    await refused('projects', 'list', `--page=${page}`);
  });

  it('is refused by svc together with a cursor', async () => {
    expect(await refused('projects', 'list', '--page', '2', '--cursor', 'abc')).toContain('You cannot use --page and --cursor together');
  });

  it('comes with a warning for records that people can reorder (rule 8.26)', async () => {
    expect((await here.svc(['labels', 'list', '--page', '1'])).stderr).toContain('may skip or repeat rows');
    expect((await here.svc(['labels', 'list', '--page', '1', '--sort', 'id'])).stderr).not.toContain('skip');
  });

  // Rule 8.27, written by hand.
  const COUNTED =
    '/budget-groups /budgets /project-links /projects /work-items/{work_item}/attachments /work-items/{work_item}/links /work-items/{work_item}/subtasks /sprints /timers /drive-items/{drive_item}/files /contact-roles /contacts /customer-categories /customers /customer-subscriptions /customer-subscriptions/{customer_subscription}/items /invoices /sales-invoices /sales-invoices/{sales_invoice}/rows /subscription-products /subscription-types /subscription-types/{subscription_type}/items /absences /free-days /holidays /company-branches /users /labels /work-types /workflow-statuses /workflow-transitions /workflows';

  it('is in the catalog for exactly the documented resources with counted rows (rule 8.27)', async () => {
    const counted = (await builtInCatalog().all()).filter((resource) => resource.counted).map(({ path }) => path);
    expect(counted.sort()).toEqual(COUNTED.split(' ').sort());
  });
});

describe('with_total (rules 8.21, 8.24)', () => {
  it('is sent only when the service does not count the rows', async () => {
    expect(await listed('worklogs', 'list', '--with-total')).toEqual(['GET /worklogs?per_page=100&with_total=1']);
    expect(await listed('projects', 'list', '--with-total')).toEqual(['GET /projects?per_page=100']);
  });
});

describe('filters (rules 8.28 to 8.32, 16.3)', () => {
  it('by time are sent as UTC date-times to the second (rules 2.18, 9.28)', async () => {
    expect(await listed('absences', 'list', '--filter', 'start.gte=2025-06-01T12:00:00+02:00', '--filter', 'end.lte=2025-06-30')).toEqual([
      'GET /absences?filter[start][gte]=2025-06-01T10:00:00Z&filter[end][lte]=2025-06-30T21:59:59Z&per_page=100',
    ]);
  });

  it('are sent with true for a boolean, and with commas in a list (rules 9.22, 9.23, 18.6)', async () => {
    expect(await listed('absences', 'list', '--running', '--filter', 'manager_id.in=4, 5')).toEqual([
      'GET /absences?filter[end][null]=true&filter[manager_id][in]=4,5&per_page=100',
    ]);
  });

  it.each([
    ['more than a hundred values', `manager_id.in=${Array.from({ length: 101 }, (_, index) => index + 1)}`],
    ['an operator that the field does not have', 'start.lt=2025-01-01'],
    ['an undocumented field of a fully documented resource', 'type=sick'],
    ['an invalid date', 'start.gte=2025-02-30'],
    ['an invalid boolean', 'end.null=maybe'],
    ['an invalid id', 'manager_id=0'],
  ])('with %s are refused without a request', async (_, filter) => {
    await refused('absences', 'list', '--filter', filter);
  });

  it('are refused when you give one filter twice', async () => {
    expect(await refused('worklogs', 'list', '--project', '3', '--filter', 'project_id=4')).toContain('twice');
  });

  it('are passed on when the resource has undocumented fields', async () => {
    expect(await listed('worklogs', 'list', '--filter', 'mood.like=good')).toEqual(['GET /worklogs?filter[mood][like]=good&per_page=100']);
  });

  it('are sent with "me" where the service documents "me", and otherwise with your user id (rule 9.26)', async () => {
    expect(await listed('absences', 'list', '--user', 'me')).toEqual(['GET /absences?filter[user_id]=me&per_page=100']);
    // The default record has the id 31.
    expect(await listed('worklogs', 'list', '--user', 'me')).toEqual(['GET /worklogs?filter[user_id]=31&per_page=100']);
  });
});

describe('list parameters (rules 8.33 to 8.36)', () => {
  it('are sent with the values of --search, --sort, --view, --trashed and --cursor', async () => {
    expect(
      await listed('customers', 'list', '--search', 'a b', '--sort', '-name', '--view', 'detail', '--trashed', 'with', '--cursor', 'abc'),
    ).toEqual(['GET /customers?sort=-name&q=a+b&view=detail&trashed=with&per_page=100&cursor=abc']);
  });

  it('name a relation once in include, even if you type the relation twice (rule 15.24)', async () => {
    expect(await listed('worklogs', 'list', '--include', 'user, project,user')).toEqual([
      'GET /worklogs?include=user,project&per_page=100',
    ]);
  });

  it('search and trashed are refused for absences (rule 9.29)', async () => {
    await refused('absences', 'list', '--search', 'flu');
    await refused('absences', 'list', '--trashed', 'with');
  });

  it('are refused when the view is unknown', async () => {
    await refused('worklogs', 'list', '--view', 'full');
  });
});

describe('filter flags of a resource (rules 9.24, 9.30, 9.31)', () => {
  it.each([
    [
      ['absences', 'list', '--year', '2025'],
      'GET /absences?filter[start][gte]=2024-12-31T23:00:00Z&filter[start][lte]=2025-12-31T22:59:59Z&per_page=100',
    ],
    [['absences', 'list', '--no-manager'], 'GET /absences?filter[manager_id][null]=true&per_page=100'],
    [['absences', 'list', '--manager', '5'], 'GET /absences?filter[manager_id]=5&per_page=100'],
    [
      ['worklogs', 'list', '--from', 'monday', '--to', 'today'],
      'GET /worklogs?filter[date][gte]=2026-06-08&filter[date][lte]=2026-06-10&per_page=100',
    ],
    [
      ['work-items', 'list', '--backlog', '--unassigned'],
      'GET /work-items?filter[sprint_id][null]=true&filter[assignee_id][null]=true&per_page=100',
    ],
    [['subtasks', 'list', '--open'], 'GET /subtasks?filter[is_done]=false&per_page=100'],
    [['work-items', 'subtasks', 'list', '12', '--open'], 'GET /work-items/12/subtasks?filter[is_done]=false&per_page=100'],
    [['drive-folders', 'list', '--top'], 'GET /drive-folders?filter[parent_id][null]=true&per_page=100'],
    [['workflow-transitions', 'list', '--from', '3'], 'GET /workflow-transitions?filter[from_status_id]=3&per_page=100'],
    [['contacts', 'list', '--role', '3'], 'GET /contacts?filter[contact_role_id]=3&per_page=100'],
  ])('become the filters of one request in %j', async (argv, request) => {
    expect(await listed(...argv)).toEqual([request]);
  });

  it('find a status by its name in every workflow with that status', async () => {
    const statuses = [
      { id: 3, name: 'Done', workflow_id: 1 },
      { id: 4, name: 'Open', workflow_id: 1 },
      { id: 9, name: 'done', workflow_id: 2 },
    ];
    const page = json(200, { data: statuses, meta: {}, links: { next: null } });
    here.server.script(page);
    expect((await listed('work-items', 'list', '--status', 'Done'))[1]).toBe(
      'GET /work-items?filter[workflow_status_id][in]=3,9&per_page=100',
    );
    here.server.script(page);
    expect((await here.svc(['work-items', 'list', '--status', 'Opne'])).stderr).toContain('Did you mean "Open"?');
  });
});
