import type { Network, NetworkResponse } from '../deps.ts';
import { NetworkError } from '../errors.ts';
import { apiPath } from './request-digest.ts';

/**
 * Remembers of each write whether any attempt at it may have run. The client sends a POST or a DELETE again after a lost answer. The last
 * failure alone does not show that: a lost answer and then a refused connection end with "no byte left".
 */
export interface AttemptWatch {
  /** The network for the client, instead of the watched one. */
  readonly network: Pick<Network, 'request'>;
  /** Whether any attempt at the write of this name ({@link writeName}) may have run; reading forgets it. */
  mayHaveRun(name: string): boolean;
}

export function watchAttempts(network: Pick<Network, 'request'>): AttemptWatch {
  const suspects = new Set<string>();
  return {
    network: {
      async request(request) {
        const key = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
        const method = request.method.toUpperCase();
        if (method === 'GET' || method === 'HEAD') return network.request(request);
        const name = writeName(method, request.url, key);
        try {
          const response = await network.request(request);
          if (!surelyDidNotRun(response)) suspects.add(name);
          return response;
        } catch (error) {
          if (!(error instanceof NetworkError && error.ran === 'no')) suspects.add(name);
          throw error;
        }
      },
    },
    mayHaveRun: (name) => suspects.delete(name),
  };
}

/** The name of a write on its way: its key, or its record where it is sent without one. */
export function writeName(method: string, path: string, key: string | undefined): string {
  return key ?? `${method} ${apiPath(path)}`;
}

/** Whether the write surely did not run: a 4xx says so, a 429 too (rule 14.29). */
function surelyDidNotRun({ status }: NetworkResponse): boolean {
  return status >= 400 && status < 500;
}
