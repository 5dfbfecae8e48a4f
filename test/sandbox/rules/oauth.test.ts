import { describe, expect, test } from 'vitest';
import { authorize, brought, exchange, refresh, register, signIn } from '../oauth-flow.ts';
import { problem, sandbox, send } from '../support.ts';

// Chapter 13 of docs/service-rules.md, beside what test/sandbox/oauth.test.ts holds.

const DAY = 24 * 60 * 60 * 1000;

describe('OAuth metadata', () => {
  test('has the endpoints at the root, the method S256, and the scopes (rules 13.8 to 13.13, 13.51, 13.52)', async () => {
    const service = await sandbox();
    const metadata = (await (await fetch(`${service.origin}/.well-known/oauth-authorization-server`)).json()) as {
      scopes_supported: string[];
    };
    expect(metadata).toMatchObject({
      authorization_endpoint: `${service.origin}/oauth/authorize`,
      token_endpoint: `${service.origin}/oauth/token`,
      registration_endpoint: `${service.origin}/oauth/register`,
      revocation_endpoint: `${service.origin}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
    });
    expect(metadata.scopes_supported).toEqual(
      expect.arrayContaining(['api:read', 'api:write', 'api:read:projects', 'api:write:times', 'mcp:use']),
    );
    expect(metadata.scopes_supported.filter((scope) => scope.includes('destroy'))).toEqual([]);
  });

  test('describes the API with the scopes that apply there (rule 13.15)', async () => {
    const service = await sandbox();
    const described = await (await fetch(`${service.origin}/.well-known/oauth-protected-resource/api/v2`)).json();
    expect(described).toMatchObject({
      resource: service.baseUrl,
      scopes_supported: expect.arrayContaining(['api:read', 'api:read:projects']),
    });
    expect(JSON.stringify(described)).not.toContain('mcp:use');
  });
});

test('the token endpoint refuses a browser app of another origin (rule 13.3)', async () => {
  const service = await sandbox();
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const preflight = await fetch(`${service.origin}/oauth/token`, { method: 'OPTIONS', headers });
  const sent = await fetch(`${service.origin}/oauth/token`, { method: 'POST', headers, body: new URLSearchParams({ grant_type: 'x' }) });
  for (const answer of [preflight, sent]) expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect([preflight.status, sent.status]).toEqual([403, 403]);
});

test('the authorization endpoint returns state unchanged (rule 13.31)', async () => {
  const service = await sandbox({ approve: true });
  const { body } = await register(service);
  const state = 'a&b=c d+e%20f/ü"<>';
  expect(brought(await authorize(service, body.client_id, { state }))['state']).toBe(state);
});

describe('scopes', () => {
  test('allow only the named resources when narrowed (rule 13.51)', async () => {
    const service = await sandbox();
    const { access } = await signIn(service, '1', 'api:read:projects api:write:times');
    const status = async (path: string, body?: object) =>
      (await send(service, path, { token: access, ...(body && { method: 'POST', body }) })).status;
    expect([await status('/projects'), await status('/worklogs'), await status('/users')]).toEqual([200, 200, 403]);
    expect([await status('/worklogs', { minutes: 5, date: '2026-06-15' }), await status('/projects', { name: 'x' })]).toEqual([201, 403]);
  });

  test('allow no delete, unlike a personal access token with Delete (rule 13.53)', async () => {
    const service = await sandbox();
    const { access } = await signIn(service, '1', 'api:read api:write');
    for (const path of ['/worklogs/1', '/labels/1', '/projects/1']) {
      const refused = await send(service, path, { method: 'DELETE', token: access });
      expect(problem(refused)).toEqual({ status: 403, type: 'insufficient-token-scope' });
      expect((await send(service, path, { method: 'DELETE' })).status).toBe(204);
    }
  });

  test('let an assistant call the API until a disconnect, with an api: scope (rules 13.77, 13.80)', async () => {
    const service = await sandbox();
    const { access, clientId, refresh: refreshToken } = await signIn(service, '1', 'mcp:use api:read');
    expect((await send(service, '/me', { token: access })).status).toBe(200);
    expect(service.apps).toMatchObject([{ scopes: ['mcp:use', 'api:read'] }]);
    service.disconnect(clientId, 1);
    expect(service.apps).toEqual([]);
    expect((await send(service, '/me', { token: access })).status).toBe(401);
    expect((await refresh(service, clientId, refreshToken)).body.error).toBe('invalid_grant');
  });
});

describe('the lifetime', () => {
  test('of a refresh token ends with invalid_grant after 30 days without a refresh (rule 13.70)', async () => {
    const service = await sandbox();
    const { clientId, refresh: token } = await signIn(service);
    service.advance(30 * DAY);
    expect(await refresh(service, clientId, token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('of the registration of a disconnected app ends within two days (rules 13.72, 13.73)', async () => {
    const service = await sandbox();
    const { clientId } = await signIn(service);
    service.disconnect(clientId, 1);
    expect((await authorize(service, clientId)).status).toBe(200);
    service.advance(2 * DAY);
    expect((await authorize(service, clientId)).status).toBe(401);
  });
});

test('OAuth errors have the codes invalid_client, invalid_grant and invalid_scope (rule 14.34)', async () => {
  const service = await sandbox({ approve: true });
  const { body } = await register(service);
  expect((await exchange(service, 'nosuch', 'x')).body.error).toBe('invalid_client');
  expect((await exchange(service, body.client_id, 'x')).body.error).toBe('invalid_grant');
  expect(brought(await authorize(service, body.client_id, { scope: 'api:destroy' }))['error']).toBe('invalid_scope');
});
