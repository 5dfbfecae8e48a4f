import type { Clock } from '../deps.ts';
import { RateLimitError } from '../errors.ts';
import { unitsSpent } from './cost.ts';
import {
  type BudgetKind,
  type Charges,
  completeIn,
  type Delay,
  delaysOf,
  emptyBook,
  type KnownBucket,
  LEFT_FOR_PEOPLE,
  type RateBook,
  reserveIn,
  type Share,
  unitsOfShare,
  windowOf,
} from './rate-book.ts';
import type { RateLimit } from './rate-limit.ts';

export type { BudgetKind, Share } from './rate-book.ts';

export interface SeenBucket extends Pick<KnownBucket, 'kind' | 'limit' | 'remaining' | 'window'> {
  /** Seconds until it is full again, from now. */
  readonly reset: number;
}

/** The rate limits as all processes of one person on this machine know them. */
export interface SharedLimits {
  /** Until when the service told any of them to send nothing: milliseconds since 1970. */
  refused(): Promise<Readonly<Record<BudgetKind, number>>>;
  /** Reads the shared book, changes it and writes it, while no other process does. Its times are milliseconds since 1970. */
  update<T>(change: (book: RateBook) => T): Promise<T>;
}

export interface PaceOptions {
  readonly clock: Clock;
  readonly maxWaitMs: number;
  /** Called for a wait until the budget fills up again; not for the short pauses that spread its last tenth. */
  readonly onWait?: ((wait: { readonly ms: number; readonly kind: BudgetKind }) => void) | undefined;
  readonly share?: (() => Share | undefined) | undefined;
  readonly shared?: (() => Promise<SharedLimits | undefined>) | undefined;
}

/** Room in the budget for one request. Call `end` once after every request, even a failed one. */
export interface Turn {
  end(rateLimit?: RateLimit, status?: number): Promise<void>;
}

/**
 * Keeps requests within the budget that the service last reported. So a bulk run spends all that it may and gets no 429.
 *
 * svc spends most of a budget as fast as the caller likes. It spreads the last tenth over the rest of the window, for three reasons.
 * - Others spend from the same budget, and svc sees them only in answers. So each process slows down as the rest shrinks.
 * - A person at another terminal finds rate-limit units left.
 * - A single answer shows the end of the window in whole seconds only. Several answers on the way show it to a fraction of a second.
 *
 * People come first. Bulk work has a {@link Share}. It leaves the last 15 units of its token, and 20 percent of the organisation's limit.
 * It keeps one book with all other bulk work on this machine. A person's command keeps a book of its own. It spends its first 15 units
 * without a pause, and waits only for what the service refuses.
 */
export function createPace({ clock, maxWaitMs, onWait, share = () => undefined, shared: open }: PaceOptions) {
  /** The wall clock's start; afterwards the monotonic clock counts, which never jumps. */
  const start = clock.now() - clock.monotonic();
  const time = () => start + clock.monotonic();
  const own = emptyBook();
  const queues: Record<BudgetKind, Promise<void>> = { read: Promise.resolve(), write: Promise.resolve() };
  /** This run's own spending of the last window, for a share in percent. */
  const spent: { readonly kind: BudgetKind; readonly at: number; readonly units: number }[] = [];
  let underWay: Readonly<Record<BudgetKind, number>> = { read: 0, write: 0 };
  let total = 0;
  let opened: Promise<SharedLimits | undefined> | undefined;
  const sharedLimits = () => {
    opened ??= open?.() ?? Promise.resolve(undefined);
    return opened;
  };

  async function inBook<T>(isBulk: boolean, change: (book: RateBook) => T): Promise<T> {
    const shared = isBulk ? await sharedLimits() : undefined;
    return shared === undefined ? change(own) : shared.update(change);
  }

  /** The wait that a share in percent asks for: until enough of this run's own spending is a window ago. */
  function shareDelay(charges: Charges, now: number, percent: number | undefined): Delay[] {
    if (percent === undefined || percent >= 100) return [];
    const window = windowOf(own);
    while (spent[0] !== undefined && spent[0].at <= now - window) spent.shift();
    return charges.flatMap(([kind, units]): Delay[] => {
      const most = unitsOfShare(kind, own.buckets, percent);
      const mine = spent.filter((each) => each.kind === kind);
      const used = mine.reduce((sum, each) => sum + each.units, underWay[kind]);
      if (used === 0 || used + units <= most) return [];
      return [{ until: mine[0] === undefined ? now + 100 : mine[0].at + window, full: false }];
    });
  }

  const count = (charges: Charges, sign: 1 | -1) => {
    for (const [kind, units] of charges) underWay = { ...underWay, [kind]: underWay[kind] + sign * units };
  };

  async function waitForRoom(kind: BudgetKind, cost: number, signal: AbortSignal | undefined): Promise<Turn> {
    const charges = chargesOf(kind, cost);
    for (;;) {
      const now = time();
      const bulk = share();
      const spreads = bulk !== undefined || total >= LEFT_FOR_PEOPLE;
      const refused = bulk === undefined ? await (await sharedLimits())?.refused() : undefined;
      const waits: Delay[] = shareDelay(charges, now, bulk?.percent);
      for (const [name] of charges) if (refused !== undefined && refused[name] > now) waits.push({ until: refused[name], full: true });
      const serial = await inBook(bulk !== undefined, (book) => {
        waits.push(...delaysOf(book, charges, now, bulk, spreads));
        book.serial = Math.max(book.serial, own.serial);
        return waits.length > 0 ? undefined : reserveIn(book, charges, now, { share: bulk, spreads, longest: maxWaitMs });
      });
      if (serial !== undefined) return turnOf(charges, bulk !== undefined, serial, now);
      const ms = Math.max(1, Math.ceil(Math.max(...waits.map(({ until }) => until)) - now));
      if (waits.some(({ full }) => full)) {
        if (ms > maxWaitMs) throw tooLong(ms, maxWaitMs);
        onWait?.({ ms, kind });
      }
      await clock.sleep(ms, signal);
    }
  }

  function turnOf(charges: Charges, isBulk: boolean, serial: number, sentAt: number): Turn {
    own.serial = serial;
    count(charges, 1);
    total += charges.reduce((sum, [, units]) => sum + units, 0);
    let ended = false;
    return {
      async end(rateLimit, status) {
        if (ended) return;
        ended = true;
        count(charges, -1);
        const now = time();
        for (const [kind, units] of charges) spent.push({ kind, at: now, units: unitsSpent({ status, units }) });
        const settle = (book: RateBook) => completeIn(book, charges, { serial, sentAt, now }, rateLimit);
        if (isBulk) settle(own);
        await inBook(isBulk, settle);
      },
    };
  }

  return {
    /**
     * Waits until the budget has room for `cost` units; the first to come is the first to go. It does not wait before the first answer with a
     * budget, nor once that budget's window has passed.
     *
     * @throws RateLimitError when the wait would be longer than `maxWaitMs`.
     */
    async enter(kind: BudgetKind, cost: number, signal?: AbortSignal): Promise<Turn> {
      const before = queues[kind];
      const { promise, resolve } = Promise.withResolvers<void>();
      queues[kind] = promise;
      try {
        await before;
        return await waitForRoom(kind, cost, signal);
      } finally {
        resolve();
      }
    },
    /** After a 429: no process sends anything of this kind for `ms` milliseconds. */
    async refuse(kind: BudgetKind, ms: number): Promise<void> {
      const until = time() + ms;
      const note = (book: RateBook) => {
        book.refused[kind] = Math.max(book.refused[kind], until);
      };
      note(own);
      await (await sharedLimits())?.update(note);
    },
    seen(): SeenBucket[] {
      const now = time();
      return own.buckets.map(({ kind, limit, told, window, latest }) => ({
        ...{ kind, limit, remaining: told, window },
        reset: Math.max(0, Math.ceil((latest - now) / 1000)),
      }));
    },
  };
}

/** A write spends one unit of the read budget too, and needs room in both (rules 15.8, 15.9). */
function chargesOf(kind: BudgetKind, cost: number): Charges {
  return kind === 'read'
    ? [['read', cost]]
    : [
        ['write', cost],
        ['read', 1],
      ];
}

function tooLong(ms: number, maxWaitMs: number): RateLimitError {
  const seconds = Math.ceil(ms / 1000);
  return new RateLimitError(`The rate limit allows the next request in ${seconds} s, and svc waits at most ${maxWaitMs / 1000} s.`, {
    hint: `Try again in ${seconds} s, or allow a longer wait with --max-wait.`,
    details: { retry_after: seconds },
  });
}
