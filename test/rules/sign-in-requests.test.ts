import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type LoggedRequest, type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type FakeAuthorizationServer, startFakeAuthorizationServer } from '../support/fake-as.ts';
import { createMachine, type Machine, type Result } from '../support/svc.ts';
import { visit } from '../support/visit.ts';

// What svc sends in the life of a sign-in: chapter 13 of docs/service-rules.md.

describe('svc from login to logout', () => {
  let sandbox: Sandbox;
  let sent: LoggedRequest[];
  const opened: string[] = [];
  let registered: Record<string, unknown>;
  const at = (path: string) => sent.filter((request) => request.path.split('?')[0] === path);
  const form = (path: string, index = 0) => Object.fromEntries(new URLSearchParams(at(path)[index]?.body));
  const asked = () => Object.fromEntries(new URL(opened[0] ?? '').searchParams);

  beforeAll(async () => {
    sandbox = await startSandbox({ approve: true });
    const machine = await createMachine();
    const browser = async (url: string) => {
      opened.push(url);
      await visit(url);
    };
    for (const argv of [['login', new URL(sandbox.origin).host], ['auth', 'refresh'], ['logout']]) {
      expect(await machine.svc(argv, { browser })).toMatchObject({ code: 0 });
    }
    await machine.remove();
    sent = [...sandbox.requests];
    const body = at('/oauth/register')[0]?.body ?? '';
    const again = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    registered = (await (await fetch(`${sandbox.origin}/oauth/register`, again)).json()) as typeof registered;
  });
  afterAll(() => sandbox.close());

  test('requests the metadata once, first, at the root of the host (rules 13.1, 13.7)', () => {
    expect(sent.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'POST /oauth/register',
      'GET /oauth/authorize',
      'POST /oauth/token',
      'GET /api/v2/me',
      'POST /oauth/token',
      'POST /oauth/revoke',
    ]);
  });

  test('registers in JSON, with a name and the redirect addresses (rules 13.16 to 13.18, 18.10)', () => {
    expect(at('/oauth/register')[0]?.headers['content-type']).toMatch(/^application\/json\b/);
    const { port } = new URL(asked()['redirect_uri'] ?? '');
    expect(JSON.parse(at('/oauth/register')[0]?.body ?? '')).toEqual({
      client_name: 'svc',
      redirect_uris: [`http://127.0.0.1:${port}/callback`, `http://[::1]:${port}/callback`],
    });
  });

  test('sends only the browser to the authorization endpoint (rules 13.27 to 13.30, 13.33, 13.34)', () => {
    expect(opened).toHaveLength(1);
    expect(at('/oauth/authorize').map(({ path }) => path)).toEqual([opened[0]?.slice(sandbox.origin.length)]);
    // A browser's request, not svc's.
    expect(at('/oauth/authorize')[0]?.headers['user-agent']).not.toBe(at('/oauth/token')[0]?.headers['user-agent']);
    expect(asked()).toEqual({
      response_type: 'code',
      client_id: form('/oauth/token')['client_id'],
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      scope: 'api:read api:write',
      state: expect.stringMatching(/./),
      code_challenge: expect.stringMatching(/./),
      code_challenge_method: 'S256',
    });
  });

  test('sends the challenge of the verifier, in base64url without padding (rule 13.32)', () => {
    const verifier = form('/oauth/token')['code_verifier'] ?? '';
    expect(asked()['code_challenge']).toBe(createHash('sha256').update(verifier).digest('base64url'));
  });

  test('exchanges the code in a form, with the same redirect address as in the browser (rules 13.36, 13.37)', () => {
    expect(form('/oauth/token')).toEqual({
      grant_type: 'authorization_code',
      client_id: asked()['client_id'],
      redirect_uri: asked()['redirect_uri'],
      code_verifier: expect.stringMatching(/./),
      code: expect.stringMatching(/./),
    });
  });

  test('sends a form with a refresh token at the refresh (rules 13.40, 13.41)', () => {
    expect(form('/oauth/token', 1)).toEqual({
      grant_type: 'refresh_token',
      client_id: asked()['client_id'],
      refresh_token: expect.stringMatching(/./),
    });
  });

  test('revokes a refresh token at the logout, but not the used token (rules 13.42 to 13.45)', () => {
    expect(form('/oauth/revoke')).toEqual({
      token: expect.stringMatching(/./),
      token_type_hint: 'refresh_token',
      client_id: asked()['client_id'],
    });
    expect(form('/oauth/revoke')['token']).not.toBe(form('/oauth/token', 1)['refresh_token']);
  });

  test('sends each token or code in a form without a client secret (rules 13.25, 13.36, 13.40, 13.44)', () => {
    const posts = [...at('/oauth/token'), ...at('/oauth/revoke')];
    expect(posts).toHaveLength(3);
    for (const { headers, body } of posts) {
      expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded\b/);
      expect(headers).not.toHaveProperty('authorization');
      expect([...new URLSearchParams(body).keys()]).not.toContain('client_secret');
    }
  });

  test('does not use the scope that the registration returns (rules 13.24, 13.48, 13.49)', () => {
    expect(registered['scope']).toBe('mcp:use');
    // Not only “mcp”, which a random token can contain.
    expect(JSON.stringify([opened, sent.map(({ body }) => body)])).not.toMatch(/mcp(?::|%3A)/i);
  });
});

describe('metadata and answers of another server', () => {
  let fake: FakeAuthorizationServer;
  let machine: Machine;
  beforeAll(async () => {
    fake = await startFakeAuthorizationServer();
    machine = await createMachine();
  });
  afterEach(() => {
    fake.tokens = {};
    fake.requests.length = 0;
  });
  afterAll(async () => {
    await fake.close();
    await machine.remove();
  });
  const login = (): Promise<Result> => machine.svc(['login', new URL(fake.origin).host]);

  test('name each endpoint that svc uses (rules 13.8 to 13.11)', async () => {
    const names = ['authorization', 'registration', 'token', 'revocation'] as const;
    for (const name of names) fake.metadata[`${name}_endpoint`] = `${String(fake.metadata[`${name}_endpoint`])}?named=${name}`;
    expect(await login()).toMatchObject({ code: 0 });
    expect(await machine.svc(['logout'])).toMatchObject({ code: 0 });
    expect(fake.requests.map(({ path }) => /^(.*)\?named=(\w+)/.exec(path)?.slice(1)).filter(Boolean)).toEqual([
      ['/oauth/register', 'registration'],
      ['/oauth/authorize', 'authorization'],
      ['/oauth/token', 'token'],
      ['/oauth/revoke', 'revocation'],
    ]);
  });

  test('need only a client_id in a registration (rules 13.19, 13.20)', async () => {
    fake.lie('register', { status: 201, body: { client_id: 'bare' } });
    fake.clients.add('bare');
    const fresh = await createMachine();
    expect(await fresh.svc(['login', new URL(fake.origin).host])).toMatchObject({ code: 0 });
    await fresh.remove();
    const exchange = fake.requests.find(({ path }) => path.startsWith('/oauth/token'));
    expect(new URLSearchParams(exchange?.body).get('client_id')).toBe('bare');
  });

  test.each([
    ['another kind of token', { token_type: 'DPoP' }],
    ['no access token', { access_token: undefined }],
    ['no refresh token', { refresh_token: undefined }],
  ])('give no sign-in when the exchange returns %s (rule 13.38)', async (_, answer) => {
    fake.tokens = answer;
    expect((await login()).code).not.toBe(0);
    expect((await machine.svc(['auth', 'status'])).code).toBe(4);
  });

  test('set the lifetime of a token at the exchange (rules 13.38, 13.39)', async () => {
    for (const seconds of [3600, 600]) {
      fake.tokens = { expires_in: seconds };
      const now = Date.UTC(2027, 0, 15, 12);
      expect(await machine.svc(['login', new URL(fake.origin).host], { now })).toMatchObject({ code: 0 });
      const { stdout } = await machine.svc(['auth', 'status', '--jq', '.[0].access_token_expires'], { now });
      expect(Date.parse(stdout.trim())).toBe(now + seconds * 1000);
    }
  });
});
