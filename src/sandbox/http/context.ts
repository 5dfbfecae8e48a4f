import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Spending } from '../limits.ts';

/** Data of one request: Node's own objects, and what the first middleware found out. */
export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    body: string;
    /** The body as it came; `body` is its text. */
    bytes: Buffer;
    /** Rate-limit units spent, for the log. */
    units: number;
    /** The buckets that an OAuth endpoint counted the request in. */
    spending: Spending | undefined;
  };
}

export type SandboxContext = Context<SandboxEnv>;

export function addressOf(c: SandboxContext): string {
  return c.env.incoming.socket.remoteAddress ?? '';
}

/** One request as it came and what became of it. The value of Authorization is left out. */
export interface LoggedRequest {
  /** When it came, on the sandbox's clock; milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** With the query, as sent: `/api/v2/worklogs?per_page=100`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Removed when younger requests need the space. */
  body: string;
  /** The answer's status; 0 when the connection was dropped before there was one. */
  status: number;
  /** Rate limit units spent from the bucket of its kind. */
  units: number;
  /** The server's id of the request. */
  readonly requestId: string;
}

/** The most requests that are kept; older ones are forgotten. */
const LOG_SIZE = 20_000;
/** Characters of bodies that are kept, all together. */
const BODIES_SIZE = 16 * 1024 * 1024;

/** Returns a function that appends a request, and forgets the oldest requests and bodies when there are too many. */
export function createLog(requests: LoggedRequest[]): (entry: LoggedRequest) => void {
  let kept = 0;
  /** Those that still have a body. */
  let bodies: LoggedRequest[] = [];
  return (entry) => {
    requests.push(entry);
    if (requests.length > LOG_SIZE) requests.shift();
    if (entry.body === '') return;
    bodies.push(entry);
    kept += entry.body.length;
    let gone = 0;
    for (; kept > BODIES_SIZE && gone < bodies.length; gone++) {
      const oldest = bodies[gone];
      if (oldest === undefined) break;
      kept -= oldest.body.length;
      oldest.body = '';
    }
    if (gone > 0) bodies = bodies.slice(gone);
  };
}

/** Headers for the log: names in lower case, Authorization reduced to its scheme. */
export function loggableHeaders(headers: Headers): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of headers) shown[name] = name === 'authorization' ? (value.split(' ')[0] ?? '') : value;
  return shown;
}
