import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { missingPage } from '../pages/record-page.ts';
import type { World } from '../world.ts';
import type { SandboxContext, SandboxEnv } from './context.ts';

/**
 * Where a person begins: the address that the terminal prints. Its secret is kept in a cookie from then on, so that the pages with tokens are for
 * whoever started the sandbox, and not for every user of the machine.
 */
export function startPath(world: World): string {
  return `/sandbox/start/${world.startKey}`;
}

/** Whether two secrets are the same, without telling by the time it takes how much of them is. */
export function fits(given: string, key: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(key)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Keeps the secret in the browser. Browsers keep cookies by name of host, whatever the port: its name tells sandboxes apart. */
export function rememberVisitor(world: World, c: SandboxContext): void {
  c.header('Set-Cookie', `${cookieName(world)}=${world.startKey}; Path=/; HttpOnly; SameSite=Lax`, { append: true });
}

/** Lets those pass who came by the start address. */
export function visitorsOnly(world: World): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const pattern = new RegExp(`(?:^|; )${cookieName(world)}=([\\w-]+)`);
    const given = pattern.exec(c.req.header('cookie') ?? '')?.[1] ?? '';
    if (fits(given, world.startKey)) return next();
    const { html, headers } = missingPage('This page is for whoever started the sandbox: open the address that svc sandbox printed.');
    return c.body(html, 403, { ...headers });
  };
}

function cookieName(world: World): string {
  return `sandbox_start_${new URL(world.origin).port}`;
}
