import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** The exact requests of each command: method, path, query, body. Compared by hand with docs/service-rules.md. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

/** A time in summer: early on the 3rd in Amsterdam, and still the 2nd in New York. */
const NOW = Date.parse('2026-06-02T22:30:00Z');

async function requestsOf(...argv: string[]): Promise<string[]> {
  const result = await here.svc(argv, { now: NOW });
  expect(result.code, result.stderr).toBe(0);
  return sent(here.sandbox);
}

describe('svc absences list', () => {
  const LIST = 'GET /api/v2/absences?';

  it('--year starts and ends at midnight in the zone of the user (rules 9.30, 2.17)', async () => {
    expect(await requestsOf('absences', 'list', '--year', '2025')).toEqual([
      `${LIST}filter[start][gte]=2024-12-31T23:00:00Z&filter[start][lte]=2025-12-31T22:59:59Z&per_page=100`,
    ]);
  });

  it('--year uses the zone of the user’s record, not of the machine or the settings', async () => {
    // The zone of the user is an hour ahead of UTC in winter. The setting does not matter.
    await here.svc(['config', 'set', 'timezone', 'America/New_York']);
    expect(await requestsOf('absences', 'list', '--year', '2025')).toEqual([expect.stringContaining('gte]=2024-12-31T23:00:00Z')]);
    here.sandbox.requests.length = 0;
    // SVC_TOKEN can belong to anybody, so svc reads the user and the zone.
    const env = { SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' };
    await here.svc(['absences', 'list', '--year', '2025'], { env });
    expect(sent(here.sandbox)).toEqual([
      'GET /api/v2/me',
      `${LIST}filter[start][gte]=2024-12-31T23:00:00Z&filter[start][lte]=2025-12-31T22:59:59Z&per_page=100`,
    ]);
    await here.svc(['config', 'unset', 'timezone']);
  });

  it.each([
    [['--running'], 'filter[end][null]=true'],
    [['--no-manager'], 'filter[manager_id][null]=true'],
    [['--manager', '2'], 'filter[manager_id]=2'],
    [['--user', 'me'], 'filter[user_id]=me'],
    [['--user', '3'], 'filter[user_id]=3'],
    [
      ['--starts-from', '2025-03-30', '--starts-to', '2025-03-30'],
      'filter[start][gte]=2025-03-29T23:00:00Z&filter[start][lte]=2025-03-30T21:59:59Z',
    ],
    [['--filter', 'user_id.in=1,2'], 'filter[user_id][in]=1,2'],
    [['--filter', 'updated_at.gte=2025-06-01 14:00'], 'filter[updated_at][gte]=2025-06-01T12:00:00Z'],
    [['--filter', 'end.null=false'], 'filter[end][null]=false'],
  ])('sends for the flags %j the query %s', async (flags, query) => {
    expect(await requestsOf('absences', 'list', ...flags, '-L', '100')).toEqual([`${LIST}${query}&per_page=100`]);
  });

  it('sends only parameters that you gave', async () => {
    expect(await requestsOf('absences', 'list', '-L', '1')).toEqual([`${LIST}per_page=1`]);
  });
});

describe('svc worklogs', () => {
  it.each([
    [['add', '--minutes', '1h30'], '{"minutes":90,"date":"2026-06-03"}'],
    [
      ['add', '--minutes', '1:30', '--date', 'yesterday', '--description', 'Ça & "là"'],
      '{"minutes":90,"date":"2026-06-02","description":"Ça & \\"là\\""}',
    ],
    [['create', '--minutes', '90m', '--date', 'monday'], '{"minutes":90,"date":"2026-06-01"}'],
  ])('sends for %j one POST with the body %s', async (argv, body) => {
    const requests = await requestsOf('worklogs', ...argv);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatch(/^POST \/api\/v2\/worklogs \{/);
    expect(JSON.parse(requests[0]?.slice(requests[0].indexOf('{')) ?? '')).toEqual(JSON.parse(body));
    const { headers } = here.sandbox.requests[0] ?? {};
    expect(headers).toMatchObject({
      authorization: 'Bearer',
      accept: 'application/json, application/problem+json',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^svc\//),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('list sends --from, --to, --user and --project as filters', async () => {
    const requests = await requestsOf('worklogs', 'list', '--from', 'monday', '--to', 'today', '--user', 'me', '--project', '1', '-L', '1');
    const query = new URLSearchParams(requests[0]?.split('?')[1]);
    // `me` is documented for absences only (rule 9.26). Elsewhere svc sends the id of the user.
    expect(Object.fromEntries(query)).toMatchObject({
      'filter[date][gte]': '2026-06-01',
      'filter[date][lte]': '2026-06-03',
      'filter[project_id]': '1',
      per_page: '1',
    });
    expect(query.get('filter[user_id]')).toMatch(/^(1|me)$/);
    expect(requests).toHaveLength(1);
  });

  it('get, update and delete send one request per record', async () => {
    expect((await requestsOf('worklogs', 'get', '7', '8')).toSorted()).toEqual(['GET /api/v2/worklogs/7', 'GET /api/v2/worklogs/8']);
    here.sandbox.requests.length = 0;
    expect(await requestsOf('worklogs', 'update', '7', '--minutes', '15')).toEqual(['PATCH /api/v2/worklogs/7 {"minutes":15}']);
    here.sandbox.requests.length = 0;
    expect(await requestsOf('worklogs', 'delete', '7', '8', '--yes')).toEqual(['DELETE /api/v2/worklogs/7', 'DELETE /api/v2/worklogs/8']);
  });

  it('update --if-unchanged sends the ETag of the last get, and no further request', async () => {
    await requestsOf('worklogs', 'get', '9');
    here.sandbox.requests.length = 0;
    const requests = await requestsOf('worklogs', 'update', '9', '--minutes', '15', '--if-unchanged');
    expect(requests).toEqual(['PATCH /api/v2/worklogs/9 {"minutes":15}']);
    expect(here.sandbox.requests[0]?.headers['if-match']).toMatch(/^"/);
  });
});

describe('a list command', () => {
  it.each([
    [['projects', 'list', '--search', 'web', '-L', '5'], 'projects?q=web&per_page=5'],
    [['projects', 'list', '--sort', '-name', '--view', 'detail', '-L', '5'], 'projects?sort=-name&view=detail&per_page=5'],
    [['projects', 'list', '--page', '2', '-L', '5'], 'projects?page=2'],
    [['projects', 'list', '--with-total', '-L', '5'], 'projects?per_page=5'],
    [['worklogs', 'list', '--with-total', '-L', '5'], 'worklogs?per_page=5&with_total=1'],
    [['projects', 'list', '--trashed', 'without', '-L', '5'], 'projects?trashed=without&per_page=5'],
  ])('sends for %j the request GET /api/v2/%s', async (argv, path) => {
    expect(await requestsOf(...argv)).toEqual([`GET /api/v2/${path}`]);
  });

  it('requests 25 rows a page with a to-many relation (rule 8.4)', async () => {
    const [first] = await requestsOf('work-items', 'list', '--include', 'labels', '-L', '200');
    expect(first).toBe('GET /api/v2/work-items?include=labels&per_page=25');
  });

  it('requests the next page with the cursor that the first page names', async () => {
    await requestsOf('worklogs', 'list', '-o', 'ids');
    const [first, second] = here.sandbox.requests.map(({ path }) => new URLSearchParams(path.split('?')[1]));
    expect(Object.fromEntries(first ?? [])).toEqual({ per_page: '100' });
    expect([...(second?.keys() ?? [])].sort()).toEqual(['cursor', 'per_page']);
  });
});

describe('svc sends a work item', () => {
  it('as a key in a path, and as an id in a body (rules 2.12, 2.13)', async () => {
    const requests = await requestsOf('worklogs', 'add', '--minutes', '5', '--work-item', 'ABC-12');
    expect(requests[0]).toBe('GET /api/v2/work-items/ABC-12');
    expect(requests[1]).toMatch(/^POST \/api\/v2\/worklogs \{.*"work_item_id":\d+/);
    here.sandbox.requests.length = 0;
    expect(await requestsOf('work-items', 'get', 'abc-12')).toEqual(['GET /api/v2/work-items/ABC-12']);
  });
});

describe('a command without filters or fields', () => {
  it.each([
    [['me'], ['GET /api/v2/me']],
    [['limits'], ['GET /api/v2/me']],
    [['resources'], ['GET /api/v2/']],
    [['open', 'project', '1', '--print'], ['GET /api/v2/projects/1']],
    [['auth', 'status'], []],
    [['auth', 'print-token'], []],
    [['token', 'status'], []],
    [['config', 'list'], []],
    [['--version'], []],
    [['help', 'worklogs', 'add'], []],
  ])('sends for %j only the requests %j', async (argv, requests) => {
    expect(await requestsOf(...argv)).toEqual(requests);
  });
});
