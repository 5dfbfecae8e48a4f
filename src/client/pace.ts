import type { Clock } from '../deps.ts';
import { RateLimitError } from '../errors.ts';
import type { RateLimit } from './rate-limit.ts';

/** A GET spends from the read budget, everything else from the write budget (rule: read and write buckets). */
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
  readonly onWait?: ((wait: { readonly ms: number; readonly kind: BudgetKind }) => void) | undefined;
}

/** Room in the budget for one request. Must be ended once, whatever became of the request. */
export interface Turn {
  /** Gives the reservation back, with what the answer said about the budget, if one came. */
  end(rateLimit?: RateLimit): void;
}

/** Keeps requests within the budget that the service last told of, so that a bulk run spends all of it and gets no 429. */
export interface Pace {
  /**
   * Waits until the budget has room for `cost` units. Nothing is waited for before an answer has told of a budget, and
   * once its window has passed.
   *
   * @throws RateLimitError when the wait would be longer than `maxWaitMs`.
   */
  enter(kind: BudgetKind, cost: number, signal?: AbortSignal): Promise<Turn>;
  /** A 429: nothing of this kind is sent for `ms` milliseconds. */
  refuse(kind: BudgetKind, ms: number): void;
  /** Every bucket that answers have told of, in the order seen. */
  seen(): SeenBucket[];
}

interface Budget {
  /** What the newest answer said was left. */
  remaining: number;
  /** On the monotonic clock; at this time the answer's word is void. */
  resetAt: number;
  /** The serial of the request whose answer this is. */
  serial: number;
}

interface Bucket extends Omit<SeenBucket, 'reset'> {
  readonly resetAt: number;
}

export function createPace({ clock, maxWaitMs, onWait }: PaceOptions): Pace {
  const budgets = new Map<BudgetKind, Budget>();
  const reserved: Record<BudgetKind, number> = { read: 0, write: 0 };
  const buckets = new Map<string, Bucket>();
  let serial = 0;

  /** Milliseconds to wait for room; 0 when there is room, or nothing is known. */
  function waitFor(kind: BudgetKind, cost: number): number {
    const budget = budgets.get(kind);
    if (budget === undefined) return 0;
    const left = budget.resetAt - clock.monotonic();
    if (left <= 0) {
      budgets.delete(kind);
      return 0;
    }
    return budget.remaining - reserved[kind] >= cost ? 0 : left;
  }

  function record(kind: BudgetKind, own: number, { limit, remaining, reset, window }: RateLimit): void {
    const resetAt = clock.monotonic() + reset * 1000;
    buckets.set(`${kind} ${limit ?? ''}`, { kind, limit, remaining, resetAt, window });
    const known = budgets.get(kind);
    // Answers may overtake one another: an older request's answer counts only where it is the more careful one.
    if (known === undefined || own > known.serial) budgets.set(kind, { remaining, resetAt, serial: own });
    else if (remaining < known.remaining) known.remaining = remaining;
  }

  function reserve(kind: BudgetKind, cost: number): Turn {
    serial += 1;
    const own = serial;
    const charges = chargesOf(kind, cost);
    for (const [budget, units] of charges) reserved[budget] += units;
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
        if (rateLimit !== undefined) record(kind, own, rateLimit);
      },
    };
  }

  return {
    async enter(kind, cost, signal) {
      for (;;) {
        const ms = Math.max(...chargesOf(kind, cost).map(([budget, units]) => waitFor(budget, units)));
        if (ms === 0) return reserve(kind, cost);
        if (ms > maxWaitMs) throw tooLong(ms, maxWaitMs);
        onWait?.({ ms, kind });
        await clock.sleep(ms, signal);
      }
    },
    refuse(kind, ms) {
      budgets.set(kind, { remaining: 0, resetAt: clock.monotonic() + ms, serial });
    },
    seen() {
      const now = clock.monotonic();
      return [...buckets.values()].map(({ resetAt, ...bucket }) => ({ ...bucket, reset: Math.max(0, Math.ceil((resetAt - now) / 1000)) }));
    },
  };
}

/** A write spends one unit of the read budget too, and needs room in both (rule: a write spends a read unit). */
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
