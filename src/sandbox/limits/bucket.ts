import type { SandboxKnobs } from '../knobs.ts';

/**
 * Rate-limit units that come back: all at once at the end of a window, or each a window after it was spent. The first unit starts
 * a window.
 */
export interface Bucket {
  readonly limit: number;
  remaining(now: number): number;
  /** Whole seconds until the bucket is full again. */
  reset(now: number): number;
  /** Whole seconds until there is room for so many units. */
  wait(units: number, now: number): number;
  spend(units: number, now: number): void;
}

export interface BucketOptions {
  readonly windowMs: number;
  /** When false nothing is ever spent. */
  readonly enforced: boolean;
  readonly knobs: Pick<SandboxKnobs, 'rateWindow'>;
}

export function createBucket(limit: number, { windowMs, enforced, knobs }: BucketOptions): Bucket {
  let used = 0;
  let end = 0;
  /** Units that were spent within the latest window, oldest first. */
  const spent: { readonly at: number; readonly units: number }[] = [];
  const usedAt = (now: number): number => {
    if (knobs.rateWindow === 'fixed') return now < end ? used : 0;
    return spent.reduce((sum, { at, units }) => sum + (at > now - windowMs ? units : 0), 0);
  };
  const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
  const untilFull = (now: number): number => {
    if (knobs.rateWindow === 'fixed') return now < end ? end - now : windowMs;
    return (spent.at(-1)?.at ?? now) + windowMs - now;
  };
  const untilRoomFor = (wanted: number, now: number): number => {
    let missing = wanted - (limit - usedAt(now));
    if (knobs.rateWindow === 'fixed') return untilFull(now);
    for (const { at, units } of spent) {
      if (at > now - windowMs) missing -= units;
      if (missing <= 0) return at + windowMs - now;
    }
    return untilFull(now);
  };
  return {
    limit,
    remaining: (now) => Math.max(0, limit - usedAt(now)),
    reset: (now) => seconds(untilFull(now)),
    wait: (units, now) => seconds(untilRoomFor(units, now)),
    spend: (units, now) => {
      if (!enforced) return;
      used = (now < end ? used : 0) + units;
      if (now >= end) end = now + windowMs;
      while (spent[0] !== undefined && spent[0].at <= now - windowMs) spent.shift();
      spent.push({ at: now, units });
    },
  };
}
