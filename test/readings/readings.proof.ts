import { writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { DAILY } from './daily/index.ts';
import type { Outcome } from './judge.ts';
import { startPlace } from './place.ts';
import { READINGS, type Reading, readingsFor, turned } from './table.ts';

/** Every command in every reading; otherwise in those that are enough for the axes that matter to it. */
const IS_FULL = process.env['SVC_TEST_FULL'] === '1';

/** A file for every run: what it was, how it ended, and why. */
const LIST = process.env['SVC_TEST_RUNS'];

/** Of all runs, how many must be right: a client that refuses everything is never wrong, and of no use. */
const LEAST_RIGHT = 0.85;

interface Run extends Outcome {
  readonly name: string;
  readonly reading: Reading;
}

const runs: Run[] = [];
const usual = READINGS[0];
const wanted = DAILY.map((daily) => ({ daily, readings: new Set(IS_FULL ? READINGS : readingsFor(daily.matters)) }));

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
    `Readings: ${READINGS.length} rows, ${runs.length} runs: ${count('right')} right, ${count('refused')} refused, ` +
      `${count('unknown')} named unknown, ${count('wrong')} wrong.`,
  );
});

it.each(READINGS.map((reading, index) => [index, reading] as const))(
  'every command answers correctly or reports the reason in row %i',
  async (_, reading) => {
    const here = wanted.filter(({ readings }) => readings.has(reading)).map(({ daily }) => daily);
    if (here.length === 0) return;
    const place = await startPlace(reading);
    try {
      for (const daily of here) runs.push({ ...(await daily.run(place)), name: daily.name, reading });
    } finally {
      await place.remove();
    }
    const wrong = runs.filter((run) => run.reading === reading && run.verdict === 'wrong');
    expect(wrong.map(tell)).toEqual([]);
  },
);

it('every command answers correctly in the sandbox with its defaults', () => {
  const others = runs.filter(({ reading, verdict }) => reading === usual && (verdict === 'refused' || verdict === 'wrong'));
  expect(others.map(tell)).toEqual([]);
});

it.each(DAILY.map(({ name }) => name))('%s answers in more than half of the rows', (name) => {
  const own = runs.filter((run) => run.name === name);
  expect(own.filter(({ verdict }) => verdict === 'right' || verdict === 'unknown').length).toBeGreaterThan(own.length / 2);
});

it('almost every answer is complete', () => {
  expect(runs.filter(({ verdict }) => verdict === 'right').length).toBeGreaterThanOrEqual(runs.length * LEAST_RIGHT);
});

/** A run with all that is needed to see it again: what mattered to it, its command, and why. */
function tell({ name, reading, command, verdict, why }: Run): string {
  const matters = DAILY.find((daily) => daily.name === name)?.matters;
  return [`${verdict}, row ${READINGS.indexOf(reading)}: ${command} [${turned(reading, matters)}]`, ...why].join('\n    ');
}
