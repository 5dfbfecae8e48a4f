import { expect, test } from 'vitest';
import { problem, sandbox, send, tokenNamed } from './support.ts';

const DAY = 24 * 60 * 60 * 1000;

test('a request without a valid token gets 401 (rules 6.1, 12.10)', async () => {
  const service = await sandbox();
  const short = tokenNamed(service, 'short-lived');
  expect((await send(service, '/me', { token: short })).status).toBe(200);
  service.advance(DAY);
  for (const token of ['', 'nonsense', short]) {
    expect.soft(problem(await send(service, '/me', { token }))).toEqual({ status: 401, type: 'unauthenticated' });
  }
  service.revokeAll();
  expect(service.tokens).toEqual([]);
});

test.each([
  ['read-only', 'GET', '/worklogs/1', 200],
  ['read-only', 'POST', '/worklogs', 'insufficient-token-scope'],
  ['read-only', 'DELETE', '/worklogs/1', 'insufficient-token-scope'],
  ['hours-only', 'POST', '/worklogs', 201],
  ['hours-only', 'DELETE', '/worklogs/1', 'insufficient-token-scope'],
  ['hours-only', 'GET', '/projects', 'insufficient-token-scope'],
  ['employee', 'POST', '/workflows', 'insufficient-permission'],
  ['employee', 'POST', '/worklogs', 201],
  ['contractor', 'POST', '/worklogs', 201],
  ['contractor', 'GET', '/worklogs', 'insufficient-permission'],
  ['contractor', 'GET', '/checkins', 'insufficient-permission'],
  ['contractor', 'DELETE', '/worklogs/1', 'insufficient-token-scope'],
  ['employee', 'DELETE', '/worklogs/1', 'insufficient-permission'],
] as const)(
  'a request with the token %s gets for %s %s the answer %s (rules 11.3, 11.10, 11.11, 14.18, 14.19)',
  async (name, method, path, expected) => {
    const service = await sandbox();
    const body = method === 'POST' ? { body: path === '/workflows' ? { name: 'x' } : { minutes: 5, date: '2026-06-15' } } : {};
    const answer = await send(service, path, { method, token: tokenNamed(service, name), ...body });
    if (typeof expected === 'number') expect(answer.status).toBe(expected);
    else expect(problem(answer)).toEqual({ status: 403, type: expected });
  },
);

test('a token narrowed to hours cannot log time, and a token narrowed to kanban reads projects (rules 9.63, 9.64)', async () => {
  const service = await sandbox();
  const hours = service.createToken({ name: 'h', userId: 1, scopes: ['write'], resources: ['hours', 'nosuch'] });
  expect(hours.abilities).toEqual(['api:write:hours']);
  const refused = await send(service, '/worklogs', { method: 'POST', token: hours.value, body: { minutes: 5, date: '2026-06-15' } });
  expect(problem(refused)).toEqual({ status: 403, type: 'insufficient-token-scope' });
  const kanban = service.createToken({ name: 'k', userId: 1, scopes: ['read'], resources: ['kanban'] });
  expect((await send(service, '/projects', { token: kanban.value })).status).toBe(200);
});

test('/drive-items lists only the items of the drives that the token covers (rule 11.32)', async () => {
  const service = await sandbox();
  const token = service.createToken({ name: 'd', userId: 1, scopes: ['read', 'write'], resources: ['project_drive'] }).value;
  const { body } = await send(service, '/drive-items', { token });
  expect(body.data.map((row: { owner_type: string }) => row.owner_type)).toEqual(['project']);
  const comment = { method: 'POST', token, body: { body: '<p>Hi</p>' } };
  expect((await send(service, '/drive-items/2/comments', comment)).status).toBe(201);
  expect((await send(service, '/drive-items/3/comments', comment)).status).toBe(404);
  const refused = await send(service, '/notes', { method: 'POST', token, body: { name: 'x', owner_type: 'customer' } });
  expect(problem(refused)).toEqual({ status: 403, type: 'insufficient-token-scope' });
});

test('a new role applies to the next request of the user (rule 11.4)', async () => {
  const service = await sandbox();
  const token = tokenNamed(service, 'manager');
  expect((await send(service, '/sales-invoices', { token })).status).toBe(200);
  service.setRole(2, 'employee');
  expect((await send(service, '/sales-invoices', { token })).status).toBe(403);
});

test('only a user with the permission for overtime can log overtime', async () => {
  const service = await sandbox();
  const body = { minutes: 5, date: '2026-06-15', is_overtime: true };
  expect((await send(service, '/worklogs', { method: 'POST', body, token: tokenNamed(service, 'employee') })).status).toBe(403);
  expect((await send(service, '/worklogs', { method: 'POST', body, token: tokenNamed(service, 'manager') })).status).toBe(201);
});

test('a narrowed token gets 200 from discovery and /me by default, and 403 with the option value refused', async () => {
  const service = await sandbox();
  const token = tokenNamed(service, 'hours-only');
  expect([(await send(service, '/', { token })).status, (await send(service, '/me', { token })).status]).toEqual([200, 200]);
  service.interpretations.narrowedDiscovery = 'refused';
  service.interpretations.narrowedMe = 'refused';
  expect([(await send(service, '/', { token })).status, (await send(service, '/me', { token })).status]).toEqual([403, 403]);
});

test('a person can have ten valid tokens, and can roll an expired token only with fewer than ten valid tokens', async () => {
  const service = await sandbox();
  const make = () => service.createToken({ name: 'x', userId: 1, scopes: ['read'] });
  for (let live = 4; live < 10; live++) make();
  expect(make).toThrow('at most 10');
  service.advance(DAY);
  const fresh = make();
  const expired = service.tokens.find(({ name }) => name === 'short-lived');
  expect(() => service.rollToken(expired?.id ?? 0)).toThrow('at most 10');
  service.revokeToken(fresh.id);
  expect((await send(service, '/me', { token: service.rollToken(expired?.id ?? 0).value })).status).toBe(200);
});

test('a roll replaces the secret at once, and keeps the name, the abilities and the expiry', async () => {
  const service = await sandbox();
  const old = service.tokens[1];
  const rolled = service.rollToken(old?.id ?? 0);
  expect(rolled).toMatchObject({ name: old?.name, abilities: old?.abilities, expires: old?.expires });
  expect((await send(service, '/me', { token: old?.value ?? '' })).status).toBe(401);
  expect((await send(service, '/me', { token: rolled.value })).status).toBe(200);
});

test('the sandbox refuses to create a token that is valid for more than a year', async () => {
  const service = await sandbox();
  expect(() => service.createToken({ name: 'x', userId: 1, scopes: ['read'], lifetime: 400 * DAY })).toThrow('12 months');
});
