// Random histories of two terminals: commands typed, answers lost, processes killed, hours passing, the clock set wrong. What the
// service did must be what was meant. A failure prints its seed and the history; to see it again, or to run more:
//   SVC_TEST_SEED=123 SVC_TEST_HISTORIES=10000 npx vitest run test/journal/histories
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type History, playHistory } from './fixtures/play-history.ts';

const HISTORIES = Number(process.env['SVC_TEST_HISTORIES'] ?? 300);
const SEED = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);

const terminal = fc.constantFrom(0 as const, 1 as const);
const minutes = fc.constantFrom(15, 90);
const fate = fc.constantFrom('done', 'done', 'lost before', 'lost after', 'refused', 'killed before', 'killed after', 'no connection');
const history: fc.Arbitrary<History> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ what: fc.constant('type' as const), terminal, minutes, fate }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('begin' as const), terminal, minutes }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('end' as const), terminal, fate }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('later' as const), terminal, minutes }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('outbox' as const), terminal, fate }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('pass' as const), hours: fc.constantFrom(1, 30) }) },
    // Far: a clock that was set back by less than has passed since cannot be told from one that is right.
    { weight: 1, arbitrary: fc.record({ what: fc.constant('set clock' as const), hours: fc.constantFrom(-100_000, 100_000) }) },
  ),
  { maxLength: 25 },
);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-histories-'));
});
afterAll(() => rm(directory, { recursive: true }));

test(`${HISTORIES} histories with seed ${SEED} leave the state that the user wants at the service`, {
  timeout: HISTORIES * 500 + 60_000,
}, async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { did, meant, open } = await playHistory(join(directory, `${count++}`, 'journal.sqlite'), steps);
      expect({ did, open }).toEqual({ did: meant, open: 0 });
    }),
    { numRuns: HISTORIES, seed: SEED },
  );
});
