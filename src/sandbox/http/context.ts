import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Spending } from '../limits/limiter.ts';

/** What travels with a request: Node's own objects, and what the first middleware found out. */
export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    body: string;
    /** The body as it came, of which `body` is the text. */
    bytes: Buffer;
    /** Units spent, for the log. */
    units: number;
    /** What an OAuth endpoint counted the request in. */
    spending: Spending | undefined;
  };
}

export type SandboxContext = Context<SandboxEnv>;

export function addressOf(c: SandboxContext): string {
  return c.env.incoming.socket.remoteAddress ?? '';
}
