import { randomUUID } from 'node:crypto';
import type { Credential, CredentialSource } from '../credential.ts';
import type { Clock, Network } from '../deps.ts';
import { NetworkError, type SvcError, UnavailableError, UsageError } from '../errors.ts';
import type { Host } from '../values/host.ts';
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from '../values/json.ts';
import type { AnswerCache } from './cache.ts';
import { type Query, requestCost } from './cost.ts';
import { redirectUrl, requestUrl } from './origin.ts';
import { type BudgetKind, createPace, type SeenBucket } from './pace.ts';
import { problemToError } from './problem.ts';
import { readProblem } from './problem-document.ts';
import { parseRateLimit, parseRetryAfter, type RateLimit } from './rate-limit.ts';
import { readBody } from './read-body.ts';
import { type Decision, decideRetry, type Outcome } from './retry.ts';
import { createRetryBudget } from './retry-budget.ts';

export interface ApiClientOptions {
  readonly host: Host;
  readonly network: Pick<Network, 'request'>;
  readonly credentials: CredentialSource;
  readonly clock: Clock;
  /** Sent as User-Agent: `svc/1.2.3`. */
  readonly userAgent: string;
  /** Milliseconds for connecting, for the first byte and between two pieces: each. */
  readonly timeoutMs: number;
  /** The longest single wait for the rate limit or for a Retry-After, in milliseconds. */
  readonly maxWaitMs: number;
  /** Ends every request and every wait. */
  readonly signal?: AbortSignal | undefined;
  readonly events?: ClientEvents | undefined;
  /** Opens what keeps answers as Cache-Control allows, at the first request; undefined, or giving it, keeps nothing. */
  readonly cache?: (() => Promise<AnswerCache | undefined>) | undefined;
  /** From 0 to 1, for the jitter of retries. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** A new unique id, for X-Request-Id and Idempotency-Key. Default a random UUID. */
  readonly newId?: (() => string) | undefined;
}

/** What a request did, for `--debug` and the progress line. Nothing here ever holds a token. */
export interface ClientEvents {
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onWait?: (wait: Wait) => void;
  /** The texts of an answer's `meta.warnings`, when its body is read. */
  readonly onWarnings?: (warnings: readonly string[]) => void;
}

/** One request and its answer, or the failure that took its place. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  /** From sending to the last byte, in milliseconds. */
  readonly ms: number;
  /** What the request costs if it succeeds. */
  readonly units: number;
  /** The service's own id of the request; svc's where no answer came. */
  readonly requestId: string | undefined;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The message of the failure. */
  readonly error: string | undefined;
}

export interface Wait {
  readonly reason: 'rate-limit' | 'retry';
  readonly ms: number;
}

export interface ApiRequest {
  /** In any case. */
  readonly method: string;
  /** `/worklogs`, `/api/v2/worklogs`, or a whole address on the host. */
  readonly path: string;
  /** Added to what the path already has, in this order. */
  readonly query?: Query;
  /** Over svc's own headers; names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ApiBody;
  /** Units it spends, where the caller knows better than the query tells. */
  readonly cost?: number;
  /** At most 255 characters. A POST without one gets a random one. */
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** An upload step: only a personal token will do. */
  readonly upload?: boolean;
  /** Give back an answer that is a problem, with its error in {@link ApiResponse.error}, instead of throwing it. */
  readonly keepProblem?: boolean;
  /** Ends this request alone. */
  readonly signal?: AbortSignal;
}

export type ApiBody =
  | { readonly json: JsonValue }
  /** Bytes as they are; without a type they are taken for JSON. */
  | { readonly raw: string | Uint8Array; readonly contentType?: string };

export interface ApiResponse {
  readonly status: number;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
  /** The service's own id of the request. */
  readonly requestId: string | undefined;
  /** The failure that the status means; only with {@link ApiRequest.keepProblem}. */
  readonly error: SvcError | undefined;
  /** The body as it came, decoded of any Content-Encoding. */
  bytes(): Uint8Array;
  text(): string;
  /**
   * The body as JSON, every number as it came; undefined when it is empty. Parsed once.
   *
   * @throws UnavailableError when it is no JSON.
   */
  body(): JsonValue | undefined;
}

export interface ApiClient {
  readonly host: Host;
  /**
   * Sends a request: signed, paced, retried where that is safe, and read to its end.
   *
   * @throws SvcError of the class that the status means, `RateLimitError` when a wait would be longer than allowed,
   *   `NetworkError` when no whole answer came, what the credential source throws, or the reason of an aborted signal.
   */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** The rate buckets that answers have told of. */
  limits(): SeenBucket[];
}

const MAX_REDIRECTS = 5;
/** A token can end while it is under way, its successor too when it lives for seconds. The source says when another will not help. */
const MAX_RENEWALS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A request with everything settled that stays the same from one attempt to the next. */
interface Prepared {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly kind: BudgetKind;
  readonly cost: number;
  readonly repeatable: boolean;
  readonly upload: boolean;
  readonly keepProblem: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What an answer says. */
interface WholeAnswer {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** A whole answer to one attempt. */
interface Answer extends WholeAnswer {
  readonly credential: Credential;
  readonly rateLimit: RateLimit | undefined;
  readonly retryAfterMs: number | undefined;
}

/** The way to the API of one host: one for a whole command, so that all its requests share one rate budget. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { host, network, credentials, clock, userAgent, timeoutMs, maxWaitMs, events = {} } = options;
  const { random = Math.random, newId = randomUUID, cache: openCache } = options;
  const pace = createPace({ clock, maxWaitMs, onWait: ({ ms }) => events.onWait?.({ reason: 'rate-limit', ms }) });

  const retryBudget = createRetryBudget();
  const joinSignals = signalJoiner(options.signal);
  const decoder = new TextDecoder();

  async function send(apiRequest: ApiRequest): Promise<ApiResponse> {
    const url = requestUrl(host, apiRequest.path, apiRequest.query);
    const isRead = apiRequest.method.toUpperCase() === 'GET';
    if (openCache === undefined || (isRead && !mayBeKept(apiRequest, url))) return exchangeUntilDone(apiRequest);
    if (!isRead) {
      const response = await exchangeUntilDone(apiRequest);
      await (await openCache())?.forget(url);
      return response;
    }
    const cache = await openCache();
    if (cache === undefined) return exchangeUntilDone(apiRequest);
    const kept = await cache.find(url);
    const bytes = () => Buffer.from(kept?.body ?? '');
    if (kept !== undefined && clock.now() < kept.freshUntil) return respond({ ...kept, status: 200, bytes: bytes() }, undefined);
    const etag = kept?.headers['etag'];
    const response = await exchangeUntilDone(etag === undefined ? apiRequest : { ...apiRequest, ifNoneMatch: etag });
    if (response.status === 304 && kept !== undefined) {
      const headers = { ...kept.headers, ...response.headers };
      await cache.keep(url, { ...kept, headers });
      return respond({ url: kept.url, headers, status: 200, bytes: bytes() }, undefined);
    }
    if (response.status === 200) await cache.keep(url, { url: response.url, headers: response.headers, body: response.text() });
    return response;
  }

  async function exchangeUntilDone(apiRequest: ApiRequest): Promise<ApiResponse> {
    const request = prepareRequest(apiRequest, { host, userAgent, newId, signal: joinSignals(apiRequest.signal) });
    const count = { attempts: 0, retries: 0, refusals: 0, redirects: 0, renewals: 0 };
    let url = request.url;
    let rejected: string | undefined;
    for (;;) {
      count.attempts += 1;
      const answer = await attempt(request, url, rejected, count.attempts);
      rejected = undefined;
      const outcome: Outcome =
        answer instanceof NetworkError
          ? { kind: 'network', ran: answer.ran, failure: answer.kind }
          : { kind: 'status', status: answer.status, retryAfterMs: answer.retryAfterMs };
      const decision = decideRetry(outcome, { ...count, repeatable: request.repeatable, maxWaitMs, random });
      if (outcome.kind === 'status' && outcome.status < 500) retryBudget.giveBack();
      if (decision.action !== 'stop' && (decision.action !== 'retry' || retryBudget.take())) {
        count[decision.action === 'retry' ? 'retries' : 'refusals'] += 1;
        await wait(decision, request);
      } else if (answer instanceof NetworkError) {
        throw answer;
      } else if (answer.status === 401 && count.renewals < MAX_RENEWALS) {
        count.renewals += 1;
        rejected = answer.credential.token;
      } else if (REDIRECTS.has(answer.status)) {
        count.redirects += 1;
        url = followRedirect(request, answer, count.redirects);
      } else {
        return finish(request, answer);
      }
    }
  }

  /** One exchange in its turn. A failure of the network is a value here, since a retry may follow. */
  async function attempt(request: Prepared, url: string, rejected: string | undefined, number: number): Promise<Answer | NetworkError> {
    const { method, upload, signal } = request;
    const turn = await pace.enter(request.kind, request.cost, signal);
    let rateLimit: RateLimit | undefined;
    try {
      const credential = await credentials({ method, upload, rejected, signal });
      const result = await exchange(request, url, credential, number);
      if (!(result instanceof NetworkError)) rateLimit = result.rateLimit;
      return result;
    } finally {
      turn.end(rateLimit);
    }
  }

  async function exchange(request: Prepared, url: string, credential: Credential, number: number): Promise<Answer | NetworkError> {
    const { method, body, signal } = request;
    const sentId = newId();
    const headers = { ...request.headers, authorization: `Bearer ${credential.token}` };
    // A caller's own X-Request-Id stays.
    if (!('x-request-id' in headers)) Object.assign(headers, { 'x-request-id': sentId });
    const started = clock.monotonic();
    const report = (status: number | undefined, requestId: string | undefined, error?: string) =>
      events.onExchange?.({ method, url, status, ms: clock.monotonic() - started, units: request.cost, requestId, attempt: number, error });
    let status: number | undefined;
    try {
      const response = await network.request({ method, url, headers, timeoutMs, signal, ...(body === undefined ? {} : { body }) });
      status = response.status;
      const bytes = await readBody(response, `${method} ${url.split('?', 1)[0]}`);
      report(status, response.headers['x-request-id']);
      const rateLimit = parseRateLimit(response.headers);
      const retryAfterMs = retryAfter(status, response.headers, bytes, rateLimit, serviceTime(response.headers) ?? clock.now());
      return { status, url, headers: response.headers, bytes, credential, rateLimit, retryAfterMs };
    } catch (error) {
      report(status, sentId, error instanceof Error ? error.message : String(error));
      if (error instanceof NetworkError) return error;
      throw error;
    }
  }

  async function wait(decision: Exclude<Decision, { action: 'stop' }>, { kind, signal }: Prepared): Promise<void> {
    if (decision.action === 'refused') {
      // The wait itself is in the budget, where every other request of this kind waits too.
      pace.refuse(kind, decision.ms);
      return;
    }
    events.onWait?.({ reason: 'retry', ms: decision.ms });
    await clock.sleep(decision.ms, signal);
  }

  /** Only a GET is sent on: a redirected write would be another write. */
  function followRedirect({ method }: Prepared, { status, url, headers }: Answer, redirects: number): string {
    if (method !== 'GET' && method !== 'HEAD') {
      throw new UnavailableError(`${host.name} answered a ${method} with a redirect (${status}), which svc does not follow.`, {
        hint: 'Check the host and the path.',
        details: { status, request: `${method} ${url.split('?', 1)[0]}` },
      });
    }
    if (redirects > MAX_REDIRECTS)
      throw new UnavailableError(`${host.name} redirects without end.`, { hint: 'Check the host and the path.' });
    return redirectUrl(host, url, headers['location']);
  }

  function finish(request: Prepared, answer: Answer): ApiResponse {
    const { status, url, headers, credential, retryAfterMs } = answer;
    const { method, upload } = request;
    const failed = !(status >= 200 && status < 300) && status !== 304;
    const text = () => decoder.decode(answer.bytes);
    const error = failed
      ? problemToError({ host, method, url, status, headers, text: text(), credential, upload, retryAfterMs })
      : undefined;
    if (error !== undefined && !request.keepProblem) throw error;
    return respond(answer, error, method);
  }

  function respond(answer: WholeAnswer, error: SvcError | undefined, method = 'GET'): ApiResponse {
    const { status, url, headers } = answer;
    const text = () => decoder.decode(answer.bytes);
    let parsed: { readonly value: JsonValue | undefined } | undefined;
    return {
      status,
      url,
      headers,
      etag: headers['etag'],
      requestId: headers['x-request-id'],
      error,
      bytes: () => answer.bytes,
      text,
      body() {
        if (parsed === undefined) {
          parsed = { value: parseBody(text(), `${method} ${url.split('?', 1)[0]}`, answer) };
          const warnings = warningsOf(parsed.value);
          if (warnings.length > 0) events.onWarnings?.(warnings);
        }
        return parsed.value;
      },
    };
  }

  return { host, send, limits: () => pace.seen() };
}

/**
 * Whether the answer may come from, or go into, the cache. The caller's own conditions and headers are for the service. Pages
 * further on are never kept: a walk through kept and new pages might leave rows out.
 */
function mayBeKept({ headers, ifNoneMatch, keepProblem }: ApiRequest, address: string): boolean {
  const { searchParams } = new URL(address);
  const isFirstPage = !searchParams.has('cursor') && !searchParams.has('page');
  return isFirstPage && headers === undefined && ifNoneMatch === undefined && !keepProblem;
}

interface Preparation {
  readonly host: Host;
  readonly userAgent: string;
  readonly newId: () => string;
  readonly signal: AbortSignal | undefined;
}

/** Headers that are svc's own: they decide who is asked, and as whom. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set(['authorization', 'host', 'content-length', 'transfer-encoding', 'connection']);

function prepareRequest(request: ApiRequest, { host, userAgent, newId, signal }: Preparation): Prepared {
  const method = request.method.toUpperCase();
  const url = requestUrl(host, request.path, request.query);
  const key = request.idempotencyKey ?? (method === 'POST' ? newId() : undefined);
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new UsageError('An idempotency key is 1 to 255 plain characters.', { hint: 'Leave out --idempotency-key to get a random one.' });
  }
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    'accept-encoding': 'gzip, br',
    'user-agent': userAgent,
  };
  const body = encodeBody(request.body);
  if (body !== undefined) headers['content-type'] = body.contentType;
  if (key !== undefined) headers['idempotency-key'] = key;
  if (request.ifMatch !== undefined) headers['if-match'] = request.ifMatch;
  if (request.ifNoneMatch !== undefined) headers['if-none-match'] = request.ifNoneMatch;
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lower = name.toLowerCase();
    if (RESERVED_HEADERS.has(lower)) throw new UsageError(`The header "${name}" is set by svc itself.`, { hint: 'Leave it out.' });
    headers[lower] = value;
  }
  const reads = method === 'GET' || method === 'HEAD';
  return {
    method,
    url,
    headers,
    body: body?.content,
    kind: reads ? 'read' : 'write',
    cost: request.cost ?? requestCost({ method, query: [...new URL(url).searchParams] }),
    repeatable: reads || 'idempotency-key' in headers,
    upload: request.upload ?? false,
    keepProblem: request.keepProblem ?? false,
    signal,
  };
}

function encodeBody(body: ApiBody | undefined): { readonly content: string | Uint8Array; readonly contentType: string } | undefined {
  if (body === undefined) return undefined;
  if ('json' in body) return { content: stringifyJson(body.json), contentType: 'application/json' };
  return { content: body.raw, contentType: body.contentType ?? 'application/json' };
}

/** Joins signals with one of the client's own; the pages of a walk share one, which is then joined once. */
function signalJoiner(own: AbortSignal | undefined): (other: AbortSignal | undefined) => AbortSignal | undefined {
  const joined = new WeakMap<AbortSignal, AbortSignal>();
  return (other) => {
    if (own === undefined || other === undefined) return own ?? other;
    const known = joined.get(other) ?? AbortSignal.any([own, other]);
    joined.set(other, known);
    return known;
  };
}

/** The service's own clock, so that a Retry-After that is a date does not depend on this machine's. */
function serviceTime(headers: Readonly<Record<string, string>>): number | undefined {
  const time = Date.parse(headers['date'] ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** What the answer asks to wait: its Retry-After; for a 429 also its body's word, or the time until the bucket is full. */
function retryAfter(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
  rateLimit: RateLimit | undefined,
  now: number,
): number | undefined {
  const asked = parseRetryAfter(headers['retry-after'], now);
  if (asked !== undefined || status !== 429) return asked;
  const told = readProblem(new TextDecoder().decode(bytes), headers, '').retryAfter;
  if (told !== undefined) return told * 1000;
  return rateLimit?.remaining === 0 ? rateLimit.reset * 1000 : undefined;
}

function parseBody(text: string, request: string, { status, headers }: WholeAnswer): JsonValue | undefined {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch (cause) {
    throw new UnavailableError('The service answered with something that is not JSON.', {
      hint: 'A proxy or a sign-in page on the way may have answered instead; see it with --debug or curl.',
      details: { status, request, request_id: headers['x-request-id'] },
      cause,
    });
  }
}

const MAX_WARNINGS = 20;

/** `meta.warnings` as texts; their shape is not known (rule: page envelope). */
function warningsOf(body: JsonValue | undefined): string[] {
  const meta = isJsonObject(body) ? body['meta'] : undefined;
  const warnings = isJsonObject(meta) ? meta['warnings'] : undefined;
  return Array.isArray(warnings) ? warnings.slice(0, MAX_WARNINGS).map(warningText) : [];
}

function warningText(warning: JsonValue): string {
  const texts = isJsonObject(warning) ? [warning['detail'], warning['message'], warning['title'], warning['code']] : [warning];
  const text = texts.find((candidate) => typeof candidate === 'string') ?? stringifyJson(warning);
  return text.slice(0, 300);
}
