import type { Row } from '../json.ts';
import { Problem } from '../problem.ts';
import type { World } from '../world.ts';

/** The sender of a request, according to its token. */
export interface Bearer {
  readonly kind: 'personal' | 'oauth';
  readonly abilities: readonly string[];
  readonly user: Row;
  /**
   * The owner of the rate-limit budget and the Idempotency-Keys: the token, or for an app the app and the person. So both outlive
   * a refresh (rule 15.14).
   */
  readonly owner: string;
}

/** @throws Problem `401 unauthenticated`: no token, an unknown, expired or revoked one, or one with a deleted or inactive user. */
export function authenticate(world: World, authorization: string | null, now: number): Bearer {
  const value = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const found = value === undefined ? undefined : find(world, value, now);
  const user = found === undefined ? undefined : world.db.table('users').get(found.userId);
  if (found === undefined || user === undefined || user['is_active'] === false || (user['deleted_at'] ?? null) !== null) {
    throw new Problem(401, 'unauthenticated', 'Send a live access token as Authorization: Bearer.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  return { ...found, user };
}

function find(world: World, value: string, now: number): (Omit<Bearer, 'user'> & { userId: number }) | undefined {
  const personal = world.tokens.find(value, now);
  if (personal !== undefined) {
    return { kind: 'personal', abilities: personal.abilities, userId: personal.userId, owner: `personal ${personal.id}` };
  }
  const connection = world.apps.byAccessToken(value, now);
  if (connection === undefined) return undefined;
  return {
    kind: 'oauth',
    abilities: connection.scopes,
    userId: connection.userId,
    owner: `app ${connection.client.id} ${connection.userId}`,
  };
}
