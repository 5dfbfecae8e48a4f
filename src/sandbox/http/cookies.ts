import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { missingPage } from '../pages/layout.ts';
import type { World } from '../world.ts';
import type { SandboxContext, SandboxEnv } from './context.ts';

/** The cookie that remembers who the person at the browser chose to be. */
const COOKIE = 'sandbox_person';

/** The person at the browser: the one they chose, else the sandbox's first person. */
export function personOf(world: World, c: SandboxContext): number {
  const chosen = new RegExp(`(?:^|; )${COOKIE}=(\\d+)`).exec(c.req.header('cookie') ?? '')?.[1];
  return Number(chosen ?? world.defaultUserId);
}

/** Makes {@link personOf} answer this user from now on. */
export function rememberPerson(c: SandboxContext, userId: number): void {
  c.header('Set-Cookie', `${COOKIE}=${userId}; Path=/; HttpOnly; SameSite=Lax`, { append: true });
}

/**
 * The address that the terminal prints, with a secret that a cookie keeps from then on. So only the person who
 * started the sandbox sees the pages with tokens, and not every user of the machine.
 */
export function startPath(world: World): string {
  return `/sandbox/start/${world.startKey}`;
}

/** Whether two secrets are the same. The time that it takes does not reveal how much of them is. */
export function fits(given: string, key: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(key)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Keeps the secret in the browser. Browsers keep cookies by host name, without the port, so the cookie's name differs for each sandbox. */
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
