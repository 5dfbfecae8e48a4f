import type { NetworkErrorKind } from '../errors.ts';

export type AttemptOutcome =
  | { readonly kind: 'network'; readonly ran: 'no' | 'maybe'; readonly failure: NetworkErrorKind }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | undefined };

export interface RetryOptions {
  readonly repeatable: boolean;
  readonly retries: number;
  readonly refusals: number;
  readonly maxWaitMs: number;
  readonly random: () => number;
}

/** The next step after an attempt. After `refused`, other requests of the same {@link BudgetKind} wait too. */
export type Decision =
  | { readonly action: 'stop' }
  | { readonly action: 'retry'; readonly ms: number }
  | { readonly action: 'refused'; readonly ms: number };

/** The shortest pause after a 429, in milliseconds. */
export const LEAST_REFUSAL_MS = 1000;

const MAX_RETRIES = 4;

/** The most consecutive 429 answers to a request before svc reports an error. A longer series cannot come from a rate limit. */
const MAX_REFUSALS = 30;

const BASE_MS = 500;
const CAP_MS = 20_000;

const PASSING_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

const LASTING_FAILURES: ReadonlySet<NetworkErrorKind> = new Set(['tls', 'too-large', 'proxy']);

/**
 * Decides if and when to repeat a request.
 *
 * - 429: up to 30 times for any request, because the service did not run the request (rule 14.29). svc waits for the Retry-After, at least
 * a second.
 * - Lost connection, 500, 502, 503, 504: up to 4 times for a repeatable request. After a lost connection, also for a request that svc did
 * not send.
 * - A failure of TLS or of the proxy, or a too large answer: never.
 * - A Retry-After beyond `maxWaitMs` ends the retries. The answer then decides the error: exit 7 for a 429, exit 8 for a 5xx.
 */
export function decideRetry(outcome: AttemptOutcome, options: RetryOptions): Decision {
  if (outcome.kind === 'status' && outcome.status === 429) {
    const ms = Math.max(outcome.retryAfterMs ?? backoffMs(options.refusals, options.random), LEAST_REFUSAL_MS);
    return options.refusals >= MAX_REFUSALS || ms > options.maxWaitMs ? { action: 'stop' } : { action: 'refused', ms };
  }
  if (options.retries >= MAX_RETRIES) return { action: 'stop' };
  if (outcome.kind === 'network') {
    const again = !LASTING_FAILURES.has(outcome.failure) && (options.repeatable || outcome.ran === 'no');
    return again ? { action: 'retry', ms: backoffMs(options.retries, options.random) } : { action: 'stop' };
  }
  if (!options.repeatable || !PASSING_STATUSES.has(outcome.status)) return { action: 'stop' };
  const ms = outcome.retryAfterMs ?? backoffMs(options.retries, options.random);
  return ms > options.maxWaitMs ? { action: 'stop' } : { action: 'retry', ms };
}

/**
 * Returns true if svc can repeat a request that the service possibly ran. Such a request is a read, has an Idempotency-Key, or is a DELETE.
 * A second DELETE changes nothing (RFC 9110 §9.2.2).
 *
 * A repeated PATCH sets the same fields, but can overwrite another person’s change in between. The code that sends a PATCH
 * therefore decides about a repetition.
 *
 * @param method The HTTP method in upper case.
 * @param headers The headers, with names in lower case.
 */
export function isRepeatable(method: string, headers: Readonly<Record<string, string>>): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'DELETE' || 'idempotency-key' in headers;
}

/** Returns true if the service possibly ran the request, but did not confirm the run. */
export function mayHaveRun(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'network' ? outcome.ran === 'maybe' : outcome.status >= 500;
}

/**
 * Returns a random wait in milliseconds below a bound that doubles with each retry, up to 20 seconds. Randomness keeps many clients from
 * retrying at the same time.
 */
function backoffMs(retries: number, random: () => number): number {
  return Math.round(random() * Math.min(CAP_MS, BASE_MS * 2 ** retries));
}
