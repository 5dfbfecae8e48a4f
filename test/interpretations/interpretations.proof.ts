import { writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { IS_FULL, partOf } from '../support/parts.ts';
import { DAILY } from './daily/index.ts';
import type { Outcome } from './judge.ts';
import { startPlace } from './place.ts';
import { COMBINATIONS, type Combination, interpretationsFor, turned } from './table.ts';

/** A third of the combinations, another one each day, and always that of the sandbox’s defaults. */
const CHOSEN = COMBINATIONS.filter((combination, index) => index === 0 || partOf(COMBINATIONS, 6).includes(combination));

/** A file for every run: what it was, how it ended, and why. */
const LIST = process.env['SVC_TEST_RUNS'];

/** Of all runs, how many must be right: a client that refuses everything is never wrong, and of no use. */
const LEAST_RIGHT = IS_FULL ? 0.85 : 0.8;

interface Run extends Outcome {
  readonly name: string;
  readonly combination: Combination;
}

const runs: Run[] = [];
const usual = COMBINATIONS[0];
/** With SVC_TEST_FULL=1, each command runs in each combination; otherwise in those of the options that matter to it. */
const wanted = DAILY.map((daily) => ({ daily, combinations: new Set(IS_FULL ? COMBINATIONS : interpretationsFor(daily.matters)) }));

afterAll(() => {
  if (LIST !== undefined)
    writeFileSync(
      LIST,
      runs
        .map(
          (run) => `${tell(run)}
`,
        )
        .join(''),
    );
  const count = (verdict: Outcome['verdict']) => runs.filter((run) => run.verdict === verdict).length;
  console.log(
    `Readings: ${CHOSEN.length} rows, ${runs.length} runs: ${count('right')} right, ${count('refused')} refused, ` +
      `${count('unknown')} named unknown, ${count('wrong')} wrong.`,
  );
});

it.each(CHOSEN.map((combination) => [COMBINATIONS.indexOf(combination), combination] as const))(
  'no command gives a wrong answer with combination %i',
  async (_, combination) => {
    const here = wanted.filter(({ combinations }) => combinations.has(combination)).map(({ daily }) => daily);
    if (here.length === 0) return;
    const place = await startPlace(combination);
    try {
      for (const daily of here) runs.push({ ...(await daily.run(place)), name: daily.name, combination });
    } finally {
      await place.remove();
    }
    const wrong = runs.filter((run) => run.combination === combination && run.verdict === 'wrong');
    expect(wrong.map(tell)).toEqual([]);
  },
);

it('no command fails or gives a wrong answer in the sandbox with the default options', () => {
  const others = runs.filter(({ combination, verdict }) => combination === usual && (verdict === 'refused' || verdict === 'wrong'));
  expect(others.map(tell)).toEqual([]);
});

it.each(DAILY.map(({ name }) => name))('svc answers this command in at least half of the combinations: %s', (name) => {
  const own = runs.filter((run) => run.name === name);
  expect(own.filter(({ verdict }) => verdict === 'right' || verdict === 'unknown').length).toBeGreaterThanOrEqual(
    Math.ceil(own.length / 2),
  );
});

it('svc answers completely in at least four of five runs', () => {
  expect(runs.filter(({ verdict }) => verdict === 'right').length).toBeGreaterThanOrEqual(runs.length * LEAST_RIGHT);
});

/** A run with all that is needed to see it again: what mattered to it, its command, and why. */
function tell({ name, combination, command, verdict, why }: Run): string {
  const matters = DAILY.find((daily) => daily.name === name)?.matters;
  return [`${verdict}, row ${COMBINATIONS.indexOf(combination)}: ${command} [${turned(combination, matters)}]`, ...why].join('\n    ');
}
