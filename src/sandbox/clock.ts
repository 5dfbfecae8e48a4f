import type { SandboxClock } from './options.ts';

/** A clock that can be turned forward, so that tokens expire and registrations age without waiting. */
export interface TurnableClock extends SandboxClock {
  /** Milliseconds that it was turned forward in all. */
  readonly ahead: number;
  advance(ms: number): void;
}

export function turnable(clock: SandboxClock): TurnableClock {
  let ahead = 0;
  return {
    now: () => clock.now() + ahead,
    get ahead() {
      return ahead;
    },
    advance: (ms) => {
      ahead += ms;
    },
  };
}
