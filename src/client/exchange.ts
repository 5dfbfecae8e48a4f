import type { Credential } from '../credential.ts';
import type { NetworkResponse } from '../deps.ts';
import { NetworkError } from '../errors.ts';
import { parseRetryAfter } from '../values/retry-after.ts';
import type { ApiClientOptions, ClientEvents } from './api.ts';
import { type BudgetKind, RequestPaused } from './pace.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { readProblem } from './problem-document.ts';
import { parseRateLimit, type RateLimit } from './rate-limit.ts';

export interface WholeAnswer {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

export interface Answer extends WholeAnswer {
  readonly credential: Credential;
  readonly rateLimit: RateLimit | undefined;
  /** The wait that the service requests, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

interface Attempt {
  readonly url: string;
  readonly credential: Credential;
  readonly number: number;
}

type ExchangeOptions = Required<Pick<ApiClientOptions, 'network' | 'clock' | 'timeoutMs'>> &
  ClientEvents & {
    readonly newId: () => string;
    /** The function that svc calls right before sending the first byte of a GET. If the function throws, svc does not send the request. */
    readonly beforeSend: (kind: BudgetKind) => void;
    /**
     * The function that svc calls after a 429 that requests a wait, in milliseconds. If the headers have the wait, svc has not yet read the
     * body.
     */
    readonly onRefused: (kind: BudgetKind, ms: number) => void;
  };

/**
 * Creates the function that sends one request. That function returns a network failure as a value, because svc can retry. That function
 * throws the reason of an aborted signal, and all other errors.
 */
export function createExchange({ network, clock, timeoutMs, newId, onExchange, beforeSend, onRefused }: ExchangeOptions) {
  return async (request: PreparedRequest, { url, credential, number }: Attempt): Promise<Answer | NetworkError> => {
    const { method, kind, body, transfer, signal, receive } = request;
    const sentId = newId();
    const headers = {
      'x-request-id': sentId,
      ...(credential.ifMatch !== undefined && { 'if-match': credential.ifMatch }),
      ...request.headers,
      authorization: `Bearer ${credential.token}`,
    };
    const started = clock.monotonic();
    const shown = request.hidesQuery ? (url.split('?', 1)[0] ?? '') : url;
    const report = (status: number | undefined, requestId: string | undefined, error?: string) =>
      onExchange?.({ method, url: shown, status, ms: clock.monotonic() - started, units: request.cost, requestId, attempt: number, error });
    let response: NetworkResponse | undefined;
    try {
      response = await network.request({
        ...{ method, url, headers, timeoutMs, transfer, signal },
        // The journal has already recorded a write as sent, so svc delays only reads.
        ...(method === 'GET' && { beforeSend: () => beforeSend(kind) }),
        ...(body === undefined ? {} : { body }),
      });
      const { status, headers: reported } = response;
      const rateLimit = parseRateLimit(reported);
      const now = serviceTime(reported) ?? clock.now();
      const inHeaders = parseRetryAfter(reported['retry-after'], now);
      if (status === 429 && inHeaders !== undefined) onRefused(kind, inHeaders);
      const isTaken = (status === 200 || status === 206) && (await receive?.(response)) === true;
      const bytes = isTaken ? NO_BYTES : await response.bytes();
      report(status, reported['x-request-id']);
      const retryAfterMs = inHeaders ?? (status === 429 ? laterRetryAfter(bytes, reported, rateLimit) : undefined);
      if (status === 429 && inHeaders === undefined && retryAfterMs !== undefined) onRefused(kind, retryAfterMs);
      return { status, url, headers: reported, bytes, credential, rateLimit, retryAfterMs };
    } catch (error) {
      if (error instanceof RequestPaused) throw error;
      report(response?.status, sentId, error instanceof Error ? error.message : String(error));
      if (error instanceof NetworkError) return error;
      throw error;
    }
  };
}

const NO_BYTES = new Uint8Array();

/** Returns the service’s time in milliseconds since 1970, because this machine’s clock can be wrong. Undefined without a valid `Date`. */
function serviceTime(headers: Readonly<Record<string, string>>): number | undefined {
  const time = Date.parse(headers['date'] ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Returns the wait in milliseconds after a 429 without a Retry-After. The wait is the body’s value, or the time until an empty bucket is
 * full. Undefined without either value.
 */
function laterRetryAfter(
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
  rateLimit: RateLimit | undefined,
): number | undefined {
  const reported = readProblem(new TextDecoder().decode(bytes), headers, '').retryAfter;
  if (reported !== undefined) return reported * 1000;
  return rateLimit?.remaining === 0 ? rateLimit.reset * 1000 : undefined;
}
