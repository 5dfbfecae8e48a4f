import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { problem, sandbox, send, tokenNamed } from '../support.ts';

// Chapters 5 to 10 of docs/service-rules.md.

const STRONG = /^"[^"]+"$/;

describe('states', () => {
  const to = (workflow_status_id: number) => ({ method: 'POST', body: { workflow_status_id } });

  test('of a work item change only along the transitions of its workflow (rules 5.1, 5.10)', async () => {
    const service = await sandbox();
    const { workflow_status_id } = (await send(service, '/work-items/12')).body.data;
    const legal = (await send(service, `/workflow-transitions?filter[from_status_id]=${workflow_status_id}`)).body.data;
    const targets = legal.map((row: { to_status_id: number }) => row.to_status_id);
    const statuses = (await send(service, '/workflow-statuses')).body.data;
    expect(new Set(statuses.map((row: { workflow_id: number }) => row.workflow_id)).size).toBe(2);
    for (const { id } of statuses) {
      if (id === workflow_status_id) continue;
      const fresh = await sandbox();
      expect([id, (await send(fresh, '/work-items/12/actions/transition', to(id))).status]).toEqual([id, targets.includes(id) ? 200 : 409]);
    }
  });

  test('of a work item do not change in a workflow without transitions (rule 5.13)', async () => {
    const service = await sandbox();
    const make = async (path: string, body: object): Promise<number> => (await send(service, path, { method: 'POST', body })).body.data.id;
    const workflow_id = await make('/workflows', { name: 'bare' });
    await make('/workflow-statuses', { name: 'A', workflow_id });
    const other = await make('/workflow-statuses', { name: 'B', workflow_id });
    const project_id = await make('/projects', { name: 'bare', workflow_id });
    const item = await make('/work-items', { title: 'x', project_id });
    expect(problem(await send(service, `/work-items/${item}/actions/transition`, to(other)))).toEqual({
      status: 409,
      type: 'state-conflict',
    });
  });

  test.each([
    ['adding a row (rule 5.15)', 'POST', '/sales-invoices/1/rows', { name: 'x' }],
    ['changing a row (rule 5.16)', 'PATCH', '/sales-invoice-rows/1', { name: 'x' }],
    ['deleting a row (rule 5.17)', 'DELETE', '/sales-invoice-rows/1', undefined],
    ['editing the invoice (rule 5.18)', 'PATCH', '/sales-invoices/1', { reference: 'x' }],
  ])('of an invoice change back to Pending approval after %s without Finalise', async (_, method, path, body) => {
    for (const [token, status] of [
      ['full', 'paid'],
      ['manager', 'pending_approval'],
    ] as const) {
      const service = await sandbox();
      const sent = await send(service, path, { method, token: tokenNamed(service, token), ...(body && { body }) });
      expect(sent.status).toBeLessThan(300);
      expect((await send(service, '/sales-invoices/1')).body.data.status).toBe(status);
    }
  });
});

test('the sandbox replaces an invalid X-Request-Id by its own id, without an error (rule 6.5)', async () => {
  const service = await sandbox();
  const odd = '?? not an id ?? '.repeat(20);
  const answer = await send(service, '/me', { headers: { 'x-request-id': odd } });
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, expect.stringMatching(/^[0-9A-Z]{26}$/)]);
});

describe('lists', () => {
  test('return 25 rows by default, with a cursor, and accept pages 1 to 1000 (rules 7.14, 8.2, 8.7, 8.12, 16.2)', async () => {
    const service = await sandbox();
    const plain = await send(service, '/absences');
    expect([plain.body.data.length, plain.body.meta.page.per_page]).toEqual([25, 25]);
    expect(plain.body.meta.page.next_cursor).toEqual(expect.any(String));
    expect(plain.headers.get('ratelimit')).not.toBeNull();
    for (const [page, status] of [
      ['1', 200],
      ['1000', 200],
      ['1001', 400],
      ['0', 400],
      ['x', 400],
    ]) {
      expect([page, (await send(service, `/absences?page=${page}`)).status]).toEqual([page, status]);
    }
  });

  test('refuse a cursor when trashed, a filter or the sort changes (rules 8.9, 8.10)', async () => {
    const service = await sandbox();
    const { next_cursor } = (await send(service, '/projects?per_page=2')).body.meta.page;
    for (const change of ['trashed=with', 'filter[status]=active', 'sort=name']) {
      expect(problem(await send(service, `/projects?${change}&cursor=${next_cursor}`))).toMatchObject({
        status: 400,
        type: 'invalid-cursor',
      });
    }
    expect((await send(service, `/projects?cursor=${next_cursor}`)).status).toBe(200);
  });

  test('accept relations in include, separated by commas (rule 8.34)', async () => {
    const service = await sandbox();
    const [row] = (await send(service, '/worklogs?include=user,project&view=detail&per_page=1')).body.data;
    expect(row).toMatchObject({ user: { id: row.user_id }, project: { id: row.project_id } });
  });

  test('filter by equality and by every operator (rules 8.28, 8.29, 8.32)', async () => {
    const service = await sandbox({ limits: 'off' });
    const dates = async (filter: string): Promise<string[]> =>
      (await send(service, `/holidays?per_page=100&${filter}`)).body.data.map((row: { date: string }) => row.date);
    const all = await dates('');
    const middle = all[Math.floor(all.length / 2)] ?? '';
    expect(await dates(`filter[date]=${middle}`)).toEqual(all.filter((date) => date === middle));
    expect(await dates(`filter[date][gte]=${middle}`)).toEqual(all.filter((date) => date >= middle));
    expect(await dates(`filter[date][lt]=${middle}`)).toEqual(all.filter((date) => date < middle));
    expect(await dates(`filter[date][lte]=${middle}`)).toEqual(all.filter((date) => date <= middle));
    expect(await dates(`filter[date][in]=${middle},${all[0]}`)).toEqual(all.filter((date) => date === middle || date === all[0]));
    const free = await send(service, '/projects?filter[customer_id][null]=true');
    expect(free.body.data.every((row: { customer_id: unknown }) => row.customer_id === null)).toBe(true);
    expect((await send(service, '/worklogs?filter[created_at][gte]=2026-01-01T00:00:00Z')).status).toBe(200);
  });
});

describe('discovery', () => {
  test('accepts only the parameter view, and is a page of summaries by default (rules 9.4, 9.6)', async () => {
    const service = await sandbox();
    const { body } = await send(service, '/');
    expect(body).toMatchObject({
      data: expect.any(Array),
      meta: { page: { next_cursor: null } },
      links: { self: `${service.baseUrl}/`, next: null },
    });
    expect((await send(service, '/?view=summary')).body.data).toEqual(body.data);
    expect((await send(service, '/?view=detail')).body.data[0]).toHaveProperty('filters');
    for (const parameter of ['per_page', 'page', 'include', 'sort', 'q']) {
      expect(problem(await send(service, `/?${parameter}=1`))).toMatchObject({ status: 400, type: 'unsupported-parameter', at: parameter });
    }
    expect((await send(service, '/', { headers: { 'x-request-id': 'mine' } })).status).toBe(200);
  });

  test('costs one rate-limit unit, needs only api:read, and also lists resources that you cannot read (rules 9.5, 9.8, 9.9)', async () => {
    const service = await sandbox();
    const least = service.createToken({ name: 'least', userId: 6, scopes: ['read'] }).value;
    const listed = await send(service, '/', { token: least });
    expect(listed.headers.get('ratelimit')).toMatch(/^limit=600, remaining=599,/);
    expect(listed.body.data).toEqual((await send(service, '/')).body.data);
    const operations = listed.body.data.find((entry: { name: string }) => entry.name === 'sales-invoices').operations;
    expect(operations.map((operation: { method: string }) => operation.method)).toContain('DELETE');
    expect((await send(service, '/sales-invoices', { token: least })).status).toBe(403);
  });
});

test('/me shows the user of the token, inside data (rules 9.10 to 9.12, 17.10)', async () => {
  const service = await sandbox({ interpretations: { wrapSingleRecords: false } });
  for (const [token, name] of [
    ['full', 'Sanne de Vries'],
    ['manager', 'Olumide Adeyemi'],
  ] as const) {
    expect((await send(service, '/me', { token: tokenNamed(service, token) })).body).toMatchObject({ data: { name } });
  }
});

describe('absences', () => {
  const OPERATORS = ['eq', 'gte', 'lt', 'lte', 'in', 'null'] as const;
  const VALUES: Readonly<Record<string, string>> = { user_id: '1', manager_id: '1' };

  test.each([
    ['created_at (rule 9.18)', 'eq gte lt'],
    ['updated_at (rule 9.19)', 'eq gte lt'],
    ['start (rule 9.20)', 'eq gte lte'],
    ['end (rule 9.21)', 'eq gte lte null'],
    ['manager_id (rule 9.23)', 'eq in null'],
    ['user_id (rule 9.25)', 'eq in'],
  ])('accept filters by %s only with %s', async (title, expected) => {
    const service = await sandbox();
    const field = title.split(' ')[0] ?? '';
    const taken = [];
    for (const operator of OPERATORS) {
      const parameter = operator === 'eq' ? `filter[${field}]` : `filter[${field}][${operator}]`;
      const value = operator === 'null' ? 'true' : (VALUES[field] ?? '2026-01-01T00:00:00Z');
      const answer = await send(service, `/absences?${parameter}=${value}`);
      if (answer.status === 200) taken.push(operator);
      else expect(problem(answer)).toEqual({ status: 400, type: 'unsupported-parameter', code: 'unsupported', at: parameter });
    }
    expect(taken.join(' ')).toBe(expected);
  });

  test.each(['user_id', 'manager_id'])('accept at most a hundred values in the filter %s[in] (rules 9.23, 9.25)', async (field) => {
    const service = await sandbox();
    const list = (size: number) => Array.from({ length: size }, (_, i) => i + 1).join(',');
    expect((await send(service, `/absences?filter[${field}][in]=${list(100)}`)).status).toBe(200);
    expect(problem(await send(service, `/absences?filter[${field}][in]=${list(101)}`))).toMatchObject({ code: 'out_of_range' });
  });

  test('return a page, accept the documented parameters, and need the ability api:read:absences (rules 9.13, 9.15, 9.16)', async () => {
    const service = await sandbox();
    const token = service.createToken({ name: 'a', userId: 1, scopes: ['read'], resources: ['absences'] }).value;
    const { next_cursor } = (await send(service, '/absences', { token })).body.meta.page;
    for (const query of ['per_page=3', 'page=2', `cursor=${next_cursor}`, 'view=detail', 'sort=start', 'include=user']) {
      const answer = await send(service, `/absences?${query}`, { token });
      expect([query, answer.status, answer.body]).toEqual([
        query,
        200,
        {
          data: expect.any(Array),
          meta: { page: expect.any(Object) },
          links: {
            self: expect.any(String),
            next: expect.toBeOneOf([expect.any(String), null]),
            prev: expect.toBeOneOf([expect.any(String), null]),
          },
        },
      ]);
    }
    const refused = await send(service, '/absences', { token: tokenNamed(service, 'hours-only') });
    expect(problem(refused)).toEqual({ status: 403, type: 'insufficient-token-scope' });
  });
});

describe('POST /workflows', () => {
  const post = (service: Sandbox, more: object = {}, path = '/workflows') =>
    send(service, path, { method: 'POST', body: { name: 'Mine' }, ...more });

  test('accepts only a name (rules 9.32, 9.33)', async () => {
    const service = await sandbox();
    for (const [body, at] of [
      [{}, 'name'],
      [{ name: 7 }, 'name'],
      [{ name: 'x', order: 1 }, 'order'],
      [{ name: 'x', statuses: [] }, 'statuses'],
    ] as const) {
      expect(problem(await post(service, { body }))).toMatchObject({ status: 422, type: 'validation-failed', at });
    }
  });

  test('needs api:write:workflows, and then workflows::create (rules 9.34, 9.35)', async () => {
    const service = await sandbox();
    const narrow = (scopes: readonly ('read' | 'write')[], resource: string) =>
      service.createToken({ name: 'n', userId: 1, scopes, resources: [resource] }).value;
    expect((await post(service, { token: narrow(['write'], 'workflows') })).status).toBe(201);
    for (const token of [narrow(['read'], 'workflows'), narrow(['write'], 'work_types')]) {
      expect(problem(await post(service, { token }))).toEqual({ status: 403, type: 'insufficient-token-scope' });
    }
    const refused = await post(service, { token: tokenNamed(service, 'employee') });
    expect([problem(refused), refused.body.permission]).toEqual([{ status: 403, type: 'insufficient-permission' }, 'workflows::create']);
  });

  test('gets 201 with Location, a strong ETag and no-store (rules 4.24, 5.11, 9.37 to 9.42)', async () => {
    const service = await sandbox();
    const headers = { 'idempotency-key': 'k' };
    const made = await post(service, { headers });
    const location = made.headers.get('location') ?? '';
    expect(made).toMatchObject({ status: 201, body: { data: { name: 'Mine', order: 0, statuses_count: 0 } } });
    expect(location).toBe(`${service.baseUrl}/workflows/${made.body.data.id}`);
    expect((await send(service, location.slice(service.baseUrl.length))).text).toBe(made.text);
    expect(made.headers.get('etag')).toMatch(STRONG);
    expect(made.headers.get('cache-control')).toBe('private, no-store');
    expect(made.headers.get('ratelimit')).toMatch(/^limit=120, remaining=119,/);
    expect((await post(service, { headers })).headers.get('idempotency-replayed')).toBe('true');
    for (const nested of ['workflow-statuses', 'workflow-transitions']) {
      expect((await send(service, `/${nested}?filter[workflow_id]=${made.body.data.id}`)).body.data).toEqual([]);
    }
  });
});

describe('a transition', () => {
  const transition = (service: Sandbox, more: object = {}, query = '') =>
    send(service, `/work-items/ABC-12/actions/transition${query}`, { method: 'POST', body: { workflow_status_id: 3 }, ...more });

  test('gets the detail view by default, with a strong ETag, for one rate-limit unit (rules 5.3, 9.47, 9.50, 9.51, 9.57)', async () => {
    const service = await sandbox();
    const moved = await transition(service);
    expect(moved).toMatchObject({
      status: 200,
      body: { data: { workflow_status_id: 3, description: expect.toBeOneOf([null, expect.any(String)]) } },
    });
    expect(moved.headers.get('etag')).toMatch(STRONG);
    expect(moved.headers.get('ratelimit')).toMatch(/^limit=120, remaining=119,/);
    expect((await transition(service, {}, '?view=detail')).text).toBe(moved.text);
    expect((await transition(service, {}, '?view=summary')).body.data).not.toHaveProperty('description');
    expect(problem(await transition(service, {}, '?include=labels'))).toMatchObject({ status: 400, at: 'include' });
  });

  test('accepts X-Request-Id, If-Match and Idempotency-Key (rule 9.48)', async () => {
    const service = await sandbox();
    const etag = (await send(service, '/work-items/12')).headers.get('etag') ?? '';
    const headers = { 'x-request-id': 'mine', 'if-match': etag, 'idempotency-key': 'k' };
    expect((await transition(service, { headers })).status).toBe(200);
    expect((await transition(service, { headers })).headers.get('idempotency-replayed')).toBe('true');
  });

  test('accepts only workflow_status_id, an integer (rules 9.49, 9.56)', async () => {
    const service = await sandbox();
    for (const [body, code, at] of [
      [{}, 'required', 'workflow_status_id'],
      [{ workflow_status_id: '3' }, 'integer', 'workflow_status_id'],
      [{ workflow_status_id: 99 }, 'exists', 'workflow_status_id'],
      [{ workflow_status_id: 3, title: 'x' }, 'unknown_key', 'title'],
    ] as const) {
      expect(problem(await transition(service, { body }))).toEqual({ status: 422, type: 'validation-failed', code, at });
    }
  });

  test('needs api:write:project_management, then project_management::manage_work_items (rules 9.52, 9.53)', async () => {
    const service = await sandbox();
    const narrow = (scopes: readonly ('read' | 'write')[], resource: string) =>
      service.createToken({ name: 'n', userId: 1, scopes, resources: [resource] }).value;
    for (const token of [narrow(['read'], 'project_management'), narrow(['write'], 'workflows')]) {
      expect(problem(await transition(service, { token }))).toEqual({ status: 403, type: 'insufficient-token-scope' });
    }
    const refused = await transition(service, { token: tokenNamed(service, 'contractor') });
    expect([problem(refused).type, refused.body.permission]).toEqual(['insufficient-permission', 'project_management::manage_work_items']);
    expect((await transition(service, { token: narrow(['write'], 'project_management') })).status).toBe(200);
  });
});

test('a move accepts the id of the preceding work item (rule 9.59)', async () => {
  const service = await sandbox();
  const moved = await send(service, '/work-items/1/actions/move', { method: 'POST', body: { after_work_item_id: 12 } });
  expect(moved.body.data.order).toBe((await send(service, '/work-items/12')).body.data.order + 1);
});

test('/worklogs lists logged hours, and /timers lists running timers (rules 9.61, 9.65)', async () => {
  const service = await sandbox();
  const token = service.createToken({ name: 'h', userId: 1, scopes: ['read'], resources: ['hours'] }).value;
  const timers = await send(service, '/timers', { token });
  expect([timers.status, timers.body.data.length > 0]).toEqual([200, true]);
  for (const timer of timers.body.data) expect(timer).toMatchObject({ started_at: expect.any(String), user_id: expect.any(Number) });
  expect((await send(service, '/worklogs', { token })).status).toBe(403);
  const worklogs = await send(service, '/worklogs', { token: tokenNamed(service, 'hours-only') });
  expect(worklogs.body.data[0]).toMatchObject({ date: expect.any(String), minutes: expect.any(Number) });
});

test('each resource has a list, and a path for a record (rule 10.18)', async () => {
  const service = await sandbox({ limits: 'off' });
  service.setFeature('furlough', true);
  const { data } = (await send(service, '/')).body;
  for (const { name, path, item_path } of data) {
    // What has no items, such as /me, is no collection.
    if (path === null || item_path === null) continue;
    const [first] = (await send(service, `${path}?per_page=1&view=detail`)).body.data;
    const item = await send(service, item_path.replace(/\{\w+\}/, String(first.id)));
    expect([name, item.body.data]).toEqual([name, first]);
  }
});
