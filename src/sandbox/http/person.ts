import type { World } from '../world.ts';
import type { SandboxContext } from './context.ts';

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
