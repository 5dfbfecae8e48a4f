import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { runTimed } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

/** Milliseconds from here to the service and back. */
const DISTANCES = [0, 20, 100, 300];

/** Each is timed so many times, and the least counts: what else the machine does only adds to it. */
const TIMES = 5;

/** So many rows the write budget has room for at once: of 120 units a minute the last tenth is spread. */
const ROWS = 100;

/** svc's connections. */
const CONNECTIONS = 8;

/** A command over a distance. */
interface Case {
  readonly name: string;
  /** The longest chain of requests that depend on one another (test/commands/round-trips.test.ts). */
  readonly chain: number;
  /** The arguments for one run, which no run before had. */
  readonly argv: (directory: string, run: number) => Promise<readonly string[]>;
}

const CASES: readonly Case[] = [
  // A token in SVC_TOKEN: where and who; then all that needs both. From the second run on the first is known.
  { name: 'week', chain: 1, argv: async () => ['week'] },
  { name: 'worklogs add 15m ABC-12', chain: 2, argv: async (_, run) => ['worklogs', 'add', '15m', 'ABC-12', `Run ${run}`] },
  { name: `import of ${ROWS} rows`, chain: 1 + Math.ceil((ROWS - 1) / CONNECTIONS), argv: importOf },
];

/**
 * Commands at 20, 100 and 300 ms, each against the physical limit: what it takes without any distance, and the distance once for each
 * request of the longest chain.
 */
export async function benchDistanceCommands({ svc, directory }: Settings): Promise<Figure[]> {
  const figures: Figure[] = [];
  let run = 0;
  for (const { name, chain, argv } of CASES) {
    const best = new Map<number, number>();
    // In turn, so that whatever else the machine does is spread over all of them.
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

/** A run against a service with a fresh budget, so far away. */
async function secondsAt(distance: number, svc: readonly string[], directory: string, argv: readonly string[]): Promise<number> {
  const sandbox = await startSandbox();
  try {
    const env = environment(sandbox, directory);
    // Whose token it is, is known for a day.
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
