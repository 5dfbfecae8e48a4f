import { expect, test } from 'vitest';
import { sandbox, send } from './support.ts';

test('a status, as often as asked, without running', async () => {
  const service = await sandbox();
  service.setFaults([{ method: 'POST', path: '/worklogs', status: 503, times: 2, retryAfter: 3 }]);
  const post = () => send(service, '/worklogs', { method: 'POST', body: { minutes: 5, date: '2026-06-15' } });
  const answers = [await post(), await send(service, '/worklogs'), await post(), await post()];
  expect(answers.map(({ status }) => status)).toEqual([503, 200, 503, 201]);
  expect(answers[0]?.headers.get('retry-after')).toBe('3');
  expect(answers[0]?.body.type).toMatch(/service-unavailable$/);
  expect(answers[0]?.headers.get('x-service-api-version')).toBe('2');
});

test('a connection dropped before the work and after it', async () => {
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

test('half an answer, and one that is not what it says', async () => {
  const service = await sandbox();
  service.setFaults([
    { path: '/me', truncate: true },
    { path: /^\/me$/, garbage: true },
  ]);
  await expect(send(service, '/me')).rejects.toThrow();
  await expect(send(service, '/me')).rejects.toThrow(SyntaxError);
  expect((await send(service, '/me')).status).toBe(200);
});

test('paths fit exactly or as a prefix, in full or below the base; some may pass first', async () => {
  const service = await sandbox();
  service.setFaults([{ path: '/api/v2/users*', status: 500, times: Number.POSITIVE_INFINITY, skip: 1 }]);
  const statuses = [];
  for (const path of ['/users', '/users/1', '/users/2', '/worklogs']) statuses.push((await send(service, path)).status);
  expect(statuses).toEqual([200, 500, 500, 200]);
  service.setFaults([]);
  expect((await send(service, '/users')).status).toBe(200);
});
