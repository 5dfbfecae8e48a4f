/**
 * Tests if the tests would notice a small error. The script works in a copy of the project. It changes one operator, bound or branch at a
 * time, and runs the tests that reach the change. If a change survives, a test is missing or the code is unnecessary.
 *
 *     npm run mutate -- src/values                          every change of a folder or file
 *     npm run mutate -- src/values/addresses.ts:41          every change of a line
 *     npm run mutate -- src/auth src/client --sample 40     forty changes of each; --seed (default 1) selects them
 *     npm run mutate -- src/client --tests test/client      runs only these tests; can be repeated
 *     npm run mutate -- src/time --budget 60                runs only the nearest tests of a change, which take 60 seconds together
 *
 * First it runs all tests once, to find out which code each test reaches.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isEquivalent } from './mutate/equivalent.ts';
import { type Mutant, mutantsOf, mutate } from './mutate/mutants.ts';
import { type Probed, probe } from './mutate/probes.ts';
import { sample } from './mutate/sample.ts';
import { testsOf, typeScriptBelow } from './mutate/test-files.ts';
import { createJudge, type Noticed } from './mutate/verdict.ts';
import { createWorkplace } from './mutate/workplace.ts';

const ROOT = join(import.meta.dirname, '..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: [] },
    budget: { type: 'string', default: 'Infinity' },
  },
});
if (positionals.length === 0) throw new Error('Name a folder or file: npm run mutate -- src/values');

const sources = new Map<string, Probed & { readonly source: string }>();
const chosen = positionals.map((position) => {
  const [, folder = '', line] = /^(.*?)\/?(?::(\d+))?$/.exec(position) ?? [];
  const all = typeScriptBelow(ROOT, folder).flatMap((file) =>
    mutantsOf(file, read(file)).filter((mutant) => !isEquivalent(mutant) && (line === undefined || mutant.line === Number(line))),
  );
  return { position, mutants: values.sample === undefined ? all : sample(all, Number(values.sample), Number(values.seed)) };
});
for (const { file } of chosen.flatMap(({ mutants }) => mutants)) sources.set(file, { source: read(file), ...probe(file, read(file)) });

const workplace = createWorkplace(ROOT);
process.on('exit', () => workplace.remove());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

const judge = await createJudge(workplace, testsOf(ROOT, [...sources.keys()], values.tests), sources, Number(values.budget) * 1000);
const summaries: string[] = [];
for (const { position, mutants } of chosen) {
  const survivors: Mutant[] = [];
  const by: Record<Noticed['by'], number> = { test: 0, compiler: 0, time: 0 };
  for (const [index, mutant] of mutants.entries()) {
    const noticed = await judged(mutant, `${index + 1}/${mutants.length}`);
    if (noticed === undefined) survivors.push(mutant);
    else by[noticed.by] += 1;
  }
  if (survivors.length > 0) console.log(`\nSurviving changes:\n${survivors.map(shown).join('\n')}\n`);
  const killed = mutants.length - survivors.length;
  const percent = Math.round((killed / Math.max(mutants.length, 1)) * 1000) / 10;
  const who = `tests ${by.test}, compiler ${by.compiler}, no end ${by.time}`;
  summaries.push(`${position}: killed ${killed} of ${mutants.length} (${percent} %): ${who}`);
}
console.log(`\n${summaries.join('\n')}`);
// Removing the copy also stops the compiler, which would otherwise continue to watch.
workplace.remove();

async function judged(mutant: Mutant, place: string): Promise<Noticed | undefined> {
  const began = performance.now();
  const { source = '', regionOf } = sources.get(mutant.file) ?? {};
  const noticed = await judge({ file: mutant.file, source, changed: mutate(source, mutant), region: regionOf?.(mutant) });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const path = noticed?.path === undefined ? '' : `  [${noticed.path}]`;
  console.log(`${place} ${(noticed?.by ?? 'SURVIVED').padEnd(8)} ${seconds.padStart(5)} s  ${shown(mutant)}${path}`);
  return noticed;
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function shown(mutant: Mutant): string {
  return `${mutant.file}:${mutant.line}  ${mutant.change}`;
}
