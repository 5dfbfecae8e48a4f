import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiFixture, startApi } from '../support/api-fixture.ts';
import { json } from '../support/http-server.ts';

const get = { method: 'GET', path: '/me' } as const;

let api: ApiFixture;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

describe('the HTTP client', () => {
  it.each([200, 201, 202, 204, 299, 304])('treats status %i as success', async (status) => {
    api.server.script(json(status));
    expect((await api.client.send({ ...get, keepProblem: true })).error).toBeUndefined();
  });

  it.each([300, 305, 306, 309, 400, 418])('treats status %i as a failure, and does not send the request again', async (status) => {
    api.server.fallback(json(status, {}, { location: '/api/v2/there' }));
    expect((await api.client.send({ ...get, keepProblem: true })).error).toMatchObject({ details: { status } });
    await expect(api.client.send(get)).rejects.toMatchObject({ details: { status } });
    expect(api.server.requests).toHaveLength(2);
  });

  it.each([301, 302, 303, 307, 308])('follows a redirect with status %i for a GET or HEAD, and fails for a write', async (status) => {
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

  it('follows five redirects, and fails at the sixth', async () => {
    const on = json(302, undefined, { location: '/api/v2/me' });
    api.server.script(on, on, on, on, on, json(200, { id: 1 }));
    expect((await api.client.send(get)).body()).toEqual({ id: 1 });
    api.server.script(on, on, on, on, on, on);
    await expect(api.client.send(get)).rejects.toThrow('redirects svc again and again');
  });

  it('renews a rejected token up to three times for one request', async () => {
    const ended = json(401);
    api.server.script(ended, ended, ended, json(200, { id: 1 }));
    expect((await api.client.send(get)).body()).toEqual({ id: 1 });
    expect(api.asked.map(({ rejected }) => rejected)).toEqual([undefined, 'first-secret', 'second-secret', 'second-secret']);
    api.server.script(ended, ended, ended, ended);
    await expect(api.client.send(get)).rejects.toMatchObject({ details: { status: 401 } });
    expect(api.server.requests).toHaveLength(8);
  });
});

describe('warnings in an answer', () => {
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
  ])('are reported as at most 20 texts of 300 characters, for %j', async (warnings, texts) => {
    api.server.script(warned(warnings));
    const response = await api.client.send(get);
    expect(api.warnings).toEqual([]);
    response.body();
    response.body();
    expect(api.warnings).toEqual(texts);
  });

  it.each([[[]], ['none']])('are not reported for %j', async (warnings) => {
    api.server.script(warned(warnings));
    (await api.client.send(get)).body();
    expect(api.warnings).toEqual([]);
  });

  it('are reported once, and not for later answers without warnings', async () => {
    const told: unknown[] = [];
    const own = await startApi({ events: { onWarnings: (texts) => told.push(texts) } });
    own.server.script(warned([]), warned(['one']), json(200, []), json(200, { meta: [] }));
    for (let count = 0; count < 4; count += 1) (await own.client.send(get)).body();
    expect(told).toEqual([['one']]);
    await own.close();
  });
});

describe('the body of an answer', () => {
  it('is undefined when empty, and causes an error that omits the query when not JSON', async () => {
    api.server.script(json(200, ' \n'), json(200, '<html>', { 'x-request-id': 'abc' }));
    expect((await api.client.send(get)).body()).toBeUndefined();
    const response = await api.client.send({ ...get, query: [['q', 'private']] });
    expect(() => response.body()).toThrow(
      expect.objectContaining({
        message: 'The answer of the service is not JSON.',
        details: { status: 200, request: `GET ${api.server.origin}/api/v2/me`, request_id: 'abc' },
      }),
    );
  });
});
