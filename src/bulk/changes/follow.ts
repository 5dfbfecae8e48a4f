import type { ApiClient, Exchange } from '../../client/api.ts';
import { unitsOfShare } from '../../client/rate-book.ts';
import { RateLimitError, SvcError, TakenError, UnavailableError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import type { DatabaseCheck, Feed, Feeding } from './feed.ts';

/** The highest percentage of the rate limit that repeated checks use. */
export const FOLLOWING_RATE = 10;

/** The shortest time between two checks of a table (`SHORTEST`) and the longest (`LONGEST`), in milliseconds. */
const SHORTEST = 15_000;
const LONGEST = 600_000;

/** The first wait after a failed check (`FIRST_WAIT`) and the longest (`LONGEST_WAIT`), in milliseconds. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 300_000;

/** The schedule of a table that changed lately: milliseconds between two checks, and the time of the next check. */
interface Lively {
  every: number;
  due: number;
}

/**
 * Checks the local database repeatedly, and yields each successful check. Half of {@link FOLLOWING_RATE} is for checks of every table.
 * Between these checks, svc checks the tables that changed lately. The wait for such a table doubles after each check without a change.
 *
 * A failure of the first check ends the loop. svc repeats a later check if the service is unavailable, at a rate limit, or during another
 * sync. Any other failure ends the loop, because a person must act, for example after an expired sign-in.
 */
export async function* checkRepeatedly(context: Needs<Feeding>, feed: Feed): AsyncGenerator<DatabaseCheck, never, undefined> {
  const { clock, signal } = context;
  const client = await context.client();
  const next = inTurns(client);
  const lively = new Map<string, Lively>();
  let checked = await feed.check(undefined, next());
  yield checked;
  let allDue = clock.monotonic() + pause(checked, client);
  schedule(lively, checked, checked.nouns, clock.monotonic());
  for (;;) {
    const due = Math.min(allDue, ...[...lively.values()].map(({ due }) => due));
    await clock.sleep(Math.max(0, due - clock.monotonic()), signal);
    const now = clock.monotonic();
    const isAll = now >= allDue;
    const only = isAll ? undefined : [...lively].flatMap(([noun, each]) => (each.due <= now ? [noun] : []));
    checked = await untilItWorks(context, () => feed.check(only, next()));
    for (const { noun, reason } of checked.leftOut) context.notifyOnce(`svc could not check ${noun}: ${reason}`);
    yield checked;
    const ended = clock.monotonic();
    if (isAll) allDue = ended + pause(checked, client);
    schedule(lively, checked, only ?? checked.nouns, ended);
  }
}

/**
 * Returns the wait after a check of every table, in milliseconds. Such checks then use at most half of {@link FOLLOWING_RATE}, unless
 * {@link LONGEST} shortens the wait.
 */
function pause({ units }: DatabaseCheck, client: ApiClient): number {
  const share = unitsOfShare('read', client.limits(), FOLLOWING_RATE);
  return Math.min(LONGEST, Math.max(SHORTEST, (60_000 * units) / Math.max(1, share / 2)));
}

/** Returns a function that makes a new client for each check. The listeners of the previous client then get no more events. */
function inTurns(client: ApiClient): () => ApiClient {
  let listeners: ((exchange: Exchange) => void)[] = [];
  client.watch((exchange) => {
    for (const listener of listeners) listener(exchange);
  });
  return () => {
    const own: ((exchange: Exchange) => void)[] = [];
    listeners = own;
    return {
      host: client.host,
      send: (request) => client.send(request),
      limits: () => client.limits(),
      watch: (listener) => void own.push(listener),
    };
  };
}

function schedule(lively: Map<string, Lively>, { changed }: DatabaseCheck, nouns: readonly string[], now: number): void {
  for (const noun of nouns) {
    const before = lively.get(noun)?.every ?? LONGEST;
    const every = changed.has(noun) ? SHORTEST : before * 2;
    if (every >= LONGEST) lively.delete(noun);
    else lively.set(noun, { every, due: now + every });
  }
}

async function untilItWorks(context: Needs<Feeding>, check: () => Promise<DatabaseCheck>): Promise<DatabaseCheck> {
  for (let failures = 0; ; failures += 1) {
    try {
      const checked = await check();
      if (failures > 0) await context.notice('svc can check for changes again.');
      return checked;
    } catch (error) {
      const isTemporary = [UnavailableError, RateLimitError, TakenError].some((type) => error instanceof type);
      if (!isTemporary || !(error instanceof SvcError)) throw error;
      if (failures === 0) await context.notice(`${error.message} svc keeps trying.`);
      await context.clock.sleep(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 10)), context.signal);
    }
  }
}
