/** Units that come back all at once at the end of a window; the window starts with the first unit spent. */
export interface Bucket {
  readonly limit: number;
  remaining(now: number): number;
  /** Whole seconds until the bucket is full again. */
  reset(now: number): number;
  spend(units: number, now: number): void;
}

/**
 * @param windowMs Length of the window.
 * @param enforced When false nothing is ever spent.
 */
export function createBucket(limit: number, windowMs: number, enforced: boolean): Bucket {
  let used = 0;
  let end = 0;
  const usedAt = (now: number): number => (now < end ? used : 0);
  return {
    limit,
    remaining: (now) => Math.max(0, limit - usedAt(now)),
    reset: (now) => Math.max(1, Math.ceil((now < end ? end - now : windowMs) / 1000)),
    spend: (units, now) => {
      if (!enforced) return;
      used = usedAt(now) + units;
      if (now >= end) end = now + windowMs;
    },
  };
}
