import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { missingPage } from '../pages/layout.ts';
import type { World } from '../world.ts';
import type { SandboxContext, SandboxEnv } from './context.ts';

const COOKIE = 'sandbox_person';

export function personOf(world: World, c: SandboxContext): number {
  const chosen = new RegExp(`(?:^|; )${COOKIE}=(\\d+)`).exec(c.req.header('cookie') ?? '')?.[1];
  return Number(chosen ?? world.defaultUserId);
}

export function rememberPerson(c: SandboxContext, userId: number): void {
  c.header('Set-Cookie', `${COOKIE}=${userId}; Path=/; HttpOnly; SameSite=Lax`, { append: true });
}

/**
 * Returns the path of the address that the terminal prints. Its secret moves into a cookie. Only the person who started the sandbox can
 * therefore see the pages with tokens.
 */
export function startPath(world: World): string {
  return `/sandbox/start/${world.startKey}`;
}

/** Returns true if two secrets are equal. The duration of the comparison reveals nothing about the secrets. */
export function fits(given: string, key: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(key)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Stores the secret in a cookie. Browsers share cookies between ports of a host, so each sandbox has its own cookie name. */
export function rememberVisitor(world: World, c: SandboxContext): void {
  c.header('Set-Cookie', `${cookieName(world)}=${world.startKey}; Path=/; HttpOnly; SameSite=Lax`, { append: true });
}

export function visitorsOnly(world: World): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const pattern = new RegExp(`(?:^|; )${cookieName(world)}=([\\w-]+)`);
    const given = pattern.exec(c.req.header('cookie') ?? '')?.[1] ?? '';
    if (fits(given, world.startKey)) return next();
    const { html, headers } = missingPage(
      'Only the person who started the sandbox can open this page. Open the address that svc sandbox printed.',
    );
    return c.body(html, 403, { ...headers });
  };
}

function cookieName(world: World): string {
  return `sandbox_start_${new URL(world.origin).port}`;
}
