import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Grant } from '../../src/auth/record.ts';
import { signIn } from '../../src/auth/sign-in.ts';
import { ForbiddenError, NetworkError, NotFoundError, RateLimitError, SignInError, SvcError, UnavailableError } from '../../src/errors.ts';
import { type Host, parseHost } from '../../src/values/addresses.ts';
import { type FakeAuthorizationServer, type Lie, startFakeAuthorizationServer } from '../support/fake-as.ts';
import { visit } from '../support/visit.ts';
import { recordWith, signInScenario } from './fixtures/sign-in-scenario.ts';

let fake: FakeAuthorizationServer;
let host: Host;

beforeEach(async () => {
  fake = await startFakeAuthorizationServer();
  host = parseHost(fake.origin);
});
afterEach(() => fake.close());

const scenario = (changes?: Parameters<typeof signInScenario>[1]) => signInScenario(host, changes);

describe('a sign-in', () => {
  it('stores the tokens and shows "You are signed in" (rules 13.1, 13.38, 13.39)', async () => {
    const it = scenario();
    const { grant, registration } = await it.run();
    expect(grant).toEqual({
      client_id: registration.client_id,
      access_token: 'at-secret-1',
      refresh_token: 'rt-secret-1',
      issued_at: it.clock.now(),
      expires_at: it.clock.now() + 3_600_000,
      scope: ['api:read', 'api:write'],
      token_endpoint: `${fake.origin}/oauth/token`,
      revocation_endpoint: `${fake.origin}/oauth/revoke`,
    });
    expect(it.stored).toEqual([[grant, registration]]);
    const page = await it.visits[0];
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('You are signed in') });
    expect(page?.body).not.toMatch(/secret|code=/);
    expect(it.told.join('\n')).not.toMatch(/secret/);
  });

  it('sends a state, the scopes and S256, and sends the verifier only with the exchange (rules 13.28 to 13.34, 13.37)', async () => {
    const it = scenario({ scopes: ['api:read:projects'] });
    await it.run();
    const asked = new URL(it.opened[0] ?? '').searchParams;
    expect(Object.fromEntries(asked)).toEqual({
      response_type: 'code',
      client_id: [...fake.clients][0],
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      scope: 'api:read:projects',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const exchange = fake.requests.find((one) => one.path === '/oauth/token');
    expect(exchange?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect([...new URLSearchParams(exchange?.body).keys()].sort()).toEqual([
      'client_id',
      'code',
      'code_verifier',
      'grant_type',
      'redirect_uri',
    ]);
    expect(fake.requests.every((one) => one.headers['user-agent'] === 'svc/1.2.3' || one.path.startsWith('/oauth/authorize'))).toBe(true);
  });

  it('prints the address, and continues when no browser can be started', async () => {
    let tell = (_url: string) => {};
    const url = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const it = scenario({
      onOpen: async (address) => {
        tell(address);
        throw new Error('spawn xdg-open ENOENT');
      },
    });
    const running = it.run();
    const page = visit(await url);
    await running;
    expect(it.told).toContain(`  ${await url}`);
    expect(it.told.join('\n')).toContain('could not open a browser (spawn xdg-open ENOENT)');
    await expect(page).resolves.toMatchObject({ status: 200 });
  });

  it('opens no browser when svc only prints the address', async () => {
    const it = scenario({ mode: 'print', notify: (line) => void (line.includes('/oauth/authorize') && visit(line.trim())) });
    await it.run();
    expect(it.opened).toEqual([]);
  });

  it('accepts a pasted address', async () => {
    let address = '';
    const it = scenario({
      mode: 'paste',
      notify: (line) => {
        if (line.includes('/oauth/authorize')) address = line.trim();
      },
      readLine: async () => {
        const response = await fetch(address, { redirect: 'manual' });
        return response.headers.get('location') ?? undefined;
      },
    });
    await it.run();
    expect(new URL(address).searchParams.get('redirect_uri')).toBe('http://127.0.0.1:49152/callback');
    expect(it.stored).toHaveLength(1);
    expect(it.opened).toEqual([]);
  });

  it.each([
    ['a cancellation', { error: 'access_denied', code: undefined }, /cancelled in the browser/],
    ['a wrong issuer', { iss: 'https://evil.example' }, /did not come from/],
  ])('fails for %s in a pasted address, as in an address from the browser', async (_name, redirect, message) => {
    fake.redirect = redirect;
    let address = '';
    const it = scenario({
      mode: 'paste',
      notify: (line) => {
        if (line.includes('/oauth/authorize')) address = line.trim();
      },
      readLine: async () => (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? undefined,
    });
    await expect(it.run()).rejects.toThrow(message);
    expect(it.stored).toEqual([]);
  });

  it('accepts a token answer with missing and with additional members', async () => {
    fake.tokens = { expires_in: null, scope: 'api:read mcp:use', id_token: 'not.a.jwt', token_type: 'bearer' };
    const it = scenario();
    const { grant } = await it.run();
    expect(grant.expires_at - grant.issued_at).toBe(3_600_000);
    expect(grant.scope).toEqual(['api:read', 'mcp:use']);
  });
});

describe('a sign-in that cannot store its tokens', () => {
  it('shows the failure in the browser', async () => {
    const it = scenario({ store: () => Promise.reject(new SvcError('The keychain refused to store the tokens.', { hint: 'Unlock it.' })) });
    await expect(it.run()).rejects.toThrow('The keychain refused');
    const page = await it.visits[0];
    expect(page?.body).toContain('The keychain refused to store the tokens.');
    expect(page?.body).toContain('Unlock it.');
    expect(page?.body).not.toContain('You are signed in');
  });

  it('revokes the tokens', async () => {
    const it = scenario({ store: () => Promise.reject(new SvcError('The disk is full.')) });
    await expect(it.run()).rejects.toThrow('The disk is full.');
    expect(fake.revoked).toEqual(['rt-secret-1']);
    expect(it.told.join('\n')).not.toContain('revoked');
  });

  it('reports a failed revocation, and fails with the first failure', async () => {
    fake.lie('revoke', { status: 503 });
    const it = scenario({ store: () => Promise.reject(new SvcError('The disk is full.')) });
    await expect(it.run()).rejects.toThrow('The disk is full.');
    expect(it.told.at(-1)).toMatch(/tokens of this sign-in could not be revoked: .*503/);
    expect(it.told.join('\n')).not.toContain('secret');
  });

  it('revokes nothing when a revocation would end an earlier sign-in (rule 13.47)', async () => {
    const it = scenario({ store: () => Promise.reject(new SvcError('The disk is full.')) });
    fake.clients.add('known');
    const grant = { client_id: 'known', issued_at: it.clock.now(), refresh_token: 'earlier' } as Grant;
    const existing = { ...recordWith(host, 'known', it.clock.now()), grant };
    await expect(signIn(it.deps, host, { ...it.options, existing })).rejects.toThrow('The disk is full.');
    expect(fake.revoked).toEqual([]);
  });

  it('exchanges no code when a trial write fails', async () => {
    const it = scenario({ probeStore: () => Promise.reject(new SvcError('The keychain is locked.', { hint: 'Unlock it.' })) });
    await expect(it.run()).rejects.toThrow('The keychain is locked.');
    expect((await it.visits[0])?.body).toContain('The keychain is locked.');
    expect(fake.requests.some((one) => one.path === '/oauth/token')).toBe(false);
  });

  it('shows no details of an unexpected failure in the browser', async () => {
    const it = scenario({ store: () => Promise.reject(new Error('at-secret-1 in a stack')) });
    await expect(it.run()).rejects.toThrow();
    expect((await it.visits[0])?.body).toContain('The terminal shows the problem.');
    expect((await it.visits[0])?.body).not.toContain('secret');
  });
});

describe('a sign-in that the service refuses', () => {
  it.each([
    ['a cancellation (rules 13.62, 14.35)', { error: 'access_denied', code: undefined }, SignInError, /cancelled in the browser/],
    ['invalid_scope (rule 14.34)', { error: 'invalid_scope', code: undefined }, SignInError, /does not give the scopes api:read api:write/],
    ['server_error', { error: 'server_error', code: undefined }, UnavailableError, /could not complete/],
    ['another error', { error: 'odd\u0007', error_description: 'Why not', code: undefined }, SignInError, /\(odd\)\. It reported: Why not/],
    ['a wrong issuer', { iss: 'https://evil.example' }, SignInError, /did not come from/],
  ])('is reported in the browser and the terminal after %s', async (_name, redirect, type, message) => {
    fake.redirect = redirect;
    const it = scenario();
    const refused = it.run();
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(type);
    expect((await it.visits[0])?.body).toContain('The sign-in failed');
    expect(fake.requests.some((one) => one.path === '/oauth/token')).toBe(false);
    expect(it.stored).toEqual([]);
  });

  it('fails when the answer lacks the issuer that the metadata promised', async () => {
    fake.metadata['authorization_response_iss_parameter_supported'] = true;
    await expect(scenario().run()).rejects.toThrow(/did not come from/);
    fake.redirect = { iss: fake.origin };
    await expect(scenario().run()).resolves.toBeDefined();
  });

  it.each([
    ['invalid_grant (rule 14.34)', { status: 400, body: { error: 'invalid_grant' } }, SignInError, /no longer accepts the code/],
    ['403', { status: 403 }, ForbiddenError, /refused to issue tokens/],
    ['404', { status: 404 }, NotFoundError, /offers no sign-in/],
    ['429 with a long Retry-After', { status: 429, headers: { 'retry-after': '600' } }, RateLimitError, /too many requests/],
    ['500', { status: 500 }, UnavailableError, /failed to issue tokens/],
    ['HTML', { body: '<html>at-secret-1' }, UnavailableError, /a web page/],
    [
      'an answer without an access token',
      { body: { token_type: 'Bearer', refresh_token: 'rt-secret-1' } },
      UnavailableError,
      /cannot read/,
    ],
    [
      'another token type',
      { body: { token_type: 'DPoP', access_token: 'at-secret-1', refresh_token: 'r' } },
      UnavailableError,
      /cannot read/,
    ],
    [
      'an answer without a refresh token (rule 13.38)',
      { body: { token_type: 'Bearer', access_token: 'at-secret-1' } },
      SignInError,
      /no refresh token/,
    ],
    ['a redirect', { status: 307, headers: { location: 'https://evil.example/' } }, SignInError, /redirected svc to evil\.example/],
    ['10 MB', { body: 'at-secret-1'.repeat(1_000_000) }, NetworkError, /sent an answer that is too large/],
    [
      'a truncated answer',
      { break: 'half', body: '{"access_token":"at-secret-1"}', headers: { 'content-length': '30' } },
      NetworkError,
      /./,
    ],
    ['no answer', { break: 'hang' }, NetworkError, /did not answer within 0\.3 seconds/],
  ] satisfies [string, Lie, unknown, RegExp][])('reports the failure when the exchange returns %s', async (_name, lie, type, message) => {
    fake.lie('token', lie);
    const it = scenario('break' in lie && lie.break === 'hang' ? { requestTimeoutMs: 300 } : {});
    const error = await it.run().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(type);
    expect(String(error)).toMatch(message);
    expect(JSON.stringify([error, error instanceof Error && String(error.cause)])).not.toContain('secret');
    expect((await it.visits[0])?.body).toContain('The sign-in failed');
    expect(it.stored).toEqual([]);
  });
});
