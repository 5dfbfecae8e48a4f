import { expect, it } from 'vitest';
import { createPace } from '../../src/client/pace.ts';
import { createManualClock } from '../support/clock.ts';

function setUp(maxWaitMs = 300_000) {
  const clock = createManualClock(Date.UTC(2025, 0, 15, 12), true);
  return { clock, pace: createPace({ clock, maxWaitMs }) };
}

it('svc lists every rate limit from the answers, with the seconds until the reset, down to zero', async () => {
  const { clock, pace } = setUp();
  expect(pace.seen()).toEqual([]);
  (await pace.enter('read', 1)).end({ limit: 600, remaining: 599, reset: 30, window: 60 });
  (await pace.enter('read', 1)).end({ limit: 50, remaining: 49, reset: 2, window: undefined });
  (await pace.enter('write', 1)).end({ limit: undefined, remaining: 7, reset: 10, window: 60 });
  (await pace.enter('read', 1)).end({ limit: 600, remaining: 598, reset: 30, window: 60 });
  const seen = (...resets: number[]) => [
    { kind: 'read', limit: 600, remaining: 598, window: 60, reset: resets[0] },
    { kind: 'read', limit: 50, remaining: 49, window: undefined, reset: resets[1] },
    { kind: 'write', limit: undefined, remaining: 7, window: 60, reset: resets[2] },
  ];
  expect(pace.seen()).toEqual(seen(30, 2, 10));
  clock.advance(1_001);
  expect(pace.seen()).toEqual(seen(29, 1, 9));
  clock.advance(60_000);
  expect(pace.seen()).toEqual(seen(0, 0, 0));
});

it('svc waits as long as allowed, and fails with the seconds rounded up when the wait is longer', async () => {
  const { clock, pace } = setUp(10_000);
  pace.refuse('read', 10_000);
  await pace.enter('read', 1);
  expect(clock.slept).toEqual([10_000]);
  pace.refuse('read', 10_001);
  // A shorter refusal does not shorten a longer one.
  pace.refuse('read', 5);
  await expect(pace.enter('read', 1)).rejects.toMatchObject({
    name: 'RateLimitError',
    message: 'The rate limit allows the next request in 11 s, and svc waits at most 10 s.',
    hint: 'Try again in 11 s, or allow a longer wait with --max-wait.',
    details: { retry_after: 11 },
  });
});

it('svc spends every remaining rate-limit unit before a wait, and ignores a window that has passed', async () => {
  const { clock, pace } = setUp();
  // Without a limit svc does not spread the requests.
  const told = { limit: undefined, remaining: 3, reset: 30, window: undefined };
  (await pace.enter('read', 1)).end(told);
  await pace.enter('read', 3);
  expect(clock.slept).toEqual([]);
  await pace.enter('read', 1);
  expect(clock.slept).toEqual([30_000]);
  for (let count = 0; count < 10; count += 1) await pace.enter('read', 9);
  expect(clock.slept).toEqual([30_000]);
});

it('svc pauses only when less than a tenth of the limit is left', async () => {
  const { clock, pace } = setUp();
  (await pace.enter('read', 15)).end({ limit: 100, remaining: 12, reset: 60, window: 60 });
  await pace.enter('read', 1);
  await pace.enter('read', 1);
  expect(clock.slept).toEqual([]);
  await pace.enter('read', 1);
  await pace.enter('read', 1);
  expect(clock.slept).toHaveLength(1);
});

it('svc makes a write wait for the later reset of the limits for reading and for writing', async () => {
  const { clock, pace } = setUp();
  const told = { limit: undefined, window: undefined };
  (await pace.enter('read', 1)).end({ ...told, remaining: 1, reset: 10 });
  (await pace.enter('write', 1)).end({ ...told, remaining: 0, reset: 30 });
  (await pace.enter('read', 0)).end({ ...told, remaining: 0, reset: 10 });
  expect(clock.slept).toEqual([]);
  await pace.enter('write', 1);
  expect(clock.slept).toEqual([30_000]);
});

it('svc prints a long wait in whole seconds', async () => {
  const { pace } = setUp(1_000);
  pace.refuse('write', 299_000);
  await expect(pace.enter('write', 1)).rejects.toThrow('The rate limit allows the next request in 299 s, and svc waits at most 1 s.');
});
