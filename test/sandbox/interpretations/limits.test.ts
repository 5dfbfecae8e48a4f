import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { authorize, register } from '../oauth-flow.ts';
import { problem, sandbox, send } from '../support.ts';

const shows = (headers: Headers): string | null => headers.get('ratelimit');

/** It costs ten units. */
const COSTLY = '/worklogs?view=detail&per_page=1&include=user,project,work_item,budget,task,reviewer,user';

describe('the option rateWindow', () => {
  /** 300 units at once, 100 more half a minute later. */
  async function spent(rateWindow: 'fixed' | 'sliding'): Promise<Sandbox> {
    const service = await sandbox({ interpretations: { rateWindow } });
    for (let sent = 0; sent < 30; sent++) await send(service, COSTLY);
    service.advance(30_000);
    for (let sent = 0; sent < 10; sent++) await send(service, COSTLY);
    return service;
  }

  test('with the value fixed returns all rate-limit units a minute after the first request', async () => {
    const service = await spent('fixed');
    expect(shows((await send(service, '/me')).headers)).toBe('limit=600, remaining=199, reset=30');
    service.advance(30_000);
    expect(shows((await send(service, '/me')).headers)).toBe('limit=600, remaining=599, reset=60');
  });

  test('with the value sliding returns each rate-limit unit a minute after its request', async () => {
    const service = await spent('sliding');
    expect(shows((await send(service, '/me')).headers)).toBe('limit=600, remaining=199, reset=60');
    service.advance(30_000);
    expect(shows((await send(service, '/me')).headers)).toBe('limit=600, remaining=498, reset=60');
    service.advance(60_000);
    expect(shows((await send(service, '/me')).headers)).toBe('limit=600, remaining=599, reset=60');
  });

  test.each([
    ['fixed', '30'],
    ['sliding', '60'],
  ] as const)('with the value %s makes a refused client wait %s seconds', async (rateWindow, seconds) => {
    const service = await sandbox({ interpretations: { rateWindow } });
    await send(service, '/me');
    service.advance(30_000);
    // 59 × 10 and 9, and the one of before: 600.
    for (let sent = 0; sent < 59; sent++) await send(service, COSTLY);
    for (let sent = 0; sent < 9; sent++) await send(service, '/me');
    // It costs 3, and one unit comes back within half a minute.
    const refused = await send(service, '/worklogs?view=detail&per_page=1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, seconds]);
    expect((await send(service, '/me')).headers.get('retry-after')).toBe('30');
    service.advance(Number(seconds) * 1000);
    expect((await send(service, '/worklogs?view=detail&per_page=1')).status).toBe(200);
  });
});

describe('the option rateLimitHeaders', () => {
  /** Of the API, an unknown path of it, a document, a registration, a sign-in page, an unknown path of the host, and a fault. */
  async function answers(service: Sandbox): Promise<Response[]> {
    const api = await fetch(`${service.baseUrl}/nosuch`);
    const document = await fetch(`${service.origin}/.well-known/oauth-authorization-server`);
    const clientId = (await register(service)).body.client_id;
    const registration = await fetch(`${service.origin}/oauth/register`, { method: 'POST', body: '{}' });
    const page = await authorize(service, clientId);
    const elsewhere = await fetch(`${service.origin}/nosuch`);
    service.setFaults([{ status: 503 }]);
    return [api, document, registration, page, elsewhere, await fetch(`${service.baseUrl}/worklogs`)];
  }

  test.each([
    ['api', [true, false, false, false, false, false]],
    ['everywhere', [true, true, true, true, true, true]],
    ['never', [false, false, false, false, false, false]],
  ] as const)('with the value %s decides which answers have RateLimit headers', async (rateLimitHeaders, expected) => {
    const service = await sandbox({ interpretations: { rateLimitHeaders } });
    const all = await answers(service);
    for (const name of ['ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
      expect([name, ...all.map(({ headers }) => headers.has(name))]).toEqual([name, ...expected]);
    }
  });

  test('with the value everywhere shows the limit of an OAuth endpoint too, also in a refusal', async () => {
    const service = await sandbox({ interpretations: { rateLimitHeaders: 'everywhere' } });
    const left = [];
    for (let sent = 0; sent < 6; sent++) {
      const { status, headers } = await fetch(`${service.origin}/oauth/register`, { method: 'POST', body: '{}' });
      left.push(`${status} ${shows(headers)}`);
    }
    expect([left[0], left[4], left[5]]).toEqual([
      '400 limit=5, remaining=4, reset=60',
      '400 limit=5, remaining=0, reset=60',
      '429 limit=5, remaining=0, reset=60',
    ]);
  });
});

test.each([
  [false, 200],
  [true, 429],
] as const)(
  'the option oauthCountsForAddress %s gives an API request after 600 OAuth requests the status %i',
  async (oauthCountsForAddress, status) => {
    const service = await sandbox({ interpretations: { oauthCountsForAddress } });
    // Many are refused, for the endpoint has a limit of its own; they came from the address all the same.
    for (let sent = 0; sent < 600; sent++)
      await fetch(`${service.origin}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token: 'x' }) });
    const answer = await send(service, '/me');
    expect(answer.status).toBe(status);
    if (status === 429) expect(problem(answer).type).toBe('rate-limit-exceeded');
  },
);
