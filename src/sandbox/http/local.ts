import type { MiddlewareHandler } from 'hono';
import type { SandboxEnv } from './context.ts';

/** Names that mean this machine wherever they are looked up (RFC 6761 §6.3). */
const LOCAL = /^(?:127\.0\.0\.1|\[::1\]|(?:.+\.)?localhost)$/;

/** A request must name this machine; a name of somebody's that was bound anew to 127.0.0.1 does not. */
export function localName(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => (LOCAL.test(new URL(c.req.url).hostname) ? next() : c.text(REFUSAL, 403));
}

/** Keeps pages of other origins away from those of the sandbox, and from its control address. */
export function ownOrigin(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const sentFrom = c.req.header('origin');
    return sentFrom === undefined || sentFrom === new URL(c.req.url).origin ? next() : c.text(REFUSAL, 403);
  };
}

const REFUSAL = 'This address answers to this machine alone.\n';
