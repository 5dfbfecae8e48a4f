/** On the monotonic clock in milliseconds. Answers count whole seconds, rounded up, at some time between sending and receiving. */
export interface ResetMoment {
  readonly earliest: number;
  readonly latest: number;
}

export function resetMoment(seconds: number, sentAt: number, receivedAt: number): ResetMoment {
  return { earliest: sentAt + (seconds - 1) * 1000, latest: receivedAt + seconds * 1000 };
}

/** The bounds from two answers; where they contradict each other, the newer one counts: another window has begun. */
export function narrow(known: ResetMoment, told: ResetMoment): ResetMoment {
  const earliest = Math.max(known.earliest, told.earliest);
  const latest = Math.min(known.latest, told.latest);
  return earliest < latest ? { earliest, latest } : told;
}

const CLOSE = 20;

/**
 * The first time from `from` to `to` at which an answer halves the unknown range. Its count of seconds then shows which half holds the
 * reset. Undefined without such a time, or when the bounds are close enough.
 */
export function tellingTime({ earliest, latest }: ResetMoment, from: number, to: number): number | undefined {
  if (latest - earliest <= CLOSE) return undefined;
  const middle = (earliest + latest) / 2;
  const time = middle - Math.floor((middle - from) / 1000) * 1000;
  return time <= to ? time : undefined;
}
