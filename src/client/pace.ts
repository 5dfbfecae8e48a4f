import type { Clock } from '../deps.ts';
import { RateLimitError } from '../errors.ts';
import type { RateLimit } from './rate-limit.ts';
import { narrow, type ResetMoment, resetMoment, tellingTime } from './reset-moment.ts';

/** A GET spends from the read budget, everything else from the write budget (rules 15.6, 15.7). */
export type BudgetKind = 'read' | 'write';

/** A bucket as an answer reported it. */
export interface SeenBucket {
  /** The kind of request whose answer reported it; the read buckets bind writes too. */
  readonly kind: BudgetKind;
  readonly limit: number | undefined;
  readonly remaining: number;
  /** Seconds until it is full again, from now. */
  readonly reset: number;
  /** Length of its window in seconds. */
  readonly window: number | undefined;
}

export interface PaceOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** The longest single wait, in milliseconds. */
  readonly maxWaitMs: number;
  /** Called for a wait until the budget fills up again; not for the short pauses that spread its last tenth. */
  readonly onWait?: ((wait: { readonly ms: number; readonly kind: BudgetKind }) => void) | undefined;
}

/** Room in the budget for one request. Call `end` once after every request, even a failed one. */
export interface Turn {
  /** Returns the reservation, with the answer's report on the budget, if an answer came. */
  end(rateLimit?: RateLimit): void;
}

/**
 * Keeps requests within the budget that the service last reported. So a bulk run spends all of the budget and gets no 429.
 *
 * svc spends most of a budget as fast as the caller likes. It spreads the last tenth over the rest of the window, for three reasons.
 * - Other processes on the same token spend from the same budget, and svc sees them only in answers. So each process slows down as the rest
 *   shrinks, and none gets a 429.
 * - A person at another terminal finds a few rate-limit units left.
 * - A single answer shows the end of the window in whole seconds only. Several answers on the way show it to a fraction of a second.
 */
export interface Pace {
  /**
   * Waits until the budget has room for `cost` units; the first to come is the first to go. It does not wait before the first answer with a
   * budget, nor once that budget's window has passed.
   *
   * @throws RateLimitError when the wait would be longer than `maxWaitMs`.
   */
  enter(kind: BudgetKind, cost: number, signal?: AbortSignal): Promise<Turn>;
  /** After a 429: sends nothing of this kind for `ms` milliseconds. */
  refuse(kind: BudgetKind, ms: number): void;
  /** Every bucket in the answers so far, in the order seen. */
  seen(): SeenBucket[];
}

/** The part of a budget that svc spreads. */
const SPREAD_PART = 0.1;

interface Budget {
  readonly limit: number | undefined;
  /** The rest of the budget according to the newest answer. */
  remaining: number;
  /** When the answer's report is out of date. */
  readonly reset: ResetMoment;
  /** The serial of the request whose answer this is. */
  readonly serial: number;
}

interface Bucket extends Omit<SeenBucket, 'reset'> {
  readonly resetAt: number;
}

/** The reason for a request to wait: until when, and whether for want of room. */
interface Delay {
  readonly until: number;
  readonly full: boolean;
}

export function createPace({ clock, maxWaitMs, onWait }: PaceOptions): Pace {
  const budgets = new Map<BudgetKind, Budget>();
  const buckets = new Map<string, Bucket>();
  const reserved: Record<BudgetKind, number> = { read: 0, write: 0 };
  /** After a 429, svc sends nothing before this time. */
  const refusedUntil: Record<BudgetKind, number> = { read: 0, write: 0 };
  /** While svc spreads the rest, it sends nothing before this time. */
  const spreadUntil: Record<BudgetKind, number> = { read: 0, write: 0 };
  /** Resolves when all earlier requests have got their turn. */
  const queues: Record<BudgetKind, Promise<void>> = { read: Promise.resolve(), write: Promise.resolve() };
  let serial = 0;

  /** The reason not to spend `units` now; undefined without one. */
  function delayOf(kind: BudgetKind, units: number, now: number): Delay | undefined {
    if (refusedUntil[kind] > now) return { until: refusedUntil[kind], full: true };
    const budget = budgets.get(kind);
    if (budget === undefined) return undefined;
    if (budget.reset.latest <= now) {
      budgets.delete(kind);
      return undefined;
    }
    const free = budget.remaining - reserved[kind];
    if (free < units) return { until: budget.reset.latest, full: true };
    return isSpread(budget, free - units) && spreadUntil[kind] > now ? { until: spreadUntil[kind], full: false } : undefined;
  }

  /** Spends the rest of a budget evenly up to its reset. svc picks the times whose answers narrow down the reset most. */
  function spread(kind: BudgetKind, units: number, now: number): void {
    const budget = budgets.get(kind);
    if (budget === undefined) return;
    const free = budget.remaining - reserved[kind];
    if (!isSpread(budget, free - units)) return;
    const even = now + Math.min(((budget.reset.latest - now) * units) / Math.max(free, units), maxWaitMs);
    spreadUntil[kind] = tellingTime(budget.reset, now, even) ?? even;
  }

  function record(kind: BudgetKind, own: number, sentAt: number, { limit, remaining, reset, window }: RateLimit): void {
    const told = resetMoment(reset, sentAt, clock.monotonic());
    buckets.set(`${kind} ${limit ?? ''}`, { kind, limit, remaining, resetAt: told.latest, window });
    const known = budgets.get(kind);
    // Answers may overtake one another: the answer to an older request counts only where it is the more careful one.
    if (known === undefined || own > known.serial) {
      const sameBucket = known !== undefined && known.limit === limit;
      budgets.set(kind, { limit, remaining, reset: sameBucket ? narrow(known.reset, told) : told, serial: own });
      // With several under way, one may be answered before the window ended, and arrive after: that budget is over.
    } else if (remaining < known.remaining && told.latest > known.reset.earliest) known.remaining = remaining;
  }

  function reserve(kind: BudgetKind, cost: number): Turn {
    serial += 1;
    const own = serial;
    const sentAt = clock.monotonic();
    const charges = chargesOf(kind, cost);
    for (const [name, units] of charges) {
      spread(name, units, sentAt);
      reserved[name] += units;
    }
    let ended = false;
    return {
      end(rateLimit) {
        if (ended) return;
        ended = true;
        for (const [name, units] of charges) {
          reserved[name] -= units;
          const budget = budgets.get(name);
          // A request without a report in its answer may have spent its units all the same.
          if (budget !== undefined && (name !== kind || rateLimit === undefined)) budget.remaining -= units;
        }
        if (rateLimit !== undefined) record(kind, own, sentAt, rateLimit);
      },
    };
  }

  async function waitForRoom(kind: BudgetKind, cost: number, signal: AbortSignal | undefined): Promise<Turn> {
    for (;;) {
      const now = clock.monotonic();
      const delays = chargesOf(kind, cost).flatMap(([name, units]) => delayOf(name, units, now) ?? []);
      if (delays.length === 0) return reserve(kind, cost);
      const ms = Math.ceil(Math.max(...delays.map(({ until }) => until)) - now);
      if (delays.some(({ full }) => full)) {
        if (ms > maxWaitMs) throw tooLong(ms, maxWaitMs);
        onWait?.({ ms, kind });
      }
      await clock.sleep(ms, signal);
    }
  }

  return {
    async enter(kind, cost, signal) {
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
    refuse(kind, ms) {
      refusedUntil[kind] = Math.max(refusedUntil[kind], clock.monotonic() + ms);
    },
    seen() {
      const now = clock.monotonic();
      return [...buckets.values()].map(({ resetAt, ...bucket }) => ({ ...bucket, reset: Math.max(0, Math.ceil((resetAt - now) / 1000)) }));
    },
  };
}

/** Whether a budget with so many units left is down to the part that svc spreads. */
function isSpread({ limit }: Budget, left: number): boolean {
  return limit !== undefined && left < limit * SPREAD_PART;
}

/** A write spends one unit of the read budget too, and needs room in both (rules 15.8, 15.9). */
function chargesOf(kind: BudgetKind, cost: number): readonly (readonly [BudgetKind, number])[] {
  return kind === 'read'
    ? [['read', cost]]
    : [
        ['write', cost],
        ['read', 1],
      ];
}

function tooLong(ms: number, maxWaitMs: number): RateLimitError {
  const seconds = Math.ceil(ms / 1000);
  return new RateLimitError(`The rate limit leaves no room for ${seconds} s, longer than the ${maxWaitMs / 1000} s that svc may wait.`, {
    hint: `Try again in ${seconds} s, or allow a longer wait with --max-wait.`,
    details: { retry_after: seconds },
  });
}
