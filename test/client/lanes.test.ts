import { expect, it } from 'vitest';
import type { ApiClient, Exchange } from '../../src/client/api.ts';
import { laned } from '../../src/client/lanes.ts';

/** Creates parallel requests over a client that sends nothing, and records how many svc allows. */
function lanes(max = 8) {
  let learn: (exchange: Exchange) => void = () => undefined;
  const watch = (listener: typeof learn) => {
    learn = listener;
  };
  const client = { host: {}, watch } as unknown as ApiClient;
  const made = laned(client, max);
  const told = { method: 'GET', url: '/', units: 1, requestId: undefined, attempt: 1, error: undefined };
  /** Reports `count` answers that took `ms` each, and returns the number of parallel requests. */
  const answers = (count: number, ms: number, status: number | 'lost' = 200) => {
    for (let n = 0; n < count; n++) learn({ ...told, status: status === 'lost' ? undefined : status, ms });
    return made.width;
  };
  return { made, answers };
}

it('svc starts with six parallel requests, and adds one for each successful answer up to the maximum', () => {
  const { made, answers } = lanes();
  expect(made.width).toBe(6);
  expect(answers(1, 10)).toBe(7);
  expect(answers(3, 10)).toBe(8);
  expect(lanes(3).made.width).toBe(3);
});

it.each([429, 503])(
  'svc halves the parallel requests after status %i, and adds one for each full round of successful answers',
  (status) => {
    const { answers } = lanes();
    answers(2, 10);
    expect(answers(1, 10, status)).toBe(4);
    expect(answers(3, 10)).toBe(4);
    expect(answers(1, 10)).toBe(5);
    expect(answers(4, 10)).toBe(5);
    expect(answers(1, 10)).toBe(6);
  },
);

it('svc keeps one parallel request after nine answers with 503', () => {
  expect(lanes().answers(9, 10, 503)).toBe(1);
});

it('svc halves the parallel requests when eight answers take over three times the best mean plus 200 ms', () => {
  const slow = lanes();
  expect(slow.answers(8, 100)).toBe(8);
  expect(slow.answers(7, 501)).toBe(8);
  expect(slow.answers(1, 501)).toBe(4);

  const bearable = lanes();
  bearable.answers(8, 100);
  expect(bearable.answers(800, 500)).toBe(8);
});

it('svc compares the speed with the best eight answers, not with the last eight', () => {
  const { answers } = lanes();
  answers(8, 100);
  answers(8, 400);
  expect(answers(8, 501)).toBe(4);
});

it('svc does not count a lost connection as a slow answer', () => {
  const { answers } = lanes();
  answers(8, 100);
  expect(answers(800, 60_000, 'lost')).toBe(8);
});
