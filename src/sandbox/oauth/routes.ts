import { createHash } from 'node:crypto';
import { Hono } from 'hono/quick';
import { asProblem } from '../api/pipeline.ts';
import { addressOf, answerPage, type SandboxContext, type SandboxEnv } from '../http/context.ts';
import { personOf, rememberPerson } from '../http/cookies.ts';
import { problemAnswer } from '../http/middleware.ts';
import { type Json, parseObject } from '../json.ts';
import { endpointNotFound, Problem } from '../problem.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Client, TokenPair } from './apps.ts';
import { beginSignIn, consentPage, finishSignIn, type PendingConsents, peopleToChoose, refusalPage, type Step } from './authorize.ts';
import { hasPort, isAcceptable, OAuthError, parseForm, required, scopesOf } from './parameters.ts';

/** Returns the metadata of the authorization server (RFC 8414). The option `issuer` can reduce the document to its documented members. */
function authorizationServerMetadata({ origin, interpretations, service }: SandboxState): { [key: string]: Json } {
  const documented = {
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    code_challenge_methods_supported: ['S256'],
    scopes_supported: scopesOf(service),
    ...(interpretations.issParameter ? { authorization_response_iss_parameter_supported: true } : {}),
  };
  if (!interpretations.issuer) return documented;
  return {
    issuer: origin,
    ...documented,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
  };
}

function protectedResourceMetadata({ origin, service }: SandboxState): { [key: string]: Json } {
  return {
    resource: `${origin}/api/v2`,
    authorization_servers: [origin],
    scopes_supported: scopesOf(service).filter((scope) => scope.startsWith('api:')),
    bearer_methods_supported: ['header'],
  };
}

/** Registers an app, and returns the answer. @throws OAuthError `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 §3.2.2). */
function answerRegistration(sandboxState: SandboxState, contentType: string | undefined, body: string): { [key: string]: Json } {
  const document = parse(contentType, body);
  const name = document['client_name'] ?? (sandboxState.interpretations.clientName === 'optional' ? 'An app without a name' : '');
  const uris = document['redirect_uris'];
  if (typeof name !== 'string' || name.trim() === '' || name.length > 255) {
    throw new OAuthError('invalid_client_metadata', 'client_name must be a text of at most 255 characters.');
  }
  if (!Array.isArray(uris) || uris.length === 0)
    throw new OAuthError('invalid_redirect_uri', 'redirect_uris must name at least one address.');
  const needsPort = sandboxState.interpretations.redirectPort === 'required';
  const accepted = uris.flatMap((uri: Json) => (typeof uri === 'string' && isAcceptable(uri) && (hasPort(uri) || !needsPort) ? [uri] : []));
  if (accepted.length < uris.length) {
    throw new OAuthError('invalid_redirect_uri', 'Only http://127.0.0.1, http://[::1] and http://localhost addresses are accepted.');
  }
  const client = sandboxState.apps.register(name, accepted, sandboxState.clock.now());
  sandboxState.events.registrations += 1;
  return registrationOf(client);
}

function registrationOf(client: Client): { [key: string]: Json } {
  return {
    client_id: client.id,
    client_name: client.name,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: client.redirectUris,
    // The answer always contains this scope, whichever scopes the app requests later (rule 13.24).
    scope: 'mcp:use',
    token_endpoint_auth_method: 'none',
  };
}

function parse(contentType: string | undefined, body: string): { [key: string]: Json } {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new OAuthError('invalid_client_metadata', 'Send the registration as application/json.');
  }
  const value = parseObject(body);
  if (value === undefined) throw new OAuthError('invalid_client_metadata', 'The registration must be a JSON object.');
  return value;
}

function answerTokenRequest(sandboxState: SandboxState, form: ReadonlyMap<string, string>): { readonly [key: string]: Json } {
  const grantType = required(form, 'grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.');
  }
  const client = sandboxState.apps.clients.get(required(form, 'client_id'));
  if (client === undefined) throw new OAuthError('invalid_client', 'There is no app with this client_id here. Register again.', 401);
  const pair = grantType === 'authorization_code' ? redeemCode(sandboxState, client, form) : redeemRefreshToken(sandboxState, client, form);
  return { token_type: 'Bearer', ...pair };
}

function redeemCode(sandboxState: SandboxState, client: Client, form: ReadonlyMap<string, string>): TokenPair {
  const code = required(form, 'code');
  const redirectUri = required(form, 'redirect_uri');
  const verifier = required(form, 'code_verifier');
  const now = sandboxState.clock.now();
  const approval = sandboxState.apps.takeCode(code, now);
  if (approval === undefined) throw new OAuthError('invalid_grant', 'The code is unknown, used or expired.');
  if (approval.client.id !== client.id) throw new OAuthError('invalid_grant', 'The code was given to another app.');
  if (approval.redirectUri !== redirectUri) throw new OAuthError('invalid_grant', 'redirect_uri differs from the one in the sign-in.');
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier))
    throw new OAuthError('invalid_request', 'code_verifier must have 43 to 128 characters.');
  if (createHash('sha256').update(verifier).digest('base64url') !== approval.challenge) {
    throw new OAuthError('invalid_grant', 'code_verifier does not match the code_challenge.');
  }
  sandboxState.events.signIns += 1;
  return sandboxState.apps.connect(approval, code, now);
}

function redeemRefreshToken(sandboxState: SandboxState, client: Client, form: ReadonlyMap<string, string>): TokenPair {
  const value = required(form, 'refresh_token');
  const now = sandboxState.clock.now();
  const connection = sandboxState.apps.byRefreshToken(value, now);
  if (connection === undefined || connection.client.id !== client.id) {
    const spent = sandboxState.apps.bySpentRefreshToken(value);
    if (spent !== undefined && sandboxState.interpretations.refreshReuseDisconnects)
      sandboxState.apps.disconnect(spent.client.id, spent.userId);
    throw new OAuthError('invalid_grant', 'The refresh token is unknown, used or expired after 30 days without use.');
  }
  sandboxState.events.refreshes += 1;
  return sandboxState.apps.refresh(connection, sandboxState.interpretations.refreshEndsAccessToken, now);
}

/**
 * Disconnects the app of a token from the user of the token. An unknown token is not an error (RFC 7009 §2.2), and a token of another app
 * changes nothing.
 */
function revoke(sandboxState: SandboxState, form: ReadonlyMap<string, string>): void {
  const connection = sandboxState.apps.byAnyToken(required(form, 'token'));
  const clientId = form.get('client_id');
  if (connection === undefined || (clientId !== undefined && connection.client.id !== clientId)) return;
  sandboxState.events.revocations += 1;
  sandboxState.apps.disconnect(connection.client.id, connection.userId);
}

export function oauthRoutes(sandboxState: SandboxState): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  const pending: PendingConsents = new Map();
  const limited = (c: SandboxContext, endpoint: 'register' | 'tokenEndpoint' | 'discovery' | 'revocation'): void => {
    const { clock, interpretations, limiter } = sandboxState;
    const now = clock.now();
    if (interpretations.oauthCountsForAddress) limiter.countAddress(addressOf(c), new URL(c.req.url).host, now);
    const spending = limiter.oauthSpending(endpoint, addressOf(c));
    c.set('spending', spending);
    limiter.admit(spending, 1, now);
    limiter.spend(spending, 1, now);
  };

  // The service deletes old registrations at night. The sandbox deletes these registrations at the first OAuth request of a day.
  routes.use('/oauth/*', async (_, next) => {
    sandboxState.apps.cleanUp(sandboxState.clock.now());
    await next();
  });

  const serveMetadata = (path: string, metadata: (sandboxState: SandboxState) => { [key: string]: Json }) =>
    routes.get(path, (c) => {
      limited(c, 'discovery');
      if (!sandboxState.switches.api) throw endpointNotFound();
      return json(c, metadata(sandboxState));
    });
  serveMetadata('/.well-known/oauth-authorization-server', authorizationServerMetadata);
  serveMetadata('/.well-known/oauth-protected-resource/api/v2', protectedResourceMetadata);
  routes.post('/oauth/register', (c) => {
    limited(c, 'register');
    return json(
      c,
      answerRegistration(sandboxState, c.req.header('content-type'), c.get('body')),
      sandboxState.interpretations.registrationStatus,
    );
  });
  routes.post('/oauth/token', (c) => {
    limited(c, 'tokenEndpoint');
    return json(c, answerTokenRequest(sandboxState, parseForm(c.req.header('content-type'), c.get('body'))));
  });
  routes.post('/oauth/revoke', (c) => {
    limited(c, 'revocation');
    revoke(sandboxState, parseForm(c.req.header('content-type'), c.get('body')));
    // Some clients accept only JSON, so the body is an empty JSON object.
    return json(c, {});
  });
  routes.get('/oauth/authorize', (c) => {
    return show(sandboxState, c, beginSignIn(sandboxState, pending, new URL(c.req.url).searchParams, personOf(sandboxState, c)));
  });
  routes.post('/oauth/authorize', (c) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && origin !== new URL(c.req.url).origin) {
      return answerPage(c, refusalPage('invalid_request', 'The answer came from another site.'), 403);
    }
    const form = parseForm(c.req.header('content-type'), c.get('body'));
    const step = finishSignIn(sandboxState, pending, form);
    const user = form.get('user');
    if (step.kind === 'redirect' && user !== undefined) rememberPerson(c, Number(user));
    return show(sandboxState, c, step);
  });
  for (const path of ['register', 'token', 'revoke', 'authorize']) {
    routes.all(`/oauth/${path}`, () => {
      throw new Problem(405, 'method-not-allowed', 'This endpoint does not allow this method.');
    });
  }

  routes.onError((error, c) => {
    if (error instanceof OAuthError) return json(c, { error: error.code, error_description: error.message }, error.status);
    return problemAnswer(sandboxState, c, asProblem(error));
  });
  return routes;
}

function json(c: SandboxContext, body: Json, status: 200 | 201 | 400 | 401 = 200): Response {
  return c.body(JSON.stringify(body), status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
}

function show(sandboxState: SandboxState, c: SandboxContext, step: Step): Response {
  switch (step.kind) {
    case 'redirect':
      // After a POST, status 303 makes every browser follow the redirect with GET.
      c.header('Cache-Control', 'no-store');
      c.header('Referrer-Policy', 'no-referrer');
      return c.redirect(step.to, c.req.method === 'POST' ? 303 : 302);
    case 'ask':
      return answerPage(c, consentPage(step.consent, step.request, peopleToChoose(sandboxState), step.userId));
    case 'refuse':
      return answerPage(c, refusalPage(step.code, step.message), step.status);
  }
}
