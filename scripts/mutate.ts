/**
 * Asks whether the tests would notice a slip: changes one operator, bound or branch of the source at a time, in a copy of the
 * project, and runs the tests that are near. What survives is either missing a test, or not needed.
 *
 *   npm run mutate -- src/values                          every change of a folder or file
 *   npm run mutate -- src/values/host.ts:41               every change of a line
 *   npm run mutate -- src/auth --sample 40 --seed 2       forty of them, the same ones for the same seed (default 1)
 *   npm run mutate -- src/client --near                   asks only the tests of the folder, and those that import the file
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isEquivalent } from './mutate/equivalent.ts';
import { type Mutant, mutantsOf, mutate } from './mutate/mutants.ts';
import { createRelatedTests, typeScriptBelow } from './mutate/related-tests.ts';
import { sample } from './mutate/sample.ts';
import { createVerdicts } from './mutate/verdict.ts';
import { createWorkplace } from './mutate/workplace.ts';

const ROOT = join(import.meta.dirname, '..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, near: { type: 'boolean', default: false } },
});
if (positionals.length === 0) throw new Error('Name a folder or file: npm run mutate -- src/values');

const sources = new Map<string, string>();
const all = positionals.flatMap((position) => {
  const [, folder = '', line] = /^(.*?)\/?(?::(\d+))?$/.exec(position) ?? [];
  return typeScriptBelow(ROOT, folder).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    sources.set(file, source);
    return mutantsOf(file, source).filter((mutant) => !isEquivalent(mutant) && (line === undefined || mutant.line === Number(line)));
  });
});
const chosen = values.sample === undefined ? all : sample(all, Number(values.sample), Number(values.seed));

const workplace = createWorkplace(ROOT);
process.on('exit', () => workplace.remove());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

const noticed = createVerdicts(workplace, createRelatedTests(ROOT), { near: values.near });
const survivors: Mutant[] = [];
for (const [index, mutant] of chosen.entries()) {
  const source = sources.get(mutant.file) ?? '';
  const began = performance.now();
  const by = await noticed(mutant.file, source, mutate(source, mutant));
  if (by === undefined) survivors.push(mutant);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${index + 1}/${chosen.length} ${(by ?? 'SURVIVED').padEnd(8)} ${seconds.padStart(5)} s  ${line(mutant)}`);
}

if (survivors.length > 0) console.log(`\nNothing noticed:\n${survivors.map(line).join('\n')}`);
const killed = chosen.length - survivors.length;
console.log(`\nkilled ${killed} of ${chosen.length} (${Math.round((killed / Math.max(chosen.length, 1)) * 1000) / 10} %)`);

function line(mutant: Mutant): string {
  return `${mutant.file}:${mutant.line}  ${mutant.change}`;
}
