import type { RelatedTest } from './related-tests.ts';
import type { Baseline, Workplace } from './workplace.ts';

/** Who noticed a change: tests that are quick, tests near it that are slow, the compiler, or tests farther away. */
export type Noticed = 'quick' | 'slow' | 'compiler' | 'far';

/** A test file this quick is asked first: milliseconds. */
const QUICK = 4_000;

/** What starting the tests may take on a busy machine: milliseconds. */
const START = 15_000;

/**
 * Tries a changed source, and puts the old one back. The quickest and nearest tests come first; once one fails, none of the
 * others runs. A test that fails on the source as it is would notice everything, so it is left out, and named on stderr.
 *
 * @returns who noticed the change; undefined when nobody did.
 */
export function createVerdicts(
  workplace: Workplace,
  relatedTo: (file: string) => RelatedTest[],
  options: { readonly near: boolean },
): (file: string, source: string, changed: string) => Promise<Noticed | undefined> {
  const baselines = new Map<string, Baseline>();

  /** Those that pass on the unspoilt source, the best first. */
  async function trusted(tests: readonly RelatedTest[]): Promise<Baseline[]> {
    const unknown = tests.filter(({ path }) => !baselines.has(path)).map(({ path }) => path);
    for (const baseline of unknown.length === 0 ? [] : await workplace.measure(unknown)) {
      baselines.set(baseline.path, baseline);
      if (!baseline.passed) console.error(`${baseline.path} fails on the source as it is, and is left out.`);
    }
    return tests
      .flatMap(({ path, distance }) => {
        const baseline = baselines.get(path);
        return baseline?.passed ? [{ baseline, order: distance * (baseline.milliseconds + 300) }] : [];
      })
      .sort((one, other) => one.order - other.order)
      .map(({ baseline }) => baseline);
  }

  async function fails(tests: readonly Baseline[]): Promise<boolean> {
    if (tests.length === 0) return false;
    const limit = START + 2 * tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    return !(await workplace.passes(
      tests.map(({ path }) => path),
      limit,
    ));
  }

  /** Slow tests may fail on a busy machine for no other reason: it takes two failures. */
  const failsTwice = async (tests: readonly Baseline[]) => (await fails(tests)) && (await fails(tests));

  return async (file, source, changed) => {
    const related = relatedTo(file);
    const near = await trusted(related.filter((test) => test.near));
    workplace.write(file, changed);
    try {
      if (await fails(near.filter(({ milliseconds }) => milliseconds <= QUICK))) return 'quick';
      if (!(await workplace.compiles())) return 'compiler';
      if (await failsTwice(near.filter(({ milliseconds }) => milliseconds > QUICK))) return 'slow';
      if (options.near) return undefined;
      workplace.write(file, source);
      const far = await trusted(related.filter((test) => !test.near));
      workplace.write(file, changed);
      return (await failsTwice(far)) ? 'far' : undefined;
    } finally {
      workplace.write(file, source);
    }
  };
}
