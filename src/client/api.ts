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

export interface ClientEvents {
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onWait?: (wait: Wait) => void;
  readonly onWarnings?: (warnings: readonly string[]) => void;
}

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status: number | undefined;
  readonly ms: number;
  /** The cost of the request if it succeeds, in rate-limit units. */
  readonly units: number;
  readonly requestId: string | undefined;
  readonly attempt: number;
  readonly error: string | undefined;
}

export interface Wait {
  readonly reason: 'rate-limit' | 'retry';
  readonly ms: number;
}

export interface ApiRequest {
  readonly method: string;
  /** `/worklogs`, `/api/v2/worklogs`, or a whole address on the host. */
  readonly path: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ApiBody;
  /** The request's rate-limit units, where the caller knows better than the query shows. */
  readonly cost?: number;
  /** At most 255 characters. A POST without one gets a random one. */
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
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
   * Takes a good answer as it comes; false leaves it untouched for svc to hold. svc retries after a failure within it, from the first byte
   * on.
   */
  readonly receive?: (response: NetworkResponse) => Promise<boolean>;
  /** An earlier svc sent the request too, and it may have run then: a DELETE that finds no record has succeeded. */
  readonly mayHaveRun?: boolean;
  /** Parts of the query that no documentation shows (rule 18.27): `filter[user_id]`, `include=user`, `q`. A refusal holds for a day. */
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
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
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
  /** @throws SvcError of the status' class, also `RateLimitError` for too long a wait; `NetworkError` without a whole answer. */
  send(request: ApiRequest): Promise<ApiResponse>;
  limits(): SeenBucket[];
  /** Retries count as exchanges too. */
  watch(listener: (exchange: Exchange) => void): void;
}
