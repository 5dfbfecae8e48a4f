import { createHash } from 'node:crypto';
import type { World } from '../world.ts';
import type { Client, TokenPair } from './apps.ts';
import { OAuthError, required } from './form.ts';

/** A token answer of RFC 6749 §5.1. */
export interface TokenAnswer extends TokenPair {
  readonly token_type: 'Bearer';
}

/** @throws OAuthError as RFC 6749 §5.2 names them. */
export function answerTokenRequest(world: World, form: ReadonlyMap<string, string>): TokenAnswer {
  const grantType = required(form, 'grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.');
  }
  const client = world.apps.clients.get(required(form, 'client_id'));
  if (client === undefined) throw new OAuthError('invalid_client', 'There is no app with this client_id here. Register again.', 401);
  const pair = grantType === 'authorization_code' ? redeemCode(world, client, form) : redeemRefreshToken(world, client, form);
  return { token_type: 'Bearer', ...pair };
}

function redeemCode(world: World, client: Client, form: ReadonlyMap<string, string>): TokenPair {
  const code = required(form, 'code');
  const redirectUri = required(form, 'redirect_uri');
  const verifier = required(form, 'code_verifier');
  const now = world.clock.now();
  const approval = world.apps.takeCode(code, now);
  if (approval === undefined) throw new OAuthError('invalid_grant', 'The code is unknown, used or too old.');
  if (approval.client.id !== client.id) throw new OAuthError('invalid_grant', 'The code was given to another app.');
  if (approval.redirectUri !== redirectUri) throw new OAuthError('invalid_grant', 'redirect_uri is not the one of the sign-in.');
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) throw new OAuthError('invalid_request', 'code_verifier has 43 to 128 characters.');
  if (createHash('sha256').update(verifier).digest('base64url') !== approval.challenge) {
    throw new OAuthError('invalid_grant', 'code_verifier does not fit the code_challenge.');
  }
  world.events.signIns += 1;
  return world.apps.connect(approval, code, now);
}

function redeemRefreshToken(world: World, client: Client, form: ReadonlyMap<string, string>): TokenPair {
  const value = required(form, 'refresh_token');
  const now = world.clock.now();
  const connection = world.apps.byRefreshToken(value, now);
  if (connection === undefined || connection.client.id !== client.id) {
    const spent = world.apps.bySpentRefreshToken(value);
    if (spent !== undefined && world.knobs.refreshReuseDisconnects) world.apps.disconnect(spent.client.id, spent.userId);
    throw new OAuthError('invalid_grant', 'The refresh token is unknown, used or was idle for 30 days.');
  }
  world.events.refreshes += 1;
  return world.apps.refresh(connection, world.knobs.refreshEndsAccessToken, now);
}

/** Ends the connection that a token belongs to; an unknown token is no error (RFC 7009 §2.2). */
export function revoke(world: World, form: ReadonlyMap<string, string>): void {
  const connection = world.apps.byAnyToken(required(form, 'token'));
  const clientId = form.get('client_id');
  if (connection === undefined || (clientId !== undefined && connection.client.id !== clientId)) return;
  world.events.revocations += 1;
  world.apps.disconnect(connection.client.id, connection.userId);
}
