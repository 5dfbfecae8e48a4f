import type { Network, NetworkResponse } from '../deps.ts';
import { NetworkError } from '../errors.ts';

/**
 * Remembers of each POST whether any attempt at it may have run. The client sends a POST again after a lost answer, and its last
 * failure alone does not tell: a lost answer, then a refused connection, ends with "no byte left".
 */
export interface AttemptWatch {
  /** To be given to the client in place of the network it watches. */
  readonly network: Pick<Network, 'request'>;
  /** Whether any attempt under this Idempotency-Key may have run; asking forgets it. */
  mayHaveRun(key: string): boolean;
}

/** Watches a network. */
export function watchAttempts(network: Pick<Network, 'request'>): AttemptWatch {
  const suspects = new Set<string>();
  return {
    network: {
      async request(request) {
        const key = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
        if (key === undefined) return network.request(request);
        try {
          const response = await network.request(request);
          if (!surelyDidNotRun(response)) suspects.add(key);
          return response;
        } catch (error) {
          if (!(error instanceof NetworkError && error.ran === 'no')) suspects.add(key);
          throw error;
        }
      },
    },
    mayHaveRun: (key) => suspects.delete(key),
  };
}

/** A 4xx says so itself, a 429 too (rule 14.29). */
function surelyDidNotRun({ status }: NetworkResponse): boolean {
  return status >= 400 && status < 500;
}
