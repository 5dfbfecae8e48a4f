import { expect, it } from 'vitest';
import { sweep, WAYS } from './terminal-sweep.ts';

// Another twelfth of the commands each day. More of them, and in a pipe too: terminal-sweep.proof.ts.
it('no sampled command prints hidden characters from the titles of a service at a terminal', { timeout: 300_000 }, async () => {
  const { leaks, ...counted } = await sweep('titles', WAYS.slice(0, 1), 1, 12);
  console.log(`${counted.commands} commands, ${counted.fields} fields: ${JSON.stringify(counted)}`);
  expect(leaks).toEqual([]);
  // Most of them show what they are for, rather than a failure.
  expect(counted.codes['0']).toBeGreaterThan(counted.runs * 0.6);
  expect(counted.fields).toBeGreaterThan(50);
  expect(counted.prompts).toBeGreaterThan(0);
  expect(counted.candidates).toBeGreaterThan(100);
});
