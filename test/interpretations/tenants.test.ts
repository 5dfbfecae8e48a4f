import { expect, it } from 'vitest';
import { faultsOf, runTenant } from './tenants.ts';

// The proof has fifty of them. The first two take dates for absences, the second with its API spec.
it.each([3, 6])('week, absences, billing, check and status print no wrong value for the service of seed %i', async (seed) => {
  expect(faultsOf(await runTenant(seed))).toEqual([]);
});
