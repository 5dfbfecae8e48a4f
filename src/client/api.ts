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
  /**
   * The time limit in milliseconds for connecting, and again for the answer, from sending to the last byte. For a file, the limit is the
   * longest silence.
   */
  readonly timeoutMs: number;
  /** The longest single wait for the rate limit or for a Retry-After, in milliseconds. */
  readonly maxWaitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly events?: ClientEvents | undefined;
  /** Opens the cache at the first request. Without a cache, svc stores no answers. */
  readonly cache?: (() => Promise<AnswerCache | undefined>) | undefined;
  /**
   * Returns the share of bulk work, or undefined for a person’s command. A person’s command takes precedence. svc calls the function before
   * each request. Default: undefined.
   */
  readonly share?: (() => Share | undefined) | undefined;
  /** Opens the rate limits that all processes share, at the first request. Without shared limits, the client uses limits of its own. */
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
  /** The cost of the request in rate-limit units, if the request succeeds. */
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
  /** The path or address: `/worklogs`, `/api/v2/worklogs`, or an absolute address on the host. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ApiBody | undefined;
  /** The cost in rate-limit units. Default: calculated from the query. */
  readonly cost?: number;
  /** The Idempotency-Key, with at most 255 characters. Default: a random key for a POST. */
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string;
  readonly upload?: boolean;
  /**
   * True if the request or the answer contains a file. The time limit then applies to the longest silence. `any` also treats a JSON answer
   * as a file.
   */
  readonly transfer?: boolean | 'any';
  /** True to return a failed answer with its error in {@link ApiResponse.error}, instead of throwing the error. */
  readonly keepProblem?: boolean;
  /** True to bypass the cache, for records that must be current. */
  readonly uncached?: boolean;
  /** True if the service itself named the address. The address can be anywhere on the organisation’s own origin, as after a redirect. */
  readonly ownOrigin?: boolean;
  /**
   * Reads a successful answer during its arrival. If the function returns false, svc reads the answer into memory. After a failure, svc
   * retries from the first byte.
   */
  readonly receive?: (response: NetworkResponse) => Promise<boolean>;
  /**
   * True if an earlier run of svc sent the request and the service possibly ran the request. A DELETE that finds no record then succeeds.
   */
  readonly mayHaveRun?: boolean;
  /**
   * The parts of the query that the documentation does not show (rule 18.27): `filter[user_id]`, `include=user`, `q`. svc remembers a
   * refusal for a day.
   */
  readonly assumed?: readonly string[];
  readonly signal?: AbortSignal;
}

export type ApiBody =
  | { readonly json: JsonValue }
  /** The unchanged bytes of the body. Without a content type, svc sends the bytes as JSON. */
  | { readonly raw: string | Uint8Array; readonly contentType?: string }
  /** A body that svc reads during the request. svc compares requests by `digest`. The same bytes must have the same digest. */
  | { readonly source: ByteSource; readonly contentType: string; readonly digest: string };

export interface ApiResponse {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  /** The error for the status. Only set with {@link ApiRequest.keepProblem}. */
  readonly error: SvcError | undefined;
  bytes(): Uint8Array;
  text(): string;
  /**
   * Parses the body as JSON, and keeps the spelling of every number. Returns undefined for an empty body.
   *
   * @throws UnavailableError for a body that is not JSON or is nested too deep.
   */
  body(): JsonValue | undefined;
}

export interface ApiClient {
  readonly host: Host;
  /**
   * Sends a request, and returns the answer.
   *
   * @throws SvcError of the class for the status; `RateLimitError` for a wait beyond `maxWaitMs`; `NetworkError`.
   */
  send(request: ApiRequest): Promise<ApiResponse>;
  limits(): SeenBucket[];
  /** Adds a listener for every exchange, including retries. */
  watch(listener: (exchange: Exchange) => void): void;
}
