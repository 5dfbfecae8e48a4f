import { randomBytes } from 'node:crypto';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import { problemReply } from '../api/pipeline.ts';
import { rateLimitHeaders } from '../limits.ts';
import { Problem, usualType } from '../problem.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { createLog, type LoggedRequest, loggableHeaders, type SandboxContext, type SandboxEnv } from './context.ts';
import type { Fault } from './faults.ts';

const RATE_LIMIT = ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

type Middleware = MiddlewareHandler<SandboxEnv>;

export function logged(sandboxState: SandboxState): Middleware {
  const log = createLog(sandboxState.requests);
  return async (c, next) => {
    const { method } = c.req;
    const url = new URL(c.req.url);
    const bytes = method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(await c.req.arrayBuffer());
    const body = new TextDecoder().decode(bytes);
    const requestId = ulid(sandboxState.clock.now());
    c.set('requestId', requestId);
    c.set('body', body);
    c.set('bytes', bytes);
    c.set('units', 0);
    c.set('spending', undefined);
    const headers = loggableHeaders(c.req.raw.headers);
    const entry: LoggedRequest = {
      at: sandboxState.clock.now(),
      method,
      path: url.pathname + url.search,
      headers,
      body,
      status: 0,
      units: 0,
      requestId,
    };
    log(entry);
    await next();
    // The changes of a GET need not survive a restart. Examples are an authorization code and spent rate-limit units.
    if (method !== 'GET' && method !== 'HEAD') sandboxState.keeper?.changed();
    entry.units = c.get('units');
    if (!isAlreadySent(c)) entry.status = c.res.status;
  };
}

export function commonHeaders(sandboxState: SandboxState): Middleware {
  return async (c, next) => {
    await next();
    if (isAlreadySent(c)) return;
    const { headers } = c.res;
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('X-Service-Api-Version', '2');
    headers.set('X-Request-Id', c.get('requestId'));
    if (!headers.has('Vary')) headers.set('Vary', 'Authorization');
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store');
    adjustRateLimit(sandboxState, c, headers);
  };
}

/** Adds missing RateLimit headers to an answer, or removes all RateLimit headers. The option `rateLimitHeaders` decides. */
function adjustRateLimit({ clock, interpretations, limiter, settings }: SandboxState, c: SandboxContext, headers: Headers): void {
  if (interpretations.rateLimitHeaders === 'never') {
    for (const name of RATE_LIMIT) headers.delete(name);
  } else if (interpretations.rateLimitHeaders === 'everywhere' && !headers.has('RateLimit')) {
    const spending = c.get('spending') ?? limiter.spending(undefined, 'read');
    for (const [name, value] of Object.entries(rateLimitHeaders(spending, clock.now(), settings.windowSeconds))) headers.set(name, value);
  }
}

export function faulty(sandboxState: SandboxState): Middleware {
  return async (c, next) => {
    const fault = sandboxState.faults.take(c.req.method, new URL(c.req.url).pathname);
    if (fault === undefined) return next();
    const ms = (fault.delayMs ?? 0) + (fault.jitterMs ?? 0) * Math.random();
    if (ms > 0 && !(await pause(ms, c))) return RESPONSE_ALREADY_SENT;
    const drop = Math.random() < (fault.dropShare ?? 1) ? fault.drop : undefined;
    if (drop === 'before') return dropped(c);
    if (fault.status !== undefined) return refused(sandboxState, c, fault, fault.status);
    if (fault.garbage === true) return c.body('<<< \u0000 this is not JSON {"data": [', 200, { 'Content-Type': 'application/json' });
    await next();
    if (drop === 'after') c.res = dropped(c);
    else if (fault.truncate === true) c.res = await truncated(c);
    return undefined;
  };
}

function pause(ms: number, c: SandboxContext): Promise<boolean> {
  const { socket } = c.env.incoming;
  return new Promise((resolve) => {
    const end = (stays: boolean): void => {
      clearTimeout(timer);
      socket.off('close', leave);
      resolve(stays);
    };
    const leave = (): void => end(false);
    const timer = setTimeout(() => end(true), ms);
    socket.once('close', leave);
    if (socket.destroyed) leave();
  });
}

/** Returns true if Hono no longer controls the connection, because the connection is closed or was written to directly. */
function isAlreadySent(c: SandboxContext): boolean {
  return c.res.headers.has('x-hono-already-sent');
}

function dropped(c: SandboxContext): Response {
  c.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

function refused(sandboxState: SandboxState, c: SandboxContext, fault: Fault, status: number): Response {
  const wait = fault.retryAfter;
  const problem = new Problem(status, usualType(status), 'This error comes from a fault of the sandbox.', {
    ...(status === 429 ? { members: { rate_limit: { limit: 600, retry_after: wait ?? 1 } } } : {}),
    ...(wait === undefined ? {} : { headers: { 'Retry-After': String(wait) } }),
  });
  return problemAnswer(sandboxState, c, problem);
}

export function problemAnswer(sandboxState: SandboxState, c: SandboxContext, problem: Problem): Response {
  const { status, text = null, headers } = problemReply(sandboxState, { url: new URL(c.req.url), requestId: c.get('requestId') }, problem);
  return new Response(text, { status, headers: { ...headers } });
}

async function truncated(c: SandboxContext): Promise<Response> {
  const { outgoing } = c.env;
  const body = Buffer.from(await c.res.arrayBuffer());
  const headers = { ...Object.fromEntries(c.res.headers), 'content-length': String(body.length) };
  outgoing.writeHead(c.res.status, headers);
  await new Promise<void>((resolve) => outgoing.write(body.subarray(0, body.length >> 1), () => resolve()));
  return dropped(c);
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a ULID: 48 bits of time and 80 random bits, in 26 characters of Crockford’s base 32. */
function ulid(now: number): string {
  let time = '';
  for (let rest = now, i = 0; i < 10; i++) {
    time = CROCKFORD.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let chance = '';
  for (const byte of randomBytes(16)) chance += CROCKFORD.charAt(byte % 32);
  return time + chance;
}
