import { expect, it } from 'vitest';
import { sweep, WAYS } from './terminal-sweep.ts';

// Every command in every way of reading it. The test of the same name is the short form, which runs with all others.
it.each([
  ['titles', 2],
  ['texts', 1],
  ['refuses', 1],
] as const)('no command shows what is hidden in an answer: %s', { timeout: 1_800_000 }, async (manner, most) => {
  const { leaks, ...counted } = await sweep(manner, WAYS, most);
  console.log(`${manner}: ${counted.commands} commands, ${counted.fields} fields: ${JSON.stringify(counted)}`);
  expect(leaks).toEqual([]);
});
