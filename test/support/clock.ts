import type { Clock } from '../../src/deps.ts';

/** A clock that a test moves, and that records each sleep. */
export interface ManualClock extends Clock {
  /** Moves the time forward, and ends the sleeps whose time has come. */
  advance(ms: number): void;
  /** The requested sleeps, in milliseconds. */
  readonly slept: number[];
  /** Resolves when somebody sleeps for exactly `ms`. */
  sleeping(ms: number): Promise<void>;
}

/** Creates the clock. @param eager true to end each sleep at once and move the time forward. */
export function createManualClock(start = Date.UTC(2026, 0, 15, 12), eager = false): ManualClock {
  let now = start;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const watchers: { readonly ms: number; readonly notify: () => void }[] = [];
  const pending: number[] = [];
  const clock: ManualClock = {
    slept: [],
    now: () => now,
    monotonic: () => now - start,
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      clock.slept.push(ms);
      if (eager) {
        now += ms;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        sleepers.push({ at: now + ms, wake: resolve });
        pending.push(ms);
        for (const watcher of watchers.splice(0)) {
          if (watcher.ms === ms) watcher.notify();
          else watchers.push(watcher);
        }
      });
    },
    advance(ms) {
      now += ms;
      for (const sleeper of sleepers.splice(0)) {
        if (sleeper.at <= now) sleeper.wake();
        else sleepers.push(sleeper);
      }
      pending.length = 0;
    },
    sleeping: (ms) => new Promise((resolve) => (pending.includes(ms) ? resolve() : void watchers.push({ ms, notify: resolve }))),
  };
  return clock;
}
