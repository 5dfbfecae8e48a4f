import { describe, expect, it } from 'vitest';
import { createPace } from '../../src/client/pace.ts';
import { RateLimitError } from '../../src/errors.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const told = (remaining: number, reset = 30) => ({ limit: 600, remaining, reset, window: 60 });

function setUp(maxWaitMs = 300_000) {
  const clock = createFakeClock();
  return { clock, pace: createPace({ clock, maxWaitMs }) };
}

describe('pace', () => {
  it('waits for nothing before an answer has told of a budget', async () => {
    const { clock, pace } = setUp();
    for (let sent = 0; sent < 1000; sent += 1) await pace.enter('read', 3);
    expect(clock.slept).toEqual([]);
  });

  it('spends the budget to its last unit, then waits for the reset and no longer', async () => {
    const { clock, pace } = setUp();
    let left = 600;
    (await pace.enter('read', 1)).end(told(--left));
    while (left > 0) (await pace.enter('read', 1)).end(told(--left));
    expect(clock.slept).toEqual([]);
    const turn = await pace.enter('read', 1);
    expect(clock.slept).toEqual([30_000]);
    turn.end(told(599, 60));
    await pace.enter('read', 1);
    expect(clock.slept).toHaveLength(1);
  });

  it('holds a request that costs more than is left', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(2));
    await pace.enter('read', 3);
    expect(clock.slept).toEqual([30_000]);
  });

  it('counts what is under way', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(2));
    await pace.enter('read', 1);
    await pace.enter('read', 1);
    expect(clock.slept).toEqual([]);
    await pace.enter('read', 1);
    expect(clock.slept).toEqual([30_000]);
  });

  it('believes a careful late answer, and not a hopeful one', async () => {
    const { clock, pace } = setUp();
    const first = await pace.enter('read', 1);
    const second = await pace.enter('read', 1);
    second.end(told(1));
    first.end(told(2));
    await pace.enter('read', 1);
    await pace.enter('read', 1);
    expect(clock.slept).toHaveLength(1);
  });

  it('believes the newest answer when units come back early', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(1));
    (await pace.enter('read', 1)).end(told(500));
    await pace.enter('read', 100);
    expect(clock.slept).toEqual([]);
  });

  it('takes off what an answer that never came may have spent', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(2));
    (await pace.enter('read', 2)).end();
    await pace.enter('read', 1);
    expect(clock.slept).toHaveLength(1);
  });

  it('lets a write spend a read unit, and wait for one', async () => {
    const { clock, pace } = setUp();
    (await pace.enter('read', 1)).end(told(1));
    (await pace.enter('write', 1)).end({ ...told(100), limit: 120 });
    await pace.enter('write', 1);
    expect(clock.slept).toEqual([30_000]);
  });

  it('holds everything of a kind that was refused', async () => {
    const { clock, pace } = setUp();
    pace.refuse('read', 5000);
    await pace.enter('read', 1);
    expect(clock.slept).toEqual([5000]);
  });

  it('gives up on a wait that is longer than allowed', async () => {
    const { clock, pace } = setUp(29_999);
    (await pace.enter('read', 1)).end(told(0));
    await expect(pace.enter('read', 1)).rejects.toBeInstanceOf(RateLimitError);
    expect(clock.slept).toEqual([]);
  });

  it('ends a wait with the reason of the abort, and a turn only once', async () => {
    const { pace } = setUp();
    const turn = await pace.enter('read', 1);
    turn.end(told(1));
    turn.end(told(0));
    (await pace.enter('read', 1)).end(told(0));
    const reason = new Error('stopped');
    await expect(pace.enter('read', 1, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
