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
  /** The seconds from now until the bucket is full again. */
  readonly reset: number;
}

/** The rate limits that all svc processes of a user on this machine share. */
export interface SharedLimits {
  /** Returns the time until which processes must not send requests of the given kind, in milliseconds since 1970. Reads the shared file. */
  refused(kind: BudgetKind): number;
  /** Stores the end of a refusal for all processes, in milliseconds since 1970. The write is complete on return. */
  refuse(kind: BudgetKind, until: number): void;
  /** Changes the shared {@link RateBook} while no other process can use the book. The book’s times are milliseconds since 1970. */
  update<T>(change: (book: RateBook) => T): Promise<T>;
}

export interface PaceOptions {
  readonly clock: Clock;
  readonly maxWaitMs: number;
  /**
   * The function that svc calls before a wait for a full budget, or for the end of a refusal. svc does not call the function before a short
   * pause.
   */
  readonly onWait?: ((wait: { readonly ms: number; readonly kind: BudgetKind }) => void) | undefined;
  readonly share?: (() => Share | undefined) | undefined;
  readonly shared?: (() => Promise<SharedLimits | undefined>) | undefined;
}

/** Reports that svc did not send a request. The service has answered another request with 429 since this request got its turn. */
export class RequestPaused extends Error {}

/**
 * Limits requests to the budget that the service last reported. A bulk run can therefore spend its whole budget without a 429.
 *
 * svc sends requests at full speed for most of a budget. svc spreads the last tenth over the rest of the window, for three reasons.
 * - Other programs spend from the same budget, and only answers show this spending. Each process therefore slows down as the budget
 * shrinks.
 * - A person at another terminal can still send requests.
 * - One answer shows the end of the window in whole seconds. Several answers show the end to a fraction of a second.
 *
 * A person’s command takes precedence over bulk work. Bulk work has a {@link Share}. Bulk work leaves the last 15 rate-limit units of its
 * token, and 20 percent of the organisation’s limit. All bulk work on this machine shares one {@link RateBook}. A person’s command has its
 * own {@link RateBook}. A person’s first 15 rate-limit units need no pause, unless the budget is used up or the service
 * refuses.
 */
export function createPace({ clock, maxWaitMs, onWait, share = () => undefined, shared: open }: PaceOptions) {
  /** The wall-clock time at which the monotonic clock was 0. svc adds the monotonic clock to this time, so that the sum never jumps. */
  const start = clock.now() - clock.monotonic();
  const time = () => start + clock.monotonic();
  const own = emptyBook();
  const queues: Record<BudgetKind, Promise<void>> = { read: Promise.resolve(), write: Promise.resolve() };
  /** The requests of this run in the last window, for {@link shareDelay}. */
  const spent: { readonly kind: BudgetKind; readonly at: number; readonly units: number }[] = [];
  let underWay: Readonly<Record<BudgetKind, number>> = { read: 0, write: 0 };
  let total = 0;
  /** For each kind of request, the time before which svc sends nothing after a 429. */
  const refused: Record<BudgetKind, number> = { read: 0, write: 0 };
  let opened: Promise<SharedLimits | undefined> | undefined;
  let pauses: SharedLimits | undefined;
  const sharedLimits = async () => {
    opened ??= open?.() ?? Promise.resolve(undefined);
    pauses = await opened;
    return pauses;
  };
  const refusedUntil = (kind: BudgetKind) => Math.max(refused[kind], pauses?.refused(kind) ?? 0);

  async function inBook<T>(isBulk: boolean, change: (book: RateBook) => T): Promise<T> {
    const shared = isBulk ? await sharedLimits() : undefined;
    return shared === undefined ? change(own) : shared.update(change);
  }

  /** Returns the wait that keeps this run within `percent` of the limit, by the requests of the last window. */
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

  async function waitForRoom(kind: BudgetKind, cost: number, signal: AbortSignal | undefined) {
    const charges = chargesOf(kind, cost);
    for (;;) {
      const now = time();
      const bulk = share();
      const spreads = bulk !== undefined || total >= LEFT_FOR_PEOPLE;
      await sharedLimits();
      const waits: Delay[] = shareDelay(charges, now, bulk?.percent);
      for (const until of charges.map(([name]) => refusedUntil(name))) if (until > now) waits.push({ until, full: true });
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

  /** Returns the rate-limit units that svc has reserved for one request. Call `end` or `cancel` once, also after a failure. */
  function turnOf(charges: Charges, isBulk: boolean, serial: number, sentAt: number) {
    own.serial = serial;
    count(charges, 1);
    total += charges.reduce((sum, [, units]) => sum + units, 0);
    const complete = async (of: Charges, now: number, rateLimit?: RateLimit) => {
      count(charges, -1);
      const completeBook = (book: RateBook) => completeIn(book, of, { serial, sentAt, now }, rateLimit);
      if (isBulk) completeBook(own);
      await inBook(isBulk, completeBook);
    };
    return {
      end(rateLimit?: RateLimit, status?: number): Promise<void> {
        const now = time();
        for (const [kind, units] of charges) spent.push({ kind, at: now, units: unitsSpent({ status, units }) });
        return complete(charges, now, rateLimit);
      },
      /** Ends a turn whose request svc did not send. */
      cancel: () => complete([], time()),
    };
  }

  return {
    /**
     * Waits until the budget has `cost` rate-limit units for a request, in the order of the calls. Without a refusal, does not wait before
     * the first answer with a budget, or after that budget’s window has ended.
     *
     * @throws RateLimitError if the wait would be longer than `maxWaitMs`.
     */
    async enter(kind: BudgetKind, cost: number, signal?: AbortSignal) {
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
    /**
     * Records a 429. For `ms` milliseconds, this process sends no request of the given kind. Processes with the same {@link SharedLimits}
     * also wait.
     */
    refuse(kind: BudgetKind, ms: number): void {
      const until = time() + ms;
      if (until <= refused[kind]) return;
      refused[kind] = until;
      pauses?.refuse(kind, until);
    },
    /** Checks the 429 answers of all processes, right before svc sends a request. @throws RequestPaused if svc must wait again. */
    confirm(kind: BudgetKind): void {
      if (chargesOf(kind, 1).some(([name]) => refusedUntil(name) > time())) throw new RequestPaused();
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

/** Returns the rate-limit units of a request by budget. A write also spends one unit of the read budget (rules 15.8, 15.9). */
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
