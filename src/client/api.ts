import type { CredentialSource } from '../credential.ts';
import type { ByteSource, Clock, Network, NetworkResponse } from '../deps.ts';
import type { SvcError } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import type { JsonValue } from '../values/json.ts';
import type { AnswerCache } from './cache.ts';
import type { Query } from './cost.ts';
import type { SeenBucket, Share, SharedLimits } from './pace.ts';

export interface ApiClientOptions {
  readonly host: Host;
  readonly network: Pick<Network, 'request'>;
  readonly credentials: CredentialSource;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Milliseconds for connecting, and again for the whole answer to a request, from sending to its last byte. */
  readonly timeoutMs: number;
  /** The longest single wait for the rate limit or for a Retry-After, in milliseconds. */
  readonly maxWaitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly events?: ClientEvents | undefined;
  /** Opens the cache at the first request. Undefined, or a result of undefined, stores nothing. */
  readonly cache?: (() => Promise<AnswerCache | undefined>) | undefined;
  /** The share of bulk work; undefined for a person, who goes first. Read before each request. Default undefined. */
  readonly share?: (() => Share | undefined) | undefined;
  /** Opens what other processes know of the rate limits, at the first request. Undefined, or a result of undefined, shares nothing. */
  readonly sharedLimits?: (() => Promise<SharedLimits | undefined>) | undefined;
  readonly random?: (() => number) | undefined;
  readonly newId?: (() => string) | undefined;
}

/** The events of a request, for `--debug` and the progress line. They never hold a token. */
export interface ClientEvents {
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onWait?: (wait: Wait) => void;
  /** The texts of an answer's `meta.warnings`, when its body is read. */
  readonly onWarnings?: (warnings: readonly string[]) => void;
}

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status: number | undefined;
  /** From sending to the last byte, in milliseconds. */
  readonly ms: number;
  /** The cost of the request if it succeeds, in rate-limit units. */
  readonly units: number;
  /** The service's own id of the request; svc's where no answer came. */
  readonly requestId: string | undefined;
  /** 1 for the first attempt. */
  readonly attempt: number;
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
  /** Added to the query in the path, in this order. */
  readonly query?: Query;
  /** Added over svc's own headers; names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ApiBody;
  /** The request's rate-limit units, where the caller knows better than the query shows. */
  readonly cost?: number;
  /** At most 255 characters. A POST without one gets a random one. */
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** An upload step: it needs a personal access token. */
  readonly upload?: boolean;
  /** A file may go either way: the time-out bounds its longest silence, not the whole of it. `whatever`: also where the file is JSON. */
  readonly transfer?: boolean | 'whatever';
  /** Returns an answer that is a problem, with its error in {@link ApiResponse.error}, instead of throwing it. */
  readonly keepProblem?: boolean;
  /** Lets the service answer, and never the cache: for records that are stored as they are now. */
  readonly uncached?: boolean;
  /** The path is an address that the service itself named. It may lie anywhere on the organisation's own origin, as a redirect may. */
  readonly ownOrigin?: boolean;
  /**
   * Takes a good answer (200 or 206) as it comes, so that svc does not hold it. True once it has read or discarded the answer; the response
   * then has no bytes. False, with nothing touched, for an answer that svc should hold. svc retries after a failure of the network within
   * it, from the first byte on.
   */
  readonly receive?: (response: NetworkResponse) => Promise<boolean>;
  /** An earlier svc sent the request too, and it may have run then: a DELETE that finds no record has succeeded. */
  readonly mayHaveRun?: boolean;
  /**
   * The parts of the query that no documentation shows (rule 18.27): `filter[user_id]`, `include=user`, `sort=-id`, `q`. The service may
   * refuse each of them (400). svc refuses for a day what the service refused, without sending it, with a `RememberedRefusal`.
   */
  readonly assumed?: readonly string[];
  readonly signal?: AbortSignal;
}

export type ApiBody =
  | { readonly json: JsonValue }
  /** Bytes as they are; without a type they count as JSON. */
  | { readonly raw: string | Uint8Array; readonly contentType?: string }
  /** Bytes that svc reads while it sends them. `digest` stands for them in comparisons of requests: the same bytes have the same digest. */
  | { readonly source: ByteSource; readonly contentType: string; readonly digest: string };

export interface ApiResponse {
  readonly status: number;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
  /** The service's own id of the request. */
  readonly requestId: string | undefined;
  /** The failure that the status means; only with {@link ApiRequest.keepProblem}. */
  readonly error: SvcError | undefined;
  /** The body as it came, decoded of any Content-Encoding. */
  bytes(): Uint8Array;
  text(): string;
  /** The body as JSON, every number as the service wrote it; undefined when empty. @throws UnavailableError when it is no JSON. */
  body(): JsonValue | undefined;
}

export interface ApiClient {
  readonly host: Host;
  /**
   * Sends a request: signed, paced, retried where that is safe. @throws SvcError of the class that the status means; `RateLimitError` when
   * a wait would be longer than allowed; `NetworkError` without a whole answer; any error of the credential source.
   */
  send(request: ApiRequest): Promise<ApiResponse>;
  limits(): SeenBucket[];
  /** Retries count as exchanges too. */
  watch(listener: (exchange: Exchange) => void): void;
}
