import type { Exchange, Wait } from '../client/api-client.ts';
import type { Deps, Network } from '../deps.ts';

type DescribedExchange = Pick<Exchange, 'method' | 'url' | 'status' | 'ms'> & Partial<Exchange>;

/** Returns the line of `--debug` for one request and its answer. The line contains no body, and no header except the request id. */
export function describeExchange(exchange: DescribedExchange): string {
  const { method, url, status, ms, units, requestId, attempt = 1, error } = exchange;
  const parts = [`${method} ${url}`, `→ ${status ?? error ?? 'no answer'}`, `${Math.round(ms)} ms`];
  if (units !== undefined) parts.push(`${units} ${units === 1 ? 'unit' : 'units'}`);
  if (requestId !== undefined) parts.push(`request ${requestId}`);
  if (attempt > 1) parts.push(`attempt ${attempt}`);
  return `svc: ${parts.join(', ').replace(', →', ' →')}`;
}

export function reportingNetwork({ network, clock }: Pick<Deps, 'network' | 'clock'>, report: (line: string) => void): Network {
  return {
    async request(request) {
      const { method, url } = request;
      const started = clock.monotonic();
      try {
        const response = await network.request(request);
        const requestId = response.headers['x-request-id'];
        report(describeExchange({ method, url, status: response.status, ms: clock.monotonic() - started, requestId }));
        return response;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        report(describeExchange({ method, url, status: undefined, ms: clock.monotonic() - started, error: message }));
        throw error;
      }
    },
    warm: (origin, timeoutMs) => network.warm(origin, timeoutMs),
    close: () => network.close(),
  };
}

export function describeWait({ reason, ms }: Wait): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return reason === 'rate-limit' ? `Waiting ${seconds} s for the rate limit …` : `The request failed. svc tries again in ${seconds} s …`;
}
