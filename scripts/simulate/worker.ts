// Plays the seeds that the parent process sends. The argument names a bug to inject. Receives `{ seeds }`, and sends a `Played` for each
// seed.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { simulateBuiltins } from './builtins.ts';
import { inject } from './inject.ts';
import { INJECTED_BUGS } from './injected-bugs.ts';

// The replacement must come before any module of svc, because modules take these functions from Node on loading.
const bug = INJECTED_BUGS.find(({ what }) => what === process.argv[2]);
if (bug !== undefined) inject(bug);
simulateBuiltins();
const { loadAll } = await import('./load.ts');
await loadAll();
const { play } = await import('./play.ts');
const { Killed } = await import('./life.ts');

const directory = mkdtempSync(`${existsSync('/dev/shm') ? '/dev/shm' : tmpdir()}/svc-simulate-`);
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
// The parent process needs no further results.
process.once('SIGTERM', () => process.exit());
let unhandled: unknown;
process.on('unhandledRejection', (error) => {
  // An error in a killed process has no effect.
  if (!(error instanceof Killed)) unhandled ??= error;
});
process.on('message', async ({ seeds, isTraced }: { seeds: readonly number[]; isTraced: boolean }) => {
  for (const at of seeds) {
    const played = await play(at, { directory, isTraced }).catch((error: unknown) => ({
      seed: at,
      wrong: [`the simulation itself failed: ${String(error instanceof Error ? error.stack : error)}`],
      digest: '',
      lines: [],
      commands: 0,
      events: 0,
    }));
    const wrong =
      unhandled === undefined ? played.wrong : [...played.wrong, `nobody waited for: ${String((unhandled as Error).stack ?? unhandled)}`];
    unhandled = undefined;
    process.send?.({ ...played, wrong });
  }
  process.send?.('done');
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
