import { expect, it } from 'vitest';
import { signalJoiner } from '../../src/client/api-client.ts';

it('one signal is itself, and two end with either', () => {
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

it('share one listener for the pages of a walk, so none pile up on the signal of the command', () => {
  const join = signalJoiner(new AbortController().signal);
  const { signal } = new AbortController();
  expect(join(signal)).toBe(join(signal));
  expect(join(new AbortController().signal)).not.toBe(join(signal));
});
