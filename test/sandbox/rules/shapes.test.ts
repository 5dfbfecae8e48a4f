import { describe, expect, test } from 'vitest';
import { RESOURCES } from '../../../src/sandbox/resources/index.ts';
import { problem, sandbox, send } from '../support.ts';

// Chapters 2, 3 and 4 of docs/service-rules.md.

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const NOW = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const MONEY = /^-?\d+\.\d{2}$/;

type Row = Readonly<Record<string, unknown>>;

/** Up to a hundred records of every collection, in detail. */
async function everything(): Promise<Map<string, Row[]>> {
  const service = await sandbox({ limits: 'off' });
  service.setFeature('furlough', true);
  const all = new Map<string, Row[]>();
  for (const { name, topLevel } of RESOURCES) {
    if (topLevel) all.set(name, (await send(service, `/${name}?view=detail&per_page=100`)).body.data);
  }
  return all;
}

/** Every key with its value, of objects inside of objects too. */
function* members(value: unknown): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) for (const each of value) yield* members(each);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield [key, inner];
      yield* members(inner);
    }
  }
}

function all(rows: readonly Row[], field: string): unknown[] {
  return rows.map((row) => row[field]).filter((value) => value !== null);
}

describe('records', () => {
  test('have field names in snake_case, unique ids, integer counters, booleans, and one form of dates and times (rules 2.1, 2.6 to 2.9, 2.15, 2.17, 2.27)', async () => {
    const records = await everything();
    const kinds: readonly (readonly [string, RegExp, (value: unknown) => boolean])[] = [
      ['counters', /_count$/, Number.isSafeInteger],
      ['flags', /^(is_.*|auto_renew|active)$/, (value) => typeof value === 'boolean'],
      ['days', /(^|_)date$/, (value) => value === null || DATE.test(String(value))],
      ['moments', /_at$/, (value) => value === null || NOW.test(String(value))],
    ];
    const found: Record<string, number> = {};
    const wrong: string[] = [];
    for (const [resource, rows] of records) {
      const ids = rows.map(({ id }) => id);
      expect([resource, ids.every(Number.isSafeInteger), new Set(ids).size]).toEqual([resource, true, rows.length]);
      for (const [key, value] of members(rows)) {
        if (!/^[a-z][a-z0-9_]*$/.test(key) || key.includes('currency')) wrong.push(`${resource}.${key}`);
        for (const [kind, names, fits] of kinds) {
          if (!names.test(key)) continue;
          found[kind] = (found[kind] ?? 0) + 1;
          if (!fits(value)) wrong.push(`${resource}.${key} ${String(value)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(Object.keys(found)).toHaveLength(4);
    expect(Math.min(...Object.values(found))).toBeGreaterThan(50);
    expect(all(records.get('customer-subscriptions') ?? [], 'auto_renew')).toContain(false);
  });

  test('have minutes as integers, money with two decimals, and percentages from 0 to 100 (rules 2.23, 2.25, 2.28)', async () => {
    const records = await everything();
    const of = (resource: string, field: string) => all(records.get(resource) ?? [], field);
    for (const [resource, field] of [
      ['worklogs', 'minutes'],
      ['work-items', 'estimation'],
      ['work-items', 'logged_minutes'],
      ['budgets', 'budget'],
      ['budgets', 'logged_minutes'],
      ['sales-invoice-rows', 'billable_minutes'],
    ] as const) {
      expect([resource, field, of(resource, field).length > 0, of(resource, field).every(Number.isSafeInteger)]).toEqual([
        resource,
        field,
        true,
        true,
      ]);
    }
    for (const field of ['unit_price', 'vat_amount', 'total_amount']) {
      expect(of('sales-invoice-rows', field).every((value) => MONEY.test(String(value)) && typeof value === 'string')).toBe(true);
    }
    const rates = of('sales-invoice-rows', 'vat_rate');
    expect(rates.every((rate) => Number.isSafeInteger(rate) && Number(rate) >= 0 && Number(rate) <= 100)).toBe(true);
  });

  test('of work items have a key or null, and paths accept a key or an id (rules 2.10 to 2.12, 4.27)', async () => {
    const service = await sandbox();
    const { body } = await send(service, '/work-items?per_page=100');
    for (const { id, issue_key } of body.data) {
      expect([Number.isSafeInteger(id), issue_key]).toEqual([true, expect.stringMatching(/^[A-Z][A-Z0-9]*-[0-9]+$/)]);
    }
    const project = await send(service, '/projects', { method: 'POST', body: { name: 'without a prefix' } });
    const made = await send(service, '/work-items', { method: 'POST', body: { title: 'x', project_id: project.body.data.id } });
    expect([made.status, made.body.data.issue_key]).toEqual([201, null]);
    expect((await send(service, `/work-items/${made.body.data.id}`)).status).toBe(200);
    for (const path of ['', '/subtasks', '/links', '/comments', '/attachments']) {
      const [byId, byKey] = [await send(service, `/work-items/12${path}`), await send(service, `/work-items/ABC-12${path}`)];
      expect([path, byId.status, byKey.status]).toEqual([path, 200, 200]);
      expect(byKey.body.data).toEqual(byId.body.data);
    }
  });

  test('are found by the id of a work item in a filter, not by its key (rule 2.13)', async () => {
    const service = await sandbox();
    expect((await send(service, '/worklogs?filter[work_item_id]=12')).status).toBe(200);
    expect(problem(await send(service, '/worklogs?filter[work_item_id]=ABC-12'))).toMatchObject({ status: 400, code: 'invalid_format' });
  });

  test('of people have a time zone, and working hours with times of day (rules 2.16, 2.21, 4.54)', async () => {
    const service = await sandbox();
    const { data } = (await send(service, '/users?view=detail&per_page=100')).body;
    const zones = all(data, 'timezone');
    expect(zones.length).toBeGreaterThan(5);
    for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone: String(timeZone) })).not.toThrow();
    const hours = [...members(all(data, 'working_hours'))].filter(([key]) => key === 'start' || key === 'end');
    expect(hours.length).toBeGreaterThan(20);
    for (const [, value] of hours) expect(value).toMatch(TIME);
    expect((await send(service, '/me')).body.data).toMatchObject({ name: 'Sanne de Vries', timezone: 'Europe/Amsterdam' });
  });

  test('of invoice rows accept hours as the quantity, and have minutes in billable_minutes (rules 2.24, 4.12, 4.17)', async () => {
    const service = await sandbox();
    const body = { sales_invoice_id: 1, name: 'Hours', budget_id: 1, quantity: '1.5', billable_minutes: 90 };
    const made = await send(service, '/sales-invoice-rows', { method: 'POST', body });
    expect(made.body.data).toMatchObject({ quantity: '1.50', billable_minutes: 90, budget_id: 1 });
  });

  test('have a coordinate as a number in a body, and as a string in an answer (rules 2.29, 2.30)', async () => {
    const service = await sandbox();
    const refused = await send(service, '/company-branches', { method: 'POST', body: { name: 'x', latitude: '52.3' } });
    expect(problem(refused)).toMatchObject({ status: 422, at: 'latitude' });
    const { data } = (await send(service, '/company-branches')).body;
    for (const value of all(data, 'latitude')) expect(value).toMatch(/^-?\d{1,3}(\.\d{1,7})?$/);
  });

  test('keep an enum value letter for letter (rules 2.31, 2.32, 4.37)', async () => {
    const service = await sandbox();
    const made = await send(service, '/projects', { method: 'POST', body: { name: 'x', status: 'on-hold' } });
    expect(made.body.data.status).toBe('on-hold');
    const found = await send(service, '/projects?filter[status]=on-hold');
    expect(found.body.data.map(({ id }: Row) => id)).toContain(made.body.data.id);
    expect((await send(service, '/projects', { method: 'POST', body: { name: 'x', status: 'On-Hold' } })).status).toBe(422);
  });

  test('have sanitised HTML as rich text, and documents have Markdown or, on request, HTML (rules 2.36 to 2.38, 4.29)', async () => {
    const service = await sandbox();
    const html = '<p onclick="x()">Hi <strong>you</strong></p><script>alert(1)</script>';
    for (const [path, field, more] of [
      ['/work-items', 'description', { title: 'x', project_id: 1 }],
      ['/work-items/12/comments', 'body', {}],
      ['/notes', 'content', { name: 'x' }],
    ] as const) {
      const made = await send(service, path, { method: 'POST', body: { ...more, [field]: html } });
      expect([path, made.body.data[field]]).toEqual([path, '<p>Hi <strong>you</strong></p>']);
    }
    const content = '# Title\n\n*text* and <b>';
    const made = await send(service, '/drive-documents?include=content_html', { method: 'POST', body: { name: 'x', content } });
    expect(made.body.data).toMatchObject({ content, content_html: '<h1>Title</h1>\n<p>*text* and &lt;b></p>' });
  });

  test('have a read-only web_url (rules 2.40, 2.41, 4.33, 4.39, 17.12)', async () => {
    const service = await sandbox();
    for (const path of ['/projects/1', '/work-items/12']) {
      expect((await send(service, path)).body.data.web_url).toMatch(new RegExp(`^${service.origin}/`));
      const refused = await send(service, path, { method: 'PATCH', body: { web_url: 'https://elsewhere.example' } });
      expect(problem(refused)).toMatchObject({ status: 422, code: 'unknown_key', at: 'web_url' });
    }
  });

  test('have null for a missing value, and [] for an empty list (rules 2.43, 2.44)', async () => {
    const service = await sandbox();
    const made = await send(service, '/work-items?include=labels,assignee', { method: 'POST', body: { title: 'x', project_id: 1 } });
    expect(made.body.data).toMatchObject({ labels: [], assignee: null, assignee_id: null, due_date: null });
    const document = await send(service, '/drive-documents?include=content_html', { method: 'POST', body: { name: 'x' } });
    expect(document.body.data).toMatchObject({ content: null, content_html: null });
  });
});

test('include adds relations to the summary and to the detail view (rule 3.6)', async () => {
  const service = await sandbox();
  for (const view of ['summary', 'detail']) {
    const one = await send(service, `/work-items/12?view=${view}&include=project,comments`);
    const many = await send(service, `/work-items?view=${view}&include=project,comments`);
    for (const record of [one.body.data, many.body.data[0]]) {
      expect(record).toMatchObject({ project: { id: record.project_id }, comments: expect.any(Array) });
      expect('description' in record).toBe(view === 'detail');
    }
  }
});

describe('the fields of records', () => {
  test('of a worklog are exactly the documented fields and the included relations (rules 4.1 to 4.10)', async () => {
    const service = await sandbox();
    const body = { date: '2026-06-15', minutes: 90, project_id: 1, budget_id: 1, task_id: 1, work_item_id: 12, description: 'Typing' };
    const made = await send(service, '/worklogs?include=project,budget,task,work_item,user', { method: 'POST', body });
    expect(made.body.data).toEqual({
      ...body,
      id: expect.any(Number),
      is_overtime: false,
      is_not_billable: false,
      exceeded_budget: false,
      reviewed_by: null,
      invoice_id: null,
      sales_invoice_row_id: null,
      user_id: 1,
      project: expect.objectContaining({ id: 1 }),
      budget: expect.objectContaining({ id: 1 }),
      task: expect.objectContaining({ id: 1 }),
      work_item: expect.objectContaining({ id: 12 }),
      user: expect.objectContaining({ id: 1 }),
      created_at: expect.stringMatching(NOW),
      updated_at: expect.stringMatching(NOW),
      links: expect.any(Object),
    });
  });

  test('of a sales invoice row are exactly the documented fields (rules 4.11 to 4.21)', async () => {
    const service = await sandbox();
    const { body } = await send(service, '/sales-invoice-rows/1?include=sales_invoice');
    expect(body.data).toEqual({
      id: 1,
      quantity: expect.stringMatching(/^\d+\.\d+$/),
      unit_price: expect.stringMatching(MONEY),
      vat_rate: 21,
      vat_amount: expect.stringMatching(MONEY),
      total_amount: expect.stringMatching(MONEY),
      billable_minutes: expect.any(Number),
      sales_invoice_id: 1,
      sales_invoice: expect.objectContaining({ id: 1 }),
      subscription_item_id: null,
      budget_id: null,
      name: expect.any(String),
      description: null,
      hourly_rate: expect.stringMatching(MONEY),
      is_aggregated_price: false,
      sort_order: 1,
      external_item_id: null,
      external_vat_code: null,
      external_cost_center: null,
      external_gl_account: null,
      created_at: expect.stringMatching(NOW),
      updated_at: expect.stringMatching(NOW),
      deleted_at: null,
      links: expect.any(Object),
    });
    const nested = await send(service, '/sales-invoices/1/rows');
    const top = await send(service, '/sales-invoice-rows?filter[sales_invoice_id]=1');
    expect(nested.body.data.length).toBeGreaterThan(1);
    expect(nested.body.data).toEqual(top.body.data);
  });

  test('of a workflow include a name that you can write, and a read-only order (rules 4.22 to 4.26)', async () => {
    const service = await sandbox();
    const renamed = await send(service, '/workflows/1', { method: 'PATCH', body: { name: 'Renamed' } });
    expect(renamed.body.data).toMatchObject({ name: 'Renamed', order: 1 });
    expect(problem(await send(service, '/workflows/1', { method: 'PATCH', body: { order: 2 } }))).toMatchObject({
      status: 422,
      at: 'order',
    });
    for (const name of ['one', 'two']) await send(service, '/workflows', { method: 'POST', body: { name } });
    const { data } = (await send(service, '/workflows?filter[name]=one&sort=id')).body;
    expect(data).toMatchObject([{ name: 'one', order: 0 }]);
    const statuses = (await send(service, '/workflow-statuses?filter[workflow_id]=1')).body.data;
    const transitions = (await send(service, '/workflow-transitions?filter[workflow_id]=1')).body.data;
    expect([statuses.length, new Set(all(statuses, 'workflow_id'))]).toEqual([4, new Set([1])]);
    const ids = all(statuses, 'id');
    for (const { from_status_id, to_status_id } of transitions)
      expect([ids, ids]).toMatchObject([expect.arrayContaining([from_status_id]), expect.arrayContaining([to_status_id])]);
  });

  test('of work items and projects include dates, an estimate, a status, relations and counts (rules 4.28, 4.30, 4.31, 4.34 to 4.39)', async () => {
    const service = await sandbox();
    const changes = { due_date: '2026-07-01', estimation: 90, description: '<p>x</p>', sprint_id: 1, assignee_id: 2 };
    await send(service, '/work-items/12', { method: 'PATCH', body: changes });
    const relations = 'assignee,sprint,comments,drive_items,labels,subtasks';
    const { body } = await send(service, `/work-items/12?include=${relations}`);
    expect(body.data).toMatchObject({
      ...changes,
      workflow_status_id: expect.any(Number),
      version: expect.any(Number),
      comments_count: body.data.comments.length,
      sprint: { id: 1 },
      assignee: { id: 2 },
      drive_items: expect.any(Array),
      labels: expect.any(Array),
      subtasks: expect.any(Array),
    });
    const projects = (await send(service, '/projects?view=detail')).body.data;
    expect(new Set(all(projects, 'status'))).toContain('on-hold');
    for (const { end_date } of projects) expect(end_date === null || DATE.test(end_date)).toBe(true);
    expect(new Set(projects.map(({ end_date }: Row) => end_date === null))).toEqual(new Set([true, false]));
  });

  test('of a discovery entry are a unique name, paths, a permission prefix, schemas and operations (rules 4.43 to 4.47, 4.53)', async () => {
    const service = await sandbox();
    const { data } = (await send(service, '/')).body;
    const names = data.map(({ name }: Row) => name);
    expect(new Set(names).size).toBe(names.length);
    const nested = data.find(({ name }: Row) => name === 'comments');
    expect([nested.path, nested.item_path]).toEqual([null, '/work-items/{work_item}/comments/{comment}']);
    for (const entry of data) {
      // What has no items is no collection.
      expect(entry.item_path === null).toBe(['me', 'upload-tickets'].includes(entry.name));
      expect(entry).toMatchObject({
        path: entry.path === null ? null : `/${entry.name}`,
        item_path: entry.item_path === null ? null : expect.stringMatching(/\{\w+\}$/),
        permission_prefix: expect.stringMatching(/^[a-z_]+$/),
        schemas: { summary: expect.stringMatching(/^[A-Z]\w+$/), detail: expect.stringMatching(/^[A-Z]\w+$/) },
      });
      expect(entry.operations.length).toBeGreaterThan(0);
      for (const operation of entry.operations)
        expect(operation).toEqual({ name: expect.any(String), method: expect.any(String), path: expect.any(String) });
    }
  });

  test('of a page are data, counts and cursors in meta.page, and links (rules 4.48 to 4.52)', async () => {
    const service = await sandbox();
    const first = (await send(service, '/worklogs?per_page=2')).body;
    expect(first).toEqual({
      data: [expect.any(Object), expect.any(Object)],
      meta: { page: { per_page: 2, next_cursor: expect.any(String), prev_cursor: null, total: null, current_page: null, last_page: null } },
      links: { self: `${service.baseUrl}/worklogs?per_page=2`, next: expect.stringMatching(/^http:/), prev: null },
    });
    const second = (await send(service, first.links.next.slice(service.baseUrl.length))).body;
    expect(second.links.prev).toMatch(/^http:/);
    const last = (await send(service, '/company-branches')).body;
    expect([last.links.next, last.meta.page.next_cursor]).toEqual([null, null]);
  });
});

test('the API has no path for tokens (rule 4.40)', async () => {
  const service = await sandbox();
  for (const path of ['/tokens', '/access-tokens', '/personal-access-tokens', '/api-tokens', '/me/tokens']) {
    expect([path, (await send(service, path)).status]).toEqual([path, 404]);
  }
  expect((await send(service, '/')).text).not.toMatch(/"name":"[a-z-]*token/);
});
