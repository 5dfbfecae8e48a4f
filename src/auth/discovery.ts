import { discoveryRequest, type AuthorizationServer as ServerMetadata } from 'oauth4webapi';
import { z } from 'zod';
import { SignInError } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import { plainLine } from '../values/hidden-characters.ts';
import { exchangeOAuth, failure, type OAuthHttp, requestOptions, unreadable } from './oauth-exchange.ts';

/**
 * The part of a host’s authorization server metadata that svc uses (RFC 8414). svc has checked that every endpoint is on the host’s own
 * origin.
 */
export interface AuthorizationServer extends ServerMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint: string;
  readonly revocation_endpoint?: string;
  readonly scopes_supported?: string[];
  /** True if every answer to the redirect address contains `iss` (RFC 9207 §3). */
  readonly authorization_response_iss_parameter_supported: boolean;
}

const optionalStrings = z.array(z.string()).optional().catch(undefined);

const Metadata = z.object({
  issuer: z.string().nullish(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string(),
  revocation_endpoint: z.string().nullish(),
  code_challenge_methods_supported: optionalStrings,
  scopes_supported: optionalStrings,
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
});

const DOING = 'describe how to sign in';

/**
 * Reads the sign-in metadata of a host: `GET /.well-known/oauth-authorization-server` (rule 13.7).
 *
 * @throws NotFoundError if the REST API is switched off or the host is not an organisation.
 * @throws SignInError for untrustworthy metadata: a redirect, another issuer, an endpoint on another origin, no endpoint, or no S256.
 * @throws UnavailableError for unreadable metadata; ForbiddenError; RateLimitError; NetworkError.
 */
export async function discoverAuthorization(host: Host, http: OAuthHttp): Promise<AuthorizationServer> {
  const send = () => discoveryRequest(new URL(host.origin), { ...requestOptions(http, host), algorithm: 'oauth2' });
  const answer = await exchangeOAuth(send, http, host, DOING);
  if (answer.status !== 200) throw failure(answer, host, DOING);
  const parsed = Metadata.safeParse(answer.json);
  if (!parsed.success) throw missingMember(answer.json, host) ?? unreadable(answer, host, DOING);
  const metadata = parsed.data;
  if (typeof metadata.issuer === 'string') checkIssuer(metadata.issuer, host);
  // A server that does not announce S256 might ignore the challenge (RFC 9700 §2.1.1).
  if (!metadata.code_challenge_methods_supported?.includes('S256')) {
    throw distrust(`${host.name} does not announce PKCE with S256, and a sign-in without PKCE is not safe.`);
  }
  return {
    issuer: metadata.issuer ?? host.origin,
    authorization_endpoint: checkEndpoint('authorization', metadata.authorization_endpoint, host),
    token_endpoint: checkEndpoint('token', metadata.token_endpoint, host),
    registration_endpoint: checkEndpoint('registration', metadata.registration_endpoint, host),
    ...(metadata.revocation_endpoint ? { revocation_endpoint: checkEndpoint('revocation', metadata.revocation_endpoint, host) } : {}),
    ...(metadata.scopes_supported ? { scopes_supported: metadata.scopes_supported } : {}),
    authorization_response_iss_parameter_supported: metadata.authorization_response_iss_parameter_supported === true,
  };
}

/** Returns an error if the metadata lacks a member that a sign-in needs. Registration is optional (RFC 8414 §2). */
function missingMember(json: unknown, { name }: Host): SignInError | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const member = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'].find((one) => !Object.hasOwn(json, one));
  if (member === undefined) return undefined;
  return new SignInError(`The sign-in metadata of ${name} has no ${member}, so svc cannot sign in with the browser.`, {
    hint: `Make a personal access token in the web app under API tokens, then run: svc token set --host ${name}`,
  });
}

/** Checks that the issuer is the server that sent the metadata (RFC 8414 §3.3). svc ignores a slash at the end. */
function checkIssuer(issuer: string, host: Host): void {
  if (issuer === host.origin || issuer === `${host.origin}/`) return;
  throw distrust(`${host.name} describes the sign-in of another issuer: ${plainLine(issuer, 100)}`);
}

/** Returns the address of an endpoint on the host’s own origin. The address must have no user name, password or fragment. */
function checkEndpoint(name: string, value: string, host: Host): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || url.origin !== host.origin || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw distrust(`${host.name} names a ${name} endpoint that is not its own: ${plainLine(value, 100)}`);
  }
  return url.href;
}

function distrust(message: string): SignInError {
  return new SignInError(message, {
    hint: 'svc stopped the sign-in. Check the host name. If the name is right, report the problem to the operator of the host.',
  });
}
