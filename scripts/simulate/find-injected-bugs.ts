import { availableParallelism } from 'node:os';
import { createRandom } from '../../src/sandbox/seed/seeding.ts';
import { INJECTED_BUGS, type InjectedBug } from './injected-bugs.ts';
import { from, runSeeds } from './run-seeds.ts';

export interface FindOptions {
  /** The seed of the first scenario. Default: for each bug, the seed that showed it before. */
  readonly seed?: number | undefined;
  /** The highest number of scenarios per injected bug. */
  readonly most: number;
  /** Selects only injected bugs whose description contains this text. */
  readonly only?: string | undefined;
}

/**
 * Injects bugs one at a time, and plays scenarios until one of them shows the bug. Plays as many bugs at once as there are processors.
 * Prints a line for each bug, and the command that repeats the search for a bug that it did not find. Returns the exit code: 1 if a bug
 * is not found, unless its description says so.
 */
export async function findInjectedBugs({ seed, most, only }: FindOptions): Promise<number> {
  return search(
    INJECTED_BUGS.filter(({ what }) => only === undefined || what.includes(only)),
    { seed, most },
  );
}

/** The highest number of scenarios within which CI must find a bug. */
const MOST_IN_CI = 300;

/** The highest seed, counted from 1, at which a bug that CI must find was seen. It then shows in many scenarios. */
const OFTEN = 150;

/** Searches for some of the bugs that show often. The seed decides which. */
export async function findSomeBugs({ seed, count }: { readonly seed: number; readonly count: number }): Promise<number> {
  const random = createRandom(seed);
  const often = INJECTED_BUGS.filter(({ seen }) => seen !== undefined && seen <= OFTEN);
  const chosen = often
    .map((bug) => ({ bug, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count);
  return search(
    chosen.map(({ bug }) => bug),
    { seed: undefined, most: MOST_IN_CI },
  );
}

async function search(bugs: readonly InjectedBug[], { seed, most }: Pick<FindOptions, 'seed' | 'most'>): Promise<number> {
  const began = performance.now();
  const left = bugs.values();
  const missed: InjectedBug[] = [];
  const work = async () => {
    for (const bug of left) if (!(await isFound(bug, seed ?? bug.seen ?? 1, most))) missed.push(bug);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${bugs.length - missed.length} of ${bugs.length} injected bugs found in ${seconds} s.`);
  return missed.some(({ seen }) => seen !== undefined) ? 1 : 0;
}

async function isFound(bug: InjectedBug, seed: number, most: number): Promise<boolean> {
  let scenarios = 0;
  let how: { readonly seed: number; readonly shown: string } | undefined;
  await runSeeds({
    seeds: from(seed, most),
    processes: 1,
    bug: bug.what,
    onPlayed(played) {
      scenarios += 1;
      // A failure of the simulation itself does not count as finding the bug.
      const shown = played.wrong.find((each) => !each.startsWith('the simulation itself failed'));
      if (shown !== undefined) how = { seed: played.seed, shown };
      return how !== undefined;
    },
  });
  if (how === undefined) {
    console.log(`NOT FOUND in ${scenarios} scenarios from seed ${seed}: ${bug.what}`);
    console.log(
      `    again: npm run simulate -- --planted --seed ${seed} --runs ${most} --only '${bug.what.replaceAll("'", String.raw`'\''`)}'`,
    );
    return false;
  }
  console.log(`found after ${scenarios} scenarios, at seed ${how.seed}: ${bug.what}`);
  console.log(`    ${how.shown.trim().split('\n', 1)[0]?.slice(0, 160)}`);
  return true;
}
