import type { ApiClient, ApiRequest, Exchange } from './api.ts';

/** A client of which so many requests are under way at a time as the service answers well; the rate limit rules over it. */
export interface LanedClient extends ApiClient {
  /** Requests that may be under way now, 1 to {@link max}. */
  readonly width: number;
  /** The most there may ever be. */
  readonly max: number;
}

/** Requests that go out at once before anything is known of the service. */
const FIRST_WIDTH = 6;

/** So many answers make a mean of how long one takes. */
const MEAN_OF = 8;

/** Answers have grown slow when they take so many times as long as they did at best, and so many milliseconds more. */
const SLOW_TIMES = 3;
const SLOW_MS = 200;

/** The address of a page that is not the first. */
const GOES_ON = /[?&](?:cursor|page)=/;

interface Waiting {
  readonly go: () => void;
}

/**
 * Lets at most `max` requests out at a time. It begins with a few and gives one more for each good answer; it halves when the service
 * answers 429 or 503, or grows slow, and then gains one for each round of good answers (as TCP does).
 *
 * A walk that is under way asks for its next page before another walk begins, so that the longest does not wait for all the short
 * ones. Among equals, who came first goes first.
 */
export function laned(client: ApiClient, max: number): LanedClient {
  /** Those that go on, and those that begin. */
  const queues: readonly [Waiting[], Waiting[]] = [[], []];
  let active = 0;
  let width = Math.min(max, FIRST_WIDTH);
  let hasShrunk = false;
  /** Good answers towards one lane more. */
  let credit = 0;
  /** Answers still to come of what was sent before the last time that it shrank: they tell of that time. */
  let stale = 0;
  let times: number[] = [];
  let best = Number.POSITIVE_INFINITY;

  function shrink(): void {
    width = Math.max(1, Math.floor(width / 2));
    hasShrunk = true;
    credit = 0;
    stale = active;
    times = [];
  }

  function grow(): void {
    credit += 1;
    if (hasShrunk && credit < width) return;
    credit = 0;
    width = Math.min(max, width + 1);
  }

  function learn({ status, ms }: Exchange): void {
    if (stale > 0) {
      stale -= 1;
      return;
    }
    // A connection that got lost says nothing of how busy the service is.
    if (status === undefined) return;
    if (status === 429 || status === 503) {
      shrink();
      return;
    }
    times.push(ms);
    if (times.length === MEAN_OF) {
      const mean = times.reduce((sum, time) => sum + time, 0) / MEAN_OF;
      times = [];
      best = Math.min(best, mean);
      if (mean > best * SLOW_TIMES + SLOW_MS) {
        shrink();
        return;
      }
    }
    grow();
  }

  function wake(): void {
    while (active < width) {
      const next = queues[0].shift() ?? queues[1].shift();
      if (next === undefined) return;
      active += 1;
      next.go();
    }
  }

  async function enter({ path, signal }: ApiRequest): Promise<void> {
    if (active < width) {
      active += 1;
      return;
    }
    const waiting = queues[GOES_ON.test(path) ? 0 : 1];
    await new Promise<void>((resolve, reject) => {
      const entry: Waiting = { go: resolve };
      waiting.push(entry);
      signal?.addEventListener(
        'abort',
        () => {
          const at = waiting.indexOf(entry);
          if (at < 0) return;
          waiting.splice(at, 1);
          reject(signal.reason);
        },
        { once: true },
      );
    });
  }

  function leave(): void {
    active -= 1;
    // Whoever got the answer may ask for more, and comes first: it has until the next turn.
    if (queues.some((waiting) => waiting.length > 0)) setImmediate(wake);
  }

  client.watch(learn);
  return {
    host: client.host,
    max,
    get width() {
      return width;
    },
    async send(request) {
      request.signal?.throwIfAborted();
      await enter(request);
      try {
        return await client.send(request);
      } finally {
        leave();
      }
    },
    limits: () => client.limits(),
    watch: (listener) => client.watch(listener),
  };
}
