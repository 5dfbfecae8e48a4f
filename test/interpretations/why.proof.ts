import { afterAll, expect, it } from 'vitest';
import type { Outcome } from './judge.ts';
import { explainTenant } from './why.ts';

/** The number of random services. Each explains six figures. The long form has 2,004 figures: SVC_TEST_SERVICES=334. */
const SERVICES = Number(process.env['SVC_TEST_SERVICES'] ?? 8);
const FIRST = Number(process.env['SVC_TEST_FIRST'] ?? 1);

const all: Outcome[] = [];

afterAll(() => {
  const count = (verdict: Outcome['verdict']) => all.filter((one) => one.verdict === verdict).length;
  console.log(`Explained: ${all.length} figures, ${count('right')} right, ${count('unknown')} unknown, ${count('refused')} refused.`);
});

it.each(Array.from({ length: SERVICES }, (_, index) => FIRST + index))(
  'the steps of --why add up to the figure, and come from the records, for the service of seed %i',
  async (seed) => {
    const outcomes = await explainTenant(seed);
    all.push(...outcomes);
    expect(outcomes.filter(({ verdict }) => verdict === 'wrong').map(({ command, why }) => [command, ...why].join('\n    '))).toEqual([]);
  },
);

it('svc refuses to explain fewer than one in eight figures', () => {
  expect(all.filter(({ verdict }) => verdict === 'refused').length).toBeLessThan(all.length / 8);
});
