import { OAuth2Client } from '@badgateway/oauth2-client';
import { expect, test } from 'vitest';
import { brought, decide, REDIRECT, register, VERIFIER } from './oauth-flow.ts';
import { sandbox, send } from './support.ts';

test('an independent public client signs in, refreshes and revokes (rules 13.36 to 13.45 and 13.47)', async () => {
  const service = await sandbox();
  const { body } = await register(service);
  const client = new OAuth2Client({ server: service.origin, clientId: body.client_id });
  const address = await client.authorizationCode.getAuthorizeUri({
    redirectUri: REDIRECT,
    scope: ['api:read', 'api:write'],
    state: 'the state',
    codeVerifier: VERIFIER,
  });
  const { code = '', state } = brought(await decide(await fetch(address), 'approve'));
  expect(state).toBe('the state');

  const first = await client.authorizationCode.getToken({ code, redirectUri: REDIRECT, codeVerifier: VERIFIER });
  expect((first.expiresAt ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
  expect((await send(service, '/me', { token: first.accessToken })).status).toBe(200);

  const second = await client.refreshToken(first);
  expect(second.refreshToken).not.toBe(first.refreshToken);
  expect(second.accessToken).not.toBe(first.accessToken);
  await expect(client.refreshToken(first)).rejects.toThrow('invalid_grant');

  await client.revoke(second, 'refresh_token');
  expect((await send(service, '/me', { token: second.accessToken })).status).toBe(401);
  expect(service.events).toMatchObject({ registrations: 1, signIns: 1, refreshes: 1, revocations: 1 });
});
