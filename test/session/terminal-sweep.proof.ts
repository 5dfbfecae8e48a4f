import { expect, it } from 'vitest';
import { sweep, WAYS } from './terminal-sweep.ts';

// Every command in every way of reading it. The test of the same name sweeps over the titles of a quarter of the resources.
// SVC_TEST_FULL=1 sweeps over titles in every way.
const SWEEPS = [
  ['texts', 1],
  ['refuses', 1],
  ['titles', 2],
] as const;

it.each(process.env['SVC_TEST_FULL'] === '1' ? SWEEPS : SWEEPS.slice(0, 2))(
  'no command prints hidden characters from an answer of %s',
  { timeout: 1_800_000 },
  async (behaviour, most) => {
    const { leaks, ...counted } = await sweep(behaviour, WAYS, most);
    console.log(`${behaviour}: ${counted.commands} commands, ${counted.fields} fields: ${JSON.stringify(counted)}`);
    expect(leaks).toEqual([]);
  },
);

it('no command prints hidden characters from the titles of a service at a terminal', { timeout: 300_000 }, async () => {
  const { leaks, ...counted } = await sweep('titles', WAYS.slice(0, 1), 1);
  expect(leaks).toEqual([]);
  // Most of them show what they are for, rather than a failure.
  expect(counted.codes['0']).toBeGreaterThan(counted.runs * 0.6);
  expect(counted.fields).toBeGreaterThan(300);
  expect(counted.prompts).toBeGreaterThan(100);
  expect(counted.candidates).toBeGreaterThan(1_000);
});
