import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type WithToken, withToken } from './with-token.ts';

// Chapter 1 of docs/service-rules.md: hosts, areas, bodies.

let here: WithToken;
beforeAll(async () => {
  here = await withToken();
});
afterAll(() => here.remove());

describe('svc', () => {
  test('requests records only at the host of the organisation, below /api/v2 (rules 1.1 to 1.3)', async () => {
    const other = await withToken();
    try {
      expect((await here.svc(['labels', 'update', '1', '--name', 'of one'])).code).toBe(0);
      expect(here.sandbox.requests.map(({ path }) => path)).toEqual(['/api/v2/labels/1']);
      expect(await other.read('labels', 'get', '1')).not.toMatchObject({ name: 'of one' });
      // Neither a flag nor an address takes the token of one to the other.
      other.sandbox.requests.length = 0;
      const strayed = await here.svc(['api', `${other.sandbox.baseUrl}/me`]);
      expect([strayed.code, other.sandbox.requests]).toEqual([2, []]);
      const unknown = await other.as('', ['me']);
      expect([unknown.code, other.sandbox.requests]).toEqual([4, []]);
    } finally {
      await other.remove();
      here.sandbox.requests.length = 0;
    }
  });

  test('signs in at the root of the host, and sends no token there (rules 1.4, 9.67)', async () => {
    const { sandbox, as, remove } = await withToken({ approve: true, clock: { now: () => Date.now() } });
    const login = await as('', ['login']);
    expect(login.code, login.stderr).toBe(0);
    const asked = sandbox.requests.map(({ method, path, headers }) => [`${method} ${path.split('?')[0]}`, headers['authorization']]);
    expect(asked).toEqual([
      ['GET /.well-known/oauth-authorization-server', undefined],
      ['POST /oauth/register', undefined],
      ['GET /oauth/authorize', undefined],
      ['POST /oauth/token', undefined],
      ['GET /api/v2/me', expect.anything()],
    ]);
    await remove();
  });

  test('exits 3 at a login to a host whose API is switched off (rule 1.23)', async () => {
    const { sandbox, as, remove } = await withToken({ approve: true });
    sandbox.switchApi(false);
    const { code, stderr } = await as('', ['login']);
    expect([code, stderr.includes('switched off')], stderr).toEqual([3, true]);
    expect(sandbox.requests.map(({ path }) => path)).toEqual(['/.well-known/oauth-authorization-server']);
    await remove();
  });
});

describe('groups of resources in help', () => {
  let listed: Map<string, string[]>;
  beforeAll(async () => {
    const { stdout } = await here.svc(['--help']);
    const resources = /\nResources:\n(.*?)\n\n/s.exec(stdout)?.[1]?.replace(/,\n {4,}/g, ', ') ?? '';
    listed = new Map(
      resources.split('\n').map((line) => {
        const [, area = '', nouns = ''] = /^ {2}(\S+(?: \S+)*) {2,}(.*)$/.exec(line) ?? [];
        return [area, nouns.split(', ')];
      }),
    );
  });

  test.each([
    ['Projects (rule 1.6)', 'projects budgets budget-groups project-links'],
    ['Work items (rule 1.7)', 'work-items subtasks work-item-links labels'],
    ['Sprints (rule 1.8)', 'sprints'],
    ['Time (rule 1.9)', 'worklogs timers'],
    ['Drive (rule 1.10)', 'drive-items drive-documents drive-folders notes todos'],
    ['Customers (rule 1.11)', 'customers contacts contact-roles customer-categories'],
    [
      'Billing (rule 1.12)',
      'sales-invoices sales-invoice-rows invoices customer-subscriptions subscription-items subscription-types subscription-type-items subscription-products',
    ],
    ['Leave (rule 1.13)', 'absences holidays free-days checkins furlough-balance-mutations'],
    ['Planning (rule 1.14)', 'events'],
    ['Organisation (rule 1.15)', 'users company-branches'],
    ['Configuration (rule 1.16)', 'workflows workflow-statuses workflow-transitions work-types'],
  ])('include %s with the resources %s', (title, nouns) => {
    expect(listed.get(title.replace(/ \(.*/, ''))).toEqual(expect.arrayContaining(nouns.split(' ')));
  });

  test('are eleven, and svc also reaches discovery, your user and an upload ticket (rule 1.5)', async () => {
    expect(listed.size).toBe(11);
    expect((await here.read('resources')).length).toBeGreaterThan(40);
    expect(await here.read('me')).toMatchObject({ id: 1 });
    const ticket = await here.read('api', '/work-items/12/uploads', '-f', 'file_name=a.txt');
    expect(ticket).toMatchObject({ data: { upload_url: expect.any(String) } });
  });
});

test('work items have comments and attachments, and drive items have comments and files (rules 1.7, 1.10)', async () => {
  here.sent();
  for (const words of ['work-items comments', 'work-items attachments', 'drive-items comments', 'drive-items files'])
    await here.read(...words.split(' '), 'list', '1', '-L', '1');
  expect(here.sent()).toEqual([
    'GET /work-items/1/comments?per_page=1',
    'GET /work-items/1/attachments?per_page=1',
    'GET /drive-items/1/comments?per_page=1',
    'GET /drive-items/1/files?per_page=1',
  ]);
});

test('the action complete completes a sprint, and svc exits 6 for a completed sprint (rule 1.8)', async () => {
  const id = String((await here.read('sprints', 'list', '--state', 'active', '-L', '1'))[0].id);
  expect(await here.read('sprints', 'complete', id)).toMatchObject({ state: 'completed' });
  expect((await here.svc(['sprints', 'complete', id])).code).toBe(6);
  expect((await here.read('sprints', 'get', id)).state).toBe('completed');
});

test('worklogs have minutes, and timers have their start time (rules 1.9, 9.61, 9.65)', async () => {
  expect(await here.read('worklogs', 'list', '-L', '1')).toEqual([expect.objectContaining({ minutes: expect.any(Number) })]);
  const timers = await here.read('timers', 'list');
  expect(timers).not.toEqual([]);
  for (const timer of timers) expect(timer).toMatchObject({ started_at: expect.any(String) });
  const { value } = here.sandbox.createToken({ name: 'times', userId: 1, scopes: ['read'], resources: ['times'] });
  expect((await here.as(value, ['timers', 'list'])).stderr).toContain('api:read:hours');
});

describe('bodies', () => {
  test('are sent and read as JSON (rule 1.17)', async () => {
    const made = await here.read('labels', 'create', '--name', 'x');
    const [request] = here.sandbox.requests.slice(-1);
    expect([request?.headers['content-type'], JSON.parse(request?.body ?? '')]).toEqual(['application/json', { name: 'x' }]);
    expect(made).toMatchObject({ name: 'x' });
  });

  test('of errors are problem documents, and svc prints the type, status, code and key (rule 1.18)', async () => {
    const { code, stderr } = await here.svc(['labels', 'create', '--name', 'x', '-f', 'nosuch=1', '--error-format', 'json']);
    expect([code, JSON.parse(stderr)]).toEqual([
      9,
      expect.objectContaining({ type: 'validation-failed', status: 422, code: 'unknown_key', parameter: 'nosuch' }),
    ]);
  });

  test('of errors appear in the words of the service, and svc requests no language (rule 1.25)', async () => {
    const asked = async (LANG: string) => {
      const { stderr } = await here.svc(['api', '/worklogs?per_page=0', '--silent'], { env: { LANG, LC_ALL: LANG } });
      return stderr.replace(/request \S+/, '');
    };
    expect(await asked('nl_NL.UTF-8')).toContain('per_page is 1 to 100 here.');
    expect(await asked('nl_NL.UTF-8')).toBe(await asked('en_US.UTF-8'));
    expect(here.sandbox.requests.at(-1)?.headers['accept-language']).toBeUndefined();
  });

  test('keep text unchanged in both directions (rule 1.27)', async () => {
    const name = '  =SUM(A1) \t"ünïcode" 🚀 \u202Eabc\u202C <b>&amp;</b> \u001b[31m\r\n';
    const { id } = await here.read('labels', 'create', '--name', name);
    expect((await here.read('labels', 'get', String(id))).name).toBe(name);
  });
});
