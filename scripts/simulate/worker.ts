// Plays the seeds that its parent names, one after the other: `{ seeds }` in, a `Played` out for each.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { simulateBuiltins } from './builtins.ts';

// Before anything of svc is loaded, since it takes these from Node when it is.
simulateBuiltins();
const { loadAll } = await import('./load.ts');
await loadAll();
const { play } = await import('./play.ts');
const { Killed } = await import('./life.ts');

const directory = mkdtempSync(`${existsSync('/dev/shm') ? '/dev/shm' : tmpdir()}/svc-simulate-`);
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
// Its parent has seen enough.
process.once('SIGTERM', () => process.exit());
let unhandled: unknown;
process.on('unhandledRejection', (error) => {
  // Of a process that is no more nobody waits for anything.
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
