import { Hono } from 'hono';
import { applyControl, ControlError, controlState } from '../control.ts';
import { isObject, type Json } from '../json.ts';
import type { World } from '../world.ts';
import type { SandboxContext, SandboxEnv } from './context.ts';
import { fits } from './visitor.ts';

/**
 * The control address, `/sandbox/control/<key>`: GET shows how the sandbox stands, POST changes it; below it `requests`
 * is the log. The key is what admits a caller.
 */
export function controlRoutes(world: World): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  routes.use('/:key/*', async (c, next) => (fits(c.req.param('key'), world.controlKey) ? next() : json(c, { error: 'Wrong key.' }, 404)));
  routes.get('/:key', (c) => json(c, controlState(world)));
  routes.post('/:key', async (c) => {
    const body = parse(await c.req.text());
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

function parse(text: string): { [key: string]: Json } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
