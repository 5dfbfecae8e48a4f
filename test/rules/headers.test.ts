import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { type WithToken, withToken } from './with-token.ts';

// Chapters 6 and 7 of docs/service-rules.md: what svc says beside a request, and reads beside an answer.

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

let here: WithToken;
let fake: Recording;
beforeAll(async () => {
  [here, fake] = await Promise.all([withToken(), startRecording()]);
});
afterAll(() => Promise.all([here.remove(), fake.remove()]));
beforeEach(() => void here.sent());

describe('a request', () => {
  test.each([
    ['GET', ['labels', 'get', '1']],
    ['POST', ['labels', 'create', '--name', 'x']],
    ['PATCH', ['labels', 'update', '1', '--name', 'x']],
    ['DELETE', ['labels', 'delete', '2', '--yes']],
  ])('by %s says who asks, what it takes, and an id of its own (rules 6.1 to 6.3)', async (method, argv) => {
    const { code, stderr } = await fake.svc(argv);
    expect(code, stderr).toBe(0);
    const { headers, ...request } = fake.server.requests.at(-1) ?? {};
    expect(request).toMatchObject({ method });
    expect(headers).toMatchObject({
      authorization: 'Bearer a-token-for-tests',
      accept: 'application/json, application/problem+json',
      'x-request-id': expect.stringMatching(UUID),
    });
  });

  test('for what the service cannot make is refused: exit 9 (rule 6.2)', async () => {
    const { code, stderr } = await here.svc(['api', '/labels', '-H', 'Accept: text/html', '--silent']);
    expect([code, stderr.includes('not-acceptable (406)')]).toEqual([9, true]);
  });

  test('that fails is reported by the id the service made, not by the one it was sent (rules 6.4, 7.10, 7.11)', async () => {
    const { stderr } = await here.svc(['worklogs', 'get', '999999', '--error-format', 'json']);
    const [request] = here.sandbox.requests;
    const { request_id: told } = JSON.parse(stderr);
    expect([told, request?.headers['x-request-id']]).toEqual([expect.stringMatching(ULID), expect.stringMatching(UUID)]);
    const chosen = await here.svc(['api', '/worklogs/999999', '-H', 'X-Request-Id: mine', '--silent']);
    expect(chosen.stderr).toMatch(/request [0-9A-Z]{26}\n$/);
  });

  test('that needs an Idempotency-Key has one (rule 6.13)', async () => {
    const strict = await withToken({ knobs: { idempotencyKey: 'required' } });
    await strict.read('labels', 'create', '--name', 'x');
    await strict.read('api', 'POST', '/labels', '-f', 'name=y');
    const keys = strict.sandbox.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    await strict.remove();
  });
});

describe('an answer', () => {
  test.each(['labels', 'work-types'])(
    'of %s is used for a minute, and revalidated by its weak ETag then (rules 7.2, 7.4)',
    async (noun) => {
      const now = Date.now();
      const list = async (seconds: number) => {
        const { code, stdout } = await here.svc([noun, 'list', '--jq', 'length'], { now: now + seconds * 1000 });
        expect(code).toBe(0);
        return stdout;
      };
      const first = await list(0);
      expect(await list(59)).toBe(first);
      expect(here.sandbox.requests).toHaveLength(1);
      expect(await list(61)).toBe(first);
      expect(here.sandbox.requests).toEqual([
        expect.objectContaining({ status: 200 }),
        expect.objectContaining({ status: 304, headers: expect.objectContaining({ 'if-none-match': expect.stringMatching(/^W\//) }) }),
      ]);
    },
  );

  test('of one record has the ETag that a write may depend on (rules 7.4, 7.5)', async () => {
    await here.read('worklogs', 'update', '1', '--minutes', '15', '--if-unchanged');
    const [read, write] = here.sandbox.requests;
    expect([read?.method, write?.method, write?.headers['if-match']]).toEqual(['GET', 'PATCH', expect.stringMatching(/^"[^"]+"$/)]);
    // What the write changed, it is now: the same ETag is stale.
    const again = await here.svc(['worklogs', 'update', '1', '--minutes', '20', '--if-match', write?.headers['if-match'] ?? '']);
    expect(again.code).toBe(6);
  });

  test('to a write is read for the record: no further address is asked (rules 7.12, 9.39)', async () => {
    fake.server.script(json(201, { data: { id: 7, name: 'made' } }, { location: `http://${fake.host}/api/v2/labels/8` }));
    fake.sent();
    const { stdout } = await fake.svc(['labels', 'create', '--name', 'made', '--jq', '.id']);
    expect([stdout, fake.sent()]).toEqual(['7\n', ['POST /labels']]);
  });

  test('to a write is kept by nobody, whatever it allows (rule 9.41)', async () => {
    const answer = json(200, { data: { id: 31, name: 'x' } }, { 'cache-control': 'private, max-age=60', etag: '"e1"' });
    fake.server.script(answer, answer);
    fake.sent();
    await fake.svc(['workflows', 'create', '--name', 'x', '--idempotency-key', 'k1']);
    await fake.svc(['workflows', 'create', '--name', 'x', '--idempotency-key', 'k1']);
    await fake.svc(['workflows', 'get', '31']);
    expect(fake.sent()).toEqual(['POST /workflows', 'POST /workflows', 'GET /workflows/31']);
  });

  test('tells the budget, which svc limits prints (rule 7.14)', async () => {
    fake.server.script(json(200, { data: { id: 31 } }, { ratelimit: 'limit=600, remaining=42, reset=17', 'ratelimit-policy': '600;w=60' }));
    const { stdout } = await fake.svc(['limits', '--jq', '.[0]']);
    expect(JSON.parse(stdout)).toEqual({ kind: 'read', limit: 600, remaining: 42, reset: 17, window: 60 });
  });
});

describe('a move', () => {
  test('is made within the workflow of the project, and prints the record in detail (rules 5.1, 5.3, 9.50)', async () => {
    const { id, workflow_status_id } = await here.read('work-items', 'get', 'ABC-12');
    const [{ to_status_id: to }] = await here.read('workflow-transitions', 'list', '--from', String(workflow_status_id));
    here.sent();
    const moved = await here.read('work-items', 'transition', 'ABC-12', '--to', String(to));
    expect(moved).toMatchObject({ id, workflow_status_id: to });
    expect(moved).toHaveProperty('description');
    expect(here.sent()).toEqual([`POST /work-items/ABC-12/actions/transition {"workflow_status_id":${to}}`]);
  });

  test('takes a condition and a key, and tells of a stored answer by doing nothing twice (rule 9.48)', async () => {
    const { workflow_status_id, version } = await here.read('work-items', 'get', 'ABC-12');
    const [{ to_status_id: to }] = await here.read('workflow-transitions', 'list', '--from', String(workflow_status_id));
    here.sent();
    const argv = ['work-items', 'transition', 'ABC-12', '--to', String(to), '--idempotency-key', 'k1'];
    for (let times = 0; times < 2; times++) expect((await here.svc(argv)).code).toBe(0);
    expect((await here.svc(['work-items', 'transition', 'ABC-12', '--to', String(to), '--if-match', '"old.old"'])).code).toBe(6);
    const posts = here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers);
    expect(posts.map((headers) => headers['idempotency-key']).slice(0, 2)).toEqual(['k1', 'k1']);
    expect(posts[2]?.['if-match']).toBe('"old.old"');
    expect(await here.read('work-items', 'get', 'ABC-12')).toMatchObject({ workflow_status_id: to, version: version + 1 });
  });

  test('that no transition covers names both ends and says when there is none at all (rules 5.9, 5.13)', async () => {
    const make = async (...argv: string[]): Promise<number> => (await here.read(...argv)).id;
    const workflow = await make('workflows', 'create', '--name', 'bare');
    const status = (name: string) => make('workflow-statuses', 'create', '--workflow', String(workflow), '--name', name);
    const [from, to] = [await status('A'), await status('B')];
    const project = await make('projects', 'create', '--name', 'bare', '-F', `workflow_id=${workflow}`);
    const item = await make('work-items', 'create', '--project', String(project), '--title', 'stuck');
    const { code, stderr } = await here.svc(['work-items', 'transition', String(item), '--to', String(to)]);
    expect(code).toBe(6);
    expect(stderr).toContain(`from_status_id: ${from}`);
    expect(stderr).toContain(`to_status_id: ${to}`);
    expect(stderr).toContain('From A the workflow leads nowhere.');
  });

  test('a running absence has no end (rule 5.14)', async () => {
    const ends = await here.read('absences', 'list', '--running', '--jq', 'map(.end) | unique');
    expect([ends, here.sent()]).toEqual([[null], ['GET /absences?filter[end][null]=true&per_page=100']]);
  });
});
