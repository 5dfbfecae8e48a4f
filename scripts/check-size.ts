/**
 * Keeps svc small, by bytes, which are the same on every machine: what npm sends, and what a start reads. A budget that is
 * too small for something worth having is raised here, on purpose.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Kilobytes (1000 bytes). */
const BUDGETS: readonly (readonly [name: string, kilobytes: number, measure: () => number])[] = [
  ['the package, packed', 1_100, packedBytes],
  ['svc --version reads', 3, () => bytesOf(['bin/svc.js'])],
  ['svc --help reads', 140, () => bytesOf(['bin/svc.js', 'dist/start.cjs', ...bundleFiles('main', 'rolldown-runtime', 'core', 'parse')])],
  ['a request needs besides', 480, () => bytesOf(bundleFiles('records', 'signed-in', 'network', 'llhttp_simd-wasm'))],
  ['a noun needs besides', 60, () => bytesOf(bundleFiles('nouns'))],
];

let failed = false;
for (const [name, budget, measure] of BUDGETS) {
  const kilobytes = measure() / 1000;
  const over = kilobytes > budget;
  failed ||= over;
  console.log(`${over ? 'OVER ' : 'ok   '} ${name.padEnd(26)} ${kilobytes.toFixed(1).padStart(8)} of ${budget} kB`);
}
if (failed) {
  console.error('Too large. docs/performance.md says how to see what is in a file, and what keeps files small.');
  process.exitCode = 1;
}

function packedBytes(): number {
  const [report] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })) as {
    size: number;
  }[];
  if (report === undefined) throw new Error('npm pack reported nothing.');
  return report.size;
}

function bundleFiles(...names: readonly string[]): string[] {
  return names.map((name) => (name === 'main' ? 'dist/main.cjs' : `dist/chunks/${name}.cjs`));
}

function bytesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(file).length, 0);
}
