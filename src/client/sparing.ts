import type { Clock } from '../deps.ts';
import type { ApiClient, ApiRequest, Exchange } from './api.ts';
import { requestCost, unitsSpent } from './cost.ts';

/** A client for work that never ends, which leaves most of the read budget to other users of the token. */
export interface SparingClient {
  /** Units that all its clients together may spend in any window: the part of the lowest reported limit. */
  share(): number;
  /** A client for the next piece of work; listeners of the one before get no more events. */
  next(): ApiClient;
}

/** In milliseconds (rule 15.1). */
const WINDOW = 60_000;

/** Read units of a token, before the first answer with a limit (rule 15.2). */
const USUAL_LIMIT = 600;

/**
 * Delays requests until a part of the budget has room for them. The part counts over the window that ends now, independent of the service's
 * own windows. A request that costs more than the whole part is sent where no other was.
 *
 * @param part 0.1 for a tenth.
 */
export function sparing(client: ApiClient, clock: Pick<Clock, 'monotonic' | 'sleep'>, part: number): SparingClient {
  const spent: { readonly at: number; readonly units: number }[] = [];
  let reserved = 0;
  let listeners: ((exchange: Exchange) => void)[] = [];
  /** Resolves when all earlier requests have got their turn. */
  let queue: Promise<void> = Promise.resolve();

  client.watch((exchange) => {
    spent.push({ at: clock.monotonic(), units: unitsSpent(exchange) });
    for (const listener of listeners) listener(exchange);
  });

  function share(): number {
    const limits = client.limits().flatMap(({ kind, limit }) => (kind === 'read' && limit !== undefined ? [limit] : []));
    return Math.floor(Math.min(...(limits.length > 0 ? limits : [USUAL_LIMIT])) * part);
  }

  async function room(units: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const now = clock.monotonic();
      while (spent[0] !== undefined && spent[0].at <= now - WINDOW) spent.shift();
      const used = spent.reduce((sum, each) => sum + each.units, reserved);
      if (used === 0 || used + units <= share()) return;
      // A short wait, when there is nothing to wait for but requests under way.
      await clock.sleep(spent[0] === undefined ? 100 : spent[0].at + WINDOW - now, signal);
    }
  }

  async function enter(units: number, signal: AbortSignal | undefined): Promise<void> {
    const before = queue;
    const { promise, resolve } = Promise.withResolvers<void>();
    queue = promise;
    try {
      await before;
      await room(units, signal);
      reserved += units;
    } finally {
      resolve();
    }
  }

  return {
    share,
    next() {
      const own: ((exchange: Exchange) => void)[] = [];
      listeners = own;
      return {
        host: client.host,
        async send(request) {
          const units = costOf(request);
          await enter(units, request.signal);
          try {
            return await client.send(request);
          } finally {
            reserved -= units;
          }
        },
        limits: () => client.limits(),
        watch: (listener) => void own.push(listener),
      };
    },
  };
}

function costOf({ method, path, query = [], cost }: ApiRequest): number {
  const typed = [...new URLSearchParams(path.split('?')[1] ?? '')];
  return cost ?? requestCost({ method: method.toUpperCase(), query: [...typed, ...query] });
}
