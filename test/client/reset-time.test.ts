import { expect, it } from 'vitest';
import { narrow, narrowingTime, resetTime } from '../../src/client/reset-time.ts';

it('an answer gives the reset time to within one second plus the duration of the request', () => {
  expect(resetTime(10, 1_000, 1_200)).toEqual({ earliest: 10_000, latest: 11_200 });
});

it.each([
  [
    { earliest: 9_500, latest: 10_500 },
    { earliest: 10_000, latest: 10_500 },
  ],
  [
    { earliest: 10_200, latest: 12_000 },
    { earliest: 10_200, latest: 11_200 },
  ],
  [
    { earliest: 0, latest: 99_000 },
    { earliest: 10_000, latest: 11_200 },
  ],
])('svc narrows the known reset time %j to %j with the next answer', (known, together) => {
  expect(narrow(known, { earliest: 10_000, latest: 11_200 })).toEqual(together);
});

// The two times contradict each other: another window has started.
it.each([
  [
    { earliest: 12_000, latest: 13_000 },
    { earliest: 10_000, latest: 11_200 },
  ],
  [
    { earliest: 8_000, latest: 10_000 },
    { earliest: 10_000, latest: 11_200 },
  ],
])('svc replaces the known reset time %j with the reset time %j of the next answer', (known, together) => {
  expect(narrow(known, { earliest: 10_000, latest: 11_200 })).toEqual(together);
});

it.each([
  // The middle is 10,500. Whole seconds before the middle tell the most.
  [10_000, 11_000, 7_100, 99_000, 7_500],
  [10_000, 11_000, 7_500, 7_500, 7_500],
  [10_000, 11_000, 7_501, 99_000, 8_500],
  [10_000, 10_022, 0, 99_000, 11],
])('the request time that best narrows a reset at %i–%i ms, from %i to %i ms, is %s ms', (earliest, latest, from, to, time) => {
  expect(narrowingTime({ earliest, latest }, from, to)).toBe(time);
});

it.each([
  [10_000, 11_000, 7_501, 8_499],
  [10_000, 10_020, 0, 99_000],
])('svc finds no request time that narrows a reset at %i–%i ms, from %i to %i ms', (earliest, latest, from, to) => {
  expect(narrowingTime({ earliest, latest }, from, to)).toBeUndefined();
});
