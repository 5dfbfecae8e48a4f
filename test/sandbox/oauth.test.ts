import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { authorize, brought, decide, exchange, REDIRECT, refresh, register, revoke, signIn } from './oauth-flow.ts';
import { problem, sandbox, send } from './support.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

test('an independent client library signs in, refreshes and revokes (rules 13.1, 13.7, 13.16, 13.18)', async () => {
  const service = await sandbox({ approve: true });
  const options = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(service.origin);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }));
  const registration = await oauth.dynamicClientRegistrationRequest(server, { client_name: 'Library', redirect_uris: [REDIRECT] }, options);
  const client = await oauth.processDynamicClientRegistrationResponse(registration);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const back = await authorize(service, client.client_id, { state, code_challenge });
  const parameters = oauth.validateAuthResponse(server, client, new URL(back.headers.get('location') ?? ''), state);
  const exchanged = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, REDIRECT, verifier, options);
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
  expect(tokens.expires_in).toBe(3600);
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? '', options),
  );
  expect((await send(service, '/me', { token: refreshed.access_token })).status).toBe(200);
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, oauth.None(), refreshed.access_token, options));
  expect((await send(service, '/me', { token: refreshed.access_token })).status).toBe(401);
  expect(service.events).toEqual({ registrations: 1, signIns: 1, refreshes: 1, revocations: 1, consents: 1 });
});

describe('the registration of an app', () => {
  test('returns a client without a secret, with the scope mcp:use (rules 13.19 to 13.25)', async () => {
    const service = await sandbox();
    const { status, body } = await register(service, [REDIRECT, 'http://[::1]:1/callback', 'http://localhost:1/callback']);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      scope: 'mcp:use',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [REDIRECT, 'http://[::1]:1/callback', 'http://localhost:1/callback'],
      client_id: expect.stringMatching(/./),
    });
    expect(body).not.toHaveProperty('client_secret');
  });

  test.each([
    ['https://example.com/callback'],
    ['app:/callback'],
    ['http://127.0.0.1.example.com/'],
    ['http://user@127.0.0.1/'],
    ['http://127.0.0.1/#fragment'],
    ['http://192.168.1.1:1/'],
    [7],
  ])('refuses the redirect address %s (rules 13.4, 13.26, 13.57, 13.58, 14.33)', async (address) => {
    const service = await sandbox();
    expect(await register(service, [address])).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
  });

  test('is deleted at midnight when unused and older than a day (rules 13.72, 13.73)', async () => {
    const service = await sandbox();
    const unused: string = (await register(service)).body.client_id;
    const used = await signIn(service);
    service.advance(13 * HOUR);
    expect((await authorize(service, unused)).status).toBe(200);
    service.advance(DAY);
    expect((await authorize(service, unused)).status).toBe(401);
    const again = await refresh(service, used.clientId, used.refresh);
    expect(again.status).toBe(200);
    service.advance(32 * DAY);
    expect((await refresh(service, used.clientId, again.body.refresh_token)).body.error).toBe('invalid_client');
  });
});

describe('the consent page', () => {
  test('names the app, the scopes and the redirect address, and escapes the text of the app (rules 13.17, 13.30)', async () => {
    const service = await sandbox();
    const { body } = await register(service);
    const page = await authorize(service, body.client_id, { scope: 'api:read:projects api:write:times' });
    const html = await page.text();
    expect(html).toContain('A &lt;test&gt; app');
    expect(html).toContain('Read projects');
    expect(html).toContain('Read, add and change times');
    expect(html).toContain('127.0.0.1:1');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:1;");
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('returns code and state after Approve, and access_denied after Cancel (rules 13.60 to 13.62, 14.35)', async () => {
    const service = await sandbox();
    const { body } = await register(service);
    const cancelled = await decide(await authorize(service, body.client_id), 'cancel');
    expect(brought(cancelled)).toMatchObject({ error: 'access_denied', state: 'the state' });
    const approved = await decide(await authorize(service, body.client_id), 'approve');
    expect(approved.status).toBe(303);
    expect(Object.keys(brought(approved)).sort()).toEqual(['code', 'state']);
  });

  test('refuses an answer from another site, and a second answer', async () => {
    const service = await sandbox();
    const { body } = await register(service);
    const page = await authorize(service, body.client_id);
    expect((await decide(page.clone(), 'approve', '1', { origin: 'http://evil.example' })).status).toBe(403);
    expect((await decide(page.clone(), 'approve')).status).toBe(303);
    expect((await decide(page, 'approve')).status).toBe(400);
  });

  test('is skipped for a person who approved the same scopes and has a valid access token (rule 13.63)', async () => {
    const service = await sandbox();
    const { clientId } = await signIn(service);
    expect((await authorize(service, clientId)).status).toBe(302);
    expect((await authorize(service, clientId, { scope: 'api:read' })).status).toBe(200);
    expect((await authorize(service, clientId, {}, 'sandbox_person=2')).status).toBe(200);
    service.advance(HOUR);
    expect((await authorize(service, clientId)).status).toBe(200);
  });

  test('refuses a role without Manage API tokens, a support session, and disabled MCP (rules 13.5, 13.50, 13.64 to 13.66)', async () => {
    const service = await sandbox();
    const { body } = await register(service);
    expect((await decide(await authorize(service, body.client_id), 'approve', '3')).status).toBe(403);
    service.switchMcp(false);
    expect((await authorize(service, body.client_id, { scope: undefined })).status).toBe(404);
    service.setSupportSession(true);
    expect((await authorize(service, body.client_id)).status).toBe(403);
  });
});

describe('an authorization request', () => {
  test.each([
    ['http://127.0.0.1:65000/callback', 200],
    ['http://[::1]:65000/callback', 200],
    ['http://127.0.0.1:65000/other', 401],
    ['http://localhost:1/callback', 200],
    ['http://localhost:2/callback', 401],
    ['http://127.0.0.1:1/callback?more=1', 401],
  ])('for the redirect address %s gets %i (rules 13.29, 13.54 to 13.56, 13.59)', async (redirect_uri, status) => {
    const service = await sandbox();
    const { body } = await register(service, [REDIRECT, 'http://[::1]:1/callback', 'http://localhost:1/callback']);
    const page = await authorize(service, body.client_id, { redirect_uri });
    expect(page.status).toBe(status);
    if (status === 401) expect(await page.text()).toContain('invalid_client');
  });

  test.each([
    [{ scope: 'api:destroy' }, 'invalid_scope'],
    [{ scope: 'api:read api:destroy:projects' }, 'invalid_scope'],
    [{ scope: 'api:read:nosuch' }, 'invalid_scope'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
  ])('is refused with %j, by redirect or on a page (rules 13.28, 13.33, 13.34, 13.52, 17.9)', async (parameters, error) => {
    const service = await sandbox();
    const { body } = await register(service);
    expect(brought(await authorize(service, body.client_id, parameters))).toMatchObject({ error, state: 'the state' });
    service.interpretations.authorizeErrors = 'page';
    const page = await authorize(service, body.client_id, parameters);
    expect([page.status, (await page.text()).includes(error)]).toEqual([400, true]);
  });

  test('without a scope leads to a token for assistants, which the API refuses (rules 13.48, 13.49)', async () => {
    const service = await sandbox();
    const { body } = await register(service);
    const approved = await decide(await authorize(service, body.client_id, { scope: undefined }), 'approve');
    const tokens = await exchange(service, body.client_id, brought(approved)['code'] ?? '');
    const refused = await send(service, '/me', { token: tokens.body.access_token });
    expect(problem(refused)).toEqual({ status: 403, type: 'insufficient-token-scope' });
  });

  test('gets iss in the redirect if the option issParameter is set, and the metadata announces iss', async () => {
    const service = await sandbox({ approve: true, interpretations: { issParameter: true } });
    const { body } = await register(service);
    expect(brought(await authorize(service, body.client_id))).toMatchObject({ iss: service.origin });
    const metadata = await (await fetch(`${service.origin}/.well-known/oauth-authorization-server`)).json();
    expect(metadata).toMatchObject({ issuer: service.origin, authorization_response_iss_parameter_supported: true });
  });
});

describe('tokens of a sign-in', () => {
  async function code(service: Awaited<ReturnType<typeof sandbox>>): Promise<{ clientId: string; code: string }> {
    const { body } = await register(service);
    return { clientId: body.client_id, code: brought(await authorize(service, body.client_id))['code'] ?? '' };
  }

  test.each([
    [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    [{ code_verifier: 'short' }, 'invalid_request'],
    [{ code_verifier: 'x'.repeat(129) }, 'invalid_request'],
    [{ redirect_uri: 'http://127.0.0.1:2/callback' }, 'invalid_grant'],
    [{ client_id: 'nosuch' }, 'invalid_client'],
    [{ code: 'nosuch' }, 'invalid_grant'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ])('are refused to a request with %j: %s (rules 13.32, 13.37, 16.9)', async (form, error) => {
    const service = await sandbox({ approve: true });
    const given = await code(service);
    expect((await exchange(service, given.clientId, given.code, form)).body.error).toBe(error);
  });

  test('end after a second use of their code, and a code expires after a minute', async () => {
    const service = await sandbox({ approve: true });
    const given = await code(service);
    const { body } = await exchange(service, given.clientId, given.code);
    expect((await exchange(service, given.clientId, given.code)).body.error).toBe('invalid_grant');
    expect((await send(service, '/me', { token: body.access_token })).status).toBe(401);
    const late = await code(service);
    service.advance(60_000);
    expect((await exchange(service, late.clientId, late.code)).body.error).toBe('invalid_grant');
  });

  test('require a form as the request body', async () => {
    const service = await sandbox();
    const response = await fetch(`${service.origin}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('are valid for an hour, and refresh tokens are valid once within 30 days (rules 13.43, 13.67 to 13.69, 16.7, 16.8)', async () => {
    const service = await sandbox();
    const first = await signIn(service);
    service.advance(HOUR);
    expect((await send(service, '/me', { token: first.access })).status).toBe(401);
    const second = await refresh(service, first.clientId, first.refresh);
    expect((await send(service, '/me', { token: second.body.access_token })).status).toBe(200);
    expect((await refresh(service, first.clientId, first.refresh)).body.error).toBe('invalid_grant');
    service.advance(30 * DAY - 1);
    const third = await refresh(service, first.clientId, second.body.refresh_token);
    expect(third.status).toBe(200);
    service.advance(30 * DAY);
    expect((await refresh(service, first.clientId, third.body.refresh_token)).status).toBeGreaterThanOrEqual(400);
  });

  test('end at a refresh with refreshEndsAccessToken, and at a reuse with refreshReuseDisconnects', async () => {
    const service = await sandbox({ interpretations: { refreshEndsAccessToken: true, refreshReuseDisconnects: true } });
    const first = await signIn(service);
    const second = await refresh(service, first.clientId, first.refresh);
    expect((await send(service, '/me', { token: first.access })).status).toBe(401);
    await refresh(service, first.clientId, first.refresh);
    expect((await send(service, '/me', { token: second.body.access_token })).status).toBe(401);
  });

  test('end for the person after the revocation of one token, or a disconnect of the app (rules 13.46, 13.47)', async () => {
    const service = await sandbox();
    const one = await signIn(service);
    const other = await signIn(service, '2');
    expect(service.apps.map(({ userId, host }) => [userId, host])).toEqual([
      [1, '127.0.0.1:1'],
      [2, '127.0.0.1:1'],
    ]);
    expect(await revoke(service, 'unknown', one.clientId)).toBe(200);
    expect(await revoke(service, one.access, one.clientId)).toBe(200);
    expect((await refresh(service, one.clientId, one.refresh)).body.error).toBe('invalid_grant');
    expect((await send(service, '/me', { token: other.access })).status).toBe(200);
    service.disconnect(other.clientId, 2);
    expect((await send(service, '/me', { token: other.access })).status).toBe(401);
  });

  test('get 403 at once when the person loses the permission Manage API tokens (rules 12.26, 13.6)', async () => {
    const service = await sandbox();
    const { access } = await signIn(service, '2');
    expect((await send(service, '/me', { token: access })).body.data.id).toBe(2);
    service.setRole(2, 'employee');
    expect(problem(await send(service, '/me', { token: access }))).toEqual({ status: 403, type: 'insufficient-permission' });
  });

  test('share one rate limit for the app and person, even after a refresh (rule 15.14)', async () => {
    const service = await sandbox();
    const first = await signIn(service);
    const before = await send(service, '/me', { token: first.access });
    const { body } = await refresh(service, first.clientId, first.refresh);
    const after = await send(service, '/me', { token: body.access_token });
    expect([before, after].map(({ headers }) => headers.get('ratelimit'))).toEqual([
      'limit=600, remaining=599, reset=60',
      'limit=600, remaining=598, reset=60',
    ]);
  });

  test('cannot send file contents, unlike a personal access token (rule 13.75)', async () => {
    const service = await sandbox();
    const { access } = await signIn(service);
    const ticket = await send(service, '/work-items/ABC-12/uploads', { method: 'POST', token: access, body: { file_name: 'a.txt' } });
    const path = ticket.body.data.upload_url.slice(service.baseUrl.length);
    const upload = { method: 'POST', body: 'contents', headers: { 'content-type': 'text/plain' } };
    expect(problem(await send(service, path, { ...upload, token: access }))).toEqual({ status: 401, type: 'unauthenticated' });
    expect((await send(service, path, upload)).body.data).toMatchObject({ file_name: 'a.txt', size: 8, work_item_id: 12 });
    expect((await send(service, path, upload)).status).toBe(404);
  });

  test('are refused after the sandbox expires access tokens or deletes registrations', async () => {
    const service = await sandbox();
    const { clientId, access, refresh: refreshToken } = await signIn(service);
    service.expireAccessTokens();
    expect((await send(service, '/me', { token: access })).status).toBe(401);
    const renewed = await refresh(service, clientId, refreshToken);
    expect(renewed.status).toBe(200);
    service.deleteRegistrations();
    expect(await refresh(service, clientId, renewed.body.refresh_token)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });
});
