// Its router is ready at once, however few requests come.

import type { MiddlewareHandler } from 'hono';
import { Hono } from 'hono/quick';
import { problemReply } from '../api/pipeline.ts';
import { endpointNotFound } from '../problem.ts';
import type { World } from '../world.ts';
import { apiRoutes } from './api-routes.ts';
import { boundedBody } from './bounded-body.ts';
import type { SandboxEnv } from './context.ts';
import { controlRoutes } from './control-routes.ts';
import { commonHeaders, faulty, logged } from './middleware.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { pageRoutes } from './page-routes.ts';

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
  app.notFound((c) => {
    const { text = null, headers } = problemReply(world, { url: new URL(c.req.url), requestId: c.get('requestId') }, endpointNotFound());
    return new Response(text, { status: 404, ...(headers === undefined ? {} : { headers }) });
  });
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
