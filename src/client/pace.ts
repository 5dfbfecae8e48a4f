import type { Clock } from '../deps.ts';
import { RateLimitError } from '../errors.ts';
import type { RateLimit } from './rate-limit.ts';
import { narrow, type ResetMoment, resetMoment, tellingTime } from './reset-moment.ts';

/** A GET spends from the read budget, everything else from the write budget (rules 15.6, 15.7). */
export type BudgetKind = 'read' | 'write';

/** A bucket as an answer told of it. */
export interface SeenBucket {
  /** The kind of request whose answer told of it; a write is also bound by the read buckets. */
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
  /** A wait for the budget to fill up again; not told of the short pauses that spread the last of a budget. */
  readonly onWait?: ((wait: { readonly ms: number; readonly kind: BudgetKind }) => void) | undefined;
}

/** Room in the budget for one request. Must be ended once, whatever became of the request. */
export interface Turn {
  /** Gives the reservation back, with what the answer said about the budget, if one came. */
  end(rateLimit?: RateLimit): void;
}

/**
 * Keeps requests within the budget that the service last told of, so that a bulk run spends all of it and gets no 429.
 *
 * Most of a budget is spent as fast as the caller likes. The last tenth is spread over what is left of the window: other
 * processes on the same token spend from the same budget and are seen only in answers, so that each process slows down as
 * the rest shrinks and none runs into the wall; a person at another terminal finds a few units left; and the answers on the
 * way tell to a fraction of a second when the window ends, of which a single answer tells whole seconds only.
 */
export interface Pace {
  /**
   * Waits until the budget has room for `cost` units, first come first served. Nothing is waited for before an answer has
   * told of a budget, and once its window has passed.
   *
   * @throws RateLimitError when the wait would be longer than `maxWaitMs`.
   */
  enter(kind: BudgetKind, cost: number, signal?: AbortSignal): Promise<Turn>;
  /** A 429: nothing of this kind is sent for `ms` milliseconds. */
  refuse(kind: BudgetKind, ms: number): void;
  /** Every bucket that answers have told of, in the order seen. */
  seen(): SeenBucket[];
}

/** The part of a budget that is spread. */
const SPREAD_PART = 0.1;

interface Budget {
  readonly limit: number | undefined;
  /** What the newest answer said was left. */
  remaining: number;
  /** When the answer's word is void. */
  readonly reset: ResetMoment;
  /** The serial of the request whose answer this is. */
  readonly serial: number;
}

interface Bucket extends Omit<SeenBucket, 'reset'> {
  readonly resetAt: number;
}

/** What stands before a request: until when, and whether for want of room. */
interface Delay {
  readonly until: number;
  readonly full: boolean;
}

export function createPace({ clock, maxWaitMs, onWait }: PaceOptions): Pace {
  const budgets = new Map<BudgetKind, Budget>();
  const buckets = new Map<string, Bucket>();
  const reserved: Record<BudgetKind, number> = { read: 0, write: 0 };
  /** After a 429, nothing before this. */
  const refusedUntil: Record<BudgetKind, number> = { read: 0, write: 0 };
  /** While the rest is spread, nothing before this. */
  const spreadUntil: Record<BudgetKind, number> = { read: 0, write: 0 };
  /** Resolves when everyone who came before has gone in. */
  const queues: Record<BudgetKind, Promise<void>> = { read: Promise.resolve(), write: Promise.resolve() };
  let serial = 0;

  /** What keeps `units` from being spent now; undefined when nothing does. */
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

  /** The rest of a budget is spent evenly up to its reset, at the times that tell most about the reset. */
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
    // Answers may overtake one another: an older request's answer counts only where it is the more careful one.
    if (known === undefined || own > known.serial) {
      const sameBucket = known !== undefined && known.limit === limit;
      budgets.set(kind, { limit, remaining, reset: sameBucket ? narrow(known.reset, told) : told, serial: own });
      // With several under way, one may be answered before the window ended, and heard of after: that budget is gone.
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
          // What no answer tells of may have been spent all the same.
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

/** Whether a budget with so many units left is down to the part that is spread. */
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
