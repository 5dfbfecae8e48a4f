import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Spending } from '../limits/limiter.ts';

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
