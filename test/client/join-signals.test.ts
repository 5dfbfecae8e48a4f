import { expect, it } from 'vitest';
import { signalJoiner } from '../../src/client/api-client.ts';

it('svc joins two abort signals into one signal, and uses a single signal unchanged', () => {
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

it('svc joins the same two abort signals only once, and other abort signals separately', () => {
  const join = signalJoiner(new AbortController().signal);
  const { signal } = new AbortController();
  expect(join(signal)).toBe(join(signal));
  expect(join(new AbortController().signal)).not.toBe(join(signal));
});
