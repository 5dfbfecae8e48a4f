import { randomUUID } from 'node:crypto';
import { NetworkError, NotFoundError, SignInError, type SvcError, UnavailableError, withMore } from '../errors.ts';
import type { ApiClient, ApiClientOptions, ApiRequest, ApiResponse, Exchange } from './api.ts';
import { cachedSend } from './cached-send.ts';
import { type Answer, createExchange, type WholeAnswer } from './exchange.ts';
import { redirectUrl } from './origin.ts';
import { createPace, RequestPaused } from './pace.ts';
import { type PreparedRequest, prepareRequest } from './prepare-request.ts';
import { problemToError } from './problem.ts';
import { bodyText, createResponse } from './response.ts';
import { type AttemptOutcome, decideRetry, LEAST_REFUSAL_MS, mayHaveRun } from './retry.ts';

export type * from './api.ts';

const MAX_REDIRECTS = 5;
/**
 * The most times that svc requests another token for one request after a 401. svc then reports the 401. A token, or its short-lived
 * successor, can end during a request. The credential source reports when another token does not help.
 */
const MAX_RENEWALS = 3;
/**
 * The longest time in milliseconds that svc keeps a credential while the request waits for its turn. svc then requests the credential
 * again, because the token can have ended.
 */
const FRESH_MS = 10_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { host, network, credentials, clock, userAgent, timeoutMs, maxWaitMs, events = {} } = options;
  const { random = Math.random, newId = randomUUID, cache: openCache } = options;
  const { share, sharedLimits: shared } = options;
  const pace = createPace({ clock, maxWaitMs, share, shared, onWait: ({ ms }) => events.onWait?.({ reason: 'rate-limit', ms }) });
  const watchers: ((exchange: Exchange) => void)[] = [];
  const onExchange = (seen: Exchange) => {
    events.onExchange?.(seen);
    for (const watcher of watchers) watcher(seen);
  };
  const exchange = createExchange({
    ...{ network, clock, timeoutMs, newId, onExchange },
    beforeSend: (kind) => pace.confirm(kind),
    onRefused: (kind, ms) => pace.refuse(kind, Math.max(ms, LEAST_REFUSAL_MS)),
  });
  const retryBudget = createRetryBudget();
  const joinSignals = signalJoiner(options.signal);

  async function sendUntilDone(apiRequest: ApiRequest): Promise<ApiResponse> {
    const request = prepareRequest(apiRequest, { host, userAgent, newId, signal: joinSignals(apiRequest.signal) });
    const count = { attempts: 0, retries: 0, refusals: 0, redirects: 0, renewals: 0 };
    let url = request.url;
    let rejected: string | undefined;
    let ranEarlier = apiRequest.mayHaveRun ?? false;
    let refusal: SvcError | undefined;
    for (;;) {
      count.attempts += 1;
      const answer = await attempt(request, url, rejected, count.attempts).catch((error: unknown) => {
        throw afterRefusal(error, refusal);
      });
      rejected = undefined;
      const outcome: AttemptOutcome =
        answer instanceof NetworkError
          ? { kind: 'network', ran: answer.ran, failure: answer.kind }
          : { kind: 'status', status: answer.status, retryAfterMs: answer.retryAfterMs };
      const decision = decideRetry(outcome, { ...count, repeatable: request.repeatable, maxWaitMs, random });
      if (outcome.kind === 'status' && outcome.status < 500) retryBudget.giveBack();
      if (decision.action !== 'stop' && (decision.action !== 'retry' || retryBudget.take())) {
        count[decision.action === 'retry' ? 'retries' : 'refusals'] += 1;
        ranEarlier ||= mayHaveRun(outcome);
        if (decision.action === 'retry') await waitToRetry(decision.ms, request.signal);
        else if (outcome.kind === 'status' && outcome.retryAfterMs === undefined) pace.refuse(request.kind, decision.ms);
      } else if (answer instanceof NetworkError) {
        throw answer;
      } else if (answer.status === 401 && count.renewals < MAX_RENEWALS) {
        count.renewals += 1;
        rejected = answer.credential.token;
        refusal = problemOf(request, answer);
      } else if (REDIRECTS.has(answer.status)) {
        count.redirects += 1;
        url = followRedirect(request, answer, count.redirects);
      } else {
        return finish(request, answer, ranEarlier);
      }
    }
  }

  async function attempt(
    request: PreparedRequest,
    url: string,
    rejected: string | undefined,
    number: number,
  ): Promise<Answer | NetworkError> {
    const { method, upload, uploadStep, body, signal } = request;
    const wanted = { method, upload, uploadStep, target: { url, body: bytesIn(body) }, rejected, signal };
    // During a slow keychain call, the service can refuse another process. svc therefore checks the limits after the call.
    const requested = clock.now();
    const early = await credentials(wanted);
    for (;;) {
      const turn = await pace.enter(request.kind, request.cost, signal);
      let answer: Answer | undefined;
      let isSent = true;
      try {
        const credential = clock.now() - requested > FRESH_MS ? await credentials(wanted) : early;
        const result = await exchange(request, { url, credential, number });
        if (!(result instanceof NetworkError)) answer = result;
        return result;
      } catch (error) {
        if (!(error instanceof RequestPaused)) throw error;
        isSent = false;
      } finally {
        await (isSent ? turn.end(answer?.rateLimit, answer?.status) : turn.cancel());
      }
    }
  }

  async function waitToRetry(ms: number, signal: AbortSignal | undefined): Promise<void> {
    events.onWait?.({ reason: 'retry', ms });
    await clock.sleep(ms, signal);
  }

  /**
   * Returns the address to which the service redirects a GET or HEAD. @throws UnavailableError after too many redirects, for a redirected
   * write, or as {@link redirectUrl}.
   */
  function followRedirect({ method }: PreparedRequest, { status, url, headers }: Answer, redirects: number): string {
    if (method !== 'GET' && method !== 'HEAD') {
      throw new UnavailableError(`${host.name} answered a ${method} with a redirect (${status}), which svc does not follow.`, {
        hint: 'Check the host and the path.',
        details: { status, request: `${method} ${url.split('?', 1)[0]}` },
      });
    }
    if (redirects > MAX_REDIRECTS)
      throw new UnavailableError(`${host.name} redirects svc again and again.`, { hint: 'Check the host and the path.' });
    return redirectUrl(host, url, headers['location']);
  }

  function finish(request: PreparedRequest, answer: Answer, ranEarlier: boolean): ApiResponse {
    const { status, url, headers } = answer;
    const { method } = request;
    if ((status >= 200 && status < 300) || status === 304) return respond(answer, method);
    const error = problemOf(request, answer);
    // The record no longer exists, so the DELETE has succeeded.
    if (ranEarlier && method === 'DELETE' && isMissingRecord(error)) return respond({ url, headers, status: 204, bytes: NO_BYTES }, method);
    if (!request.keepProblem) throw error;
    return createResponse(answer, { method, error, onWarnings: events.onWarnings });
  }

  function problemOf({ method, upload, uploadStep }: PreparedRequest, answer: Answer): SvcError {
    return problemToError({ ...answer, host, method, text: bodyText(answer.bytes), upload: upload || uploadStep });
  }

  function respond(answer: WholeAnswer, method: string): ApiResponse {
    return createResponse(answer, { method, onWarnings: events.onWarnings });
  }

  const keep = (open: NonNullable<typeof openCache>) =>
    cachedSend({ clock, host, openCache: open, send: sendUntilDone, respond: (answer) => respond(answer, 'GET') });
  return {
    host,
    send: openCache === undefined ? sendUntilDone : keep(openCache),
    limits: () => pace.seen(),
    watch: (listener) => void watchers.push(listener),
  };
}

const NO_BYTES = new Uint8Array();

/** Returns true if the service itself reports the record as missing. A 404 without a type can come from a proxy. */
function isMissingRecord(error: unknown): boolean {
  return error instanceof NotFoundError && error.details.type !== undefined && error.details.type !== 'endpoint-not-found';
}

export function signalJoiner(own: AbortSignal | undefined): (other: AbortSignal | undefined) => AbortSignal | undefined {
  const joined = new WeakMap<AbortSignal, AbortSignal>();
  return (other) => {
    if (own === undefined || other === undefined) return own ?? other;
    const known = joined.get(other) ?? AbortSignal.any([own, other]);
    joined.set(other, known);
    return known;
  };
}

/** Adds the type, code, parameter and request id of a refusal to a SignInError. Returns every other error unchanged. */
function afterRefusal(error: unknown, refusal: SvcError | undefined): unknown {
  if (refusal === undefined || !(error instanceof SignInError)) return error;
  const own = Object.fromEntries(Object.entries(error.details).filter(([, value]) => value !== undefined));
  return withMore(error, { ...refusal.details, ...own, lines: refusal.details.lines });
}

const RETRY_COSTS = 10;
const CAPACITY = 10 * RETRY_COSTS;

/**
 * Creates the retry budget of one process, like the token bucket of the AWS SDKs. The budget allows ten retries, and each answer with a
 * status below 500 returns a tenth of a retry. During an outage, a bulk run therefore sends few extra requests. Among many successes, svc
 * still retries single failures. A 429 does not count as a failure.
 */
function createRetryBudget() {
  let left = CAPACITY;
  return {
    take(): boolean {
      const isEnough = left >= RETRY_COSTS;
      if (isEnough) left -= RETRY_COSTS;
      return isEnough;
    },
    giveBack() {
      left = Math.min(left + 1, CAPACITY);
    },
  };
}

/** Returns the bytes of a body. Empty for a body that svc reads during the request, and undefined without a body. */
function bytesIn(body: PreparedRequest['body']): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return typeof body === 'string' ? Buffer.from(body) : new Uint8Array();
}
