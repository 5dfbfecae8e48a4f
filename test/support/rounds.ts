import { vi } from 'vitest';
import type { Deps, Files, NetworkRequest } from '../../src/deps.ts';

/** Round trips, one after the other, and what went out in each. */
export interface Rounds {
  /** The outside world of a command, its requests going out together, in rounds. */
  through(deps: Deps): Deps;
  /** The requests of each round so far: `GET /api/v2/me`. */
  readonly sent: readonly (readonly string[])[];
}

interface Held {
  readonly line: string;
  readonly go: () => void;
}

/** So many turns of the event loop without any work: whoever was to ask for something has asked. */
const CALM_TURNS = 12;

/**
 * Counts the round trips that a command in this process waits for. Every request is held until nothing in the process has
 * anything left to do but wait for answers; then all that are held go out at once, at most as many as svc has connections, and
 * that is a round. So the count is the longest chain of requests that depend on one another, and no clock is in it.
 */
export function countRounds(connections = 8): Rounds {
  const sent: string[][] = [];
  const held: Held[] = [];
  /** What is under way besides: answers, and files, of which Node does not always tell. */
  let underWay = 0;
  let watching = false;

  async function watch(): Promise<void> {
    if (watching) return;
    watching = true;
    while (held.length > 0) {
      await calm();
      const round = held.splice(0, connections);
      if (round.length > 0) sent.push(round.map(({ line }) => line));
      for (const { go } of round) go();
    }
    watching = false;
  }

  async function calm(): Promise<void> {
    for (let turns = 0; turns < CALM_TURNS; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay > 0 || process.getActiveResourcesInfo().some((kind) => kind.includes('Req'))) turns = 0;
      // Code that is loaded on the way.
      else if (turns === CALM_TURNS / 2) await vi.dynamicImportSettled();
    }
  }

  async function during<T>(work: () => Promise<T>): Promise<T> {
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
    }
  }

  async function turnOf({ method, url, signal }: NetworkRequest): Promise<void> {
    signal?.throwIfAborted();
    const { pathname } = new URL(url);
    await new Promise<void>((resolve, reject) => {
      const one: Held = { line: `${method} ${pathname}`, go: resolve };
      held.push(one);
      signal?.addEventListener('abort', () => {
        if (held.includes(one)) held.splice(held.indexOf(one), 1);
        reject(signal.reason);
      });
      void watch();
    });
  }

  return {
    sent,
    through: ({ network, files, ...deps }) => ({
      ...deps,
      files: { ...files, ...watched(files, ['readText', 'writeAtomic', 'append', 'truncate', 'rename', 'remove', 'list', 'stat'], during) },
      network: {
        ...network,
        async request(request) {
          await turnOf(request);
          return during(async () => {
            const response = await network.request(request);
            const bytes = await response.bytes();
            return {
              ...response,
              bytes: async () => bytes,
              text: async () => new TextDecoder().decode(bytes),
              discard: async () => undefined,
            };
          });
        },
      },
    }),
  };
}

type During = <T>(work: () => Promise<T>) => Promise<T>;

function watched(files: Files, names: readonly (keyof Files)[], during: During): Partial<Files> {
  return Object.fromEntries(
    names.map((name) => {
      const call = files[name] as (...args: readonly unknown[]) => Promise<unknown>;
      return [name, (...args: readonly unknown[]) => during(() => call(...args))];
    }),
  );
}
