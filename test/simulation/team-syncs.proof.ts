// The rows of docs/explanation/team-syncs.md are those that the simulation prints. Another quarter of them each day.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rowOf, SCENARIOS, simulateDay } from '../../scripts/team-syncs.ts';
import { partOf } from '../support/parts.ts';

it('docs/explanation/team-syncs.md has the rows that the simulation prints', { timeout: 3_600_000 }, async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/explanation/team-syncs.md'), 'utf8');
  for (const scenario of partOf(SCENARIOS, 4)) expect(page).toContain(await rowOf(scenario));
});

it('one shared database costs less than twenty databases, and the longest wait is no longer', {
  timeout: 600_000,
}, async () => {
  const scenario = { syncers: 20, office: true, every: 30, spread: false };
  const [own, shared] = [await simulateDay({ ...scenario, team: false }, 7), await simulateDay({ ...scenario, team: true }, 7)];
  expect(own.syncUnits).toBeGreaterThan(15 * shared.syncUnits);
  expect(own.peopleUnits).toBeGreaterThan(shared.peopleUnits);
  expect(own.waits.at(-1) ?? 0).toBeGreaterThanOrEqual(shared.waits.at(-1) ?? 0);
});
