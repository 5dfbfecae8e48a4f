/** On the monotonic clock in milliseconds. Answers count whole seconds, rounded up, at some time between sending and receiving. */
export interface ResetTime {
  readonly earliest: number;
  readonly latest: number;
}

export function resetTime(seconds: number, sentAt: number, receivedAt: number): ResetTime {
  return { earliest: sentAt + (seconds - 1) * 1000, latest: receivedAt + seconds * 1000 };
}

/** The bounds from two answers; where they contradict each other, the newer one counts: another window has begun. */
export function narrow(known: ResetTime, reported: ResetTime): ResetTime {
  const earliest = Math.max(known.earliest, reported.earliest);
  const latest = Math.min(known.latest, reported.latest);
  return earliest < latest ? { earliest, latest } : reported;
}

/** In milliseconds. */
const CLOSE = 20;

/**
 * The first time from `from` to `to` at which an answer halves the unknown range. Its count of seconds then shows which half holds the
 * reset. Undefined without such a time, or when the bounds are close enough.
 */
export function narrowingTime({ earliest, latest }: ResetTime, from: number, to: number): number | undefined {
  if (latest - earliest <= CLOSE) return undefined;
  const middle = (earliest + latest) / 2;
  const time = middle - Math.floor((middle - from) / 1000) * 1000;
  return time <= to ? time : undefined;
}
