import { expect, test } from 'vitest';
import { problem, sandbox, send, tokenNamed } from './support.ts';

test('links.next leads to every row once, in order, and is null on the last page (rules 8.21, 8.25, 8.37)', async () => {
  const service = await sandbox({ limits: 'off' });
  const ids: number[] = [];
  let path: string | null = '/worklogs?sort=id&per_page=100&filter[date][gte]=2026-01-01&with_total=1';
  let total = 0;
  while (path !== null) {
    const { body } = await send(service, path);
    ids.push(...body.data.map((row: { id: number }) => row.id));
    total = body.meta.page.total;
    path = body.links.next === null ? null : body.links.next.slice(service.baseUrl.length);
  }
  expect(ids.length).toBeGreaterThan(500);
  expect(ids).toHaveLength(total);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
});

test('the deletion of a row between two pages neither repeats nor hides another row', async () => {
  const service = await sandbox();
  const first = await send(service, '/worklogs?sort=id&per_page=3');
  const last = first.body.data[2].id;
  await send(service, `/worklogs/${last}`, { method: 'DELETE' });
  const second = await send(service, `/worklogs?sort=id&per_page=3&cursor=${first.body.meta.page.next_cursor}`);
  expect(second.body.data[0].id).toBe(last + 1);
});

test('links.prev leads to the previous page', async () => {
  const service = await sandbox();
  const first = await send(service, '/users?per_page=5&sort=-name');
  const second = await send(service, first.body.links.next.slice(service.baseUrl.length));
  const back = await send(service, second.body.links.prev.slice(service.baseUrl.length));
  expect(back.body.data).toEqual(first.body.data);
  expect(back.body.links.prev).toBeNull();
});

test('a list with the parameter page counts rows, links pages by number, and is empty after the last page (rules 8.14 to 8.17)', async () => {
  const service = await sandbox();
  const { body } = await send(service, '/users?page=2&per_page=5');
  expect(body.meta.page).toEqual({ per_page: 5, next_cursor: null, prev_cursor: null, total: 12, current_page: 2, last_page: 3 });
  expect(body.links.next).toBe(`${service.baseUrl}/users?page=3&per_page=5`);
  const beyond = await send(service, '/users?page=9&per_page=5');
  expect(beyond.body.data).toEqual([]);
  expect(beyond.body.meta.page.current_page).toBe(9);
});

test.each([
  ['/users?per_page=101', 'invalid-query-parameter', 'out_of_range', 'per_page'],
  ['/users?per_page=0', 'invalid-query-parameter', 'out_of_range', 'per_page'],
  ['/users?per_page=ten', 'invalid-query-parameter', 'invalid_format', 'per_page'],
  ['/work-items?include=comments&per_page=26', 'invalid-query-parameter', 'out_of_range', 'per_page'],
  ['/projects?include=tags&per_page=51', 'invalid-query-parameter', 'out_of_range', 'per_page'],
  ['/users?page=1001', 'invalid-query-parameter', 'out_of_range', 'page'],
  ['/worklogs?page=1', 'unsupported-parameter', 'unsupported', 'page'],
  ['/users?with_total=1', 'unsupported-parameter', 'unsupported', 'with_total'],
  ['/users?page=1&cursor=x', 'invalid-query-parameter', 'mutually_exclusive', 'page'],
  ['/worklogs?cursor=x', 'invalid-cursor', 'invalid_cursor', 'cursor'],
  ['/worklogs?limit=5', 'unsupported-parameter', 'unsupported', 'limit'],
  ['/absences?year=2025', 'unsupported-parameter', 'unsupported', 'year'],
  ['/absences?ongoing=true', 'unsupported-parameter', 'unsupported', 'ongoing'],
  ['/absences?q=x', 'unsupported-parameter', 'unsupported', 'q'],
  ['/absences?filter[type]=sick', 'unsupported-parameter', 'unsupported', 'filter[type]'],
  ['/absences?filter[start][lt]=2025-01-01T00:00:00Z', 'unsupported-parameter', 'unsupported', 'filter[start][lt]'],
  ['/absences?filter[start][gte]=2025-01-01', 'invalid-query-parameter', 'invalid_format', 'filter[start][gte]'],
  ['/absences?filter[start][gte]=2025-01-01T00:00:00%2B01:00', 'invalid-query-parameter', 'invalid_format', 'filter[start][gte]'],
  ['/absences?filter[end][null]=1', 'invalid-query-parameter', 'invalid_format', 'filter[end][null]'],
  ['/projects?filter[status]=on_hold', 'invalid-query-parameter', 'invalid_format', 'filter[status]'],
  ['/users?sort=shoe_size', 'invalid-query-parameter', 'in', 'sort'],
  ['/users?include=shoes', 'invalid-query-parameter', 'in', 'include'],
  ['/users?include=__proto__', 'invalid-query-parameter', 'in', 'include'],
  ['/work-items?include=constructor.project', 'invalid-query-parameter', 'in', 'include'],
  ['/users?view=all', 'invalid-query-parameter', 'in', 'view'],
  [
    `/worklogs?filter[user_id][in]=${Array.from({ length: 101 }, (_, i) => i + 1)}`,
    'invalid-query-parameter',
    'out_of_range',
    'filter[user_id][in]',
  ],
])(
  'the sandbox refuses %s (rules 2.20, 2.35, 8.1, 8.3 to 8.6, 8.18 to 8.20, 8.24, 8.30, 8.31, 9.28, 9.29, 14.8, 14.12 to 14.14)',
  async (path, type, code, at) => {
    const service = await sandbox();
    expect(problem(await send(service, path))).toEqual({ status: 400, type, code, at });
  },
);

test.each(['sort=date', 'filter[user_id]=2', 'q=Planning', 'view=detail'])(
  'a cursor fails when %s changes the query (rules 8.9 to 8.11)',
  async (change) => {
    const service = await sandbox();
    const { body } = await send(service, '/worklogs?per_page=2');
    const again = await send(service, `/worklogs?per_page=3&cursor=${body.meta.page.next_cursor}`);
    expect(again.status).toBe(200);
    const changed = await send(service, `/worklogs?${change}&cursor=${body.meta.page.next_cursor}`);
    expect(problem(changed)).toMatchObject({ status: 400, type: 'invalid-cursor' });
  },
);

test('a generated file has the size in its record, and its content starts with the file name', async () => {
  const service = await sandbox();
  const [file] = (await send(service, '/drive-items/1/files')).body.data as { id: number; file_name: string; size: number }[];
  const { text } = await send(service, `/drive-items/1/files/${file?.id}/content`);
  expect(Buffer.byteLength(text)).toBe(file?.size);
  expect(text.startsWith(file?.file_name ?? '?')).toBe(true);
});

test('the sandbox uses the first of two per_page parameters, and both of two filters', async () => {
  const service = await sandbox();
  const { body } = await send(service, '/worklogs?per_page=2&per_page=3');
  expect(body.data).toHaveLength(2);
  const both = await send(service, '/worklogs?filter[date][gte]=2026-03-01&filter[date][lte]=2026-03-31&per_page=100');
  const dates = (both.body.data as { date: string }[]).map(({ date }) => date);
  expect(dates.length).toBeGreaterThan(0);
  for (const date of dates) expect(date).toMatch(/^2026-03-/);
});

test('a year of absences includes starts from its first to its last second (rules 9.14, 9.30)', async () => {
  const service = await sandbox();
  const path = '/absences?per_page=100&filter[start][gte]=2024-12-31T23:00:00Z&filter[start][lte]=2025-12-31T22:59:59Z';
  const { body } = await send(service, path);
  const starts: string[] = body.data.map((row: { start: string }) => row.start);
  expect(starts).toContain('2024-12-31T23:00:00Z');
  expect(starts).toContain('2025-12-31T22:59:59Z');
  expect(starts).not.toContain('2025-12-31T23:30:00Z');
  expect(starts).toEqual([...starts].sort().reverse());
});

test('the operator null selects absences without an end, or without a manager (rules 5.14, 9.22, 9.24)', async () => {
  const service = await sandbox();
  const running = await send(service, '/absences?per_page=100&filter[end][null]=true');
  const ended = await send(service, '/absences?per_page=100&filter[end][null]=false');
  const orphans = await send(service, '/absences?per_page=100&filter[manager_id][null]=true');
  expect(running.body.data.length).toBeGreaterThan(0);
  expect(running.body.data.every((row: { end: unknown }) => row.end === null)).toBe(true);
  expect(ended.body.data.every((row: { end: unknown }) => row.end !== null)).toBe(true);
  expect(new Set(orphans.body.data.map((row: { manager_id: unknown }) => row.manager_id))).toEqual(new Set([null]));
});

test('the filter user_id of absences accepts me, and refuses another user without absences::manage (rules 9.26, 9.27)', async () => {
  const service = await sandbox();
  const token = tokenNamed(service, 'employee');
  const own = await send(service, '/absences?filter[user_id]=me', { token });
  expect(new Set(own.body.data.map((row: { user_id: number }) => row.user_id))).toEqual(new Set([3]));
  const other = await send(service, '/absences?filter[user_id]=4', { token });
  expect(problem(other)).toMatchObject({ status: 403, type: 'insufficient-permission' });
  const all = await send(service, '/absences', { token });
  expect(new Set(all.body.data.map((row: { user_id: number }) => row.user_id))).toEqual(new Set([3]));
});

test('the operator in accepts a list, q searches text, and a key finds a work item (rule 8.33)', async () => {
  const service = await sandbox();
  const two = await send(service, '/worklogs?per_page=100&view=detail&filter[user_id][in]=1,2');
  expect(new Set(two.body.data.map((row: { user_id: number }) => row.user_id))).toEqual(new Set([1, 2]));
  const found = await send(service, '/users?q=hương');
  expect(found.body.data.map((row: { name: string }) => row.name)).toEqual(['Nguyễn Thị Hương']);
  const item = await send(service, '/work-items/ABC-12');
  expect(item.body.data).toMatchObject({ issue_key: 'ABC-12', id: 12, web_url: `${service.origin}/work-items/ABC-12` });
});

test('a to-many relation allows 25 rows a page, and tags alone allow 50 (rules 8.4, 8.5, 16.1)', async () => {
  const service = await sandbox();
  expect((await send(service, '/work-items?include=comments&per_page=25')).status).toBe(200);
  expect((await send(service, '/projects?include=tags&per_page=50')).status).toBe(200);
  expect((await send(service, '/projects?include=tags,budgets&per_page=26')).status).toBe(400);
});

test('a relation appears only on request, as an object, a list or null (rules 2.2, 2.42, 4.34, 4.36)', async () => {
  const service = await sandbox();
  const plain = await send(service, '/work-items/12');
  expect(plain.body.data).not.toHaveProperty('assignee');
  expect(plain.body.data).not.toHaveProperty('labels');
  const full = await send(service, '/work-items/12?include=assignee,sprint,labels,comments');
  expect(full.body.data.assignee.id).toBe(full.body.data.assignee_id);
  expect(full.body.data.labels).toBeInstanceOf(Array);
  expect(full.body.data.sprint?.id ?? null).toBe(full.body.data.sprint_id);
});

test('folder_id, parent_id and contact_role_id are the keys of drive_folder, parent_folder and role (rules 2.3 to 2.5)', async () => {
  const service = await sandbox();
  const item = await send(service, '/drive-items/1?include=drive_folder');
  const folder = await send(service, '/drive-folders/2?include=parent_folder');
  const contact = await send(service, '/contacts/1?include=role');
  expect(item.body.data.drive_folder.id).toBe(item.body.data.folder_id);
  expect(folder.body.data.parent_folder.id).toBe(folder.body.data.parent_id);
  expect(contact.body.data.role.id).toBe(contact.body.data.contact_role_id);
});

test('a list has the summary view by default, and the parameter view changes this view (rules 3.1 to 3.3, 3.5)', async () => {
  const service = await sandbox();
  const summary = await send(service, '/projects?per_page=1');
  const detail = await send(service, '/projects?per_page=1&view=detail');
  const record = await send(service, '/projects/1?view=summary');
  expect(summary.body.data[0]).not.toHaveProperty('description');
  expect(detail.body.data[0]).toHaveProperty('description');
  expect(record.body.data).not.toHaveProperty('description');
});

test('content_html of a document appears only on request (rule 2.38)', async () => {
  const service = await sandbox();
  expect((await send(service, '/drive-documents/1')).body.data).not.toHaveProperty('content_html');
  const { body } = await send(service, '/drive-documents/1?include=content_html');
  expect(body.data.content_html).toContain('<h1>Handbook</h1>');
});

test('numbered pages in an order that people can change include a warning (rules 4.52, 8.26)', async () => {
  const service = await sandbox();
  expect((await send(service, '/labels?page=1')).body.meta.warnings[0].code).toBe('unstable_order');
  expect((await send(service, '/labels')).body.meta).not.toHaveProperty('warnings');
});

/** Every top-level path of the service's documentation, and whether it counts rows. */
const PATHS: readonly (readonly [string, boolean])[] = [
  ...[
    'projects',
    'project-links',
    'budgets',
    'budget-groups',
    'sprints',
    'timers',
    'contact-roles',
    'contacts',
    'customer-categories',
    'customers',
    'customer-subscriptions',
    'invoices',
    'sales-invoices',
    'subscription-products',
    'subscription-types',
    'absences',
    'free-days',
    'holidays',
    'company-branches',
    'users',
    'labels',
    'work-types',
    'workflow-statuses',
    'workflow-transitions',
    'workflows',
    'work-items/1/attachments',
    'work-items/1/links',
    'work-items/1/subtasks',
    'drive-items/1/files',
    'sales-invoices/1/rows',
    'customer-subscriptions/1/items',
    'subscription-types/1/items',
  ].map((path) => [path, true] as const),
  ...[
    'worklogs',
    'work-items',
    'todos',
    'tasks',
    'drive-items',
    'drive-folders',
    'drive-documents',
    'notes',
    'checkins',
    'furlough-balance-mutations',
    'events',
    'subtasks',
    'work-item-links',
    'sales-invoice-rows',
    'subscription-items',
    'subscription-type-items',
    'work-items/1/comments',
    'drive-items/1/comments',
  ].map((path) => [path, false] as const),
];

test('only the documented resources count rows and accept the parameter page (rules 8.13, 8.19, 8.22, 8.23, 8.27, 10.1 to 10.17)', async () => {
  const service = await sandbox({ limits: 'off' });
  service.setFeature('furlough', true);
  for (const [path, counted] of PATHS) {
    const listed = await send(service, `/${path}?per_page=1`);
    expect.soft([path, listed.status, typeof listed.body.meta?.page?.total]).toEqual([path, 200, counted ? 'number' : 'object']);
    const paged = await send(service, `/${path}?page=1`);
    expect.soft([path, paged.status]).toEqual([path, counted ? 200 : 400]);
  }
});

test('discovery lists only enabled features, and requests to disabled features get 404 (rules 1.19, 1.20, 9.36)', async () => {
  const service = await sandbox();
  const names = async (): Promise<string[]> => (await send(service, '/')).body.data.map((entry: { name: string }) => entry.name);
  expect(await names()).toContain('sprints');
  service.setFeature('sprints', false);
  expect(await names()).not.toContain('sprints');
  expect(problem(await send(service, '/sprints'))).toMatchObject({ status: 404, type: 'endpoint-not-found' });
  const refused = await send(service, '/workflows', { method: 'POST', body: { name: 'x' } });
  expect(problem(refused)).toMatchObject({ status: 404, type: 'endpoint-not-found' });
});

test.each([
  ['relative', () => '/worklogs'],
  ['rooted', () => '/api/v2/worklogs'],
  ['absolute', (base: string) => `${base}/worklogs`],
] as const)('discovery writes paths in the form %s (rules 4.43, 4.44)', async (discoveryPaths, expected) => {
  const service = await sandbox({ interpretations: { discoveryPaths } });
  const { body } = await send(service, '/');
  const entry = body.data.find((known: { name: string }) => known.name === 'worklogs');
  expect(entry.path).toBe(expected(service.baseUrl));
  expect(entry.item_path).toBe(`${expected(service.baseUrl)}/{worklog}`);
});
