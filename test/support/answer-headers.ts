import type { Deps } from '../../src/deps.ts';

/** Returns a function that gives svc a network whose answers have other headers. @param change changes the headers of an answer. */
export function withHeaders(change: (headers: Record<string, string>) => unknown): (deps: Deps) => Deps {
  return (deps) => ({
    ...deps,
    network: {
      ...deps.network,
      async request(wanted) {
        const response = await deps.network.request(wanted);
        const headers = { ...response.headers };
        change(headers);
        return Object.assign(response, { headers });
      },
    },
  });
}
