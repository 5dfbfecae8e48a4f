import { expect, it } from 'vitest';
import { signalJoiner } from '../../src/client/api-client.ts';

it('signalJoiner returns a single signal unchanged, and joins two signals so that either signal aborts the result', () => {
  const own = new AbortController();
  const other = new AbortController();
  expect(signalJoiner(undefined)(undefined)).toBeUndefined();
  expect(signalJoiner(own.signal)(undefined)).toBe(own.signal);
  expect(signalJoiner(undefined)(other.signal)).toBe(other.signal);
  const joined = signalJoiner(own.signal)(other.signal);
  expect(joined?.aborted).toBe(false);
  other.abort();
  expect(joined?.aborted).toBe(true);
  const second = signalJoiner(own.signal)(new AbortController().signal);
  expect(second?.aborted).toBe(false);
  own.abort();
  expect(second?.aborted).toBe(true);
});

it('signalJoiner returns the same joined signal for the same signal, and another for another signal', () => {
  const join = signalJoiner(new AbortController().signal);
  const { signal } = new AbortController();
  expect(join(signal)).toBe(join(signal));
  expect(join(new AbortController().signal)).not.toBe(join(signal));
});
