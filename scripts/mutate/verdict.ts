import type { Workplace } from './workplace.ts';

/** Who noticed a change: a test, the compiler, or the clock, when the tests come to no end with it. */
export interface Noticed {
  readonly by: 'test' | 'compiler' | 'time';
  /** The test file. */
  readonly path?: string | undefined;
}

/** A test file, unspoilt. */
interface Known {
  readonly path: string;
  readonly milliseconds: number;
}

/** What a change is, to those that judge it. */
export interface Change {
  readonly file: string;
  /** The file as it is, and with the change. */
  readonly source: string;
  readonly changed: string;
  /** The region that the change stands in. */
  readonly region: string | undefined;
}

/** What starting the tests may take on a busy machine: milliseconds. */
const START = 20_000;

/**
 * Runs the tests once, on sources that tell which regions each test file runs. From then on, a change is shown to those that run
 * its region: the quickest and the most particular about its file first. Once one fails, none of the others runs. A test that fails on the source as it is would notice everything, so it is left out, and named on stderr.
 *
 * @param probed The text of each file, with its probes.
 * @returns a judge, which says who noticed; undefined when nobody did.
 */
export async function createJudge(
  workplace: Workplace,
  tests: readonly string[],
  probed: ReadonlyMap<string, { readonly source: string; readonly text: string }>,
): Promise<(change: Change) => Promise<Noticed | undefined>> {
  for (const [file, { text }] of probed) workplace.write(file, text);
  const { run, reached } = await workplace.reach(tests);
  for (const [file, { source }] of probed) workplace.write(file, source);
  // A probe may be what a test stumbles over: it is asked again without.
  const failed = run.files.filter((file) => !file.passed).map(({ path }) => path);
  const passing = [...run.files.filter((file) => file.passed), ...(await passingOf(failed))];

  /** Those that pass on the source as it is. */
  async function passingOf(paths: readonly string[]): Promise<readonly Known[]> {
    if (paths.length === 0) return [];
    const { files } = await workplace.test(paths);
    for (const path of paths)
      if (!files.some((file) => file.path === path && file.passed)) console.error(`${path} fails on the source as it is, and is left out.`);
    return files.filter(({ passed }) => passed);
  }

  /** The test files that run a region, in the order they are asked in. */
  function near(file: string, region: string): Known[] {
    const order = ({ path, milliseconds }: Known) => {
      const ofFile = [...(reached.get(path) ?? [])].filter((name) => name.startsWith(`${file}:`)).length;
      return (milliseconds + 300) / ofFile;
    };
    return passing.filter(({ path }) => reached.get(path)?.has(region)).sort((one, other) => order(one) - order(other));
  }

  async function asked(known: readonly Known[]): Promise<Noticed | undefined> {
    if (known.length === 0) return undefined;
    const paths = known.map(({ path }) => path);
    const limit = START + 3 * known.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    const first = await workplace.test(paths, { bail: true, limit });
    if (first.passed) return undefined;
    const failed = first.files.find((file) => !file.passed);
    // No test of this project measures time, so a failure has a reason; but one that was given up may only have been slow.
    if (failed !== undefined && !failed.late) return { by: 'test', path: failed.path };
    const second = await workplace.test(failed === undefined ? paths : [failed.path], { bail: true, limit: 3 * limit });
    const still = second.files.find((file) => !file.passed);
    if (!second.passed) return { by: second.late || still?.late ? 'time' : 'test', path: still?.path ?? failed?.path };
    return failed === undefined ? undefined : asked(known.filter(({ path }) => path !== failed.path));
  }

  return async ({ file, source, changed, region }) => {
    const known = region === undefined ? passing : near(file, region);
    try {
      return (await workplace.compiles(file, changed)) ? await asked(known) : { by: 'compiler' };
    } finally {
      await workplace.restore(file, source);
    }
  };
}
