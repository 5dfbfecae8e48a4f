import {
  AuthorizationResponseError,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { SignInError, type SvcError, UnavailableError } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import { plainLine } from '../values/hidden-characters.ts';
import type { AuthorizationServer } from './discovery.ts';
import { exchangeOAuth, failure, type OAuthAnswer, type OAuthHttp, requestOptions, unreadable } from './oauth-exchange.ts';
import type { Grant } from './record.ts';

export interface Authorization {
  readonly url: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The random value that the service returns unchanged with its answer (RFC 6749 §10.12). */
  readonly state: string;
  /** The code verifier, which stays in this process until the exchange (RFC 7636 §4.1). */
  readonly verifier: string;
}

/** Reports that the service no longer knows the client. After a reused registration, svc registers again once (rule 13.74). */
export class InvalidClientError extends SignInError {}

export async function startAuthorization(
  server: AuthorizationServer,
  request: Pick<Authorization, 'clientId' | 'redirectUri' | 'scopes'>,
): Promise<Authorization> {
  const state = generateRandomState();
  const verifier = generateRandomCodeVerifier();
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    scope: request.scopes.join(' '),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, ...request, state, verifier };
}

/**
 * Checks the answer to an authorization request, and exchanges its code for tokens (rules 13.36, 13.37).
 *
 * @throws SignInError if the user cancelled, or the service refused the request or the code.
 * @throws SignInError if another server answered (`iss`, RFC 9207 §2.4).
 * @throws SignInError for an answer without a refresh token.
 * @throws InvalidClientError for an unknown client; ForbiddenError, NotFoundError, RateLimitError, UnavailableError, NetworkError.
 */
export async function redeemAnswer(
  server: AuthorizationServer,
  host: Host,
  authorization: Authorization,
  answer: URLSearchParams,
  http: OAuthHttp,
): Promise<Grant> {
  const client = { client_id: authorization.clientId };
  const parameters = validateAnswer(server, host, authorization, answer);
  // svc counts the lifetime from before the request, so the calculated end is never too late.
  const issuedAt = http.clock.now();
  const { redirectUri, verifier } = authorization;
  const send = () => authorizationCodeGrantRequest(server, client, None(), parameters, redirectUri, verifier, requestOptions(http, host));
  const tokens = await readTokens(server, host, authorization, await exchangeOAuth(send, http, host, DOING));
  if (!tokens.refresh_token) {
    throw new SignInError(`${host.name} sent no refresh token, so the sign-in would end within an hour.`, {
      hint: `Use a personal access token instead: svc login ${host.name} --with-token`,
    });
  }
  return {
    client_id: authorization.clientId,
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    expires_at: issuedAt + (tokens.expires_in ?? 3600) * 1000,
    issued_at: issuedAt,
    scope: tokens.scope?.split(' ').filter((scope) => scope !== '') ?? authorization.scopes,
    token_endpoint: server.token_endpoint,
    ...(server.revocation_endpoint === undefined ? {} : { revocation_endpoint: server.revocation_endpoint }),
  };
}

const DOING = 'issue tokens';

function validateAnswer(server: AuthorizationServer, host: Host, authorization: Authorization, answer: URLSearchParams): URLSearchParams {
  try {
    return validateAuthResponse(server, { client_id: authorization.clientId }, answer, authorization.state);
  } catch (error) {
    if (error instanceof AuthorizationResponseError) throw refusal(error, host, authorization);
    throw new SignInError(`The answer from the browser did not come from ${host.name}, so svc stored nothing.`, {
      hint: `Run again: svc login ${host.name}. If the error happens again, do not sign in on this network.`,
      cause: error,
    });
  }
}

/** Converts an `error=` on the redirect address to an error (RFC 6749 §4.1.2.1). */
function refusal(error: AuthorizationResponseError, host: Host, authorization: Authorization): SvcError {
  const code = plainLine(error.error, 60);
  const description = plainLine(error.error_description);
  const reported = description === '' ? '' : ` It reported: ${description}`;
  const details = { code };
  switch (code) {
    case 'access_denied':
      return new SignInError('The sign-in was cancelled in the browser.', { hint: `To try again, run: svc login ${host.name}`, details });
    case 'invalid_scope':
      return new SignInError(`${host.name} does not give the scopes ${authorization.scopes.join(' ')}.${reported}`, {
        hint: 'Leave out --scope, or name other scopes.',
        details,
      });
    case 'invalid_client':
    case 'unauthorized_client':
      return invalidClient(host);
    case 'server_error':
    case 'temporarily_unavailable':
      return new UnavailableError(`${host.name} could not complete the sign-in (${code}).${reported}`, {
        hint: 'Try again in a moment.',
        details,
      });
    default:
      return new SignInError(`${host.name} refused the sign-in (${code}).${reported}`, {
        hint: `To try again, run: svc login ${host.name}`,
        details,
      });
  }
}

async function readTokens(
  server: AuthorizationServer,
  host: Host,
  authorization: Authorization,
  answer: OAuthAnswer,
): Promise<TokenEndpointResponse> {
  if (answer.error === 'invalid_client') throw invalidClient(host);
  if (answer.error === 'invalid_grant') {
    throw new SignInError(`${host.name} no longer accepts the code of this sign-in: the code expired or was used already.`, {
      hint: `Run again: svc login ${host.name}`,
      details: { status: answer.status, code: answer.error },
    });
  }
  if (answer.status !== 200) {
    throw failure(answer, host, DOING, {
      forbidden: 'Your role needs the permission Manage API tokens; ask an administrator. Nobody can sign in during a support session.',
    });
  }
  // svc checks only the status and the body. Unused members and a wrong Content-Type do not fail the sign-in.
  const { access_token, refresh_token, token_type, expires_in, scope } = answer.json ?? {};
  const members = Object.entries({ access_token, refresh_token, token_type, expires_in, scope }).filter(([, value]) => value !== null);
  try {
    const response = Response.json(Object.fromEntries(members));
    const tokens = await processAuthorizationCodeResponse(server, { client_id: authorization.clientId }, response);
    if (tokens.token_type === 'bearer') return tokens;
  } catch {
    // The error of oauth4webapi contains the body, which can contain tokens. svc therefore drops that error.
  }
  throw unreadable(answer, host, DOING);
}

function invalidClient(host: Host): InvalidClientError {
  return new InvalidClientError(`${host.name} no longer knows the registration of svc.`, {
    hint: `Run again: svc login ${host.name}`,
    details: { code: 'invalid_client' },
  });
}
