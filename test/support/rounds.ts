import { vi } from 'vitest';
import type { Deps, Files, NetworkRequest } from '../../src/deps.ts';

/** The round trips in order, and the requests of each. */
export interface Rounds {
  /** Returns the outside world of a command, whose requests leave together in rounds. */
  through(deps: Deps): Deps;
  /** The requests of each round so far: `GET /api/v2/me`. */
  readonly sent: readonly (readonly string[])[];
}

interface HeldRequest {
  readonly line: string;
  readonly go: () => void;
}

/** The number of idle turns of the event loop after which no further request is expected. */
const CALM_TURNS = 12;

/**
 * Counts the round trips that a command in this process waits for.
 * The function holds each request until the process only waits for answers. It then sends the held requests together as a round, up to
 * svc’s number of connections.
 * The count is therefore the longest chain of dependent requests, and does not depend on a clock.
 */
export function countRounds(connections = 8): Rounds {
  const sent: string[][] = [];
  const waiting: HeldRequest[] = [];
  /** The number of running answers and file operations, which Node does not always show. */
  let underWay = 0;
  let watching = false;

  async function watch(): Promise<void> {
    if (watching) return;
    watching = true;
    while (waiting.length > 0) {
      await idle();
      const round = waiting.splice(0, connections);
      if (round.length > 0) sent.push(round.map(({ line }) => line));
      for (const { go } of round) go();
    }
    watching = false;
  }

  async function idle(): Promise<void> {
    for (let turns = 0; turns < CALM_TURNS; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay > 0 || process.getActiveResourcesInfo().some((kind) => kind.includes('Req'))) turns = 0;
      // svc may load code now.
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
      const one: HeldRequest = { line: `${method} ${pathname}`, go: resolve };
      waiting.push(one);
      signal?.addEventListener('abort', () => {
        if (waiting.includes(one)) waiting.splice(waiting.indexOf(one), 1);
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
