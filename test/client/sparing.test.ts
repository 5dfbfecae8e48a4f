// Work without an end leaves the budget to others: a part of it in any minute, whatever it asks for and however the answers come.
import { expect, it } from 'vitest';
import type { ApiClient, ApiResponse, Exchange } from '../../src/client/api.ts';
import { sparing } from '../../src/client/sparing.ts';
import { randomOf } from '../support/random.ts';

/** A service whose answers take their time on a clock that goes on when nobody has anything to do, and what it charged. */
function service(random: () => number, limit: number | undefined) {
  let now = 0;
  const timers: { readonly at: number; readonly go: () => void }[] = [];
  const charged: { readonly at: number; readonly units: number }[] = [];
  const listeners: ((exchange: Exchange) => void)[] = [];
  const sleep = (ms: number) => new Promise<void>((go) => void timers.push({ at: now + ms, go }));
  const client: ApiClient = {
    host: { name: 'there', origin: 'https://there' } as ApiClient['host'],
    async send({ path }) {
      const units = path.includes('view=detail') ? 3 : 1;
      await sleep(random() * 900);
      const status = random() < 0.2 ? 304 : 200;
      charged.push({ at: now, units: status === 304 ? 1 : units });
      await sleep(random() * 900);
      for (const listener of listeners)
        listener({ method: 'GET', url: path, status, ms: 1, units, requestId: undefined, attempt: 1, error: undefined });
      return { status } as ApiResponse;
    },
    limits: () => (limit === undefined ? [] : [{ kind: 'read', limit, remaining: limit, reset: 60, window: 60 }]),
    watch: (listener) => void listeners.push(listener),
  };
  /** Lets time go by until nobody waits any more. */
  async function run(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      timers.sort((a, b) => a.at - b.at);
      const next = timers.shift();
      if (next === undefined) return;
      now = next.at;
      next.go();
    }
  }
  return { client, clock: { monotonic: () => now, sleep }, charged, run };
}

it.each([
  [undefined, 60],
  [600, 60],
  [100, 10],
])('never spends more than a tenth in a minute, of a limit of %s: %i units', async (limit, most) => {
  const random = randomOf(7);
  const { client, clock, charged, run } = service(random, limit);
  const asking = sparing(client, clock, 0.1);
  expect(asking.share()).toBe(most);
  const told = [0, 0];
  const sent = [0, 1].flatMap((work) => {
    const one = asking.next();
    one.watch(() => {
      told[work] = (told[work] ?? 0) + 1;
    });
    return Array.from({ length: 60 }, () => one.send({ method: 'GET', path: random() < 0.5 ? '/worklogs?view=detail' : '/projects' }));
  });
  await run();
  await Promise.all(sent);
  const inMinuteFrom = (from: number) =>
    charged.filter(({ at }) => at >= from && at < from + 60_000).reduce((sum, { units }) => sum + units, 0);
  const worst = Math.max(...charged.map(({ at }) => inMinuteFrom(at)));
  expect(worst).toBeLessThanOrEqual(most);
  // And it does spend it.
  expect(worst).toBeGreaterThanOrEqual(most * 0.7);
  // Whoever watched the work before hears nothing of the next.
  expect(told).toEqual([0, 120]);
});

it('lets one request out that costs more than the whole part', async () => {
  const { client, clock, charged, run } = service(randomOf(1), 20);
  const asking = sparing(client, clock, 0.1).next();
  const sent = [1, 2].map(() => asking.send({ method: 'GET', path: '/worklogs?view=detail' }));
  await run();
  await Promise.all(sent);
  expect(charged).toHaveLength(2);
  expect((charged[1]?.at ?? 0) - (charged[0]?.at ?? 0)).toBeGreaterThanOrEqual(60_000);
});
