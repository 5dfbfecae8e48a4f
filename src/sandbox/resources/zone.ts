import type { Database } from '../db/database.ts';
import type { Json } from '../json.ts';

/** The zone of users that have none of their own. */
export const ORGANISATION_ZONE = 'Europe/Amsterdam';

/** The zone of a user. */
export function zoneOf(db: Database, userId: Json | undefined): string {
  const zone = typeof userId === 'number' ? db.table('users').get(userId)?.['timezone'] : undefined;
  return typeof zone === 'string' && isZone(zone) ? zone : ORGANISATION_ZONE;
}

/** A user's zone may be any text that somebody wrote. */
function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
