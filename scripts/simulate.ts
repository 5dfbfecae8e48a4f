import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { simulateBuiltins } from './simulate/builtins.ts';

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '2000' }, trace: { type: 'boolean', default: false } } });
simulateBuiltins();
const { loadAll } = await import('./simulate/load.ts');
await loadAll(); 
const { play } = await import('./simulate/play.ts');
const directory = mkdtempSync(`${existsSync('/dev/shm') ? '/dev/shm' : tmpdir()}/svc-simulate-`);
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
process.on('unhandledRejection', (e) => { if (!(e instanceof Error && e.message === 'It was killed.')) { console.log('UNHANDLED', e); } });
const first = Number(values.seed); const runs = Number(values.runs);
let failed = 0; let commands = 0; let events = 0; const began = performance.now();
for (let seed = first; seed < first + runs; seed++) {
  const played = await play(seed, { directory, isTraced: values.trace });
  commands += played.commands; events += played.events;
  if (values.trace) console.log(played.lines.join('\n'));
  if (runs === 1 || process.env['DIG']) console.log(seed, played.digest);
  if (played.wrong.length > 0) { failed++; console.log(`seed ${seed}:\n  ${played.wrong.join('\n  ')}`); }
}
console.log(`${runs} runs, ${failed} failed, ${commands} commands, ${events} steps, ${Math.round(performance.now() - began)} ms`);
