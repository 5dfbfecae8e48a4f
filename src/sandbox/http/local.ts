import type { MiddlewareHandler } from 'hono';
import type { SandboxEnv } from './context.ts';

const NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Keeps other sites' pages away from the pages and the control address: a request must name this machine (a name that
 * was bound anew to 127.0.0.1 does not), and one that changes something must not come from another origin.
 */
export function localOnly(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const { hostname, origin } = new URL(c.req.url);
    const sentFrom = c.req.header('origin');
    const isForeign = sentFrom !== undefined && sentFrom !== origin;
    if (!NAMES.includes(hostname) || isForeign) return c.text('This address answers to this machine alone.\n', 403);
    return next();
  };
}
