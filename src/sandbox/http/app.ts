// Its router is ready at once, however few requests come.
import { Hono } from 'hono/quick';
import { problemReply } from '../api/pipeline.ts';
import { endpointNotFound } from '../problem.ts';
import type { World } from '../world.ts';
import { apiRoutes } from './api-routes.ts';
import { boundedBody } from './bounded-body.ts';
import type { SandboxEnv } from './context.ts';
import { controlRoutes } from './control-routes.ts';
import { localName, ownOrigin } from './local.ts';
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
