import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAnswerCache } from '../../src/client/cache.ts';
import type { NetworkResponse } from '../../src/deps.ts';
import { type ApiFixture, startApi } from '../support/api-fixture.ts';
import { createManualClock } from '../support/clock.ts';
import { drop, json } from '../support/http-server.ts';

const get = { method: 'GET', path: '/me' } as const;

let api: ApiFixture;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

describe('an answer by its status', () => {
  it.each([200, 201, 202, 204, 299, 304])('%i is none that failed', async (status) => {
    api.server.script(json(status));
    expect((await api.client.send({ ...get, keepProblem: true })).error).toBeUndefined();
  });

  it.each([300, 305, 306, 309, 400, 418])('%i failed, and was not sent again', async (status) => {
    api.server.fallback(json(status, {}, { location: '/api/v2/there' }));
    expect((await api.client.send({ ...get, keepProblem: true })).error).toMatchObject({ details: { status } });
    await expect(api.client.send(get)).rejects.toMatchObject({ details: { status } });
    expect(api.server.requests).toHaveLength(2);
  });

  it.each([301, 302, 303, 307, 308])('%i sends a read on, and no write', async (status) => {
    for (const method of ['GET', 'HEAD']) {
      api.server.script(json(status, undefined, { location: '/api/v2/there' }), json(200));
      expect((await api.client.send({ ...get, method })).url).toBe(`${api.server.origin}/api/v2/there`);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      api.server.script(json(status, undefined, { location: '/api/v2/there' }));
      await expect(api.client.send({ ...get, method, query: [['q', 'private']] })).rejects.toMatchObject({
        message: expect.stringMatching(`answered a ${method} with a redirect \\(${status}\\), which svc does not follow\\.`),
        details: { status, request: `${method} ${api.server.origin}/api/v2/me` },
      });
    }
    expect(api.server.requests).toHaveLength(8);
  });

  it('five redirects are followed, a sixth is one too many', async () => {
    const on = json(302, undefined, { location: '/api/v2/me' });
    api.server.script(on, on, on, on, on, json(200, { id: 1 }));
    expect((await api.client.send(get)).body()).toEqual({ id: 1 });
    api.server.script(on, on, on, on, on, on);
    await expect(api.client.send(get)).rejects.toThrow('redirects without end');
  });

  it('a token may be renewed three times', async () => {
    const ended = json(401);
    api.server.script(ended, ended, ended, json(200, { id: 1 }));
    expect((await api.client.send(get)).body()).toEqual({ id: 1 });
    expect(api.asked.map(({ rejected }) => rejected)).toEqual([undefined, 'first-secret', 'second-secret', 'second-secret']);
    api.server.script(ended, ended, ended, ended);
    await expect(api.client.send(get)).rejects.toMatchObject({ details: { status: 401 } });
    expect(api.server.requests).toHaveLength(8);
  });
});

describe('warnings', () => {
  const warned = (warnings: unknown) => json(200, { data: [], meta: { warnings } });

  it.each([
    [['old'], ['old']],
    [
      [
        { title: 'T', message: 'M', detail: 'D', code: 'C' },
        { code: 'C', title: 'T', message: 'M' },
        { code: 'C', title: 'T' },
        { code: 'C' },
      ],
      ['D', 'M', 'T', 'C'],
    ],
    [
      [{ odd: 1 }, 7, null],
      ['{"odd":1}', '7', 'null'],
    ],
    [['x'.repeat(301)], ['x'.repeat(300)]],
    [Array(21).fill('w'), Array(20).fill('w')],
    [[], []],
    ['none', []],
  ])('of %j', async (warnings, texts) => {
    api.server.script(warned(warnings));
    const response = await api.client.send(get);
    expect(api.warnings).toEqual([]);
    response.body();
    response.body();
    expect(api.warnings).toEqual(texts);
  });

  it('are not spoken of where there are none', async () => {
    const told: unknown[] = [];
    const own = await startApi({ events: { onWarnings: (texts) => told.push(texts) } });
    own.server.script(warned([]), warned(['one']), json(200, []), json(200, { meta: [] }));
    for (let count = 0; count < 4; count += 1) (await own.client.send(get)).body();
    expect(told).toEqual([['one']]);
    await own.close();
  });
});

describe('a body', () => {
  it('that is empty is nothing, and one that is no JSON says so without the query', async () => {
    api.server.script(json(200, ' \n'), json(200, '<html>', { 'x-request-id': 'abc' }));
    expect((await api.client.send(get)).body()).toBeUndefined();
    const response = await api.client.send({ ...get, query: [['q', 'private']] });
    expect(() => response.body()).toThrow(
      expect.objectContaining({
        message: 'The service answered with something that is not JSON.',
        details: { status: 200, request: `GET ${api.server.origin}/api/v2/me`, request_id: 'abc' },
      }),
    );
  });
});

it('a body that is too large names the request without its query', async () => {
  const huge = { byteLength: 64 * 1024 * 1024 + 1 } as Uint8Array;
  const response = {
    status: 200,
    headers: {},
    body: (async function* () {
      yield huge;
    })(),
  } as unknown as NetworkResponse;
  const own = await startApi({ network: { request: async () => response } });
  await expect(own.client.send({ ...get, query: [['q', 'private']] })).rejects.toMatchObject({
    message: 'The answer is larger than the 64 MiB that svc reads.',
    details: { request: `GET ${own.server.origin}/api/v2/me` },
  });
  await own.close();
});

describe('what is sent', () => {
  it.each([
    [{ json: { a: 1 } }, '{"a":1}', 'application/json'],
    [{ raw: 'a,b' }, 'a,b', 'application/json'],
    [{ raw: 'a,b', contentType: 'text/csv' }, 'a,b', 'text/csv'],
    [undefined, '', undefined],
  ])('of the body %j', async (body, text, type) => {
    await api.client.send({ method: 'POST', path: '/x', ...(body === undefined ? {} : { body }) });
    expect(api.server.requests[0]).toMatchObject({ body: text });
    expect(api.server.requests[0]?.headers['content-type']).toBe(type);
  });

  it.each([
    ['x', true],
    ['~'.repeat(255), true],
    ['x'.repeat(256), false],
    ['', false],
    ['é', false],
    ['a\nb', false],
  ])('the idempotency key %j: %s', async (idempotencyKey, good) => {
    const sending = api.client.send({ method: 'POST', path: '/x', idempotencyKey });
    if (good) await sending;
    else await expect(sending).rejects.toMatchObject({ name: 'UsageError' });
    expect(api.server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(good ? [idempotencyKey] : []);
  });

  it.each(['Authorization', 'HOST', 'content-length', 'Transfer-Encoding', 'connection'])('never a %s of the caller’s', async (name) => {
    await expect(api.client.send({ ...get, headers: { [name]: 'x' } })).rejects.toThrow(`The header "${name}" is set by svc itself.`);
  });

  it('what a caller sets stays, the request’s id too', async () => {
    await api.client.send({ ...get, headers: { 'X-Request-Id': 'mine', Accept: 'text/csv' }, ifMatch: '"a"', ifNoneMatch: '"b"' });
    expect(api.server.requests[0]?.headers).toMatchObject({
      'x-request-id': 'mine',
      accept: 'text/csv',
      'if-match': '"a"',
      'if-none-match': '"b"',
    });
  });

  it('a write with a key is sent again after a lost connection, another is not', async () => {
    api.server.script(drop, json(200));
    await api.client.send({ method: 'PATCH', path: '/x', idempotencyKey: 'k' });
    api.server.script(drop);
    await expect(api.client.send({ method: 'PATCH', path: '/x' })).rejects.toMatchObject({ name: 'NetworkError' });
    expect(api.server.requests).toHaveLength(3);
  });
});

describe('what is kept', () => {
  it.each([
    ['a 200', {}, 200, true],
    ['a 203', {}, 203, false],
    ['a page further on', { query: [['cursor', 'a']] }, 200, false],
    ['a numbered page', { query: [['page', '2']] }, 200, false],
    ['an answer to headers of the caller’s', { headers: { 'x-a': 'b' } }, 200, false],
    ['an answer to a condition of the caller’s', { ifNoneMatch: '"a"' }, 200, false],
    ['an answer whose problem the caller wants', { keepProblem: true }, 200, false],
    ['a HEAD', { method: 'HEAD' }, 200, false],
  ] as const)('%s: %j', async (_name, more, status, isKept) => {
    const files = new Map<string, string>();
    const clock = createManualClock(Date.UTC(2025, 0, 15, 12), true);
    const own = await startApi({
      clock,
      cache: async () =>
        createAnswerCache({
          files: {
            readText: async (path) => files.get(path),
            writeAtomic: async (path, text) => void files.set(path, text),
            remove: async (path) => files.delete(path),
            list: async () => [],
          },
          clock,
          directory: '/cache',
          origin: 'https://acme.example.com',
          account: '1',
        }),
    });
    own.server.fallback(json(status, { data: [] }, { 'cache-control': 'max-age=60' }));
    const request = { method: 'GET', path: '/labels', ...more };
    await own.client.send(request);
    await own.client.send(request);
    expect([files.size, own.server.requests.length]).toEqual(isKept ? [1, 1] : [0, 2]);
    await own.close();
  });
});
