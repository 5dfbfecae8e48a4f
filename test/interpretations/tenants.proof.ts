import { afterAll, expect, it } from 'vitest';
import { partOf } from '../support/parts.ts';
import { faultsOf, runTenant, type TenantRun } from './tenants.ts';

const SEEDS = partOf(
  Array.from({ length: 50 }, (_, index) => index + 1),
  4,
);
const all: TenantRun[] = [];

afterAll(() => {
  const count = (verdict: TenantRun['verdict']) => all.filter((run) => run.verdict === verdict).length;
  console.log(
    `Services: ${SEEDS.length}, ${all.length} runs: ${count('right')} right, ${count('unknown')} unknown, ${count('refused')} refused.`,
  );
});

it.each(SEEDS)('week, absences, billing, check and status print no wrong value for the service of seed %i', async (seed) => {
  const runs = await runTenant(seed);
  all.push(...runs);
  expect(faultsOf(runs)).toEqual([]);
});

it('svc refuses fewer than one in twenty commands', () => {
  expect(all.filter(({ verdict }) => verdict === 'refused').length).toBeLessThan(all.length / 20);
});
