import type { Needs } from '../../session/context.ts';
import { presentDay } from '../../session/present-day.ts';
import type { JsonObject } from '../../values/json.ts';
import { advisory } from './advisory.ts';

/** What somebody logged on a day, in minutes. */
export interface DaySoFar {
  readonly minutes: number;
  /** What is to be worked; undefined where nobody knows. */
  readonly target?: number | undefined;
}

/** What looking at today needs of a context. */
export type LookingAtToday = 'account' | 'client' | 'clock' | 'env' | 'files' | 'host' | 'paths' | 'signal' | 'timeZone';

/** The day with an entry that was just logged; undefined where that is not known. Never rejects. */
export type WithEntry = (record: JsonObject) => Promise<DaySoFar | undefined>;

/**
 * Looks at one's own entries of today, by one request, beside the one that logs another. What keeps svc from looking is worth no line; whoever
 * is not known, or logs for somebody else or another day, is not looked for at all.
 *
 * @param body What is about to be logged.
 */
export async function lookAtToday(context: Needs<LookingAtToday>, body: JsonObject): Promise<WithEntry> {
  return beginLook(context, body).catch(() => NOTHING);
}

const NOTHING: WithEntry = async () => undefined;

async function beginLook(context: Needs<LookingAtToday>, { date, user_id: user }: JsonObject): Promise<WithEntry> {
  const [own, day] = await Promise.all([context.account(), presentDay(context)]);
  const userId = own?.user_id;
  if (userId === undefined || date !== day || (user !== undefined && user !== userId)) return NOTHING;
  const looking = advisory(context, 'at today', async (client) => {
    const { ownEntriesOn } = await import('../../records/glance.ts');
    return ownEntriesOn({ client }, userId, day);
  }).catch(() => undefined);
  return async (record) => {
    const { id, minutes } = record;
    const advice = await looking;
    if (advice === undefined || 'missing' in advice || 'why' in advice.found || record['date'] !== day) return undefined;
    const rows = advice.found.value;
    // It may have been read before this entry was there, or after.
    if (typeof minutes !== 'number' || id === undefined || rows.some((row) => row['id'] === undefined)) return undefined;
    return { minutes: rows.reduce((sum, row) => (row['id'] === id ? sum : sum + Number(row['minutes'])), minutes) };
  };
}

/** What is known of a day before an entry. */
interface Before {
  before(date: string): Promise<DaySoFar | undefined>;
}

/** The same by what was looked at before the entry was logged. */
export async function soFarOf(check: Before, { date }: JsonObject): Promise<WithEntry> {
  return async (record) => {
    const before = typeof date === 'string' && record['date'] === date ? await check.before(date) : undefined;
    const { minutes } = record;
    return before === undefined || typeof minutes !== 'number' ? undefined : { ...before, minutes: before.minutes + minutes };
  };
}
