import type { ApiClient } from '../../client/api-client.ts';
import { SvcError } from '../../errors.ts';
import type { Context, Needs } from '../../session/context.ts';
import { presentDay } from '../../session/time-zone.ts';
import type { JsonObject } from '../../values/json.ts';

/** The hours on a day so far, in minutes. */
export interface DaySoFar {
  readonly minutes: number;
  readonly target?: number | undefined;
  readonly isToday?: boolean;
}

export type ReadingToday = 'account' | 'client' | 'clock' | 'env' | 'files' | 'host' | 'paths' | 'renewal' | 'signal' | 'timeZone';

/** Returns the hours of a day, including an entry that svc just logged. Returns undefined if the hours are unknown. */
export type WithEntry = (record: JsonObject) => Promise<DaySoFar | undefined>;

/** Reads the hours of today with one request, and ignores a failure. Sends no request for an entry of another user or another day. */
export async function readToday(context: Needs<ReadingToday>, body: JsonObject): Promise<WithEntry> {
  return beginCheck(context, body).catch(() => NOTHING);
}

const NOTHING: WithEntry = async () => undefined;

async function beginCheck(context: Needs<ReadingToday>, { date, user_id: user }: JsonObject): Promise<WithEntry> {
  const [own, day] = await Promise.all([context.account(), presentDay(context)]);
  const userId = own?.user_id;
  if (userId === undefined || date !== day || (user !== undefined && user !== userId)) return NOTHING;
  const reading = tryQuickly(context, 'today', async (client) => {
    const { ownEntriesOn } = await import('../../records/day-summary.ts');
    return ownEntriesOn({ client }, userId, day);
  }).catch(() => undefined);
  return async (record) => {
    const { id, minutes } = record;
    const advice = await reading;
    if (advice === undefined || 'missing' in advice || 'why' in advice.found || record['date'] !== day) return undefined;
    const rows = advice.found.value;
    // The list can contain the new entry already.
    if (typeof minutes !== 'number' || id === undefined || rows.some((row) => row['id'] === undefined)) return undefined;
    return { minutes: rows.reduce((sum, row) => (row['id'] === id ? sum : sum + Number(row['minutes'])), minutes), isToday: true };
  };
}

export function soFarOf(check: { before(date: string): Promise<DaySoFar | undefined> }, { date }: JsonObject, isToday: boolean): WithEntry {
  return async (record) => {
    const before = typeof date === 'string' && record['date'] === date ? await check.before(date) : undefined;
    const { minutes } = record;
    return before === undefined || typeof minutes !== 'number' ? undefined : { ...before, minutes: before.minutes + minutes, isToday };
  };
}

const PATIENCE_MS = 2000;

type Advice<T> = { readonly found: T } | { readonly missing: string };

/**
 * Runs a check that does not stop a command, and waits at most two seconds for the service. A renewal of the sign-in, which can need a
 * person, does not count. Returns the failure of a check as a sentence.
 *
 * @param what The purpose of the check: `whether the day is free`.
 */
export async function tryQuickly<T>(
  context: Needs<'client' | 'clock' | 'renewal' | 'signal'>,
  what: string,
  read: (client: Context['client']) => Promise<T>,
): Promise<Advice<T>> {
  const late = new AbortController();
  const over = new AbortController();
  const client = async () => endingWith(late.signal, await context.client());
  const tooLong = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason), { once: true });
  });
  // After two seconds the timer aborts the check. If the check ends earlier, svc stops the timer.
  void patience(context, AbortSignal.any([over.signal, context.signal])).then(
    () => late.abort(new SvcError(`The service took longer than ${PATIENCE_MS / 1000} seconds.`, { hint: 'See your hours: svc week' })),
    () => undefined,
  );
  try {
    return { found: await Promise.race([read(client), tooLong]) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof SvcError)) throw error;
    return { missing: `svc could not check ${what}: ${error.message}` };
  } finally {
    over.abort();
  }
}

/** Waits two seconds, and two further seconds after each renewal of the sign-in. */
async function patience({ clock, renewal }: Needs<'clock' | 'renewal'>, signal: AbortSignal): Promise<void> {
  let last: Promise<unknown> | undefined;
  do {
    last = renewal();
    await last;
    await clock.sleep(PATIENCE_MS, signal);
  } while (renewal() !== last);
}

function endingWith(signal: AbortSignal, client: ApiClient): ApiClient {
  return {
    ...client,
    send: (request) =>
      client.send({ ...request, signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]) }),
  };
}
