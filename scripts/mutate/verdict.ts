import type { Workplace } from './workplace.ts';

/** The reason why somebody noticed a change: a failing test, the compiler, or a timeout. */
export interface Noticed {
  readonly by: 'test' | 'compiler' | 'time';
  /** The path of the test file. */
  readonly path?: string | undefined;
}

/** A test file that passes with the unchanged source. */
interface Known {
  readonly path: string;
  readonly milliseconds: number;
}

/** A change to a source file, and the region of the file that contains it. */
export interface Change {
  readonly file: string;
  /** The file without the change (`source`) and with it (`changed`). */
  readonly source: string;
  readonly changed: string;
  /** The region that contains the change. Undefined if no region does. */
  readonly region: string | undefined;
}

/** The time that starting the tests can take on a busy machine, in milliseconds. */
const START = 20_000;

/**
 * Runs all tests once with probes, to find out which regions each test file runs. The returned judge then runs only the tests of a change’s
 * region.
 * Fast tests and tests that mostly cover the changed file come first. After the first failure, the judge stops. The judge leaves out a test
 * that fails without any change, and names the test on stderr.
 * @param probed text of each file with its probes.
 * @param budget how long the tests of one change take together without the change, in milliseconds. The later ones do not run.
 * @returns a function that returns who noticed a change. Undefined if nobody noticed the change.
 */
export async function createJudge(
  workplace: Workplace,
  tests: readonly string[],
  probed: ReadonlyMap<string, { readonly source: string; readonly text: string }>,
  budget: number,
): Promise<(change: Change) => Promise<Noticed | undefined>> {
  for (const [file, { text }] of probed) workplace.write(file, text);
  const { run, reached } = await workplace.reach(tests);
  for (const [file, { source }] of probed) workplace.write(file, source);
  // A probe itself may make a test fail, so failed tests run again without probes.
  const failed = run.files.filter((file) => !file.passed).map(({ path }) => path);
  const passing = [...run.files.filter((file) => file.passed), ...(await passingOf(failed))];

  /** Returns the test files that pass with the unchanged source. */
  async function passingOf(paths: readonly string[]): Promise<readonly Known[]> {
    if (paths.length === 0) return [];
    const { files } = await workplace.test(paths);
    for (const path of paths)
      if (!files.some((file) => file.path === path && file.passed))
        console.error(`${path} fails with the unchanged source, so it is left out.`);
    return files.filter(({ passed }) => passed);
  }

  /** Returns the test files that run a region, or a file without a region, in the order in which they should run. */
  function near({ file, region }: Pick<Change, 'file' | 'region'>): Known[] {
    const reachedIn = (path: string) => [...(reached.get(path) ?? [])].filter((name) => name.startsWith(`${file}:`)).length;
    const order = ({ path, milliseconds }: Known) => (milliseconds + 300) / Math.max(reachedIn(path), 0.1);
    const known = region === undefined ? passing : passing.filter(({ path }) => reached.get(path)?.has(region));
    let left = budget;
    return known
      .toSorted((one, other) => order(one) - order(other))
      .filter(({ milliseconds }, index) => {
        left -= milliseconds;
        return index === 0 || left >= 0;
      });
  }

  async function asked(known: readonly Known[]): Promise<Noticed | undefined> {
    if (known.length === 0) return undefined;
    const paths = known.map(({ path }) => path);
    const limit = START + 3 * known.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    const first = await workplace.test(paths, { bail: true, limit });
    if (first.passed) return undefined;
    const failed = first.files.find((file) => !file.passed);
    // No test measures time, so a failure has a cause. A test that timed out may only have been slow, so it runs again.
    if (failed !== undefined && !failed.late) return { by: 'test', path: failed.path };
    const second = await workplace.test(failed === undefined ? paths : [failed.path], { bail: true, limit: 3 * limit });
    const still = second.files.find((file) => !file.passed);
    if (!second.passed) return { by: second.late || still?.late ? 'time' : 'test', path: still?.path ?? failed?.path };
    return failed === undefined ? undefined : asked(known.filter(({ path }) => path !== failed.path));
  }

  return async ({ file, source, changed, region }) => {
    try {
      return (await workplace.compiles(file, changed)) ? await asked(near({ file, region })) : { by: 'compiler' };
    } finally {
      await workplace.restore(file, source);
    }
  };
}
