import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LockOptions, withLock } from '../../src/auth/lock.ts';
import { systemClock } from '../../src/system/clock.ts';

// How long and how often svc tries to get a lock of another process, on a clock of the test.
const subject = 'the sign-in of acme.example.com';
let path: string;
let leave: () => void;
let held: Promise<void>;
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'svc-lock-')), 'acme.lock');
  const inside = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  leave = end.resolve;
  held = withLock(path, { clock: systemClock, subject }, () => {
    inside.resolve();
    return end.promise;
  });
  await inside.promise;
});
afterEach(async () => {
  leave();
  await held;
  await rm(dirname(path), { recursive: true });
});

/**
 * Waits for a lock that is never released. The clock shows `times` one after another.
 * @returns the pauses, and the times of the notices.
 */
async function waitInVain(times: readonly number[], options: Partial<LockOptions>) {
  const left = [...times];
  const pauses: number[] = [];
  const told: number[] = [];
  let now = 0;
  const clock = {
    monotonic: () => {
      now = left.shift() ?? now;
      return now;
    },
    sleep: async (ms: number) => void pauses.push(ms),
  };
  const waiting = withLock(path, { clock, subject, onWait: () => told.push(now), ...options }, async () => 'never');
  await expect(waiting).rejects.toThrow('Another svc is changing the sign-in of acme.example.com and has not finished within');
  expect(left).toEqual([]);
  return { pauses, told };
}

test('a wait for a lock prints one notice after a second, and ends at the timeout', async () => {
  const { told } = await waitInVain([50_000, 50_999, 51_000, 51_001, 51_999, 52_000], { timeoutMs: 2_000 });
  expect(told).toEqual([51_000]);
});

test('a wait for a lock ends after 30 seconds by default', async () => {
  expect((await waitInVain([0, 29_999, 30_000], {})).told).toEqual([29_999]);
});

test('the pauses in a wait for a lock grow by the factor 1.4, from 4 to 250 milliseconds', async () => {
  const { pauses } = await waitInVain([...Array(16).keys(), 100], { timeoutMs: 100, random: () => 0.5 });
  expect(pauses.map((pause) => Math.round(pause * 10) / 10)).toEqual([
    4, 5.6, 7.8, 11, 15.4, 21.5, 30.1, 42.2, 59, 82.6, 115.7, 162, 226.8, 250, 250,
  ]);
});

test.each([
  [0, 2],
  [1, 6],
])('a pause in a wait for a lock varies by half its length (random value %d)', async (drawn, first) => {
  expect((await waitInVain([0, 0, 100], { timeoutMs: 100, random: () => drawn })).pauses).toEqual([first]);
});

test('svc takes no lock after an abort', async () => {
  const signal = AbortSignal.abort(new Error('Ctrl-C'));
  leave();
  await held;
  await expect(withLock(path, { clock: systemClock, subject, signal }, async () => 'never')).rejects.toThrow('Ctrl-C');
});
