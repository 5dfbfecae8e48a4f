import { Hono } from 'hono';
import type { ServedOperation } from '../api/call.ts';
import { isOffered } from '../api/discovery.ts';
import { createOperations } from '../api/operations.ts';
import { answer, type SandboxAnswer } from '../api/pipeline.ts';
import { endpointNotFound, Problem } from '../problem.ts';
import type { World } from '../world.ts';
import { addressOf, type SandboxContext, type SandboxEnv } from './context.ts';

/** Everything under `/api/v2`: an operation per method and path, 405 for other methods, 404 for other paths. */
export function apiRoutes(world: World): Hono<SandboxEnv> {
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
  const answered = answer(
    world,
    {
      method: c.req.method,
      url: new URL(c.req.url),
      params: c.req.param(),
      headers: c.req.raw.headers,
      body: c.get('body'),
      bytes: c.get('bytes'),
      address: addressOf(c),
      requestId: c.get('requestId'),
    },
    target,
  );
  c.set('units', answered.units);
  return responseOf(answered);
}

function responseOf({ status, text, bytes, headers }: SandboxAnswer): Response {
  if (bytes !== undefined) return new Response(new Uint8Array(bytes), { status, headers: { ...headers } });
  const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
  return new Response(text ?? null, { status, headers: { ...type, ...headers } });
}
