import type { ApiClient, ApiRequest, Exchange } from './api.ts';

/** A client that adapts its number of parallel requests to the service’s answers. The rate limit takes precedence. */
export interface LanedClient extends ApiClient {
  readonly width: number;
  readonly max: number;
}

const FIRST_WIDTH = 6;

const MEAN_OF = 8;

/** Answers are slow if their mean is above `SLOW_TIMES` times the best mean, plus `SLOW_MS` milliseconds. */
const SLOW_TIMES = 3;
const SLOW_MS = 200;

const GOES_ON = /[?&](?:cursor|page)=/;

/**
 * Returns a client that sends at most `max` requests at a time. At the start, the client allows a few parallel requests, and one more
 * request for each answer. When the service answers 429 or 503, or becomes slow, the client halves the number. After that, the client
 * allows one more request for each round of other answers, as TCP does.
 *
 * A list in progress gets its next page before another list starts. The longest list therefore does not wait for all short lists. Other
 * requests go in the order of their arrival.
 */
export function laned(client: ApiClient, max: number): LanedClient {
  const queues: readonly [(() => void)[], (() => void)[]] = [[], []];
  let active = 0;
  let width = Math.min(max, FIRST_WIDTH);
  let hasShrunk = false;
  let credit = 0;
  /** The number of pending answers to requests from before the last halving. Such answers do not show the load after the halving. */
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
    // A lost connection does not show how busy the service is.
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
      next();
    }
  }

  async function enter({ path, signal }: ApiRequest): Promise<void> {
    if (active < width) {
      active += 1;
      return;
    }
    const waiting = queues[GOES_ON.test(path) ? 0 : 1];
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve);
      signal?.addEventListener(
        'abort',
        () => {
          const at = waiting.indexOf(resolve);
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
    // The receiver of the answer can send its next request first. The other requests wait one turn of the event loop.
    if (queues.some((waiting) => waiting.length > 0)) setImmediate(wake);
  }

  client.watch(learn);
  return {
    ...client,
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
  };
}
