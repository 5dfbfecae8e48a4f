import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it arrived over the network. */
export interface RecordedRequest {
  readonly method: string;
  /** The path and the query, as sent. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Answers one request. */
export type Answer = (request: RecordedRequest, response: http.ServerResponse, socket: Socket) => void;

export interface HttpServer {
  readonly origin: string;
  /** The requests so far, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Queues answers for the next requests. Further requests get the fallback. */
  script(...answers: Answer[]): void;
  /** Sets the answer to requests that no script covers. */
  fallback(answer: Answer): void;
  /** Resolves when `count` requests have arrived. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a real HTTP server on 127.0.0.1 that records its requests, and answers by script. */
export async function startHttpServer(): Promise<HttpServer> {
  const requests: RecordedRequest[] = [];
  const queue: Answer[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let fallback: Answer = json(200, {});

  const server = http.createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('error', () => {});
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://server.invalid');
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: Buffer.concat(pieces).toString(),
      };
      requests.push(request);
      (queue.shift() ?? fallback)(request, response, incoming.socket);
      for (const waiter of waiting.splice(0)) {
        if (requests.length >= waiter.count) waiter.resolve();
        else waiting.push(waiter);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    script: (...answers) => void queue.push(...answers),
    fallback: (answer) => {
      fallback = answer;
    },
    received: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Returns an answer with JSON, or with an unchanged string. */
export function json(status: number, body?: unknown, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    const type = status >= 400 ? 'application/problem+json' : 'application/json';
    response.writeHead(status, { 'content-type': type, 'x-request-id': '01JSERVERREQUESTID', ...headers });
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  };
}

/** Closes the connection without an answer. */
export const drop: Answer = (_request, _response, socket) => void socket.destroy();

/** Never answers. */
export const hang: Answer = () => {};

/** Announces a hundred bytes, sends a few and closes the connection. */
export const truncate: Answer = (_request, response, socket) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"data":[', () => socket.destroy());
};
