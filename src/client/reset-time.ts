/**
 * The bounds of a reset time, in milliseconds since 1970. Answers give whole seconds, rounded up, at some time between sending and
 * receiving.
 */
export interface ResetTime {
  readonly earliest: number;
  readonly latest: number;
}

export function resetTime(seconds: number, sentAt: number, receivedAt: number): ResetTime {
  return { earliest: sentAt + (seconds - 1) * 1000, latest: receivedAt + seconds * 1000 };
}

/**
 * Combines the bounds from two answers. Returns the newer bounds if the bounds contradict each other, because another window has started.
 */
export function narrow(known: ResetTime, reported: ResetTime): ResetTime {
  const earliest = Math.max(known.earliest, reported.earliest);
  const latest = Math.min(known.latest, reported.latest);
  return earliest < latest ? { earliest, latest } : reported;
}

/** The distance of the bounds, in milliseconds, at which svc stops narrowing. */
const CLOSE = 20;

/**
 * Returns the first time from `from` to `to` at which an answer halves the range of the reset time. The seconds in the answer then show the
 * correct half. Undefined without such a time, or if the bounds are close enough.
 */
export function narrowingTime({ earliest, latest }: ResetTime, from: number, to: number): number | undefined {
  if (latest - earliest <= CLOSE) return undefined;
  const middle = (earliest + latest) / 2;
  const time = middle - Math.floor((middle - from) / 1000) * 1000;
  return time <= to ? time : undefined;
}
