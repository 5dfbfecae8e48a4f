/**
 * The moment at which a rate bucket is full again, on the monotonic clock in milliseconds. Answers count it in whole
 * seconds, rounded up, at some time between sending and receiving; so it is known between two bounds.
 */
export interface ResetMoment {
  readonly earliest: number;
  /** From here on the bucket is surely full. */
  readonly latest: number;
}

/** What one answer tells of it. */
export function resetMoment(seconds: number, sentAt: number, receivedAt: number): ResetMoment {
  return { earliest: sentAt + (seconds - 1) * 1000, latest: receivedAt + seconds * 1000 };
}

/** What two answers tell together; where they cannot both be right, the newer one counts: another window has begun. */
export function narrow(known: ResetMoment, told: ResetMoment): ResetMoment {
  const earliest = Math.max(known.earliest, told.earliest);
  const latest = Math.min(known.latest, told.latest);
  return earliest < latest ? { earliest, latest } : told;
}

/** Closer than this is close enough, in milliseconds. */
const CLOSE = 20;

/**
 * The first time from `from` to `to` at which an answer halves what is not known: its count of seconds then says on which
 * side of the middle the moment lies. Undefined when no such time is left, or nothing more need be known.
 */
export function tellingTime({ earliest, latest }: ResetMoment, from: number, to: number): number | undefined {
  if (latest - earliest <= CLOSE) return undefined;
  const middle = (earliest + latest) / 2;
  const time = middle - Math.floor((middle - from) / 1000) * 1000;
  return time <= to ? time : undefined;
}
