import { expect, it } from 'vitest';
import { signalJoiner } from '../../src/client/api-client.ts';

it('signalJoiner returns a single signal unchanged, and joins two signals so that either one aborts', () => {
  const own = new AbortController();
  const other = new AbortController();
  expect(signalJoiner(undefined)(undefined)).toBeUndefined();
  expect(signalJoiner(own.signal)(undefined)).toBe(own.signal);
  expect(signalJoiner(undefined)(other.signal)).toBe(other.signal);
  const joined = signalJoiner(own.signal)(other.signal);
  expect(joined?.aborted).toBe(false);
  other.abort();
  expect(joined?.aborted).toBe(true);
});

it('signalJoiner shares one joined signal between the pages of a list', () => {
  const join = signalJoiner(new AbortController().signal);
  const { signal } = new AbortController();
  expect(join(signal)).toBe(join(signal));
  expect(join(new AbortController().signal)).not.toBe(join(signal));
});
