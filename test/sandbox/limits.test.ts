import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { problem, sandbox, send, tokenNamed } from './support.ts';

function budget(headers: Headers): { limit: number; remaining: number; reset: number } {
  const [, limit, remaining, reset] = /^limit=(\d+), remaining=(\d+), reset=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { limit: Number(limit), remaining: Number(remaining), reset: Number(reset) };
}

/** Units left after a read that costs one: what was spent before it shows as 599 minus this. */
async function spent(service: Sandbox, token?: string): Promise<number> {
  const { headers } = await send(service, '/me', token === undefined ? {} : { token });
  return 599 - budget(headers).remaining;
}

describe('the cost of a request (rules 15.15 to 15.22, 15.24, 15.27, 15.29)', () => {
  test.each([
    ['/worklogs', 1],
    ['/worklogs/1', 1],
    ['/worklogs/1?view=detail', 1],
    ['/worklogs?view=detail', 3],
    ['/worklogs?include=project,user', 3],
    ['/work-items?include=comments', 4],
    ['/work-items?include=comments,comments', 7],
    ['/work-items?include=project,labels&view=detail', 7],
    ['/work-items/12?include=comments,project', 5],
    ['/worklogs?q=Planning', 3],
    ['/worklogs?with_total=1', 3],
    ['/users?view=detail&q=a&include=manager', 6],
    ['/worklogs?view=detail&nosuch=1', 1],
    ['/worklogs/999999?include=project', 1],
    ['/nosuch', 0],
  ])('of GET %s is the documented number of rate-limit units: %i', async (path, units) => {
    const service = await sandbox();
    await send(service, path);
    expect(await spent(service)).toBe(units);
  });

  test('is one rate-limit unit for replays, deletes and answers with 304 (rules 15.7, 15.8, 15.23, 15.25, 15.26, 15.34)', async () => {
    const service = await sandbox();
    const post = { method: 'POST', body: { minutes: 5, date: '2026-06-15' }, headers: { 'idempotency-key': 'k' } };
    const first = await send(service, '/worklogs?include=project', post);
    expect(budget(first.headers)).toMatchObject({ limit: 120, remaining: 118 });
    const replayed = await send(service, '/worklogs?include=project', post);
    expect(budget(replayed.headers).remaining).toBe(117);
    const deleted = await send(service, '/worklogs/1', { method: 'DELETE' });
    expect(budget(deleted.headers).remaining).toBe(116);
    expect(await spent(service)).toBe(3);
    const listed = await send(service, '/worklogs?view=detail');
    await send(service, '/worklogs?view=detail', { headers: { 'if-none-match': listed.headers.get('etag') ?? '' } });
    expect(await spent(service)).toBe(3 + 1 + 3 + 1);
  });

  test('is zero for an invalid token (rule 15.30)', async () => {
    const service = await sandbox();
    await send(service, '/worklogs', { token: 'nonsense' });
    expect(await spent(service)).toBe(0);
  });
});

describe('a rate limit', () => {
  test('causes 429 with the seconds until all rate-limit units are available again (rules 14.10, 14.27, 14.28, 15.1, 15.2, 15.28, 15.33)', async () => {
    const service = await sandbox();
    for (let i = 0; i < 85; i++) await send(service, '/worklogs?view=detail&include=project,user,work_item,budget&per_page=1');
    const left = await send(service, '/me');
    expect(budget(left.headers)).toEqual({ limit: 600, remaining: 4, reset: 60 });
    service.advance(20_000);
    const refused = await send(service, '/worklogs?view=detail&include=project,user');
    expect(problem(refused)).toEqual({ status: 429, type: 'rate-limit-exceeded' });
    expect(refused.body.rate_limit).toEqual({ limit: 600, retry_after: 40 });
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(budget(refused.headers)).toEqual({ limit: 600, remaining: 4, reset: 40 });
    expect((await send(service, '/me')).status).toBe(200);
    service.advance(40_000);
    expect(budget((await send(service, '/me')).headers)).toEqual({ limit: 600, remaining: 599, reset: 60 });
  });

  test('for writing refuses writes and not reads, and a write also costs a rate-limit unit for reading (rules 15.3, 15.6)', async () => {
    const service = await sandbox();
    const patch = { method: 'PATCH', body: { minutes: 5 } };
    for (let i = 0; i < 120; i++) await send(service, '/worklogs/1', patch);
    expect((await send(service, '/worklogs/1', patch)).status).toBe(429);
    expect((await send(service, '/worklogs/1')).status).toBe(200);
    expect(await spent(service)).toBe(121);
  });

  test('is shared by all tokens of an organisation (rule 15.4)', async () => {
    const service = await sandbox({ windowSeconds: 5 });
    const path = '/worklogs?view=detail&q=a&per_page=1&include=project,user,work_item,budget,task,reviewer';
    const tokens = ['full', 'read-only', 'manager', 'short-lived'].map((name) => tokenNamed(service, name));
    tokens.push(
      service.createToken({ name: 'a', userId: 1, scopes: ['read'] }).value,
      service.createToken({ name: 'b', userId: 1, scopes: ['read'] }).value,
    );
    const last = [];
    for (const token of tokens) for (let i = 0; i < 50; i++) last.push(await send(service, path, { token }));
    const statuses = last.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(272);
    expect(last.at(-1)?.body.rate_limit.limit).toBe(3000);
    expect(last.at(-1)?.headers.get('ratelimit-policy')).toBe('3000;w=5');
  });

  test('allows an IP address 600 requests to a host, and no header shows this limit (rules 15.10, 15.12, 15.13, 15.31)', async () => {
    const service = await sandbox();
    for (let i = 0; i < 600; i++) await send(service, '/nosuch');
    const refused = await send(service, '/me');
    expect(problem(refused)).toEqual({ status: 429, type: 'rate-limit-exceeded' });
    expect(budget(refused.headers).remaining).toBe(3000);
    service.advance(60_000);
    expect(await spent(service)).toBe(0);
  });
});

test('the sandbox with limits off accepts 125 writes, and shows the full limit', async () => {
  const service = await sandbox({ limits: 'off' });
  for (let i = 0; i < 125; i++)
    expect((await send(service, '/worklogs/1', { method: 'PATCH', body: { minutes: i + 1 } })).status).toBe(200);
  expect(budget((await send(service, '/worklogs/1')).headers)).toMatchObject({ limit: 600, remaining: 600 });
});

test('the deprecated headers show the same limits, with a time instead of seconds (rules 15.37, 15.38)', async () => {
  const service = await sandbox();
  const { headers } = await send(service, '/me');
  expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['600', '599']);
  expect(headers.get('x-ratelimit-reset')).toBe(String(Date.UTC(2026, 5, 15, 12, 1, 0) / 1000));
});

test.each([
  ['POST', '/oauth/register', 5],
  ['POST', '/oauth/revoke', 30],
  ['GET', '/.well-known/oauth-authorization-server', 30],
  ['POST', '/oauth/token', 120],
])('the sandbox accepts %s %s at most %i times a minute (rules 15.40, 15.42, 15.43)', async (method, path, limit) => {
  const service = await sandbox();
  const call = async (): Promise<number> => (await fetch(service.origin + path, { method })).status;
  const statuses: number[] = [];
  for (let i = 0; i <= limit; i++) statuses.push(await call());
  expect(statuses.indexOf(429)).toBe(limit);
  service.advance(60_000);
  expect(await call()).not.toBe(429);
});
