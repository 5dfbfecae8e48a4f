import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type WithToken, withToken } from './with-token.ts';

// Chapters 3 and 4 of docs/service-rules.md: what svc asks for, takes and prints of records.

let here: WithToken;
beforeAll(async () => {
  here = await withToken();
});
afterAll(() => here.remove());
beforeEach(() => void here.sent());

/** What was sent as the body of the last request. */
function lastBody(): unknown {
  return JSON.parse(here.sandbox.requests.at(-1)?.body ?? 'null');
}

/** A record as a table prints it: a line a field. */
async function lines(...argv: string[]): Promise<Map<string, string>> {
  const { code, stdout, stderr } = await here.svc([...argv, '-o', 'table']);
  expect(code, stderr).toBe(0);
  return new Map(stdout.split('\n').map((line) => [line.replace(/ .*$/, ''), line.replace(/^\S+ */, '')]));
}

describe('the view', () => {
  test('of a record is detail, and summary with --view summary (rules 3.1 to 3.3)', async () => {
    expect(await here.read('work-items', 'get', '12')).toHaveProperty('description');
    expect(await here.read('work-items', 'get', '12', '--view', 'detail')).toHaveProperty('description');
    expect(await here.read('work-items', 'get', '12', '--view', 'summary')).not.toHaveProperty('description');
    expect(here.sent()).toEqual(['GET /work-items/12', 'GET /work-items/12?view=detail', 'GET /work-items/12?view=summary']);
    expect((await here.svc(['work-items', 'get', '12', '--view', 'whole'])).code).toBe(2);
  });

  test('after a write is detail, without a parameter (rule 3.4)', async () => {
    const made = await here.read('work-items', 'create', '--project', '1', '--title', 'x', '--description', '<p>Why</p>');
    expect(made.description).toBe('<p>Why</p>');
    expect(await here.read('work-items', 'update', String(made.id), '--title', 'y')).toMatchObject({ description: '<p>Why</p>' });
    expect(here.sent().map((line) => line.replace(/ \{.*/, ''))).toEqual(['POST /work-items', `PATCH /work-items/${made.id}`]);
  });

  test('of a list is summary, and detail with --view detail (rules 3.1, 3.5)', async () => {
    expect((await here.read('work-items', 'list', '-L', '1'))[0]).not.toHaveProperty('description');
    expect((await here.read('work-items', 'list', '-L', '1', '--view', 'detail'))[0]).toHaveProperty('description');
    expect(here.sent()).toEqual(['GET /work-items?per_page=1', 'GET /work-items?view=detail&per_page=1']);
  });

  test.each(['summary', 'detail'])('%s contains the relations of --include (rule 3.6)', async (view) => {
    const record = await here.read('work-items', 'get', '12', '--view', view, '--include', 'project,comments');
    expect(record).toMatchObject({ project: { id: record.project_id }, comments: expect.any(Array) });
    expect('description' in record).toBe(view === 'detail');
  });
});

describe('a worklog', () => {
  test('has a date, minutes, a description, a project, a work item and a budget (rules 4.1 to 4.6, 4.8)', async () => {
    const told = ['--date', '2026-06-15', '--minutes', '1h30', '--description', 'Typing', '--overtime'];
    const made = await here.read('worklogs', 'add', ...told, '--project', '1', '--work-item', '12', '--budget', '1', '--task', '1');
    const body = {
      date: '2026-06-15',
      minutes: 90,
      description: 'Typing',
      is_overtime: true,
      project_id: 1,
      work_item_id: 12,
      budget_id: 1,
      task_id: 1,
    };
    expect(lastBody()).toEqual(body);
    expect(made).toMatchObject({ ...body, id: expect.any(Number) });
  });

  test('appears in a table with hours, yes or no, and unchanged times (rules 4.2, 4.3, 4.6, 4.7, 4.9)', async () => {
    const { id, created_at, updated_at } = await here.read('worklogs', 'add', '--date', '2026-06-15', '--minutes', '135');
    const shown = await lines('worklogs', 'get', String(id));
    expect(Object.fromEntries(shown)).toMatchObject({
      date: '2026-06-15',
      minutes: '2h15',
      is_overtime: 'no',
      is_not_billable: 'no',
      created_at,
      updated_at,
    });
  });
});

describe('a sales invoice row', () => {
  test('is the same in the list of its invoice, in a filtered list, and alone (rule 4.11)', async () => {
    const nested = await here.read('sales-invoices', 'rows', 'list', '1');
    expect(nested.length).toBeGreaterThan(1);
    expect(await here.read('sales-invoice-rows', 'list', '--filter', 'sales_invoice_id=1')).toEqual(nested);
    expect(await here.read('sales-invoice-rows', 'get', String(nested[0].id), '--view', 'summary')).toEqual(nested[0]);
  });

  test('is sent with decimals as strings, and with a percentage and minutes as numbers (rules 4.12 to 4.17)', async () => {
    const told = ['--quantity', '1.5', '--unit-price', '10', '--vat-rate', '21', '--billable-minutes', '1h30'];
    const { id } = await here.read('sales-invoice-rows', 'create', '--sales-invoice', '1', '--name', 'Hours', ...told);
    expect(lastBody()).toEqual({
      sales_invoice_id: 1,
      name: 'Hours',
      quantity: '1.5',
      unit_price: '10.00',
      vat_rate: 21,
      billable_minutes: 90,
    });
    expect(Object.fromEntries(await lines('sales-invoice-rows', 'get', String(id)))).toMatchObject({
      quantity: '1.50',
      unit_price: '10.00',
      vat_rate: '21%',
      vat_amount: '3.15',
      total_amount: '18.15',
      billable_minutes: '1h30',
    });
  });

  test.each([
    ['vat_amount (rule 4.15)', '--vat-amount'],
    ['total_amount (rule 4.16)', '--total-amount'],
  ])('has no flag for %s, which the service calculates', async (_, flag) => {
    expect((await here.svc(['sales-invoice-rows', 'update', '1', flag, '1.00'])).code).toBe(2);
    expect(here.sent()).toEqual([]);
  });
});

describe('the fields of a record', () => {
  test.each([
    ['a worklog', '/worklogs/1', ['project_id', 'exceeded_budget', 'reviewed_by', 'invoice_id', 'sales_invoice_row_id', 'links']],
    ['a sales invoice row', '/sales-invoice-rows/1', ['subscription_item_id', 'hourly_rate', 'is_aggregated_price', 'sort_order']],
    ['a sales invoice row in the detail view', '/sales-invoice-rows/1', ['created_at', 'updated_at', 'deleted_at', 'links']],
    [
      'a sales invoice row with external references',
      '/sales-invoice-rows/1',
      ['external_item_id', 'external_vat_code', 'external_cost_center', 'external_gl_account'],
    ],
    ['a work item', '/work-items/12', ['sprint_id', 'assignee_id', 'comments_count', 'web_url', 'version']],
  ])('are printed unchanged for %s (rules 4.9, 4.10, 4.18 to 4.21, 4.34)', async (_, path, fields) => {
    const { data } = await here.read('api', path);
    const [, noun = '', id = ''] = path.split('/');
    expect(await here.read(noun, 'get', id)).toEqual(data);
    const { stdout } = await here.svc([noun, 'get', id, '--fields', fields.join(','), '-o', 'ndjson']);
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(fields.map((field) => [field, data[field]])));
    expect(Object.keys(JSON.parse(stdout))).toEqual(fields);
  });
});

describe('a workflow', () => {
  test('has a name that you can write, and a read-only position (rules 4.22, 4.23)', async () => {
    expect(await here.read('workflows', 'update', '1', '--name', 'Renamed')).toMatchObject({ name: 'Renamed', order: 1 });
    expect((await here.svc(['workflows', 'update', '1', '--order', '2'])).code).toBe(2);
  });

  test('has statuses and transitions, which you can filter by workflow and by status (rules 4.25, 4.26)', async () => {
    const statuses = await here.read('workflow-statuses', 'list', '--workflow', '1');
    expect(new Set(statuses.map(({ workflow_id }: { workflow_id: number }) => workflow_id))).toEqual(new Set([1]));
    const { stdout } = await here.svc(['workflow-transitions', 'list', '--from', String(statuses[0].id), '-o', 'table']);
    const [, ...moves] = stdout.trimEnd().split('\n');
    expect(stdout).toMatch(/^ID +FROM STATUS +TO STATUS\n/);
    for (const move of moves) expect(move).toMatch(new RegExp(`^ *\\d+ +${statuses[0].name} {2,}\\S`));
    expect(here.sent()).toEqual([
      'GET /workflow-statuses?filter[workflow_id]=1&per_page=100',
      'GET /workflow-transitions?filter[from_status_id]=1&per_page=100&include=from_status,to_status',
    ]);
  });
});

describe('a work item', () => {
  test('has a number, a key, a status, a due date and an estimate in minutes (rules 4.27 to 4.31)', async () => {
    await here.read(
      'work-items',
      'update',
      'ABC-12',
      '--due-date',
      '2026-07-01',
      '--estimation',
      '2h',
      '--description',
      '<p>a &amp; <b>b</b></p>',
    );
    expect(lastBody()).toEqual({ due_date: '2026-07-01', estimation: 120, description: '<p>a &amp; <b>b</b></p>' });
    expect(Object.fromEntries(await lines('work-items', 'get', 'ABC-12'))).toMatchObject({
      id: '12',
      issue_key: 'ABC-12',
      workflow_status_id: expect.stringMatching(/^\d+$/),
      due_date: '2026-07-01',
      estimation: '2h',
      description: 'a & b',
    });
  });
});

test.each([
  ['comments', 25],
  ['drive_items', 25],
  ['labels', 25],
  ['subtasks', 25],
  ['assignee', 100],
  ['sprint', 100],
])('a list of work items with --include %s requests %i rows a page (rules 4.35, 4.36)', async (relation, rows) => {
  await here.read('work-items', 'list', '--include', relation);
  expect(here.sent()[0]).toBe(`GET /work-items?include=${relation}&per_page=${rows}`);
});

test('a project has a status, and sometimes a last day (rules 4.37, 4.38)', async () => {
  const [held] = await here.read('projects', 'list', '--filter', 'status=on-hold');
  expect(held).toMatchObject({ status: 'on-hold', end_date: null });
  const changed = await here.read('projects', 'update', String(held.id), '--status', 'active', '--end-date', '2026-12-31');
  expect([lastBody(), changed.end_date]).toEqual([{ status: 'active', end_date: '2026-12-31' }, '2026-12-31']);
  expect((await here.svc(['projects', 'update', '1', '--end-date', '2026-12-31T00:00:00Z'])).code).toBe(2);
});

test('svc has no command that lists or creates tokens (rule 4.40)', async () => {
  for (const verb of ['list', 'create', 'revoke', 'delete']) expect([verb, (await here.svc(['token', verb])).code]).toEqual([verb, 2]);
  await here.svc(['token', 'status']);
  expect(here.sent()).toEqual([]);
  expect((await here.svc(['resources', '-o', 'csv', '--fields', 'name'])).stdout).not.toMatch(/token/);
});

test('svc resources shows permission prefixes of resources (rule 4.45)', async () => {
  const found = await here.read('resources', '--jq', 'map({(.name): .permission_prefix}) | add');
  expect(found).toMatchObject({ worklogs: 'times', timers: 'hours', labels: 'project_management', contacts: 'customers' });
});

describe('a page', () => {
  test('is printed as rows only, and svc reads the next page from links.next (rules 4.48, 4.49, 4.51)', async () => {
    const rows = await here.read('users', 'list', '--per-page', '5', '--parallel', '1');
    expect([rows.length, rows[0]]).toEqual([12, expect.objectContaining({ id: expect.any(Number), name: expect.any(String) })]);
    const raw = await here.read('api', '/users?per_page=5');
    expect([raw.links.prev, raw.data]).toEqual([null, rows.slice(0, 5)]);
    expect(raw.links.next).toBe(`${here.sandbox.baseUrl}${decodeURI(here.sent()[1]?.slice(4) ?? '')}`);
  });

  test('ends with the command to continue and the number of rows (rule 4.50)', async () => {
    const { stderr } = await here.svc(['users', 'list', '-L', '5']);
    const { meta } = await here.read('api', '/users?per_page=5');
    expect(stderr).toBe(
      `There are more rows than these 5, ${meta.page.total} in all. To continue: svc users list -L 5 --cursor ${meta.page.next_cursor}\n`,
    );
  });
});
