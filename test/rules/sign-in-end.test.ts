import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

// How a sign-in is renewed and how it ends: chapters 11 to 13 and 16 of docs/service-rules.md.

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn({ personalToken: true });
});
afterEach(() => here.remove());

const asked = () => here.sandbox.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);

/** Both clocks, svc's and the service's, as they will be. */
function later(ms: number): { now: number } {
  here.sandbox.advance(ms);
  return { now: Date.now() + ms };
}

describe('an access token', () => {
  test('is used for an hour, and renewed before its expiry (rules 13.39, 13.67, 16.7)', async () => {
    const now = Date.now();
    await here.svc(['me'], { now: now + HOUR - 5 * 60_000 });
    expect(asked()).toEqual(['GET /api/v2/me 200']);
    const soonOver = { now: now + HOUR - 30_000 };
    // The renewal is a process of its own: it and the request come in any order.
    await here.svc(['me'], { ...soonOver, onStartSelf: (argv) => here.svc([...argv], soonOver) });
    expect(asked().slice(1).sort()).toEqual(['GET /api/v2/me 200', 'POST /oauth/token 200']);
  });

  test('ends an hour after the request for the token, also when the answer takes half a minute (rule 13.39)', async () => {
    here.sandbox.requests.length = 0;
    const hasAnswer = () => here.sandbox.requests.some(({ path, status }) => path === '/oauth/token' && status === 200);
    const start = Date.now();
    const login = await here.svc(['login', here.host], {
      around: (deps) => ({ ...deps, clock: { ...deps.clock, now: () => Date.now() + (hasAnswer() ? 30_000 : 0) } }),
    });
    expect(login.code, login.stderr).toBe(0);
    const [{ access_token_expires: end }] = JSON.parse((await here.svc(['auth', 'status', '--output', 'json'])).stdout);
    expect(Date.parse(end) - start).toBeLessThan(HOUR + 20_000);
  });

  test('is renewed after its expiry, and svc sends the request again (rules 13.68, 14.17)', async () => {
    here.sandbox.expireAccessTokens();
    expect(await here.svc(['worklogs', 'add', '--minutes', '5', '--no-check', '--no-context'])).toMatchObject({ code: 0 });
    expect(asked()).toEqual(['POST /api/v2/worklogs 401', 'POST /oauth/token 200', 'POST /api/v2/worklogs 201']);
  });
});

describe('a refresh token', () => {
  test('is sent once, so three refreshes send three different tokens (rules 13.42, 13.43, 16.8)', async () => {
    for (let count = 0; count < 3; count++) expect(await here.svc(['auth', 'refresh'])).toMatchObject({ code: 0 });
    const sent = here.sandbox.requests.map(({ body }) => new URLSearchParams(body).get('refresh_token'));
    expect(new Set(sent).size).toBe(3);
  });

  test('is sent once by several svc processes at the same time (rules 13.43, 16.8)', async () => {
    here.sandbox.interpretations.refreshReuseDisconnects = true;
    here.sandbox.expireAccessTokens();
    const all = await Promise.all(Array.from({ length: 4 }, () => here.svc(['me', '--jq', '.id'])));
    expect(all.map(({ stdout }) => stdout)).toEqual(['1\n', '1\n', '1\n', '1\n']);
    expect(here.sandbox.events.refreshes).toBe(1);
  });

  test('lasts 30 days after the sign-in, and 30 days after a refresh (rules 13.69, 16.8)', async () => {
    const hoursLeft = async (options: { now: number }) => {
      const { stdout } = await here.svc(['auth', 'status', '--jq', '.[0].sign_in_goes_idle'], options);
      return Math.round((Date.parse(stdout.trim()) - options.now) / HOUR);
    };
    expect(await hoursLeft({ now: Date.now() })).toBe(30 * 24);
    const tenth = later(10 * DAY);
    expect(await hoursLeft(tenth)).toBe(20 * 24);
    expect(await here.svc(['auth', 'refresh'], tenth)).toMatchObject({ code: 0 });
    expect(await hoursLeft(tenth)).toBe(30 * 24);
    expect(await here.svc(['me', '--jq', '.id'], later(29 * DAY))).toMatchObject({ code: 0, stdout: '1\n' });
  });

  test('ends the sign-in after 30 unused days, and svc reports the end (rules 13.70, 14.34)', async () => {
    const result = await here.svc(['me'], later(30 * DAY));
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(result.stderr).toContain('you did not use the sign-in for 30 days');
    expect(result.stderr).toContain(`Sign in again: svc login ${here.host}`);
    const scopes = await here.svc(['auth', 'status', '--jq', '.[0] | [.scopes, .personal_token]']);
    expect(scopes.stdout).toBe('[null,true]\n');
  });
});

describe('a sign-in that the service ended', () => {
  test('makes svc exit 4 until the next login, after a disconnect of svc (rule 13.79)', async () => {
    const [app] = here.sandbox.apps;
    here.sandbox.disconnect(app?.clientId ?? '', app?.userId ?? 0);
    await here.svc(['token', 'remove']);
    expect(await here.svc(['me'])).toMatchObject({ code: 4, stderr: expect.stringContaining('somebody revoked the sign-in') });
    expect(await here.svc(['login', here.host])).toMatchObject({ code: 0 });
    expect(await here.svc(['me', '--jq', '.id'])).toMatchObject({ code: 0, stdout: '1\n' });
  });

  test('still allows a logout, because the service accepts an unknown token (rule 13.46)', async () => {
    here.sandbox.revokeAll();
    expect(await here.svc(['logout'])).toEqual({ code: 0, stdout: '', stderr: `Signed out of ${here.host}.\n` });
    expect(asked()).toEqual(['POST /oauth/revoke 200']);
  });
});

test('a logout sends one revocation, and the access token then has no effect (rule 13.47)', async () => {
  const access = (await here.svc(['auth', 'print-token'])).stdout.trim();
  expect(await here.svc(['logout'])).toMatchObject({ code: 0 });
  expect(asked()).toEqual(['POST /oauth/revoke 200']);
  const me = await fetch(`${here.sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${access}` } });
  expect(me.status).toBe(401);
});

test('svc exits 5 without the permission Manage API tokens, and keeps the sign-in and the token (rules 12.26, 12.27)', async () => {
  const mine = (await here.svc(['worklogs', 'add', '--minutes', '5', '--jq', '.id'])).stdout.trim();
  here.sandbox.setRole(1, 'employee');
  const refused = await here.svc(['me', '--error-format', 'json']);
  expect([refused.code, JSON.parse(refused.stderr).type]).toEqual([5, 'insufficient-permission']);
  expect(await here.svc(['worklogs', 'delete', mine, '--yes'])).toMatchObject({ code: 0 });
  here.sandbox.setRole(1, 'admin');
  expect(await here.svc(['me', '--jq', '.id'])).toMatchObject({ code: 0, stdout: '1\n' });
  expect(asked().filter((line) => line.startsWith('POST /oauth'))).toEqual([]);
});

test('svc stores no refusal, because the service checks permissions at each request (rule 11.4)', async () => {
  const env = { SVC_TOKEN: here.sandbox.tokens.find(({ name }) => name === 'employee')?.value ?? '' };
  const listed = () => here.svc(['absences', 'list', '--filter', 'user_id=2', '--jq', 'type'], { env });
  expect((await listed()).code).toBe(5);
  here.sandbox.setRole(3, 'admin');
  expect(await listed()).toMatchObject({ code: 0 });
  here.sandbox.setRole(3, 'employee');
  expect((await listed()).code).toBe(5);
});
