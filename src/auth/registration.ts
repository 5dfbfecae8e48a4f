import { dynamicClientRegistrationRequest } from 'oauth4webapi';
import { z } from 'zod';
import { SignInError } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import type { AuthorizationServer } from './discovery.ts';
import { exchangeOAuth, failure, type OAuthAnswer, type OAuthHttp, requestOptions, unreadable } from './oauth-exchange.ts';
import type { HostRecord, Registration } from './record.ts';

const CLIENT_NAME = 'svc';

/** The path of the redirect address. The service compares this path, but not the port (rule 13.54). */
export const CALLBACK_PATH = '/callback';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const Registered = z.object({ client_id: z.string().min(1) });

const DOING = 'register svc as an app';

/**
 * Registers svc as a client of one host (RFC 7591, rule 13.16). The registration has both loopback addresses, because a machine can lack
 * one of the two. The registration includes the real port, for a server that compares ports.
 *
 * @param port The port that svc listens on.
 * @throws SignInError if the service refuses the redirect address or the request.
 * @throws ForbiddenError; NotFoundError; UnavailableError; NetworkError.
 * @throws RateLimitError after the longest wait that `http` allows.
 */
export async function register(server: AuthorizationServer, host: Host, http: OAuthHttp, port: number): Promise<Registration> {
  const redirectUris = LOOPBACK.map((address) => `http://${address}:${port}${CALLBACK_PATH}`);
  const registeredAt = http.clock.now();
  const ask = (more: { readonly token_endpoint_auth_method?: 'none' }) => {
    const metadata = { client_name: CLIENT_NAME, redirect_uris: redirectUris, ...more };
    return exchangeOAuth(() => dynamicClientRegistrationRequest(server, metadata, requestOptions(http, host)), http, host, DOING);
  };
  const first = await ask({});
  // Without `token_endpoint_auth_method`, the default is a client with a secret (RFC 7591 §2). svc cannot keep a secret. svc sends the
  // member only to servers that would register a confidential client.
  const answer = isConfidential(first) ? await ask({ token_endpoint_auth_method: 'none' }) : first;
  if (answer.error === 'invalid_redirect_uri') {
    throw new SignInError(`${host.name} does not accept apps whose sign-in returns to this machine (invalid_redirect_uri).`, {
      hint: `Sign in with a personal access token instead: svc login ${host.name} --with-token`,
      details: { status: answer.status, code: answer.error },
    });
  }
  // RFC 7591 §3.2.1 requires 201. Some servers send 200 with the same meaning.
  if (answer.status !== 201 && answer.status !== 200) {
    throw failure(answer, host, DOING, {
      forbidden: `Ask an administrator to allow apps to sign in, or use a personal access token: svc login ${host.name} --with-token`,
    });
  }
  const registered = Registered.safeParse(answer.json);
  if (!registered.success) throw unreadable(answer, host, DOING);
  return {
    client_id: registered.data.client_id,
    registered_at: registeredAt,
    redirect_uris: LOOPBACK.map((address) => `http://${address}${CALLBACK_PATH}`),
  };
}

function isConfidential({ json }: OAuthAnswer): boolean {
  const method = json?.['token_endpoint_auth_method'];
  return typeof json?.['client_secret'] === 'string' || (typeof method === 'string' && method !== 'none');
}

const LOOPBACK = ['127.0.0.1', '[::1]'];

/**
 * Returns the stored registration if the service cannot have deleted the registration. Such a registration is less than a day old, or a
 * live sign-in uses the registration. The service deletes other registrations overnight (rule 13.72), and then shows an error page that svc
 * cannot see. The limits are an hour and a day shorter than the service’s, because clocks differ.
 */
export function reusableRegistration(record: HostRecord | undefined, host: Host, now: number): Registration | undefined {
  const registration = record?.registration;
  if (record === undefined || registration === undefined || record.origin !== host.origin) return undefined;
  if (!LOOPBACK.every((address) => registration.redirect_uris.includes(`http://${address}${CALLBACK_PATH}`))) return undefined;
  const grant = record.grant?.client_id === registration.client_id ? record.grant : undefined;
  const fresh = isYoung(registration, now);
  const live = grant !== undefined && isWithin(grant.issued_at, now, 29 * DAY);
  return fresh || live ? registration : undefined;
}

export function isYoung({ registered_at: registeredAt }: Registration, now: number): boolean {
  return isWithin(registeredAt, now, DAY - HOUR);
}

/** Returns true if a time is less than `range` milliseconds ago. A future time returns false, because the clock was set back. */
function isWithin(time: number, now: number, range: number): boolean {
  return time <= now && now - time < range;
}
