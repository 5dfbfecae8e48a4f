import { describe, expect, it } from 'vitest';
import { createPace } from '../../src/client/pace.ts';
import { RateLimitError } from '../../src/errors.ts';
import { createManualClock } from '../support/clock.ts';

const told = (remaining: number, reset = 30) => ({ limit: 600, remaining, reset, window: 60 });

function setUp(maxWaitMs = 300_000) {
  const clock = createManualClock(Date.UTC(2025, 0, 15, 12), true);
  const waits: number[] = [];
  return { clock, waits, pace: createPace({ clock, maxWaitMs, onWait: ({ ms }) => waits.push(ms) }) };
}

describe('the pace of requests', () => {
  it('makes no request wait before an answer shows a limit', async () => {
    const { clock, pace } = setUp();
    for (let sent = 0; sent < 1000; sent += 1) await pace.enter('read', 3);
    expect(clock.slept).toEqual([]);
  });

  it('has no pause in nine tenths of the limit, and waits at zero units', async () => {
    const { clock, pace } = setUp();
    let left = 600;
    for (; left > 60; left -= 1) (await pace.enter('read', 1)).end(told(left - 1));
    expect(clock.slept).toEqual([]);
    (await pace.enter('read', 1)).end(told(0, 30));
    const before = clock.slept.length;
    const turn = await pace.enter('read', 1);
    expect(clock.slept.slice(before)).toEqual([30_000]);
    turn.end(told(599, 60));
    await pace.enter('read', 1);
    expect(clock.slept).toHaveLength(before + 1);
  });

  it('spreads the last tenth of the limit over the rest of the window', async () => {
    const { clock, pace, waits } = setUp();
    (await pace.enter('read', 1)).end(told(60, 60));
    for (let left = 60; left > 0; left -= 1) (await pace.enter('read', 1)).end(told(left - 1, 60 - Math.floor(clock.monotonic() / 1000)));
    const after = clock.monotonic();
    expect(after).toBeGreaterThan(55_000);
    expect(after).toBeLessThan(60_000);
    // svc reports no short pauses.
    expect(waits).toEqual([]);
  });

  it('pauses requests for at most --max-wait, without a failure', async () => {
    const { clock, pace } = setUp(1000);
    (await pace.enter('read', 1)).end(told(2, 60));
    await pace.enter('read', 1);
    await pace.enter('read', 1);
    expect(Math.max(...clock.slept)).toBeLessThanOrEqual(1000);
  });

  it('makes a request wait when the request costs more than the remaining rate-limit units', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(2));
    await pace.enter('read', 3);
    expect(clock.slept).toEqual([30_000]);
  });

  it('counts the requests that have no answer yet', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(2));
    await pace.enter('read', 1);
    await pace.enter('read', 1);
    expect(clock.monotonic()).toBeLessThan(30_000);
    await pace.enter('read', 1);
    expect(clock.monotonic()).toBe(30_000);
  });

  it('uses the lowest number of remaining rate-limit units when answers arrive out of order', async () => {
    const { clock, pace } = setUp();
    const first = await pace.enter('read', 1);
    const second = await pace.enter('read', 1);
    second.end(told(1));
    first.end(told(2));
    await pace.enter('read', 1);
    expect(clock.monotonic()).toBe(0);
    await pace.enter('read', 1);
    expect(clock.monotonic()).toBe(30_000);
  });

  it('ignores a late answer from a window that is over', async () => {
    const { clock, pace } = setUp();
    const late = await pace.enter('read', 1);
    const next = await pace.enter('read', 1);
    clock.advance(2_000);
    next.end(told(599, 60));
    late.end(told(0, 1));
    const before = clock.slept.length;
    await pace.enter('read', 1);
    expect(clock.slept).toHaveLength(before);
  });

  it('uses the newest answer when that answer shows more rate-limit units than expected', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(1));
    (await pace.enter('read', 1)).end(told(500));
    await pace.enter('read', 100);
    expect(clock.slept).toEqual([]);
  });

  it('counts the rate-limit units of a request without an answer as spent', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(2));
    (await pace.enter('read', 2)).end();
    await pace.enter('read', 1);
    expect(clock.slept).toHaveLength(1);
  });

  it('makes a write spend a rate-limit unit for reading, and wait until one is left', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(1));
    (await pace.enter('write', 1)).end({ ...told(100), limit: 120 });
    await pace.enter('write', 1);
    expect(clock.slept).toEqual([30_000]);
  });

  it('makes the next read wait after the service refused a read', async () => {
    const { clock, pace } = setUp();
    pace.refuse('read', 5000);
    await pace.enter('read', 1);
    expect(clock.slept).toEqual([5000]);
  });

  it('makes a request fail at once when the wait is longer than allowed', async () => {
    const { clock, pace } = setUp(29_999);
    (await pace.enter('read', 1)).end(told(0));
    await expect(pace.enter('read', 1)).rejects.toBeInstanceOf(RateLimitError);
    expect(clock.slept).toEqual([]);
  });

  it('makes an aborted request fail with the reason of the abort', async () => {
    const { pace } = setUp();
    const turn = await pace.enter('read', 1);
    turn.end(told(1));
    (await pace.enter('read', 1)).end(told(0));
    const reason = new Error('stopped');
    await expect(pace.enter('read', 1, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('lets requests through in their order of arrival', async () => {
    const { pace } = setUp();
    (await pace.enter('read', 1)).end(told(0));
    const order: number[] = [];
    const goIn = async (name: number) => {
      await pace.enter('read', 1);
      order.push(name);
    };
    await Promise.all([3, 1, 2].map(goIn));
    expect(order).toEqual([3, 1, 2]);
  });
});

/** A rate limit as the service keeps it. The window starts with the first unit, and its end is rounded up to seconds. */
function createBucket(limit: number, windowMs: number) {
  let used = 0;
  let end = 0;
  return (units: number, now: number) => {
    if (now >= end) {
      used = 0;
      end = now + windowMs;
    }
    const refused = used + units > limit;
    if (!refused) used += units;
    const reset = Math.max(1, Math.ceil((end - now) / 1000));
    return { refused, rateLimit: { limit, remaining: limit - used, reset, window: windowMs / 1000 } };
  };
}

/**
 * Sends requests of `cost` units, each with `latency` ms, until `units` are spent.
 * @returns the time in ms.
 */
async function spendAll(windowMs: number, latency: number, cost: number, units: number) {
  const { clock, pace } = setUp();
  const bucket = createBucket(600, windowMs);
  let refused = 0;
  for (let spent = 0; spent < units; spent += cost) {
    const turn = await pace.enter('read', cost);
    clock.advance(latency / 2);
    const answer = bucket(cost, clock.monotonic());
    clock.advance(latency / 2);
    if (answer.refused) refused += 1;
    turn.end(answer.rateLimit);
  }
  return { ms: clock.monotonic(), refused };
}

describe('many requests in a row', () => {
  it.each([
    ['a window of 60 seconds', 60_000, 40, 1],
    ['slow answers', 60_000, 90, 1],
    ['expensive requests', 60_000, 40, 7],
    ['a short window that does not end on a second', 4_700, 1, 3],
    ['a window of one second', 1_000, 1, 1],
  ])('use at least 97 percent of the limit without a refusal, with %s', async (_what, windowMs, latency, cost) => {
    const windows = 8;
    const { ms, refused } = await spendAll(windowMs, latency, cost, Math.floor(600 / cost) * cost * windows + cost);
    expect(refused).toBe(0);
    expect((windows * windowMs) / ms).toBeGreaterThan(0.97);
  });
});

describe('the limit of an IP address, which no header shows,', () => {
  it('is not exceeded by 3,000 requests with an early pause (rules 15.10, 15.12, 15.13)', async () => {
    for (const started of [1, 20_000, 50_000]) {
      const clock = createManualClock(Date.UTC(2025, 0, 15, 12), true);
      const pace = createPace({ clock, maxWaitMs: 300_000, share: () => ({}) });
      const token = createBucket(600, 60_000);
      const address = createBucket(600, 60_000);
      address(1, 0);
      let refused = 0;
      for (let sent = 0; sent < 3_000; sent += 1) {
        if (sent === 1) clock.advance(started);
        const turn = await pace.enter('read', 1);
        clock.advance(10);
        const now = clock.monotonic();
        if (address(1, now).refused) refused += 1;
        await turn.end(token(1, now).rateLimit, 200);
      }
      expect(refused).toBe(0);
      // svc also uses what the limit allows.
      expect(clock.monotonic()).toBeLessThan(started + 6.5 * 60_000);
    }
  });
});
