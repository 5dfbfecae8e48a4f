import { describe, expect, test } from 'vitest';
import { isOffered } from '../../../src/sandbox/api/discovery.ts';
import { OPERATIONS } from '../../../src/sandbox/api/operations.ts';
import { createApp } from '../../../src/sandbox/http/app.ts';
import { createSandboxState, type SandboxState } from '../../../src/sandbox/sandbox-state.ts';
import { seed } from '../../../src/sandbox/seed/index.ts';
import { type SandboxOptions, settingsFrom } from '../../../src/sandbox/settings.ts';
import { problem, sandbox, send, tokenNamed } from '../support.ts';

// Chapters 14 and 15 of docs/service-rules.md, beside what test/sandbox/limits.test.ts and headers.test.ts hold.

interface From {
  readonly address?: string;
  readonly host?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** A service without a socket, which can be asked from any address and by any name; gives the status. */
function inside(options: SandboxOptions = {}): { sandboxState: SandboxState; ask(path: string, from: From): Promise<number> } {
  const sandboxState = createSandboxState(settingsFrom({ clock: { now: () => Date.UTC(2026, 5, 15, 12) }, ...options }), {});
  seed(sandboxState);
  const app = createApp(sandboxState);
  return {
    sandboxState,
    ask: async (path, { address = '127.0.0.1', host = '127.0.0.1:1', method = 'GET', headers = {} }) => {
      const request = new Request(`http://${host}${path}`, { method, headers });
      return (await app.fetch(request, { incoming: { socket: { remoteAddress: address } } })).status;
    },
  };
}

describe('problems', () => {
  test('return the name of a wrong parameter or key letter for letter (rule 14.11)', async () => {
    const service = await sandbox();
    const name = 'x\u001b[31m<b>"ü\n';
    const parameter = await send(service, `/worklogs?${new URLSearchParams([[name, '1']])}`);
    expect(parameter.body.parameter).toBe(name);
    const key = await send(service, '/labels', { method: 'POST', body: { name: 'x', [name]: 1 } });
    expect(key.body).toMatchObject({ key: name, code: 'unknown_key' });
  });

  test('with status 429 mean that the write did not run, so a client can repeat the write (rule 14.29)', async () => {
    const service = await sandbox();
    const patch = (minutes: number) => send(service, '/worklogs/1', { method: 'PATCH', body: { minutes } });
    for (let minutes = 1; minutes <= 120; minutes++) await patch(minutes);
    expect((await patch(500)).status).toBe(429);
    expect((await send(service, '/worklogs/1')).body.data.minutes).toBe(120);
    service.advance(60_000);
    expect((await patch(500)).body.data.minutes).toBe(500);
  });

  test('can be 400, 401, 404, 406, 429, 500 and 503 for every operation (rules 14.30 to 14.32)', async () => {
    const { sandboxState, ask } = inside({ limits: 'off' });
    const authorization = `Bearer ${sandboxState.tokens.all[0]?.value}`;
    const offered = OPERATIONS.filter((operation) => isOffered(sandboxState, operation));
    expect(offered.length).toBeGreaterThan(200);
    for (const { method, path } of offered) {
      const at = `/api/v2${path.replaceAll(/\{\w+\}/g, '1')}`;
      const statuses = [
        await ask(`${at}?no_such=1`, { method, headers: { authorization } }),
        await ask(at, { method }),
        await ask(at, { method, headers: { authorization, accept: 'text/html' } }),
      ];
      for (const status of [429, 500, 503]) {
        sandboxState.faults.set([{ status }]);
        statuses.push(await ask(at, { method, headers: { authorization } }));
      }
      sandboxState.switches.api = false;
      statuses.push(await ask(at, { method, headers: { authorization } }));
      sandboxState.switches.api = true;
      // A ticket for an upload is looked for before the query is.
      const known = path.includes('{') ? expect.toBeOneOf([400, 404]) : 400;
      expect([method, path, ...statuses]).toEqual([method, path, known, 401, 406, 429, 500, 503, 404]);
    }
  });
});

describe('the rate limits', () => {
  test('allow an organisation 600 rate-limit units for writing, shared by all its tokens (rule 15.5)', async () => {
    const service = await sandbox();
    // Seven units each: 17 for each token of 120, 85 for the organisation.
    const path = '/worklogs?include=project,user,work_item,budget,task,reviewer';
    const users = [1, 1, 2, 3, 4, 5];
    const tokens = users.map((userId) => service.createToken({ name: 'w', userId, scopes: ['write'] }).value);
    const statuses: number[] = [];
    for (const token of tokens) {
      for (let i = 0; i < 17; i++)
        statuses.push((await send(service, path, { method: 'POST', token, body: { minutes: 5, date: '2026-06-15' } })).status);
    }
    expect(statuses.indexOf(429)).toBe(85);
    const refused = await send(service, path, { method: 'POST', token: tokens.at(-1) ?? '', body: { minutes: 5, date: '2026-06-15' } });
    expect(refused.body.rate_limit.limit).toBe(600);
  });

  test('refuse a write when the rate-limit units for reading are used up (rule 15.9)', async () => {
    const service = await sandbox();
    const eleven = '/worklogs?view=detail&q=a&per_page=1&include=project,user,work_item,budget,task,reviewer';
    for (let i = 0; i < 54; i++) await send(service, eleven);
    for (let i = 0; i < 6; i++) await send(service, '/me');
    const refused = await send(service, '/worklogs/1', { method: 'PATCH', body: { minutes: 5 } });
    expect([problem(refused).status, refused.body.rate_limit.limit]).toEqual([429, 600]);
  });

  test('allow an IP address 600 requests to a host and 1200 in total (rules 15.10, 15.11)', async () => {
    const { ask } = inside();
    const statuses = async (host: string, count: number): Promise<Set<number>> => {
      const found = new Set<number>();
      for (let i = 0; i < count; i++) found.add(await ask('/api/v2/me', { host }));
      return found;
    };
    expect(await statuses('one.localhost', 600)).toEqual(new Set([401]));
    expect(await statuses('one.localhost', 1)).toEqual(new Set([429]));
    expect(await statuses('two.localhost', 600)).toEqual(new Set([401]));
    expect(await statuses('three.localhost', 1)).toEqual(new Set([429]));
    expect(await ask('/api/v2/me', { host: 'one.localhost', address: '192.0.2.1' })).toBe(401);
  });

  test('allow an organisation 30 registrations, with five from each IP address (rules 15.40, 15.41)', async () => {
    const { ask } = inside();
    const statuses: number[] = [];
    for (let address = 1; address <= 7; address++) {
      for (let i = 0; i < 5; i++) statuses.push(await ask('/oauth/register', { method: 'POST', address: `192.0.2.${address}` }));
    }
    expect(statuses.indexOf(429)).toBe(30);
  });

  test('have their deprecated headers until 1 September 2027, and the RateLimit headers also after this day (rules 15.39, 17.7)', async () => {
    for (const [now, sent] of [
      [Date.UTC(2027, 7, 31, 23, 59, 59), true],
      [Date.UTC(2027, 8, 1), false],
    ] as const) {
      const service = await sandbox({ clock: { now: () => now } });
      const { headers } = await send(service, '/me', { token: tokenNamed(service, 'full') });
      for (const name of ['limit', 'remaining', 'reset']) expect([name, headers.has(`x-ratelimit-${name}`)]).toEqual([name, sent]);
      expect([headers.has('ratelimit'), headers.has('ratelimit-policy')]).toEqual([true, true]);
    }
  });
});
