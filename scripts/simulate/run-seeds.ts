import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Played } from './play.ts';

export interface RunSeeds {
  /** The folder that has `scripts/` and `src/`. */
  readonly root: string;
  /** Seeds, in the order of their playing. */
  readonly seeds: Iterable<number>;
  readonly isTraced?: boolean;
  /** Sees each as it ends; true: that is enough. */
  onPlayed(played: Played): boolean;
}

/** So many are handed to a process at a time. */
const CHUNK = 5;

/** Plays seeds in as many processes as there are processors. */
export async function runSeeds({ root, seeds, isTraced = false, onPlayed }: RunSeeds): Promise<void> {
  const left = seeds[Symbol.iterator]();
  let isEnough = false;
  /** Seeds that follow one another; undefined when there are none. */
  const next = (): { seed: number; runs: number } | undefined => {
    if (isEnough) return undefined;
    const first = left.next();
    if (first.done) return undefined;
    let runs = 1;
    while (runs < CHUNK) {
      const more = left.next();
      if (more.done) break;
      if (more.value !== first.value + runs) throw new RangeError('Seeds follow one another.');
      runs += 1;
    }
    return { seed: first.value, runs };
  };
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(join(root, 'scripts/simulate/worker.ts'), { execArgv: ['--no-warnings'] });
      child.once('error', reject);
      child.once('exit', (code) =>
        code === 0 || code === null ? resolve() : reject(new Error(`A process of the simulation ended with ${code}.`)),
      );
      child.on('message', (message: Played | 'ready' | 'done') => {
        if (typeof message !== 'string') {
          if (!isEnough && onPlayed(message)) isEnough = true;
          if (isEnough) child.kill();
          return;
        }
        const chunk = next();
        if (chunk === undefined) child.disconnect();
        else child.send({ ...chunk, isTraced });
      });
    });
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

export function* from(seed: number, runs: number): Generator<number> {
  for (let at = seed; at < seed + runs; at++) yield at;
}
