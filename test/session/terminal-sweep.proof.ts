import { expect, it } from 'vitest';
import { IS_FULL } from '../support/parts.ts';
import { sweep, WAYS } from './terminal-sweep.ts';

// A fifth of the commands, another one each day, in every way of reading them. SVC_TEST_FULL=1: all commands.
it.each([
  ['texts', 1],
  ['refuses', 1],
  ['titles', 2],
] as const)(
  'no sampled command prints hidden characters from a service with the server behaviour %s',
  { timeout: 1_800_000 },
  async (behaviour, most) => {
    const { leaks, ...counted } = await sweep(behaviour, WAYS, most, 5);
    console.log(`${behaviour}: ${counted.commands} commands, ${counted.fields} fields: ${JSON.stringify(counted)}`);
    expect(leaks).toEqual([]);
    expect(counted.commands).toBeGreaterThan(IS_FULL ? 300 : 60);
  },
);
