import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { ByteSource, NetworkRequest, NetworkResponse } from '../deps.ts';
import { NetworkError } from '../errors.ts';
import { AnswerBody } from './answer-body.ts';
import { decodeBody } from './content-encoding.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { describeNetworkFailure } from './network-failure.ts';

/** The most bytes that svc reads from an unwanted body to reuse the connection. svc closes the connection of a longer body. */
const DISCARD_BYTES = 16 * 1024;

/** The largest answer that svc reads into memory, in bytes. A larger answer is an error. A page of 100 records is far smaller. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

type Failure = (cause: unknown) => unknown;

/**
 * Sends one request, and returns its answer as soon as the headers have arrived. svc uses undici’s dispatcher directly. undici’s `request`
 * would create a Node stream for each answer. The stream costs time, and keeps the bytes of an answer in memory
 * (docs/contributing/performance.md).
 * @throws the result of {@link describeNetworkFailure}, or the reason of an aborted signal.
 */
export function exchange(agent: Dispatcher, url: URL, request: NetworkRequest): Promise<NetworkResponse> {
  const { method, headers, body, timeoutMs, signal, beforeSend } = request;
  return new Promise((resolve, reject) => {
    let sent = false;
    let answer: AnswerBody | undefined;
    let held: { readonly reason: unknown } | undefined;
    let abort: ((reason: Error) => void) | undefined;
    const failure =
      (stage: 'answer' | 'body'): Failure =>
      (cause) =>
        signal?.aborted ? signal.reason : describeNetworkFailure(cause, { request, sent, stage });
    const onAbort = () => {
      abort?.(signal?.reason);
      // A request that still waits for its connection receives the abort only later.
      reject(signal?.reason);
    };
    let timer: NodeJS.Timeout | undefined;
    const streamed = streamOf(request);
    let isMoving = streamed !== undefined;
    const moved = () => void (isMoving && timer?.refresh());
    const allSent = () => {
      isMoving = false;
    };
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      agent.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: method as Dispatcher.HttpMethod,
          headers: streamed === undefined ? { ...headers } : { ...headers, 'content-length': String(streamed.size) },
          body: streamed === undefined ? wholeOf(body) : inPieces(streamed, moved, allSent),
          // undici’s own time-outs limit the wait for the first byte and each silence. A slow sender of single bytes never exceeds these
          // limits.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        {
          // undici calls this function just before it writes. Before this call, the service can’t have received the request.
          onRequestStart(controller) {
            abort = (reason) => controller.abort(reason);
            if (signal?.aborted) return abort(signal.reason);
            try {
              beforeSend?.();
            } catch (error) {
              held = { reason: error };
              // The connection stays open: undici has written nothing.
              throw error;
            }
            sent = true;
            timer = setTimeout(() => controller.abort(isMoving ? new Silence() : new AnswerTimeout()), timeoutMs);
          },
          onResponseStart(controller, status, head) {
            if (status < 200) return;
            answer = new AnswerBody(controller);
            const heads = joinHeaders(head);
            isMoving = isFile(request, status, heads['content-type']);
            moved();
            resolve(new Response(request, status, heads, answer, failure('body')));
          },
          onResponseData(_, piece) {
            moved();
            answer?.push(piece);
          },
          onResponseEnd() {
            finish();
            answer?.end();
          },
          onResponseError(_, error) {
            finish();
            if (answer === undefined) reject(held === undefined ? failure('answer')(error) : held.reason);
            else answer.fail(error);
          },
        },
      );
    } catch (error) {
      finish();
      reject(failure('answer')(error));
    }
  });
}

const PIECE_BYTES = 64 * 1024;

async function* piecesOf(body: ByteSource, onMoved: () => void, onSent: () => void): AsyncGenerator<Uint8Array> {
  for await (const bytes of body.open()) {
    for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) {
      yield bytes.subarray(from, from + PIECE_BYTES);
      onMoved();
    }
  }
  onSent();
}

/** Returns a body that svc sends piece by piece. Undefined for an empty body, or for a body that svc sends at once. */
function streamOf({ body, transfer }: NetworkRequest): ByteSource | undefined {
  if (body === undefined) return undefined;
  const source = isSource(body) ? body : transfer ? sourceOf(body) : undefined;
  return source === undefined || source.size === 0 ? undefined : source;
}

function wholeOf(body: NetworkRequest['body']): string | Uint8Array | null {
  return body === undefined ? null : isSource(body) ? '' : body;
}

function isSource(body: string | Uint8Array | ByteSource): body is ByteSource {
  return typeof body === 'object' && 'open' in body;
}

function sourceOf(body: string | Uint8Array): ByteSource {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return {
    size: bytes.byteLength,
    async *open() {
      yield bytes;
    },
  };
}

function inPieces(...of: Parameters<typeof piecesOf>): Readable {
  return piecesOf(...of) as unknown as Readable;
}

function isFile({ transfer = false }: NetworkRequest, status: number, type = ''): boolean {
  if (transfer === false || status < 200 || status > 299) return false;
  return transfer === 'any' || !/\bjson\b/i.test(type);
}

class Response implements NetworkResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly #request: NetworkRequest;
  readonly #raw: AnswerBody;
  readonly #failure: Failure;

  constructor(request: NetworkRequest, status: number, headers: Readonly<Record<string, string>>, raw: AnswerBody, failure: Failure) {
    this.status = status;
    this.headers = headers;
    this.#request = request;
    this.#raw = raw;
    this.#failure = failure;
    this.body = this.#pieces();
  }

  async bytes(maxBytes: number = DEFAULT_MAX_BYTES): Promise<Uint8Array> {
    const gathered = new GatheredBytes();
    for await (const piece of this.body) {
      gathered.add(piece);
      if (gathered.size > maxBytes) throw this.#failure(new BodyTooLarge(maxBytes));
    }
    return gathered.join();
  }

  async text(maxBytes?: number): Promise<string> {
    return new TextDecoder().decode(await this.bytes(maxBytes));
  }

  async discard(): Promise<void> {
    let size = 0;
    try {
      for await (const piece of this.#raw) {
        size += piece.byteLength;
        if (size > DISCARD_BYTES) return;
      }
      await connectionIsFree();
    } catch (error) {
      // svc ignores a network failure here, because no caller reads the body. Any other error is a bug, so svc throws that error.
      const failure = this.#failure(error);
      if (!(failure instanceof NetworkError)) throw failure;
    }
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* await decodeBody(this.#raw, hasNoBody(this.#request.method, this.status) ? undefined : this.headers['content-encoding']);
      await connectionIsFree();
    } catch (error) {
      throw this.#failure(error);
    }
  }
}

/**
 * Waits until undici has freed the connection, one turn of the event loop after the end of the answer. Otherwise, the next request would
 * open a second connection.
 */
function connectionIsFree(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

class Silence extends Error {
  readonly code = 'SVC_SILENCE';
}

class AnswerTimeout extends Error {
  readonly code = 'SVC_TIMEOUT';
}

class BodyTooLarge extends Error {
  readonly code = 'SVC_TOO_LARGE';

  constructor(maxBytes: number) {
    super(maxBytes < 1024 * 1024 ? `more than ${maxBytes} bytes` : `more than ${Math.floor(maxBytes / 1024 / 1024)} MiB`);
  }
}

/** Returns true if an answer has no body, even if its headers claim otherwise (RFC 9110 §6.4.1). */
function hasNoBody(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}

/** Joins repeated headers. undici supplies names in lower case. A value from the network is never `undefined`. */
function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}
