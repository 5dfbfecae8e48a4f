import type { MiddlewareHandler } from 'hono';
// Hono’s quick router starts fast, which suits tests with few requests.
import { Hono } from 'hono/quick';
import type { ServedOperation } from '../api/call.ts';
import { isOffered } from '../api/discovery.ts';
import { createOperations } from '../api/operations.ts';
import { answer } from '../api/pipeline.ts';
import { applyControl, ControlError, controlState } from '../controls.ts';
import { type Json, parseObject } from '../json.ts';
import { oauthRoutes } from '../oauth/routes.ts';
import { endpointNotFound, Problem } from '../problem.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { addressOf, type SandboxContext, type SandboxEnv } from './context.ts';
import { fits } from './cookies.ts';
import { commonHeaders, faulty, logged, problemAnswer } from './middleware.ts';
import { pageRoutes } from './page-routes.ts';

const LARGEST = 32 * 1024 * 1024;

/**
 * Answers 413 to a body of more than 32 MiB before the whole body is in memory. Hono’s own limit has no effect with its Node server,
 * because the server copies the request.
 */
function boundedBody(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    if (Number(c.req.header('content-length') ?? 0) > LARGEST) return refused(c);
    if (c.req.header('transfer-encoding') === undefined) return next();
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of c.req.raw.body ?? []) {
      size += piece.length;
      if (size > LARGEST) return refused(c);
      pieces.push(piece);
    }
    // Hono’s body readers expect the body here as a promise, although the declared type differs.
    c.req.bodyCache.arrayBuffer = Promise.resolve(new Uint8Array(Buffer.concat(pieces)).buffer) as never;
    return next();
  };
}

function refused(c: SandboxContext): Response {
  const { incoming, outgoing } = c.env;
  outgoing.once('finish', () => incoming.socket.destroySoon());
  return c.text('The request is too large for the sandbox.\n', 413, { Connection: 'close' });
}

/**
 * Serves `/sandbox/control/<key>`: GET returns the state, and POST changes the state. Under this address, GET `requests` returns the log,
 * and DELETE `requests` empties the log. A wrong key gets a 404.
 */
function controlRoutes(sandboxState: SandboxState): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  routes.use('/:key/*', async (c, next) =>
    fits(c.req.param('key'), sandboxState.controlKey) ? next() : json(c, { error: 'Wrong key.' }, 404),
  );
  routes.get('/:key', (c) => json(c, controlState(sandboxState)));
  routes.post('/:key', async (c) => {
    const body = parseObject(await c.req.text());
    if (body === undefined) return json(c, { error: 'Send a JSON object.' }, 400);
    try {
      applyControl(sandboxState, body);
    } catch (error) {
      if (error instanceof ControlError) return json(c, { error: error.message, key: error.key }, 422);
      throw error;
    }
    return json(c, controlState(sandboxState));
  });
  routes.get('/:key/requests', (c) => json(c, { requests: sandboxState.requests.map((request) => ({ ...request })) }));
  routes.delete('/:key/requests', (c) => {
    sandboxState.requests.length = 0;
    return c.body(null, 204);
  });
  return routes;
}

function json(c: SandboxContext, body: Json, status: 200 | 400 | 404 | 422 = 200): Response {
  return c.body(`${JSON.stringify(body, null, 2)}\n`, status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
}

function apiRoutes(sandboxState: SandboxState): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  const byPath = new Map<string, ServedOperation[]>();
  for (const operation of createOperations(sandboxState.service)) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    routes.on(operation.method, path, (c) => respond(sandboxState, c, operation));
    byPath.set(path, [...(byPath.get(path) ?? []), operation]);
  }
  for (const [path, operations] of byPath) {
    routes.all(path, (c) =>
      respond(sandboxState, c, methodNotAllowed(operations.filter((operation) => isOffered(sandboxState, operation)))),
    );
  }
  routes.all('*', (c) => respond(sandboxState, c, endpointNotFound()));
  return routes;
}

function methodNotAllowed(offered: readonly ServedOperation[]): Problem {
  if (offered.length === 0) return endpointNotFound();
  const list = offered.map(({ method }) => method).join(', ');
  return new Problem(405, 'method-not-allowed', `This path takes ${list}.`, { headers: { Allow: list } });
}

function respond(sandboxState: SandboxState, c: SandboxContext, target: ServedOperation | Problem): Response {
  const { body, bytes: sent, requestId } = c.var;
  const received = { method: c.req.method, url: new URL(c.req.url), params: c.req.param(), headers: c.req.raw.headers, body, bytes: sent };
  const { status, text, bytes, headers, units } = answer(sandboxState, { ...received, address: addressOf(c), requestId }, target);
  c.set('units', units);
  if (bytes !== undefined) return new Response(new Uint8Array(bytes), { status, headers: { ...headers } });
  const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
  return new Response(text ?? null, { status, headers: { ...type, ...headers } });
}

export function createApp(sandboxState: SandboxState): Hono<SandboxEnv> {
  // Clients request discovery, `GET /` under `/api/v2`, with or without a final slash.
  const app = new Hono<SandboxEnv>({ getPath: (request) => new URL(request.url).pathname.replace(/^\/api\/v2\/$/, '/api/v2') });
  app.use(localName(), ownOrigin(), boundedBody());
  app.route('/sandbox/control', controlRoutes(sandboxState));
  app.route('/', pageRoutes(sandboxState));
  app.use(logged(sandboxState), commonHeaders(sandboxState), faulty(sandboxState));
  app.route('/', oauthRoutes(sandboxState));
  app.route('/api/v2', apiRoutes(sandboxState));
  app.notFound((c) => problemAnswer(sandboxState, c, endpointNotFound()));
  return app;
}

/** Matches the host names that always mean this machine (RFC 6761 §6.3). */
const LOCAL = /^(?:127\.0\.0\.1|\[::1\]|(?:.+\.)?localhost)$/;

/** Refuses a request with a foreign host name that points to 127.0.0.1 (DNS rebinding). */
function localName(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => (LOCAL.test(new URL(c.req.url).hostname) ? next() : c.text(REFUSAL, 403));
}

/** Answers 403 to requests whose `Origin` header names another origin, because pages of other sites send such requests. */
function ownOrigin(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const sentFrom = c.req.header('origin');
    return sentFrom === undefined || sentFrom === new URL(c.req.url).origin ? next() : c.text(REFUSAL, 403);
  };
}

const REFUSAL = 'This address only answers requests from this machine.\n';
