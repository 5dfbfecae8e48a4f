import type { Clock } from '../../src/deps.ts';

export interface FakeClock extends Clock {
  /** Every span slept, in milliseconds. */
  readonly slept: readonly number[];
  advance(ms: number): void;
}

/** A clock that stands still; to sleep moves it on and takes no time. */
export function createFakeClock(start: number = Date.UTC(2025, 0, 15, 12)): FakeClock {
  let passed = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => start + passed,
    monotonic: () => passed,
    advance(ms) {
      passed += ms;
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      passed += ms;
    },
  };
}
