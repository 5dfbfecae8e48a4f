import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import type { Clock, Network } from '../deps.ts';
import {
  ForbiddenError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  SignInError,
  type SvcError,
  type SvcErrorOptions,
  UnavailableError,
} from '../errors.ts';
import { type Host, isLoopbackName } from '../values/addresses.ts';
import { plainLine } from '../values/hidden-characters.ts';
import { isPlainObject, type PlainObject, parsedJson } from '../values/json.ts';
import { parseRetryAfter } from '../values/retry-after.ts';
import { oauthFetch } from './oauth-fetch.ts';

export interface OAuthHttp {
  readonly network: Network;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly timeoutMs: number;
  /** The longest total wait for a step that got a 429, in milliseconds. */
  readonly maxWaitMs: number;
  readonly userAgent: string;
  readonly signal?: AbortSignal | undefined;
  readonly notify: (line: string) => void;
}

export interface OAuthAnswer {
  readonly status: number;
  readonly json: PlainObject | undefined;
  readonly isPage: boolean;
  readonly location: string | undefined;
  /** The value of `error` (RFC 6749 §5.2). Empty if the answer lacks `error`. */
  readonly error: string;
  /** The service’s description of the error, safe for a message. Empty if the answer lacks a description. */
  readonly description: string;
  /** The value of `Retry-After` in seconds. */
  readonly retryAfter: number | undefined;
}

export function requestOptions(http: OAuthHttp, host: Host) {
  return {
    [customFetch]: oauthFetch(http.network, { timeoutMs: http.timeoutMs, signal: http.signal, userAgent: http.userAgent }),
    [allowInsecureRequests]: isLoopbackName(new URL(host.origin).hostname),
  };
}

/**
 * Sends one request and reads its answer. The service did not run a request that got a 429 (rule 14.29), so svc repeats the request after
 * `Retry-After`. svc returns the 429 if all waits together would exceed `maxWaitMs`.
 *
 * @param doing The purpose of the request, as in “asked to <doing>”.
 * @throws NetworkError without a complete answer, or for a too large answer.
 * @throws UnavailableError as {@link oauthFetch}; the signal’s reason.
 */
export async function exchangeOAuth(send: () => Promise<Response>, http: OAuthHttp, host: Host, doing: string): Promise<OAuthAnswer> {
  let budget = http.maxWaitMs;
  for (;;) {
    const answer = await readAnswer(await withinSize(send, host, doing), http.clock.now());
    if (answer.status !== 429) return answer;
    const wait = (answer.retryAfter ?? DEFAULT_RETRY_AFTER) * 1000;
    if (wait > budget) return answer;
    budget -= wait;
    http.notify(`${host.name} is busy; svc tries again in ${Math.ceil(wait / 1000)} s.`);
    await http.clock.sleep(wait, http.signal);
  }
}

/** The default wait in seconds after a 429. The service limits registrations per minute (rule 15.40). */
const DEFAULT_RETRY_AFTER = 15;

export function failure(answer: OAuthAnswer, host: Host, doing: string, hints: { readonly forbidden?: string } = {}): SvcError {
  const { status } = answer;
  const reported = answer.description === '' ? '' : ` It reported: ${answer.description}`;
  const options = (hint: string): SvcErrorOptions => ({
    hint,
    details: { status, ...(answer.error === '' ? {} : { code: answer.error }), retry_after: answer.retryAfter },
  });
  if (status >= 300 && status < 400) {
    const elsewhere = answer.location !== undefined && URL.canParse(answer.location) ? ` to ${new URL(answer.location).host}` : '';
    return new SignInError(
      `${host.name} redirected svc${elsewhere} when svc asked the host to ${doing}. svc never follows a redirect during a sign-in.`,
      options('Sign in on the address that the organisation itself uses: svc login <host>'),
    );
  }
  if (status === 401 || status === 403) {
    const hint = hints.forbidden ?? `A proxy or a firewall may stand in between. Try: svc doctor --host ${host.name}`;
    return new ForbiddenError(`${host.name} refused to ${doing} (${status}).${reported}`, options(hint));
  }
  if (status === 404) {
    return new NotFoundError(
      `${host.name} offers no sign-in: its REST API is switched off, or the host belongs to no organisation.`,
      options('Check the host name. An administrator of the organisation can switch the REST API on.'),
    );
  }
  if (status === 429) {
    const when = answer.retryAfter === undefined ? 'in a few minutes' : `in ${answer.retryAfter} s`;
    return new RateLimitError(`${host.name} received too many requests to ${doing}.`, options(`Run the same command again ${when}.`));
  }
  if (status >= 500) {
    return new UnavailableError(`${host.name} failed to ${doing} (${status}).`, options('Try again in a moment.'));
  }
  if (status >= 400) {
    const code = answer.error === '' ? String(status) : answer.error;
    return new SignInError(`${host.name} refused to ${doing} (${code}).${reported}`, options(`Run again: svc login ${host.name}`));
  }
  return unreadable(answer, host, doing);
}

export function unreadable(answer: OAuthAnswer, host: Host, doing: string): UnavailableError {
  const what = answer.isPage ? 'a web page' : 'something svc cannot read';
  return new UnavailableError(`${host.name} answered with ${what} when svc asked the host to ${doing}.`, {
    hint: 'Check that this is the host of your organisation, and that no proxy asks you to log in first.',
    details: { status: answer.status },
  });
}

async function withinSize(send: () => Promise<Response>, host: Host, doing: string): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof NetworkError) || error.kind !== 'too-large') throw error;
    throw new NetworkError(`${host.name} sent an answer that is too large when svc asked the host to ${doing}.`, {
      hint: 'Check that this is the host of your organisation.',
      ran: error.ran,
      kind: error.kind,
      cause: error,
    });
  }
}

async function readAnswer(response: Response, now: number): Promise<OAuthAnswer> {
  const text = await response.text();
  const parsed = parsedJson(text);
  const json = isPlainObject(parsed) ? parsed : undefined;
  const wait = parseRetryAfter(response.headers.get('retry-after'), now);
  const description = plainLine(json?.['error_description']) || plainLine(json?.['detail']);
  return {
    status: response.status,
    json,
    isPage: /^\s*(<!doctype|<html)/i.test(text) || (response.headers.get('content-type') ?? '').startsWith('text/html'),
    location: response.headers.get('location') ?? undefined,
    error: plainLine(json?.['error'], 60),
    description,
    retryAfter: wait === undefined ? undefined : Math.ceil(wait / 1000),
  };
}
