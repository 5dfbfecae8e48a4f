import type { MiddlewareHandler } from 'hono';
// The quick router is ready at once, which suits the few requests of a test.
import { Hono } from 'hono/quick';
import type { ServedOperation } from '../api/call.ts';
import { isOffered } from '../api/discovery.ts';
import { createOperations } from '../api/operations.ts';
import { answer } from '../api/pipeline.ts';
import { applyControl, ControlError, controlState } from '../controls.ts';
import { type Json, parseObject } from '../json.ts';
import { oauthRoutes } from '../oauth/routes.ts';
import { endpointNotFound, Problem } from '../problem.ts';
import type { World } from '../world.ts';
import { addressOf, type SandboxContext, type SandboxEnv } from './context.ts';
import { fits } from './cookies.ts';
import { commonHeaders, faulty, logged, problemAnswer } from './middleware.ts';
import { pageRoutes } from './page-routes.ts';

/** The largest body that is read, an uploaded file, in bytes. */
const LARGEST = 32 * 1024 * 1024;

/**
 * Refuses a larger body before it is in memory. A body without a length in its headers is refused as soon as it is too long. Hono's
 * own limit copies such a request, which fails with the requests of its Node server.
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
    // Hono's readers of the body look for it here: as a promise, although its type says otherwise.
    c.req.bodyCache.arrayBuffer = Promise.resolve(new Uint8Array(Buffer.concat(pieces)).buffer) as never;
    return next();
  };
}

/** The rest is neither awaited nor read: Node would continue to take it in, for as long as somebody sends. */
function refused(c: SandboxContext): Response {
  const { incoming, outgoing } = c.env;
  outgoing.once('finish', () => incoming.socket.destroySoon());
  return c.text('This is more than the sandbox takes.\n', 413, { Connection: 'close' });
}

/**
 * The control address, `/sandbox/control/<key>`: GET shows how the sandbox stands, POST changes it; below it `requests`
 * is the log. The key is what admits a caller.
 */
function controlRoutes(world: World): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  routes.use('/:key/*', async (c, next) => (fits(c.req.param('key'), world.controlKey) ? next() : json(c, { error: 'Wrong key.' }, 404)));
  routes.get('/:key', (c) => json(c, controlState(world)));
  routes.post('/:key', async (c) => {
    const body = parseObject(await c.req.text());
    if (body === undefined) return json(c, { error: 'Send a JSON object.' }, 400);
    try {
      applyControl(world, body);
    } catch (error) {
      if (error instanceof ControlError) return json(c, { error: error.message, key: error.key }, 422);
      throw error;
    }
    return json(c, controlState(world));
  });
  routes.get('/:key/requests', (c) => json(c, { requests: world.requests.map((request) => ({ ...request })) }));
  routes.delete('/:key/requests', (c) => {
    world.requests.length = 0;
    return c.body(null, 204);
  });
  return routes;
}

function json(c: SandboxContext, body: Json, status: 200 | 400 | 404 | 422 = 200): Response {
  return c.body(`${JSON.stringify(body, null, 2)}\n`, status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
}

/** Everything under `/api/v2`: an operation per method and path, 405 for other methods, 404 for other paths. */
function apiRoutes(world: World): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  const byPath = new Map<string, ServedOperation[]>();
  for (const operation of createOperations(world.service)) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    routes.on(operation.method, path, (c) => respond(world, c, operation));
    byPath.set(path, [...(byPath.get(path) ?? []), operation]);
  }
  for (const [path, operations] of byPath) {
    routes.all(path, (c) => respond(world, c, methodNotAllowed(operations.filter((operation) => isOffered(world, operation)))));
  }
  routes.all('*', (c) => respond(world, c, endpointNotFound()));
  return routes;
}

/** A path without an operation answers 404. */
function methodNotAllowed(offered: readonly ServedOperation[]): Problem {
  if (offered.length === 0) return endpointNotFound();
  const list = offered.map(({ method }) => method).join(', ');
  return new Problem(405, 'method-not-allowed', `This path takes ${list}.`, { headers: { Allow: list } });
}

function respond(world: World, c: SandboxContext, target: ServedOperation | Problem): Response {
  const { body, bytes: sent, requestId } = c.var;
  const received = { method: c.req.method, url: new URL(c.req.url), params: c.req.param(), headers: c.req.raw.headers, body, bytes: sent };
  const { status, text, bytes, headers, units } = answer(world, { ...received, address: addressOf(c), requestId }, target);
  c.set('units', units);
  if (bytes !== undefined) return new Response(new Uint8Array(bytes), { status, headers: { ...headers } });
  const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
  return new Response(text ?? null, { status, headers: { ...type, ...headers } });
}

/** The whole host: the sandbox's pages, sign-in at its root, the API under `/api/v2`. */
export function createApp(world: World): Hono<SandboxEnv> {
  // Discovery is documented as `GET /` of the base, which people write with and without the slash.
  const app = new Hono<SandboxEnv>({ getPath: (request) => new URL(request.url).pathname.replace(/^\/api\/v2\/$/, '/api/v2') });
  app.use(localName(), ownOrigin(), boundedBody());
  app.route('/sandbox/control', controlRoutes(world));
  app.route('/', pageRoutes(world));
  app.use(logged(world), commonHeaders(world), faulty(world));
  app.route('/', oauthRoutes(world));
  app.route('/api/v2', apiRoutes(world));
  app.notFound((c) => problemAnswer(world, c, endpointNotFound()));
  return app;
}

/** Names that mean this machine wherever they are looked up (RFC 6761 §6.3). */
const LOCAL = /^(?:127\.0\.0\.1|\[::1\]|(?:.+\.)?localhost)$/;

/** A request must name this machine. A foreign host name that points to 127.0.0.1 (DNS rebinding) is refused. */
function localName(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => (LOCAL.test(new URL(c.req.url).hostname) ? next() : c.text(REFUSAL, 403));
}

/** Keeps pages of other origins away from those of the sandbox, and from its control address. */
function ownOrigin(): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const sentFrom = c.req.header('origin');
    return sentFrom === undefined || sentFrom === new URL(c.req.url).origin ? next() : c.text(REFUSAL, 403);
  };
}

const REFUSAL = 'This address answers to this machine alone.\n';
