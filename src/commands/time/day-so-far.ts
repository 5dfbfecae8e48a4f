import type { ApiClient } from '../../client/api-client.ts';
import { SvcError } from '../../errors.ts';
import type { Context, Needs } from '../../session/context.ts';
import { presentDay } from '../../session/time-zone.ts';
import type { JsonObject } from '../../values/json.ts';

/** The hours of a day so far, in minutes. */
export interface DaySoFar {
  readonly minutes: number;
  /** Undefined if unknown. */
  readonly target?: number | undefined;
}

/** The members of a context that reading today needs. */
export type LookingAtToday = 'account' | 'client' | 'clock' | 'env' | 'files' | 'host' | 'paths' | 'signal' | 'timeZone';

/** Returns the day with an entry that svc just logged; undefined if unknown. Never rejects. */
export type WithEntry = (record: JsonObject) => Promise<DaySoFar | undefined>;

/**
 * Reads your entries of today, with one request beside the one that logs another. A failure gets no line. svc reads nothing for an unknown
 * user, for another user or for another day.
 *
 * @param body The new entry.
 */
export async function lookAtToday(context: Needs<LookingAtToday>, body: JsonObject): Promise<WithEntry> {
  return beginLook(context, body).catch(() => NOTHING);
}

const NOTHING: WithEntry = async () => undefined;

async function beginLook(context: Needs<LookingAtToday>, { date, user_id: user }: JsonObject): Promise<WithEntry> {
  const [own, day] = await Promise.all([context.account(), presentDay(context)]);
  const userId = own?.user_id;
  if (userId === undefined || date !== day || (user !== undefined && user !== userId)) return NOTHING;
  const looking = tryQuickly(context, 'today', async (client) => {
    const { ownEntriesOn } = await import('../../records/glance.ts');
    return ownEntriesOn({ client }, userId, day);
  }).catch(() => undefined);
  return async (record) => {
    const { id, minutes } = record;
    const advice = await looking;
    if (advice === undefined || 'missing' in advice || 'why' in advice.found || record['date'] !== day) return undefined;
    const rows = advice.found.value;
    // The list may have the new entry or not.
    if (typeof minutes !== 'number' || id === undefined || rows.some((row) => row['id'] === undefined)) return undefined;
    return { minutes: rows.reduce((sum, row) => (row['id'] === id ? sum : sum + Number(row['minutes'])), minutes) };
  };
}

/** Returns the same from a check before the entry. */
export async function soFarOf(check: { before(date: string): Promise<DaySoFar | undefined> }, { date }: JsonObject): Promise<WithEntry> {
  return async (record) => {
    const before = typeof date === 'string' && record['date'] === date ? await check.before(date) : undefined;
    const { minutes } = record;
    return before === undefined || typeof minutes !== 'number' ? undefined : { ...before, minutes: before.minutes + minutes };
  };
}

/** Limit in milliseconds for a check that only advises. */
const PATIENCE_MS = 2000;

/** The result of a check, or the reason why it is missing. */
type Advice<T> = { readonly found: T } | { readonly missing: string };

/**
 * Runs a check that must not stop or delay a command: its requests end after two seconds. A failure of the service, the network or the
 * sign-in becomes a line.
 *
 * @param what The fact that is unknown without the check: `whether the day is free`.
 * @throws the reason of an aborted command, and any other error than {@link SvcError}.
 */
export async function tryQuickly<T>(
  context: Needs<'client' | 'clock' | 'signal'>,
  what: string,
  look: (client: Context['client']) => Promise<T>,
): Promise<Advice<T>> {
  const late = new AbortController();
  const over = new AbortController();
  const client = async () => endingWith(late.signal, await context.client());
  const tooLong = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason), { once: true });
  });
  // The timer ends with the check, or ends the check.
  void context.clock.sleep(PATIENCE_MS, AbortSignal.any([over.signal, context.signal])).then(
    () => late.abort(new SvcError(`The service took longer than ${PATIENCE_MS / 1000} seconds.`, { hint: 'See for yourself: svc week' })),
    () => undefined,
  );
  try {
    return { found: await Promise.race([look(client), tooLong]) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof SvcError)) throw error;
    return { missing: `svc could not check ${what}: ${error.message}` };
  } finally {
    over.abort();
  }
}

function endingWith(signal: AbortSignal, client: ApiClient): ApiClient {
  return {
    ...client,
    send: (request) =>
      client.send({ ...request, signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]) }),
  };
}
