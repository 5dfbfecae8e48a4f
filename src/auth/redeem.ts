import type { Clock, Network } from '../deps.ts';
import { NotFoundError, RateLimitError, SignInError, type SvcError, UnavailableError } from '../errors.ts';
import { isLoopbackName } from '../values/addresses.ts';
import { parseRetryAfter } from '../values/retry-after.ts';
import { oauthFetch } from './oauth-fetch.ts';
import type { Grant } from './record.ts';

export interface RedeemOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly userAgent?: string | undefined;
  /**
   * The time limit of one attempt in milliseconds. Default: 20,000. Other processes wait for the lock during both attempts and the pause.
   */
  readonly timeoutMs?: number | undefined;
}

/**
 * The outcome of sending a refresh token. The caller decides about the stored tokens.
 *
 * - `fresh`: the service issued new tokens, and the sent refresh token is spent.
 * - `refused`: the service refuses the token. `afterUnknown`: an earlier attempt with a lost answer can have spent the token.
 * - `failed`: svc got no usable answer. The caller must keep the refresh token, because the token is possibly unspent.
 */
export type RedeemOutcome =
  | { readonly kind: 'fresh'; readonly grant: Grant }
  | { readonly kind: 'refused'; readonly code: 'invalid_grant' | 'invalid_client'; readonly afterUnknown: boolean }
  | { readonly kind: 'failed'; readonly error: SvcError };

type Attempt =
  | { readonly kind: 'fresh'; readonly grant: Grant }
  | { readonly kind: 'refused'; readonly code: 'invalid_grant' | 'invalid_client' }
  | { readonly kind: 'failed'; readonly error: SvcError; readonly retryAfterMs: number | undefined; readonly spent: boolean };

/** The default time limit in milliseconds. A late answer can still contain the new tokens. */
const DEFAULT_TIMEOUT_MS = 20_000;
const RETRY_PAUSE_MS = 500;
/** The longest pause before the second attempt, in milliseconds. Other processes wait for the lock during the pause. */
const LONGEST_RETRY_PAUSE_MS = 5_000;
/** The lifetime in seconds for an answer without `expires_in`, as documented (rule 13.67). */
const DEFAULT_LIFETIME_S = 3_600;

/**
 * Sends the refresh token (RFC 6749 §6). Repeats the request once after a network failure, a 429 or a 5xx. Also repeats the request after
 * any other answer without tokens and without an error code, except a 404. The token is single-use (rule 13.43), and svc cannot know
 * whether the first request arrived. Never rejects because of the service or the network.
 */
export async function redeemRefreshToken(grant: Grant, options: RedeemOptions): Promise<RedeemOutcome> {
  const first = await attempt(grant, options);
  if (first.kind === 'refused') return { ...first, afterUnknown: false };
  if (first.kind === 'fresh' || first.retryAfterMs === undefined) return first;
  await options.clock.sleep(first.retryAfterMs);
  const second = await attempt(grant, options);
  return second.kind === 'refused' ? { ...second, afterUnknown: first.spent } : second;
}

async function attempt(grant: Grant, options: RedeemOptions): Promise<Attempt> {
  const oauth = await import('oauth4webapi');
  const endpoint = new URL(grant.token_endpoint);
  const server = { issuer: endpoint.origin, token_endpoint: grant.token_endpoint };
  const client = { client_id: grant.client_id };
  const sentAt = options.clock.now();
  let response: Response | undefined;
  try {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), grant.refresh_token, {
      [oauth.customFetch]: oauthFetch(options.network, { timeoutMs, userAgent: options.userAgent }),
      [oauth.allowInsecureRequests]: isLoopbackName(endpoint.hostname),
    });
    const fresh = await oauth.processRefreshTokenResponse(server, client, response);
    return {
      kind: 'fresh',
      grant: {
        ...grant,
        access_token: fresh.access_token,
        // A service that does not rotate tokens leaves the member out (RFC 6749 §6). The old token then stays in use.
        refresh_token: fresh.refresh_token ?? grant.refresh_token,
        issued_at: sentAt,
        expires_at: sentAt + (fresh.expires_in ?? DEFAULT_LIFETIME_S) * 1000,
        // The service leaves an unchanged `scope` out (RFC 6749 §5.1).
        scope: fresh.scope?.split(' ').filter((scope) => scope !== '') ?? grant.scope,
      },
    };
  } catch (error) {
    if (response === undefined) return unanswered(error);
    const code = error instanceof oauth.ResponseBodyError ? error.error : undefined;
    if (code === 'invalid_grant' || code === 'invalid_client') return { kind: 'refused', code };
    return unusable(response, code, endpoint.host, options.clock.now());
  }
}

function unanswered(error: unknown): Attempt {
  if (!(error instanceof UnavailableError)) throw error;
  const ran = 'ran' in error ? error.ran : undefined;
  return { kind: 'failed', error, retryAfterMs: ran === undefined ? undefined : RETRY_PAUSE_MS, spent: ran === 'maybe' };
}

function unusable(response: Response, code: string | undefined, host: string, now: number): Attempt {
  const { status } = response;
  const wait = parseRetryAfter(response.headers.get('retry-after'), now);
  const retryAfterMs = wait === undefined ? RETRY_PAUSE_MS : Math.min(wait, LONGEST_RETRY_PAUSE_MS);
  const details = { status, ...(code === undefined ? {} : { code }) };
  if (status === 429) {
    const seconds = wait === undefined ? undefined : Math.ceil(wait / 1000);
    const error = new RateLimitError(`${host} accepts no more sign-in requests for now (429).`, {
      hint: `Run the same command again in ${seconds === undefined ? 'a minute' : `${seconds} s`}. svc keeps your sign-in.`,
      details: { ...details, retry_after: seconds },
    });
    return { kind: 'failed', error, retryAfterMs, spent: false };
  }
  if (status === 404) {
    const error = new NotFoundError(`${host} no longer offers a sign-in: its REST API is switched off (404).`, {
      hint: 'Ask an administrator of the organisation to switch the REST API on. svc keeps your sign-in.',
      details,
    });
    return { kind: 'failed', error, retryAfterMs: undefined, spent: false };
  }
  if (code !== undefined) {
    const error = new SignInError(`${host} refuses to renew your sign-in: ${code.slice(0, 60)}.`, {
      hint: `Sign in again: svc login ${host}`,
      details,
    });
    return { kind: 'failed', error, retryAfterMs: undefined, spent: false };
  }
  const what = status === 200 ? 'without a token' : `with the status ${status}`;
  const error = new UnavailableError(`${host} answered ${what} when svc renewed your sign-in.`, {
    hint: 'Try again. svc keeps your sign-in.',
    details,
  });
  return { kind: 'failed', error, retryAfterMs, spent: true };
}
