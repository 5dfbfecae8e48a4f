import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Spending } from '../limits.ts';
import type { SandboxPage } from '../pages/layout.ts';

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    body: string;
    bytes: Buffer;
    units: number;
    spending: Spending | undefined;
  };
}

export type SandboxContext = Context<SandboxEnv>;

export function addressOf(c: SandboxContext): string {
  return c.env.incoming.socket.remoteAddress ?? '';
}

export function answerPage(c: SandboxContext, { html, headers }: SandboxPage, status: 200 | 400 | 401 | 403 | 404 | 422 = 200): Response {
  return c.body(html, status, { ...headers });
}

/** A received request, and its outcome. The log contains only the first word of the Authorization header, such as `Bearer`. */
export interface LoggedRequest {
  /** The time of the request by the sandbox’s clock, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** The path with its query, such as `/api/v2/worklogs?per_page=100`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The request body. Empty for a GET or HEAD, and if the log needed the space for newer requests. */
  body: string;
  /** The status of the answer. 0 before the answer, and if the connection ended without a complete answer. */
  status: number;
  units: number;
  /** The value of the answer’s `X-Request-Id` header. */
  readonly requestId: string;
}

const LOG_SIZE = 20_000;
const BODIES_SIZE = 16 * 1024 * 1024;

/**
 * Returns a function that adds a request to the log. The function drops the oldest request if the log has more than {@link LOG_SIZE}
 * requests. The function empties the oldest bodies if all bodies together have more than {@link BODIES_SIZE} characters.
 */
export function createLog(requests: LoggedRequest[]): (entry: LoggedRequest) => void {
  let storedSize = 0;
  let bodies: LoggedRequest[] = [];
  return (entry) => {
    requests.push(entry);
    if (requests.length > LOG_SIZE) requests.shift();
    if (entry.body === '') return;
    bodies.push(entry);
    storedSize += entry.body.length;
    let dropped = 0;
    for (; storedSize > BODIES_SIZE && dropped < bodies.length; dropped++) {
      const oldest = bodies[dropped];
      if (oldest === undefined) break;
      storedSize -= oldest.body.length;
      oldest.body = '';
    }
    if (dropped > 0) bodies = bodies.slice(dropped);
  };
}

export function loggableHeaders(headers: Headers): Record<string, string> {
  const shown: Record<string, string> = {};
  // Without a space, the value has no scheme, and is possibly a token.
  for (const [name, value] of headers) shown[name] = name === 'authorization' ? (/^\S*(?= )/.exec(value)?.[0] ?? '') : value;
  return shown;
}
