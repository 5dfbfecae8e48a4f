import type { Network } from '../deps.ts';
import { NetworkError, UnavailableError } from '../errors.ts';
import { isLoopbackName } from '../values/addresses.ts';

export interface OAuthFetchLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The User-Agent header, such as `svc/1.2.3`. Default: the header of the OAuth library. */
  readonly userAgent?: string | undefined;
}

export interface OAuthFetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | Uint8Array | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type OAuthFetch = (url: string, init: OAuthFetchInit) => Promise<Response>;

/** The largest body in bytes that svc reads. A larger body is an error. Metadata, registrations and token answers are much smaller. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The statuses without a body, for which `Response` refuses a body. */
const BODILESS: readonly number[] = [204, 205, 304];

/**
 * Headers that svc removes. With `www-authenticate`, oauth4webapi would read the challenge and not the JSON body. svc has already decoded
 * and measured the body.
 */
const DROPPED_HEADERS: readonly string[] = ['www-authenticate', 'content-encoding', 'content-length', 'transfer-encoding'];

/**
 * Returns a `fetch` over {@link Network} for oauth4webapi’s `customFetch`. The response has a body of at most 1 MiB, which svc has already
 * read. The fetch does not follow redirects, and allows http only for loopback addresses.
 *
 * The fetch rejects with UnavailableError for a refused address, and for a status outside 200 to 599. A missing, incomplete or too large
 * answer causes a NetworkError (`timeout` beyond `timeoutMs`). After an abort, the fetch rejects with `signal.reason`.
 */
export function oauthFetch(network: Network, limits: OAuthFetchLimits): OAuthFetch {
  return async (url, init) => {
    assertPrivate(url);
    const timeout = AbortSignal.timeout(limits.timeoutMs);
    const signal = AbortSignal.any([timeout, limits.signal, init.signal].filter((one) => one !== undefined));
    try {
      return await exchange(network, url, init, limits, signal);
    } catch (error) {
      if (error !== timeout.reason || !timeout.aborted) throw error;
      throw new NetworkError(`${new URL(url).host} did not answer within ${limits.timeoutMs / 1000} seconds.`, {
        kind: 'timeout',
        ran: 'maybe',
        hint: 'Try again.',
        cause: error,
      });
    }
  };
}

async function exchange(network: Network, url: string, init: OAuthFetchInit, limits: OAuthFetchLimits, signal: AbortSignal) {
  const body = init.body instanceof URLSearchParams ? init.body.toString() : init.body;
  const answer = await network.request({
    method: init.method,
    url,
    headers: limits.userAgent === undefined ? init.headers : { ...withoutUserAgent(init.headers), 'user-agent': limits.userAgent },
    ...(body === undefined || body === null ? {} : { body }),
    timeoutMs: limits.timeoutMs,
    signal,
  });
  const text = await answer.text(MAX_BODY_BYTES);
  if (answer.status < 200 || answer.status > 599) {
    throw new UnavailableError(`${new URL(url).host} answered with the status ${answer.status}, which no HTTP service sends.`, {
      hint: `Check the host name; a proxy may have answered in its place: svc doctor --host ${new URL(url).host}`,
    });
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) if (!DROPPED_HEADERS.includes(name)) headers.set(name, value);
  return new Response(BODILESS.includes(answer.status) ? null : text, { status: answer.status, headers });
}

function withoutUserAgent(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'user-agent'));
}

/**
 * Checks that nobody on the network can read the request.
 *
 * @throws UnavailableError for plain http to another machine.
 */
function assertPrivate(url: string): void {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))) return;
  throw new UnavailableError(`svc does not send sign-in data to ${protocol}//${host}, because only https keeps the data private.`, {
    hint: 'The service named this address. Ask its administrator to correct the address.',
  });
}
