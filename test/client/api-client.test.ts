import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyBook } from '../../src/client/rate-book.ts';
import { NetworkError, NotFoundError, RateLimitError, SignInError, UnavailableError, UsageError } from '../../src/errors.ts';
import { createNetwork } from '../../src/system/network.ts';
import { type ApiFixture, startApi } from '../support/api-fixture.ts';
import { type Answer, drop, json, startHttpServer, truncate } from '../support/http-server.ts';

let api: ApiFixture;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const get = { method: 'GET', path: '/me' } as const;
const UUID = /^[0-9a-f-]{36}$/;

describe('request headers', () => {
  it('of a GET are seven, with the token and an X-Request-Id', async () => {
    await api.client.send(get);
    const [request] = api.server.requests;
    expect(request?.path).toBe('/api/v2/me');
    expect(request?.headers).toEqual({
      host: api.server.origin.slice('http://'.length),
      connection: 'keep-alive',
      accept: 'application/json, application/problem+json',
      'accept-encoding': 'gzip, br',
      'user-agent': 'svc/1.2.3',
      authorization: 'Bearer first-secret',
      'x-request-id': expect.stringMatching(UUID),
    });
  });

  it('have a new X-Request-Id for each try, and one Idempotency-Key for a POST and its retries', async () => {
    api.server.script(drop, json(503), json(429, {}, { 'retry-after': '2' }), json(201, { id: 1 }));
    await api.client.send({ method: 'POST', path: '/worklogs', body: { json: { minutes: 90 } } });
    await api.client.send({ method: 'POST', path: '/worklogs', body: { json: { minutes: 90 } } });
    const keys = api.server.requests.map((request) => request.headers['idempotency-key']);
    expect(new Set(keys.slice(0, 4)).size).toBe(1);
    expect(keys[0]).toMatch(UUID);
    expect(keys[4]).not.toBe(keys[0]);
    expect(new Set(api.server.requests.map((request) => request.headers['x-request-id'])).size).toBe(5);
    expect(new Set(api.server.requests.map((request) => request.body))).toEqual(new Set(['{"minutes":90}']));
    expect(api.server.requests[0]?.headers['content-type']).toBe('application/json');
  });

  it('contain the key, the ETag and the headers of the caller, and no key for a PATCH', async () => {
    await api.client.send({ method: 'POST', path: '/sprints/1/actions/complete', idempotencyKey: 'mine', ifMatch: '"7"' });
    await api.client.send({ method: 'PATCH', path: '/worklogs/1', body: { json: {} }, headers: { 'X-Request-Id': 'own' } });
    await api.client.send({ ...get, ifNoneMatch: 'W/"1"' });
    const [post, patch, read] = api.server.requests;
    expect(post?.headers).toMatchObject({ 'idempotency-key': 'mine', 'if-match': '"7"' });
    expect(patch?.headers['idempotency-key']).toBeUndefined();
    expect(patch?.headers['x-request-id']).toBe('own');
    expect(read?.headers['if-none-match']).toBe('W/"1"');
  });

  it.each([
    ['an Authorization header', { headers: { Authorization: 'Bearer other' } }],
    ['a line break', { headers: { 'x-a': 'b\r\nx-c: d' } }],
    ['a long key (rule 16.4)', { idempotencyKey: 'k'.repeat(256) }],
    ['another host', { path: 'https://evil.example/api/v2/me' }],
    ['a path that leaves the API', { path: '/../../oauth/token' }],
    ['an encoded path that leaves the API', { path: '/%2e%2e/%2e%2e/oauth/token' }],
  ])('are not sent when the caller gives %s', async (_what, extra) => {
    await expect(api.client.send({ method: 'POST', path: '/me', ...extra })).rejects.toBeInstanceOf(UsageError);
    expect(api.server.requests).toHaveLength(0);
  });
});

describe('an answer', () => {
  it('has the status, the ETag, the request id and unchanged numbers', async () => {
    api.server.script(json(200, '{"id":12345678901234567890,"price":1.10}', { etag: '"5"' }));
    const response = await api.client.send(get);
    expect(response).toMatchObject({ status: 200, etag: '"5"', requestId: '01JSERVERREQUESTID', error: undefined });
    expect(JSON.stringify(response.body())).toBe('{"id":12345678901234567890,"price":1.10}');
  });

  it('can be empty or a 304', async () => {
    api.server.script(json(204), json(304));
    expect((await api.client.send({ method: 'DELETE', path: '/worklogs/1' })).body()).toBeUndefined();
    expect((await api.client.send(get)).status).toBe(304);
  });

  it('that is not JSON fails as "unavailable" only when svc parses the body', async () => {
    api.server.script(json(200, '<html>Sign in</html>'));
    const response = await api.client.send(get);
    expect(response.text()).toBe('<html>Sign in</html>');
    expect(() => response.body()).toThrow(UnavailableError);
  });

  it('reports its warnings once', async () => {
    api.server.script(json(200, { data: [], meta: { warnings: ['plain', { detail: 'worded' }, { odd: 1 }] } }));
    const response = await api.client.send(get);
    response.body();
    response.body();
    expect(api.warnings).toEqual(['plain', 'worded', '{"odd":1}']);
  });

  it('with status 404 contains the error when the caller requests no exception', async () => {
    api.server.script(json(404, { type: 'https://problems.example/endpoint-not-found' }));
    const response = await api.client.send({ ...get, keepProblem: true });
    expect(response.status).toBe(404);
    expect(response.error).toBeInstanceOf(NotFoundError);
  });
});

describe('retries', () => {
  it.each<[string, Answer]>([
    ['a lost connection', drop],
    ['a body cut off', truncate],
    ...[500, 502, 503, 504].map((status): [string, Answer] => [String(status), json(status)]),
  ])('happen four times for a GET after %s, and the longest pause doubles each time (rules 14.30, 14.31)', async (_what, answer) => {
    api.server.fallback(answer);
    await expect(api.client.send(get)).rejects.toBeInstanceOf(UnavailableError);
    expect(api.clock.slept).toEqual([500, 1000, 2000, 4000]);
    expect(api.server.requests).toHaveLength(5);
    expect(api.waits.every(({ reason }) => reason === 'retry')).toBe(true);
  });

  it('do not happen for a PATCH that may have run', async () => {
    const patch = { method: 'PATCH', path: '/worklogs/1', body: { json: { minutes: 5 } } } as const;
    api.server.script(drop, json(503));
    await expect(api.client.send(patch)).rejects.toMatchObject({ ran: 'maybe' });
    await expect(api.client.send(patch)).rejects.toBeInstanceOf(UnavailableError);
    expect(api.server.requests).toHaveLength(2);
  });

  it.each<[string, Answer]>([
    ['a lost connection', drop],
    ['a 503', json(503)],
  ])('treat a missing record as success when a DELETE is repeated after %s', async (_what, failure) => {
    const gone = json(404, { type: 'https://example.com/problems/resource-not-found' });
    api.server.script(failure, gone);
    const response = await api.client.send({ method: 'DELETE', path: '/worklogs/1' });
    expect(response).toMatchObject({ status: 204, error: undefined });
    expect(response.body()).toBeUndefined();
    expect(api.server.requests.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it('treat a missing record as success when a 429 comes between a lost DELETE and the last try', async () => {
    const gone = json(404, { type: 'https://example.com/problems/resource-not-found' });
    api.server.script(drop, json(429, {}, { 'retry-after': '1' }), gone);
    expect(await api.client.send({ method: 'DELETE', path: '/worklogs/1' })).toMatchObject({ status: 204, error: undefined });
  });

  it.each<[string, Answer[]]>([
    ['at the first try', []],
    ['after a 429', [json(429, {})]],
    ['about the address after a lost answer', [drop]],
  ])('do not hide a 404 of a DELETE %s', async (_what, before) => {
    const type = before[0] === drop ? 'endpoint-not-found' : 'resource-not-found';
    api.server.script(...before, json(404, { type: `https://example.com/problems/${type}` }));
    await expect(api.client.send({ method: 'DELETE', path: '/worklogs/1' })).rejects.toBeInstanceOf(NotFoundError);
  });

  it.each(['PATCH', 'DELETE', 'GET'])('happen for a %s after a refused connection and after a 429 (rule 14.29)', async (method) => {
    api.server.script(json(429, {}, { 'retry-after': '3' }), json(200, {}));
    await api.client.send({ method, path: '/worklogs/1' });
    expect(api.clock.slept).toEqual([3000]);

    // A port that a closed server had could belong to another test by now. No program listens at port 1.
    const nowhere = await startApi({ host: { name: 'gone', origin: 'http://127.0.0.1:1' } });
    await expect(nowhere.client.send({ method, path: '/worklogs/1' })).rejects.toMatchObject({ ran: 'no', kind: 'refused' });
    expect(nowhere.clock.slept).toHaveLength(4);
    await nowhere.close();
  });

  it('do not happen after a 422', async () => {
    api.server.script(json(422, {}));
    await expect(api.client.send({ method: 'POST', path: '/worklogs', body: { json: {} } })).rejects.toMatchObject({
      name: 'RefusedError',
    });
    expect(api.server.requests).toHaveLength(1);
  });

  it('wait for the Retry-After of a 503, and stop when Retry-After exceeds 300 seconds', async () => {
    api.server.script(json(503, {}, { 'retry-after': '7' }), json(200, {}), json(503, {}, { 'retry-after': '301' }));
    await api.client.send(get);
    expect(api.clock.slept).toEqual([7000]);
    await expect(api.client.send(get)).rejects.toMatchObject({ name: 'UnavailableError', details: { retry_after: 301 } });
  });
});

describe('a rate limit', () => {
  it.each([
    ['GET', []],
    ['HEAD', []],
    ['PATCH', [40_000]],
  ])('for writing does not delay a read: %s waits %j', async (method, slept) => {
    api.server.script(json(200, {}, { ratelimit: 'limit=120, remaining=0, reset=40', 'ratelimit-policy': '120;w=60' }), json(200, {}));
    await api.client.send({ method: 'POST', path: '/worklogs', body: { json: {} } });
    await api.client.send({ method, path: '/worklogs/1' });
    expect(api.clock.slept).toEqual(slept);
  });

  it('makes svc wait for the time in the Retry-After header, the body or the RateLimit header (rules 14.10, 14.27, 14.28)', async () => {
    const limited = { rate_limit: { limit: 600, retry_after: 4 } };
    api.server.script(
      json(429, {}, { 'retry-after': '30' }),
      json(429, limited),
      json(429, {}, { ratelimit: 'limit=600, remaining=0, reset=9' }),
      json(429, {}, { date: 'Wed, 01 Jan 2020 00:00:00 GMT', 'retry-after': 'Wed, 01 Jan 2020 00:00:05 GMT' }),
      json(429, {}, { 'retry-after': '0' }),
      json(429, {}, { 'retry-after': '6' }),
      json(200, {}),
    );
    await api.client.send(get);
    expect(api.clock.slept).toEqual([30_000, 4000, 9000, 5000, 1000, 6000]);
    expect(api.waits[0]).toEqual({ reason: 'rate-limit', ms: 30_000 });
  });

  it('makes svc fail with the wait and the request id when the wait is longer than allowed', async () => {
    api.server.script(json(429, {}, { 'retry-after': '301' }));
    await expect(api.client.send(get)).rejects.toSatisfy(
      (error) => error instanceof RateLimitError && error.details.retry_after === 301 && error.details.request_id === '01JSERVERREQUESTID',
    );
  });

  it.each(['9'.repeat(400), '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'makes svc count a Retry-After of %s as a day, and fail at once',
    async (value) => {
      api.server.script(json(429, {}, { 'retry-after': value }));
      await expect(api.client.send(get)).rejects.toSatisfy(
        (error) => error instanceof RateLimitError && error.details.retry_after === 24 * 60 * 60,
      );
      expect(api.clock.slept).toEqual([]);
    },
  );

  it.each(['-5', '1.5', '0x10', 'soon', '', 'Infinity', 'Fri, 99 Dec 2020'])(
    'makes svc ignore a Retry-After of %j, and wait two seconds at most',
    async (value) => {
      api.server.script(json(429, {}, { 'retry-after': value }), json(200, {}));
      await api.client.send(get);
      expect(api.clock.slept).toHaveLength(1);
      expect(api.clock.slept[0]).toBeLessThanOrEqual(2_000);
    },
  );

  it('makes a request wait if the service refuses another process while the request connects', async () => {
    const refused = { read: 0, write: 0 };
    const network = createNetwork({ env: {} });
    let sends = 0;
    const other = await startApi({
      network: {
        request: (request) => {
          sends += 1;
          // The turn has come, and the other process now writes its pause down.
          if (sends === 1) refused.read = other.clock.now() + 5_000;
          return network.request(request);
        },
      },
      sharedLimits: async () => ({
        update: (change) => Promise.resolve(change(emptyBook())),
        refused: (kind) => refused[kind],
        refuse() {},
      }),
    });
    try {
      await other.client.send({ method: 'GET', path: '/worklogs' });
      expect([sends, other.server.requests.length, other.clock.slept]).toEqual([2, 1, [5_000]]);
      expect(other.exchanges.map(({ attempt }) => attempt)).toEqual([1]);
    } finally {
      await network.close();
      await other.close();
    }
  });

  it('makes a request fail when the service answers 429 to every attempt', async () => {
    api.server.fallback(json(429, {}, { 'retry-after': '0' }));
    await expect(api.client.send(get)).rejects.toBeInstanceOf(RateLimitError);
  });

  it('for reading makes a read wait before any refusal, but not a write (rules 15.6, 15.7)', async () => {
    api.server.script(json(200, {}, { ratelimit: 'limit=600, remaining=3, reset=20' }));
    await api.client.send(get);
    await api.client.send({ method: 'POST', path: '/worklogs', body: { json: {} } });
    expect(api.clock.slept).toEqual([]);
    await api.client.send({ method: 'GET', path: '/worklogs', query: [['view', 'detail']], cost: 3 });
    expect(api.clock.slept).toEqual([20_000]);
  });

  it('is not read from the deprecated headers (rules 15.37 to 15.39, 17.7)', async () => {
    api.server.script(json(200, {}, { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' }));
    await api.client.send(get);
    await api.client.send(get);
    expect(api.clock.slept).toEqual([]);
    expect(api.client.limits()).toEqual([]);
  });

  it('is listed with its remaining rate-limit units and seconds (rules 15.1, 15.32, 15.34, 15.35)', async () => {
    api.server.script(json(200, {}, { ratelimit: 'limit=600, remaining=599, reset=60', 'ratelimit-policy': '600;w=60' }));
    await api.client.send(get);
    api.clock.advance(10_500);
    expect(api.client.limits()).toEqual([{ kind: 'read', limit: 600, remaining: 599, reset: 50, window: 60 }]);
  });
});

describe('credentials', () => {
  it('are renewed after a 401, up to three times', async () => {
    api.server.script(json(401, {}), json(200, { id: 1 }));
    await api.client.send({ method: 'PATCH', path: '/worklogs/1', body: { json: {} } });
    expect(api.server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer first-secret', 'Bearer second-secret']);
    expect(api.asked.map(({ rejected }) => rejected)).toEqual([undefined, 'first-secret']);

    api.server.fallback(json(401, { detail: 'Unauthenticated.' }));
    await expect(api.client.send(get)).rejects.toBeInstanceOf(SignInError);
    expect(api.server.requests).toHaveLength(2 + 4);
  });

  it('that are missing stop the request before svc sends anything', async () => {
    const none = await startApi({
      credentials: async () => {
        throw new SignInError('Not signed in.');
      },
    });
    await expect(none.client.send({ method: 'DELETE', path: '/worklogs/1' })).rejects.toBeInstanceOf(SignInError);
    expect(none.server.requests).toHaveLength(0);
    await none.close();
  });

  it('are chosen by the method in capitals, and by whether the request is an upload', async () => {
    await api.client.send({ method: 'put', path: '/x', upload: true });
    expect(api.asked[0]).toMatchObject({ method: 'PUT', upload: true });
  });
});

describe('redirects', () => {
  it('are followed for a GET on the same origin', async () => {
    api.server.script(json(302, '', { location: '/api/v2/there?x=1' }), json(200, { id: 1 }));
    const response = await api.client.send(get);
    expect(api.server.requests[1]?.url).toBe('/api/v2/there?x=1');
    expect(response.url).toBe(`${api.server.origin}/api/v2/there?x=1`);
  });

  it('are refused to another origin, which gets no request', async () => {
    const other = await startHttpServer();
    api.server.script(json(307, '', { location: `${other.origin}/api/v2/me` }));
    await expect(api.client.send(get)).rejects.toBeInstanceOf(UnavailableError);
    expect(other.requests).toHaveLength(0);
    await other.close();
  });

  it('are refused for a write, and after five for a GET', async () => {
    api.server.fallback(json(301, '', { location: '/api/v2/me' }));
    await expect(api.client.send({ method: 'POST', path: '/worklogs' })).rejects.toBeInstanceOf(UnavailableError);
    expect(api.server.requests).toHaveLength(1);
    await expect(api.client.send(get)).rejects.toBeInstanceOf(UnavailableError);
    expect(api.server.requests).toHaveLength(1 + 6);
  });
});

describe('the events of a request', () => {
  it('report every attempt without a secret', async () => {
    api.server.script(drop, json(200, {}));
    await api.client.send({ ...get, query: [['include', 'sprint,labels']] });
    expect(api.exchanges).toMatchObject([
      { method: 'GET', status: undefined, attempt: 1, units: 7, requestId: expect.stringMatching(UUID), error: expect.any(String) },
      { method: 'GET', status: 200, attempt: 2, units: 7, requestId: '01JSERVERREQUESTID', error: undefined },
    ]);
    expect(JSON.stringify([api.exchanges, api.waits])).not.toContain('secret');
  });
});

it('an aborted request fails with the reason of the abort', async () => {
  const controller = new AbortController();
  const reason = new Error('stopped');
  api.server.script(() => controller.abort(reason));
  await expect(api.client.send({ ...get, signal: controller.signal })).rejects.toBe(reason);
});

it('a network failure names the request without its query', async () => {
  const network = createNetwork({ env: {} });
  api.server.script(drop);
  const failure = await network
    .request({ method: 'GET', url: `${api.server.origin}/api/v2/me?q=private`, headers: {}, timeoutMs: 20_000 })
    .catch((error) => error);
  expect(failure).toBeInstanceOf(NetworkError);
  expect(failure.details.request).toBe(`GET ${api.server.origin}/api/v2/me`);
  await network.close();
});
