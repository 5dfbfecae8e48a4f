import { expect, test } from 'vitest';
import { problem, sandbox, send, tokenNamed } from './support.ts';

test('a fault returns its status the given number of times, without running the request', async () => {
  const service = await sandbox();
  service.setFaults([{ method: 'POST', path: '/worklogs', status: 503, times: 2, retryAfter: 3 }]);
  const post = () => send(service, '/worklogs', { method: 'POST', body: { minutes: 5, date: '2026-06-15' } });
  const answers = [await post(), await send(service, '/worklogs'), await post(), await post()];
  expect(answers.map(({ status }) => status)).toEqual([503, 200, 503, 201]);
  expect(answers[0]?.headers.get('retry-after')).toBe('3');
  expect(answers[0]?.body.type).toMatch(/service-unavailable$/);
  expect(answers[0]?.headers.get('x-service-api-version')).toBe('2');
});

test('a fault drops a connection before or after the request runs', async () => {
  const service = await sandbox();
  const count = async (): Promise<number> => (await send(service, '/worklogs?with_total=1&per_page=1')).body.meta.page.total;
  const post = () =>
    send(service, '/worklogs', { method: 'POST', body: { minutes: 5, date: '2026-06-15' }, headers: { 'idempotency-key': 'k' } });
  const before = await count();
  service.setFaults([
    { path: '/worklogs', method: 'POST', drop: 'before' },
    { path: '/worklogs', method: 'POST', drop: 'after' },
  ]);
  await expect(post()).rejects.toThrow();
  expect(await count()).toBe(before);
  await expect(post()).rejects.toThrow();
  expect(await count()).toBe(before + 1);
  expect((await post()).headers.get('idempotency-replayed')).toBe('true');
  expect(await count()).toBe(before + 1);
});

test('a fault truncates an answer, or replaces the answer with a body that is not JSON', async () => {
  const service = await sandbox();
  service.setFaults([
    { path: '/me', truncate: true },
    { path: /^\/me$/, garbage: true },
  ]);
  await expect(send(service, '/me')).rejects.toThrow();
  await expect(send(service, '/me')).rejects.toThrow(SyntaxError);
  expect((await send(service, '/me')).status).toBe(200);
});

test('a fault matches paths by prefix, and can skip the first requests', async () => {
  const service = await sandbox();
  service.setFaults([{ path: '/api/v2/users*', status: 500, times: Number.POSITIVE_INFINITY, skip: 1 }]);
  const statuses = [];
  for (const path of ['/users', '/users/1', '/users/2', '/worklogs']) statuses.push((await send(service, path)).status);
  expect(statuses).toEqual([200, 500, 500, 200]);
  service.setFaults([]);
  expect((await send(service, '/users')).status).toBe(200);
});

test('the sandbox does not run a request whose client leaves during a delay', async () => {
  const service = await sandbox();
  service.setFaults([
    { method: 'POST', path: '/worklogs', delayMs: 1000 },
    { method: 'POST', path: '/worklogs', delayMs: 1200 },
  ]);
  const count = async (): Promise<number> => (await send(service, '/worklogs?with_total=1&per_page=1')).body.meta.page.total;
  const body = { minutes: 5, date: '2026-06-15' };
  const before = await count();
  const leave = new AbortController();
  const held = fetch(`${service.baseUrl}/worklogs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenNamed(service, 'full')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leave.signal,
  });
  await expect.poll(() => service.requests.at(-1)?.method, { interval: 5 }).toBe('POST');
  leave.abort();
  await expect(held).rejects.toThrow('aborted');
  // This one starts later and waits longer: when it is done, the first would be, too.
  expect((await send(service, '/worklogs', { method: 'POST', body })).status).toBe(201);
  expect(await count()).toBe(before + 1);
  expect(service.requests.find(({ method }) => method === 'POST')?.status).toBe(0);
});

test('a delay can come before another fault, and before a normal answer', async () => {
  const service = await sandbox();
  service.setFaults([
    { path: '/me', delayMs: 1, status: 503 },
    { path: '/me', delayMs: 1 },
  ]);
  expect([(await send(service, '/me')).status, (await send(service, '/me')).status]).toEqual([503, 200]);
});

test('a fault has the problem type of its status', async () => {
  const service = await sandbox();
  service.setFaults([409, 412, 422, 500].map((status) => ({ path: '/me', status })));
  const types = [];
  for (let sent = 0; sent < 4; sent++) types.push(problem(await send(service, '/me')).type);
  expect(types).toEqual(['state-conflict', 'precondition-failed', 'validation-failed', 'server-error']);
});
