import { describe, expect, test } from 'vitest';
import { problem, sandbox, send } from './support.ts';

test.each([
  ['/worklogs', 200],
  ['/nosuch', 404],
  ['/worklogs?nosuch=1', 400],
])(
  'the answer for %s has the headers for version, cache, request id and rate limit (rules 7.1, 7.7 to 7.11, 15.32, 15.35, 15.36, 17.2)',
  async (path, status) => {
    const service = await sandbox();
    const { headers, ...answer } = await send(service, path, { headers: { 'x-request-id': 'mine' } });
    expect(answer.status).toBe(status);
    expect(headers.get('x-service-api-version')).toBe('2');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('vary')).toContain('Authorization');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(headers.get('ratelimit')).toMatch(/^limit=\d+, remaining=\d+, reset=\d+$/);
    expect(headers.get('ratelimit-policy')).toMatch(/^\d+;w=60$/);
  },
);

test('a problem has the members of RFC 9457, the request path and the request id (rules 1.18, 14.1 to 14.6)', async () => {
  const service = await sandbox();
  const { headers, body } = await send(service, '/worklogs?nosuch=1');
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(body).toMatchObject({ title: expect.stringMatching(/./), detail: expect.stringMatching(/./) });
  expect(body).toMatchObject({ status: 400, instance: '/api/v2/worklogs', request_id: headers.get('x-request-id'), parameter: 'nosuch' });
  expect(body.type).toMatch(/^http.*\/unsupported-parameter$/);
});

test.each([
  ['/labels', 'private, max-age=60'],
  ['/work-types/1', 'private, max-age=60'],
  ['/', 'private, max-age=300'],
])('the answer for %s has Cache-Control: %s (rules 7.2, 7.3)', async (path, expected) => {
  const service = await sandbox();
  expect((await send(service, path)).headers.get('cache-control')).toBe(expected);
});

test('the request log has no token of an Authorization header, with or without a scheme', async () => {
  const service = await sandbox();
  for (const authorization of ['Bearer pat_secret', 'pat_secret']) {
    await fetch(`${service.baseUrl}/me`, { headers: { authorization } });
    expect(JSON.stringify(service.requests.at(-1))).not.toContain('secret');
  }
});

describe('revalidation with an ETag', () => {
  test.each(['/worklogs?per_page=2', '/absences', '/users/1', '/', '/me'])(
    'of %s gets 304 while nothing has changed (rules 6.6, 6.7, 9.7, 9.17)',
    async (path) => {
      const service = await sandbox();
      const etag = (await send(service, path)).headers.get('etag') ?? '';
      const again = await send(service, path, { headers: { 'if-none-match': etag } });
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );

  test('gets the full answer after a change of an included relation', async () => {
    const service = await sandbox();
    const etag = (await send(service, '/work-items/12?include=project')).headers.get('etag') ?? '';
    await send(service, '/projects/1', { method: 'PATCH', body: { name: 'Renamed' } });
    const again = await send(service, '/work-items/12?include=project', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(200);
  });

  test('uses a weak ETag for a page (rule 7.4)', async () => {
    const service = await sandbox();
    expect((await send(service, '/worklogs')).headers.get('etag')).toMatch(/^W\/"/);
  });
});

test.each([
  ['text/html', 406],
  ['application/json;q=0', 406],
  ['application/json, application/problem+json', 200],
  ['*/*', 200],
])('a request that accepts %s gets %i (rules 6.2, 14.22)', async (accept, status) => {
  const service = await sandbox();
  expect((await send(service, '/me', { headers: { accept } })).status).toBe(status);
});

test('a method that a path does not have gets 405 with the allowed methods (rules 9.3, 14.21)', async () => {
  const service = await sandbox();
  const answer = await send(service, '/me', { method: 'POST', body: {} });
  expect(problem(answer)).toMatchObject({ status: 405 });
  expect(answer.headers.get('allow')).toBe('GET');
});

test('the API and its metadata answer 404 while the API is switched off (rules 1.21 to 1.23, 13.14)', async () => {
  const service = await sandbox();
  service.switchApi(false);
  expect(problem(await send(service, '/me'))).toEqual({ status: 404, type: 'endpoint-not-found' });
  expect((await fetch(`${service.origin}/.well-known/oauth-authorization-server`)).status).toBe(404);
  service.switchApi(true);
  expect((await send(service, '/me')).status).toBe(200);
});

test('the request log shows the rate-limit units of each request, and no token (rules 6.3, 6.4)', async () => {
  const service = await sandbox();
  await send(service, '/worklogs?view=detail', { headers: { 'x-request-id': 'mine' } });
  await send(service, '/worklogs', { method: 'POST', body: { minutes: 5 } });
  expect(service.requests).toMatchObject([
    {
      method: 'GET',
      path: '/api/v2/worklogs?view=detail',
      status: 200,
      units: 3,
      headers: { authorization: 'Bearer', 'x-request-id': 'mine' },
    },
    { method: 'POST', path: '/api/v2/worklogs', status: 422, units: 1, body: '{"minutes":5}' },
  ]);
  expect(JSON.stringify(service.requests)).not.toContain(service.tokens[0]?.value);
});
