/**
 * Plays commands of svc in simulated scenarios that only depend on a seed: `npm run simulate -- --seed 1 --runs 2000`. Without `--seed`,
 * each day has another one, which is printed. A failure prints its seed. `--seed <n> --runs 1 --trace` repeats the scenario exactly.
 * `--planted` measures how soon injected bugs are found. `--planted-sample <n>` also searches for some of them. `--coverage` counts the
 * branches that the scenarios reached. See docs/contributing/tests.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findInjectedBugs, findSomeBugs } from './simulate/find-injected-bugs.ts';
import { ONCE_FAILED } from './simulate/once-failed.ts';
import type { Played } from './simulate/play.ts';
import { from, runSeeds } from './simulate/run-seeds.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string', default: '2000' },
    trace: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    'planted-sample': { type: 'string', default: '0' },
    only: { type: 'string' },
    coverage: { type: 'boolean', default: false },
  },
});

/** The seed of a day. Two days share no scenario, unless a run has more than 10,000. CI passes the number of its day. */
const ofTheDay = Number(process.env['SVC_TEST_PART'] ?? Math.floor(Date.now() / 86_400_000)) * 10_000 + 1;

const [seed, runs, sample] = [Number(values.seed ?? ofTheDay), Number(values.runs), Number(values['planted-sample'])];
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(runs) || runs < 1) throw new Error('--seed and --runs take whole numbers.');
if (!Number.isSafeInteger(sample) || sample < 0) throw new Error('--planted-sample takes a whole number.');

if (values.planted)
  process.exitCode = await findInjectedBugs({ seed: values.seed === undefined ? undefined : seed, most: runs, only: values.only });
else {
  process.exitCode = await playSeeds();
  if (sample > 0) process.exitCode = (await findSomeBugs({ seed, count: sample })) || process.exitCode;
}

/** Plays the seeds. Returns the exit code. */
async function playSeeds(): Promise<number> {
  let [played, failed, commands, steps] = [0, 0, 0, 0];
  const began = performance.now();
  if (values.seed === undefined) console.log(`The seed of today; again: npm run simulate -- --seed ${seed} --runs ${runs}`);
  // Ctrl-C ends a long run, and the script still prints a summary.
  let isEnough = false;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      isEnough = true;
    });
  }
  const onPlayed = (one: Played): boolean => {
    played += 1;
    commands += one.commands;
    steps += one.events;
    if (values.trace) console.log(one.lines.join('\n'));
    if (runs === 1) console.log(`seed ${one.seed}: ${one.digest}`);
    if (one.wrong.length === 0) return isEnough;
    failed += 1;
    console.log(`seed ${one.seed} failed; again: npm run simulate -- --seed ${one.seed} --runs 1 --trace`);
    for (const line of one.wrong) console.log(`  ${line.trim()}`);
    return isEnough;
  };
  const isTraced = values.trace;
  // A run of several seeds starts with the seeds that failed before.
  const seeds = runs > 1 ? [...ONCE_FAILED.map((once) => once.seed), ...from(seed, runs)] : [seed];
  const coverage = values.coverage ? mkdtempSync(join(tmpdir(), 'svc-coverage-')) : undefined;
  await runSeeds({ seeds, isTraced, coverage, onPlayed });
  const seconds = (performance.now() - began) / 1000;
  console.log(`${played} scenarios, ${commands} commands, ${steps} steps in ${seconds.toFixed(0)} s; ${failed} failed.`);
  if (coverage !== undefined) await printCoverage(coverage);
  return failed === 0 ? 0 : 1;
}

async function printCoverage(directory: string): Promise<void> {
  const { branchCoverage } = await import('./simulate/coverage.ts');
  for (const { folder, branches, reached } of await branchCoverage(directory)) {
    const percent = ((100 * reached) / branches).toFixed(0).padStart(3);
    console.log(`${percent} % of ${String(branches).padStart(4)} branches reached in src/${folder}`);
  }
  rmSync(directory, { recursive: true });
}
