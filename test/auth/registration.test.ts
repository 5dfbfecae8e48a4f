import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discoverAuthorization } from '../../src/auth/discovery.ts';
import type { HostRecord } from '../../src/auth/record.ts';
import { register, reusableRegistration } from '../../src/auth/registration.ts';
import { ForbiddenError, RateLimitError, SignInError, UnavailableError } from '../../src/errors.ts';
import { type Host, parseHost } from '../../src/values/addresses.ts';
import { type FakeAuthorizationServer, startFakeAuthorizationServer } from '../support/fake-as.ts';
import { testHttp } from '../support/oauth-http.ts';

let fake: FakeAuthorizationServer;
let host: Host;

beforeEach(async () => {
  fake = await startFakeAuthorizationServer();
  host = parseHost(fake.origin);
});
afterEach(() => fake.close());

async function tryRegister(http = testHttp()) {
  return register(await discoverAuthorization(host, http), host, http, 50123);
}

describe('svc registering as an app', () => {
  it('sends a name and both loopback addresses with the port (rules 13.16 to 13.18, 13.54, 13.55)', async () => {
    const http = testHttp();
    const registration = await tryRegister(http);
    expect(JSON.parse(fake.requests[1]?.body ?? '')).toEqual({
      client_name: 'svc',
      redirect_uris: ['http://127.0.0.1:50123/callback', 'http://[::1]:50123/callback'],
    });
    expect(registration).toEqual({
      client_id: [...fake.clients][0],
      registered_at: http.clock.now(),
      redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
    });
  });

  it.each([
    ['a secret', { client_id: 'first', client_secret: 'hush' }],
    ['another authentication method', { client_id: 'first', token_endpoint_auth_method: 'client_secret_post' }],
  ])('sends a second request, as a public client, when the service answers with %s', async (_name, body) => {
    fake.lie('register', { status: 201, body });
    const registration = await tryRegister();
    const asked = fake.requests.filter(({ path }) => path === '/oauth/register').map((each) => JSON.parse(each.body));
    expect(asked.map((each) => each.token_endpoint_auth_method)).toEqual([undefined, 'none']);
    expect(asked[1]).toMatchObject({ client_name: 'svc', redirect_uris: asked[0].redirect_uris });
    expect(registration.client_id).not.toBe('first');
    expect(JSON.stringify(registration)).not.toContain('hush');
  });

  it.each(['9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])('does not wait for a Retry-After of %s', async (value) => {
    fake.lie('register', { status: 429, headers: { 'retry-after': value } });
    await expect(tryRegister()).rejects.toMatchObject({ details: { retry_after: 86_400 } });
    expect(fake.requests.filter(({ path }) => path === '/oauth/register')).toHaveLength(1);
  });

  it.each(['-5', 'soon'])('waits 15 seconds for the invalid Retry-After %s', async (value) => {
    fake.lie('register', { status: 429, headers: { 'retry-after': value } });
    const http = testHttp();
    await tryRegister(http);
    expect(http.clock.slept).toEqual([15_000]);
  });

  it('sends no third request when the second answer has a client secret too', async () => {
    const secret = { status: 201, body: { client_id: 'stubborn', client_secret: 'hush' } };
    fake.lie('register', secret, secret);
    expect((await tryRegister()).client_id).toBe('stubborn');
  });

  it('accepts an answer with status 200 (rules 13.19, 13.20)', async () => {
    fake.lie('register', { status: 200, body: { client_id: 'abc' } });
    await expect(tryRegister()).resolves.toMatchObject({ client_id: 'abc' });
  });

  it.each([
    [
      'invalid_redirect_uri (rules 13.26, 14.33)',
      { status: 400, body: { error: 'invalid_redirect_uri' } },
      SignInError,
      /does not accept apps whose sign-in returns/,
    ],
    [
      'another 400',
      { status: 400, body: { error: 'invalid_client_metadata', error_description: 'No.' } },
      SignInError,
      /It reported: No\./,
    ],
    ['403', { status: 403 }, ForbiddenError, /refused to register svc as an app \(403\)/],
    ['500', { status: 500 }, UnavailableError, /failed to register svc/],
    ['a web page', { body: '<html>' }, UnavailableError, /a web page/],
    ['an answer without client_id', { status: 201, body: { client_id: '' } }, UnavailableError, /cannot read/],
    ['a redirect', { status: 307, headers: { location: 'https://evil.example/' } }, SignInError, /redirected svc to evil\.example/],
  ])('reports the cause of the failure after %s', async (_name, lie, type, message) => {
    fake.lie('register', lie);
    const refused = tryRegister();
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(type);
  });

  it('waits after each 429 within its time limit, and then fails (rules 14.29, 15.40, 15.41)', async () => {
    const http = testHttp();
    const busy = { status: 429, headers: { 'retry-after': '40' } };
    fake.lie('register', busy, busy, busy, busy);
    await expect(tryRegister(http)).rejects.toBeInstanceOf(RateLimitError);
    expect(http.clock.slept).toEqual([40_000, 40_000]);
    await expect(tryRegister(http)).resolves.toBeDefined();
  });
});

describe('a stored registration', () => {
  const now = Date.UTC(2026, 5, 1);
  const HOUR = 3_600_000;
  const registration = { client_id: 'c', registered_at: now, redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]/callback'] };
  const grant = { client_id: 'c', access_token: 'a', refresh_token: 'r', expires_at: 0, issued_at: now, scope: [], token_endpoint: 't' };
  const at = (origin = fake.origin): HostRecord => ({ version: 1, host: 'h', origin, registration });

  it.each([
    ['reused when made an hour ago', { registered_at: now - HOUR }, undefined, true],
    ['not reused when made nearly a day ago', { registered_at: now - 23.5 * HOUR }, undefined, false],
    ['reused when made just now', { registered_at: now }, undefined, true],
    ['reused when made a millisecond less than 23 hours ago', { registered_at: now - 23 * HOUR + 1 }, undefined, true],
    ['not reused when made 23 hours ago', { registered_at: now - 23 * HOUR }, undefined, false],
    [
      'reused when old with a sign-in a millisecond younger than 29 days',
      { registered_at: 0 },
      { issued_at: now - 29 * 24 * HOUR + 1 },
      true,
    ],
    ['not reused when old with a sign-in of 29 days', { registered_at: 0 }, { issued_at: now - 29 * 24 * HOUR }, false],
    ['not reused when made in the future', { registered_at: now + HOUR }, undefined, false],
    ['reused when old with a sign-in of ten days', { registered_at: 0 }, { issued_at: now - 10 * 24 * HOUR }, true],
    ['not reused when old with a sign-in of another client', { registered_at: 0 }, { client_id: 'd' }, false],
    ['not reused when old with a sign-in of 29.5 days', { registered_at: 0 }, { issued_at: now - 29.5 * 24 * HOUR }, false],
    ['not reused with other redirect addresses', { redirect_uris: ['http://127.0.0.1/callback'] }, undefined, false],
  ])('is %s', (_name, changes, grantChanges, reused) => {
    const record = {
      ...at(),
      registration: { ...registration, ...changes },
      ...(grantChanges ? { grant: { ...grant, ...grantChanges } } : {}),
    };
    expect(reusableRegistration(record, host, now) !== undefined).toBe(reused);
  });

  it('is never reused for another origin', () => {
    expect(reusableRegistration(at('https://other.example'), host, now)).toBeUndefined();
  });
});
