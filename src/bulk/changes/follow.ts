import { type SparingClient, sparing } from '../../client/sparing.ts';
import { RateLimitError, type SvcError, UnavailableError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { TakenError } from '../export/directory-lock.ts';
import type { Feed, Feeding, Looked } from './feed.ts';

/** The part of the read budget that following spends. */
const PART = 0.1;

/** The shortest time between two looks at a table, and the longest, in milliseconds. */
const SHORTEST = 15_000;
const LONGEST = 600_000;

/** Until a look that failed is tried again: at first, and at most. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 300_000;

/** A table that changed lately: how long it is left alone, and until when. */
interface Lively {
  every: number;
  due: number;
}

/**
 * Looks again and again; each turn is a look that worked. Half of what it may spend goes into looks at every table, as often as that
 * allows. What changed is looked at in between: shortly afterwards, then after twice the time, until a look at everything comes first.
 *
 * The first look fails as any command does. Later ones are tried again when the service is not to be reached, refuses for its limits, or
 * another svc is syncing; whatever else goes wrong, a sign-in that ended among it, needs a person.
 */
export async function* lookAgain(context: Needs<Feeding>, feed: Feed): AsyncGenerator<Looked, never, undefined> {
  const { clock, signal } = context;
  const asking = sparing(await context.client(), clock, PART);
  const lively = new Map<string, Lively>();
  // The first copy is what svc sync makes, and no following.
  let looked = await feed.look();
  yield looked;
  let allDue = clock.monotonic() + pause(looked, asking);
  note(lively, looked, looked.nouns, clock.monotonic());
  for (;;) {
    const next = Math.min(allDue, ...[...lively.values()].map(({ due }) => due));
    await clock.sleep(Math.max(0, next - clock.monotonic()), signal);
    const now = clock.monotonic();
    const isAll = now >= allDue;
    const only = isAll ? undefined : [...lively].flatMap(([noun, { due }]) => (due <= now ? [noun] : []));
    looked = await untilItWorks(context, () => feed.look(only, asking.next()));
    for (const { noun, reason } of looked.leftOut) context.tellOnce(`${noun} could not be looked at: ${reason}`);
    yield looked;
    const ended = clock.monotonic();
    if (isAll) allDue = ended + pause(looked, asking);
    note(lively, looked, only ?? looked.nouns, ended);
  }
}

/** After a look at everything: so long that looks like it spend half of what may be spent. */
function pause({ units }: Looked, asking: SparingClient): number {
  return Math.min(LONGEST, Math.max(SHORTEST, (60_000 * units) / Math.max(1, asking.share() / 2)));
}

/** @param nouns that were looked at. */
function note(lively: Map<string, Lively>, { changed }: Looked, nouns: readonly string[], now: number): void {
  for (const noun of nouns) {
    const before = lively.get(noun)?.every ?? LONGEST;
    const every = changed.has(noun) ? SHORTEST : before * 2;
    if (every >= LONGEST) lively.delete(noun);
    else lively.set(noun, { every, due: now + every });
  }
}

async function untilItWorks(context: Needs<Feeding>, look: () => Promise<Looked>): Promise<Looked> {
  for (let failures = 0; ; failures += 1) {
    try {
      const looked = await look();
      if (failures > 0) await context.notice('It works again.');
      return looked;
    } catch (error) {
      if (!passes(error)) throw error;
      if (failures === 0) await context.notice(`${error.message} svc goes on trying.`);
      await context.clock.sleep(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 10)), context.signal);
    }
  }
}

function passes(error: unknown): error is SvcError {
  return error instanceof UnavailableError || error instanceof RateLimitError || error instanceof TakenError;
}
