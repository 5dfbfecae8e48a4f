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

/** The next step; `refused` waits in the rate budget, so that other requests wait with it. */
export type Decision =
  | { readonly action: 'stop' }
  | { readonly action: 'retry'; readonly ms: number }
  | { readonly action: 'refused'; readonly ms: number };

const MAX_RETRIES = 4;

/** This many 429 in a row are no rate limit any more. */
const MAX_REFUSALS = 30;

const BASE_MS = 500;
const CAP_MS = 20_000;

const PASSING_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

const LASTING_FAILURES: ReadonlySet<NetworkErrorKind> = new Set(['tls', 'too-large', 'proxy']);

/**
 * Decides whether and when to send a request again.
 *
 * - 429: always, since it did not run (rule: a 429 did not run). Its Retry-After counts, at least a second.
 * - Connection lost, 500, 502, 503, 504: only a repeatable request; after a lost connection also one that was not sent.
 * - A Retry-After beyond `maxWaitMs` ends the retries: the answer itself is the error then, exit 7 for a 429 and 8 for a 5xx.
 */
export function decideRetry(outcome: AttemptOutcome, options: RetryOptions): Decision {
  if (outcome.kind === 'status' && outcome.status === 429) {
    const ms = Math.max(outcome.retryAfterMs ?? backoffMs(options.refusals, options.random), 1000);
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
 * Whether svc may send a request again though it may have run. That is a read, a request with an Idempotency-Key, or a DELETE, whose second
 * run changes nothing (RFC 9110 §9.2.2).
 *
 * A PATCH sets the same fields the second time. But it may overwrite another person's change in between: the sender has to decide. That
 * holds for one record and for thousands.
 *
 * @param method In capitals.
 * @param headers Names in lower case.
 */
export function isRepeatable(method: string, headers: Readonly<Record<string, string>>): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'DELETE' || 'idempotency-key' in headers;
}

/** Whether the service may have run the request, though no answer confirms it. */
export function mayHaveRun(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'network' ? outcome.ran === 'maybe' : outcome.status >= 500;
}

/** Full jitter: anything from zero to a bound that doubles, so that many clients do not return at the same time. */
function backoffMs(retries: number, random: () => number): number {
  return Math.round(random() * Math.min(CAP_MS, BASE_MS * 2 ** retries));
}
