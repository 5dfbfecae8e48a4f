// Random histories of command lines: typed, lost, killed, repeated, undone, planned, two at once, hours passing, the clock set wrong. What
// the service did must be what was meant. A failure prints its seed and the shortest such history; to see it again, or to run more:
//   SVC_TEST_SEED=123 SVC_TEST_HISTORIES=10000 npx vitest run --config vitest.proofs.config.ts test/journal/commands
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { svcBinary } from '../support/binary.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import type { Step } from './fixtures/command-steps.ts';
import { playCommands } from './fixtures/play-commands.ts';

const HISTORIES = Number(process.env['SVC_TEST_HISTORIES'] ?? 2_000);
const SEED = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const KILL_AT = new URL('fixtures/kill-at.ts', import.meta.url).pathname;
/** A service with few records answers sooner. */
const PER_SERVICE = 100;

const text = fc.constantFrom(0, 1);
const pick = fc.nat(9);
const fate = fc.oneof(
  { weight: 3, arbitrary: fc.constant('fine' as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'lost before' as const,
      'lost after' as const,
      'lost once' as const,
      'second lost' as const,
      'cut short' as const,
      'no answer' as const,
      'refused' as const,
      'no connection' as const,
    ),
  },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 70 }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('add' as const),
      text,
      days: fc.constantFrom(1 as const, 1 as const, 2 as const),
      how: fc.constantFrom('' as const, '' as const, '' as const, '--later' as const, '--again' as const),
      fate,
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('import' as const), fate }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('apply' as const), fate }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('update' as const), pick, minutes: fc.constantFrom(15, 20), checked: fc.boolean(), fate }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), pick, fate }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('undo' as const), pick, fate }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('outbox' as const), fate }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('drop' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('both' as const), text, other: text }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('pass' as const), hours: fc.constantFrom(1, 30) }) },
  // Far: a clock that was set back by less than has passed since cannot be told from one that is right.
  { weight: 1, arbitrary: fc.record({ what: fc.constant('set clock' as const), hours: fc.constantFrom(-100_000, 100_000) }) },
);

/** Histories that once failed; they are played first. */
const ONCE_FAILED: readonly Step[][] = [
  // Of two equal entries one is lapsed, of the other nobody saw the end either: a person who makes good the first must know how the second ended.
  [
    { what: 'add', text: 0, days: 1, how: '', fate: 'lost after' },
    { what: 'add', text: 0, days: 1, how: '--later', fate: 'fine' },
    { what: 'set clock', hours: -100_000 },
    { what: 'outbox', fate: 'lost before' },
  ],
  // The first update runs, and its answer is lost. The second has the ETag from before the first, so the service refuses the second.
  [
    { what: 'add', text: 0, days: 1, how: '', fate: 'lost before' },
    { what: 'outbox', fate: 'refused' },
    { what: 'update', pick: 0, minutes: 15, checked: false, fate: 31 },
    { what: 'update', pick: 0, minutes: 20, checked: true, fate: 31 },
  ],
];

let directory: string;
let machine: Machine;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-histories-'));
  machine = await createMachine();
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  await machine.remove();
});

let count = 0;
let sandbox: Sandbox | undefined;
let now = 0;

async function service(): Promise<Sandbox> {
  if (sandbox !== undefined && count % PER_SERVICE > 0) return sandbox;
  await sandbox?.close();
  now = Date.UTC(2027, 2, 10);
  sandbox = await startSandbox({ limits: 'off', clock: { now: () => now } });
  return sandbox;
}
afterAll(() => sandbox?.close());

describe('svc after faults', () => {
  test(`leaves the state that the user wants in ${HISTORIES} histories with seed ${SEED}`, {
    timeout: HISTORIES * 1_000 + 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (history) => {
        const there = await service();
        there.requests.length = 0;
        count += 1;
        const own = join(directory, String(count));
        await mkdir(own);
        const place = { machine, sandbox: there, directory: own, name: `H${count}`, setTime: (time: number) => (now = time) };
        expect(await playCommands(place, history)).toEqual([]);
      }),
      { numRuns: HISTORIES, seed: SEED, examples: ONCE_FAILED.map((history) => [history]) },
    );
  });

  test('logs hours once, although kill -9 stops svc before each step and other processes write', async () => {
    const svc = svcBinary();
    const there = await startSandbox({ limits: 'off' });
    const { home } = machine;
    const env = { SVC_TOKEN: there.tokens[0]?.value ?? '', SVC_HOST: new URL(there.origin).host };
    const steps = join(directory, 'steps');
    const add = (text: string) => ['worklogs', 'add', '--minutes', '60', '--date', '2027-03-01', '--description', text];
    const resolve = async (argv: readonly string[]) => {
      const resolved = await svc.run(argv, { home, env });
      expect(resolved.code, resolved.stderr).toBe(0);
    };
    let step = 1;
    for (; ; step++) {
      const killing = { ...env, SVC_TEST_KILL_AT: String(step), SVC_TEST_STEPS: steps };
      const [killed] = await Promise.all([
        svc.run(add(`Killed ${step}`), { home, env: killing, preload: [KILL_AT] }),
        step % 4 === 0 ? resolve(add(`Beside ${step}`)) : undefined,
      ]);
      if (killed.signal === null) break;
      // Whoever saw the record has no reason to type it again; it may be unconfirmed all the same.
      await resolve(killed.stdout === '' ? add(`Killed ${step}`) : ['outbox', 'send']);
    }
    const counts = Map.groupBy(there.rows('worklogs'), (row) => String(row['description']));
    for (let done = 1; done <= step; done++) {
      expect([done, counts.get(`Killed ${done}`)?.length]).toEqual([done, 1]);
      if (done % 4 === 0) expect([done, counts.get(`Beside ${done}`)?.length]).toEqual([done, 1]);
    }
    expect((await readFile(steps, 'utf8')).split('\n')).toEqual(expect.arrayContaining(['fdatasyncSync', 'connect', 'send', 'receive']));
    await there.close();
  });
});
