import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { missingPage } from '../pages/layout.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { answerPage, type SandboxContext, type SandboxEnv } from './context.ts';

const COOKIE = 'sandbox_person';
const ATTRIBUTES = { path: '/', httpOnly: true, sameSite: 'Lax' } as const;

export function personOf(sandboxState: SandboxState, c: SandboxContext): number {
  // A browser sends the cookie of another sandbox too. Nobody must sign in to the records of an organisation by such a cookie.
  const chosen = sandboxState.read === undefined ? (getCookie(c, COOKIE) ?? '') : '';
  return /^\d+$/.test(chosen) ? Number(chosen) : sandboxState.defaultUserId;
}

export function rememberPerson(c: SandboxContext, userId: number): void {
  setCookie(c, COOKIE, String(userId), ATTRIBUTES);
}

/**
 * Returns the path of the first page, with the secret of the sandbox. The server moves the secret into a cookie. Only a visitor with the
 * cookie can see the pages that {@link visitorsOnly} protects.
 */
export function startPath(sandboxState: SandboxState): string {
  return `/sandbox/start/${sandboxState.startKey}`;
}

export function fits(given: string, key: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(key)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Stores the secret of the sandbox in a cookie. Browsers share cookies between ports of a host, so each sandbox has its own cookie name.
 */
export function rememberVisitor(sandboxState: SandboxState, c: SandboxContext): void {
  setCookie(c, cookieName(sandboxState), sandboxState.startKey, ATTRIBUTES);
}

export function visitorsOnly(sandboxState: SandboxState): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    if (fits(getCookie(c, cookieName(sandboxState)) ?? '', sandboxState.startKey)) return next();
    const page = missingPage('Only the person who started the sandbox can open this page. Open the address that svc sandbox printed.');
    return answerPage(c, page, 403);
  };
}

function cookieName(sandboxState: SandboxState): string {
  return `sandbox_start_${new URL(sandboxState.origin).port}`;
}
