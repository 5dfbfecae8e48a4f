import { expect, it } from 'vitest';
import { sweep, WAYS } from './terminal-sweep.ts';

// Every command in every way of reading it. The test of the same name sweeps over titles at a terminal; SVC_TEST_FULL=1 sweeps over titles in every way.
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
