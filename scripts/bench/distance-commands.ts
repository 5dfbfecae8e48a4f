import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { runTimed } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

/** Round-trip times to the service, in milliseconds. */
const DISTANCES = [0, 20, 100, 300];

/** The number of runs per case. The fastest run counts, because other programs only add time. */
const TIMES = 5;

/** The number of rows that the write budget allows at once. svc spreads the last tenth of 120 units per minute. */
const ROWS = 100;

/** The number of parallel connections that svc uses. */
const CONNECTIONS = 8;

/** A command that the benchmark runs at several round-trip times. */
interface Case {
  readonly name: string;
  /** The length of the longest chain of dependent requests (test/commands/round-trips.test.ts). */
  readonly chain: number;
  /** Returns the arguments for one run, which differ from those of earlier runs. */
  readonly argv: (directory: string, run: number) => Promise<readonly string[]>;
}

const CASES: readonly Case[] = [
  // With a token in SVC_TOKEN, the first request finds the user. From the second run on, svc knows the user.
  { name: 'week', chain: 1, argv: async () => ['week'] },
  { name: 'worklogs add 15m ABC-12', chain: 2, argv: async (_, run) => ['worklogs', 'add', '15m', 'ABC-12', `Run ${run}`] },
  { name: `import of ${ROWS} rows`, chain: 1 + Math.ceil((ROWS - 1) / CONNECTIONS), argv: importOf },
];

/**
 * Measures commands at 20, 100 and 300 ms against the physical limit. The limit is the time without any delay, plus one delay per request
 * of the longest chain.
 */
export async function benchDistanceCommands({ svc, directory }: Settings): Promise<Figure[]> {
  const figures: Figure[] = [];
  let run = 0;
  for (const { name, chain, argv } of CASES) {
    const best = new Map<number, number>();
    // The distances take turns, so that other programs affect all of them.
    for (let time = 0; time < TIMES; time += 1) {
      for (const distance of DISTANCES) {
        run += 1;
        const seconds = await secondsAt(distance, svc, directory, await argv(directory, run));
        best.set(distance, Math.min(seconds, best.get(distance) ?? Number.POSITIVE_INFINITY));
      }
    }
    const near = best.get(0) ?? Number.NaN;
    for (const [distance, seconds] of best) {
      figures.push({ name: `${name}, at ${distance} ms, seconds`, value: seconds, digits: 2 });
      const limit = near + (chain * distance) / 1000;
      if (distance > 0) figures.push({ name: `${name}, at ${distance} ms, of the limit`, value: seconds / limit, digits: 2, atMost: 1.5 });
    }
  }
  return figures;
}

/** Runs a command at one round-trip time, against a service with an unused rate limit. Returns seconds. */
async function secondsAt(distance: number, svc: readonly string[], directory: string, argv: readonly string[]): Promise<number> {
  const sandbox = await startSandbox();
  try {
    const env = environment(sandbox, directory);
    // svc remembers for a day which user a token belongs to.
    await runTimed([...svc, 'me'], { env });
    if (distance > 0) sandbox.setFaults([{ times: Number.POSITIVE_INFINITY, delayMs: distance }]);
    const { seconds, code } = await runTimed([...svc, ...argv], { env });
    if (code !== 0) throw new Error(`svc ${argv.join(' ')} ended with ${code}.`);
    return seconds;
  } finally {
    await sandbox.close();
  }
}

async function importOf(directory: string, run: number): Promise<readonly string[]> {
  const file = join(directory, `rows-${run}.csv`);
  const rows = Array.from({ length: ROWS }, (_, index) => `2031-01-01,15,row ${index} of ${run}\n`);
  await writeFile(file, `date,minutes,description\n${rows.join('')}`);
  return ['worklogs', 'import', file];
}

function environment(sandbox: Sandbox, directory: string) {
  return { HOME: directory, SVC_TOKEN: sandbox.tokens[0]?.value ?? '', SVC_HOST: new URL(sandbox.origin).host };
}
