import { AuthorizationCode } from 'simple-oauth2';
import { expect, test } from 'vitest';
import { brought, CHALLENGE, decide, REDIRECT, register, VERIFIER } from './oauth-flow.ts';
import { sandbox, send } from './support.ts';

test('an independent public client signs in, refreshes and revokes (rules 13.36 to 13.45 and 13.47)', async () => {
  const service = await sandbox();
  const { body } = await register(service);
  const client = new AuthorizationCode({
    // A public client has no secret; the library wants a text, and sends it empty.
    client: { id: body.client_id, secret: '' },
    auth: { tokenHost: service.origin },
    options: { authorizationMethod: 'body' },
  });
  const address = client.authorizeURL({
    redirect_uri: REDIRECT,
    scope: 'api:read api:write',
    state: 'the state',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  });
  const { code = '', state } = brought(await decide(await fetch(address), 'approve'));
  expect(state).toBe('the state');

  const first = await client.getToken({ code, redirect_uri: REDIRECT, code_verifier: VERIFIER });
  expect(first.token).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  expect((await send(service, '/me', { token: first.token.access_token })).status).toBe(200);

  const second = await first.refresh();
  expect(second.token.refresh_token).not.toBe(first.token.refresh_token);
  expect(second.token.access_token).not.toBe(first.token.access_token);
  await expect(first.refresh()).rejects.toThrow('400');

  await second.revoke('refresh_token');
  expect((await send(service, '/me', { token: second.token.access_token })).status).toBe(401);
  expect(service.events).toMatchObject({ registrations: 1, signIns: 1, refreshes: 1, revocations: 1 });
});
