import type { Exchange, Wait } from '../client/api-client.ts';

/** A line of `--debug` for one request and its answer: never a header, never a body. */
export function describeExchange(exchange: Exchange): string {
  const { method, url, status, ms, units, requestId, attempt, error } = exchange;
  const parts = [`${method} ${url}`, `→ ${status ?? error ?? 'no answer'}`, `${Math.round(ms)} ms`];
  if (units !== undefined) parts.push(`${units} ${units === 1 ? 'unit' : 'units'}`);
  if (requestId !== undefined) parts.push(`request ${requestId}`);
  if (attempt > 1) parts.push(`attempt ${attempt}`);
  return `svc: ${parts.join(', ').replace(', →', ' →')}`;
}

/** A line for a person who wonders why nothing happens. */
export function describeWait({ reason, ms }: Wait): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return reason === 'rate-limit'
    ? `Waiting ${seconds} s for the rate limit …`
    : `The service did not answer; trying again in ${seconds} s …`;
}
