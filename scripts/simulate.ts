/**
 * Plays commands of svc in simulated scenarios that only depend on a seed: `npm run simulate -- --seed 1 --runs 2000`. A failure prints its
 * seed. `--seed <n> --runs 1 --trace` repeats the scenario exactly. `--planted` measures how soon injected bugs are found. See
 * docs/contributing/tests.md.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findInjectedBugs } from './simulate/find-injected-bugs.ts';
import { ONCE_FAILED } from './simulate/once-failed.ts';
import type { Played } from './simulate/play.ts';
import { from, runSeeds } from './simulate/run-seeds.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '2000' },
    trace: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '..');
const [seed, runs] = [Number(values.seed), Number(values.runs)];
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(runs) || runs < 1) throw new Error('--seed and --runs take whole numbers.');

if (values.planted) process.exitCode = await findInjectedBugs(root, { most: runs === 2000 ? 20_000 : runs, only: values.only });
else {
  let [played, failed, commands, steps] = [0, 0, 0, 0];
  const began = performance.now();
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
  await runSeeds({ root, seeds, isTraced, onPlayed });
  const seconds = (performance.now() - began) / 1000;
  console.log(`${played} scenarios, ${commands} commands, ${steps} steps in ${seconds.toFixed(0)} s; ${failed} failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
}
