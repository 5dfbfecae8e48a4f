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
  ])('contains the token, the accepted types and a request id for %s (rules 6.1 to 6.3)', async (method, argv) => {
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

  test('makes svc exit 9 when the service cannot produce the requested type (rule 6.2)', async () => {
    const { code, stderr } = await here.svc(['api', '/labels', '-H', 'Accept: text/html', '--silent']);
    expect([code, stderr.includes('not-acceptable (406)')]).toEqual([9, true]);
  });

  test('is reported with the request id of the service after a failure (rules 6.4, 7.10, 7.11)', async () => {
    const { stderr } = await here.svc(['worklogs', 'get', '999999', '--error-format', 'json']);
    const [request] = here.sandbox.requests;
    const { request_id: told } = JSON.parse(stderr);
    expect([told, request?.headers['x-request-id']]).toEqual([expect.stringMatching(ULID), expect.stringMatching(UUID)]);
    const chosen = await here.svc(['api', '/worklogs/999999', '-H', 'X-Request-Id: mine', '--silent']);
    expect(chosen.stderr).toMatch(/request [0-9A-Z]{26}\n$/);
  });

  test('has an Idempotency-Key where the service needs a key (rule 6.13)', async () => {
    const strict = await withToken({ interpretations: { idempotencyKey: 'required' } });
    await strict.read('labels', 'create', '--name', 'x');
    await strict.read('api', 'POST', '/labels', '-f', 'name=y');
    const keys = strict.sandbox.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    await strict.remove();
  });
});

describe('an answer', () => {
  test.each(['labels', 'work-types'])(
    'is used for a minute for %s, and then revalidated by its weak ETag (rules 7.2, 7.4)',
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

  test('for one record has an ETag that a write can send in If-Match (rules 7.4, 7.5)', async () => {
    await here.svc(['worklogs', 'get', '1']);
    await here.svc(['worklogs', 'update', '1', '--minutes', '15', '--if-unchanged']);
    const [read, write] = here.sandbox.requests;
    expect([read?.method, write?.method, write?.headers['if-match']]).toEqual(['GET', 'PATCH', expect.stringMatching(/^"[^"]+"$/)]);
    // What the write changed, it is now: the same ETag is stale.
    const again = await here.svc(['worklogs', 'update', '1', '--minutes', '20', '--if-match', write?.headers['if-match'] ?? '']);
    expect(again.code).toBe(6);
  });

  test('contains the record after a write, so svc sends no further request (rules 7.12, 9.39)', async () => {
    fake.server.script(json(201, { data: { id: 7, name: 'made' } }, { location: `http://${fake.host}/api/v2/labels/8` }));
    fake.sent();
    const { stdout } = await fake.svc(['labels', 'create', '--name', 'made', '--jq', '.id']);
    expect([stdout, fake.sent()]).toEqual(['7\n', ['POST /labels']]);
  });

  test('to a write is not cached, even if its headers allow caching (rule 9.41)', async () => {
    const answer = json(200, { data: { id: 31, name: 'x' } }, { 'cache-control': 'private, max-age=60', etag: '"e1"' });
    fake.server.script(answer, answer);
    fake.sent();
    await fake.svc(['workflows', 'create', '--name', 'x', '--idempotency-key', 'k1']);
    await fake.svc(['workflows', 'create', '--name', 'x', '--idempotency-key', 'k1']);
    await fake.svc(['workflows', 'get', '31']);
    expect(fake.sent()).toEqual(['POST /workflows', 'POST /workflows', 'GET /workflows/31']);
  });

  test('lets svc limits print the rate limit in its headers (rule 7.14)', async () => {
    fake.server.script(json(200, { data: { id: 31 } }, { ratelimit: 'limit=600, remaining=42, reset=17', 'ratelimit-policy': '600;w=60' }));
    const { stdout } = await fake.svc(['limits', '--jq', '.[0]'], { now: Date.now() });
    expect(JSON.parse(stdout)).toEqual({
      ...{ kind: 'read', of: 'token', limit: 600, remaining: 42, reset: 17, window: 60 },
      ...{ used: 558, used_by_bulk: 0, used_by_others: 558 },
    });
  });
});
