import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../../src/sandbox/http/faults.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { runTimed } from './run-timed.ts';
import type { Figure, Settings } from './settings.ts';

/** The delay of each answer, in milliseconds. */
const DISTANCES = [0, 20, 100, 300];
/** The delay at which parallel requests are compared with sequential requests, in milliseconds. */
const COMPARED = 200;
const CONNECTIONS = 8;

/** A command that the benchmark measures at several delays. */
interface Case {
  readonly name: string;
  readonly argv: (directory: string) => readonly string[];
  /** Returns the arguments of a command that runs before, without being measured. */
  readonly after?: (directory: string) => readonly string[];
  /** The length of the longest chain of requests in which each needs the answer before. */
  readonly chain: number;
  /** The required speed-up over sequential requests, at a delay of {@link COMPARED}. Undefined without a comparison. */
  readonly times?: number;
}

const everything = (directory: string) => ['export', directory, '--no-children', '--quiet'];

const CASES: readonly Case[] = [
  // The first page shows the number of pages.
  { name: 'list', argv: () => ['absences', 'list', '--per-page', '3', '--output', 'ndjson'], chain: 2, times: 3 },
  // The chain: discovery, the first page, a count, the first page of one range, and eight pages of other ranges.
  { name: 'export', argv: everything, chain: 12, times: 5 },
  {
    name: 'idle export',
    argv: (directory) => ['export', directory, '--since', 'last', '--no-children'],
    after: everything,
    chain: 2,
    times: 5,
  },
];

/** Measures each command at increasing delays against the physical limit, then over an unreliable connection. */
export async function benchDistance({ svc, directory }: Settings): Promise<Figure[]> {
  // The sample data is an hour old, so that no record seems to have just changed.
  let back = 3_600_000;
  const sandbox = await startSandbox({ limits: 'off', clock: { now: () => Date.now() - back } });
  back = 0;
  const figures: Figure[] = [];
  try {
    for (const one of CASES) {
      const run = runner(sandbox, svc, directory, one);
      await atDistances(run, one, figures);
      await compared(run, one, figures);
      await badLine(run, one, figures);
    }
    return figures;
  } finally {
    await sandbox.close();
  }
}

interface Ran {
  /** The seconds from the first request on, without the start of svc. */
  readonly seconds: number;
  readonly requests: number;
  readonly units: number;
  readonly code: number | null;
  /** A digest of the command’s output. */
  readonly digest: string;
}

type Runner = (fault: Omit<Fault, 'times'>, flags?: readonly string[]) => Promise<Ran>;

function runner(sandbox: Sandbox, svc: readonly string[], directory: string, { name, argv, after }: Case): Runner {
  const env = { HOME: directory, SVC_TOKEN: sandbox.tokens[0]?.value ?? '', SVC_HOST: new URL(sandbox.origin).host };
  let count = 0;
  return async (fault, flags = []) => {
    count += 1;
    const target = join(directory, `${name} ${count}`);
    const file = join(directory, `${name} ${count}.out`);
    sandbox.setFaults([]);
    if (after !== undefined) await runTimed([...svc, ...after(target)], { env });
    sandbox.setFaults([{ ...fault, times: Number.POSITIVE_INFINITY }]);
    sandbox.requests.length = 0;
    const { code } = await runTimed([...svc, ...argv(target), '--no-cache', ...flags], { env, file });
    const seconds = (Date.now() - (sandbox.requests[0]?.at ?? Number.NaN)) / 1000;
    sandbox.setFaults([]);
    const units = sandbox.requests.reduce((sum, request) => sum + request.units, 0);
    return { seconds, requests: sandbox.requests.length, units, code, digest: await digestOf(target, file) };
  };
}

/**
 * Compares each run with its limit. The limit is the longest chain, or all requests divided by the number of connections. It is never less
 * than the time without a delay.
 */
async function atDistances(run: Runner, { name, chain }: Case, figures: Figure[]): Promise<void> {
  let near = 0;
  for (const ms of DISTANCES) {
    const ran = await run({ delayMs: ms });
    figures.push({ name: `${name} at ${ms} ms: seconds`, value: ran.seconds, digits: 2 });
    if (ms === 0) near = ran.seconds;
    if (ms === 0) continue;
    const limit = Math.max((Math.max(chain, Math.ceil(ran.requests / CONNECTIONS)) * ms) / 1000, near);
    figures.push({ name: `  against the limit, ${limit.toFixed(2)} s`, value: ran.seconds / limit, digits: 2, atMost: 1.5 });
  }
}

async function compared(run: Runner, { name, times }: Case, figures: Figure[]): Promise<void> {
  if (times === undefined) return;
  const one = await run({ delayMs: COMPARED }, ['--parallel', '1']);
  const many = await run({ delayMs: COMPARED });
  figures.push(
    { name: `${name} at ${COMPARED} ms: times as fast as one at a time`, value: one.seconds / many.seconds, digits: 1, atLeast: times },
    { name: '  units, times as many', value: many.units / one.units, digits: 3, atMost: 1.05 },
    { name: '  the output is the same (1: yes)', value: Number(one.digest === many.digest), digits: 0, atLeast: 1 },
  );
}

/** Measures answers with a random delay, and a loss of one connection in a hundred. */
async function badLine(run: Runner, { name }: Case, figures: Figure[]): Promise<void> {
  const clean = await run({ delayMs: 100 });
  const jittery = await run({ delayMs: 50, jitterMs: 100 });
  const lossy = await run({ delayMs: 100, drop: 'before', dropShare: 0.01 });
  figures.push(
    { name: `${name} with jitter, 50 to 150 ms, against 100 ms`, value: jittery.seconds / clean.seconds, digits: 2 },
    { name: `${name} with 1 % of connections lost, against none`, value: lossy.seconds / clean.seconds, digits: 2 },
    {
      name: '  the output is the same in all runs (1: yes)',
      value: Number([jittery, lossy].every(({ digest, code }) => digest === clean.digest && code === 0)),
      digits: 0,
      atLeast: 1,
    },
  );
}

/** Returns a digest of the records that a command printed or exported. */
async function digestOf(directory: string, file: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(file));
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.ndjson')).sort()) hash.update(await readFile(join(directory, name)));
  return hash.digest('hex');
}
