import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Played } from './play.ts';

export interface RunSeeds {
  /** The seeds, in the order in which they are played. */
  readonly seeds: Iterable<number>;
  readonly isTraced?: boolean;
  /** The number of processes. Default: one per processor. */
  readonly processes?: number;
  /** The directory in which Node writes the coverage of each process. Default: none. */
  readonly coverage?: string | undefined;
  /** The description of a bug to inject. */
  readonly bug?: string | undefined;
  /** Receives each result. Returns true to stop. */
  onPlayed(played: Played): boolean;
}

/** The number of seeds that a process gets at once. */
const CHUNK = 5;

/** Options of Node that make scenarios faster: more memory for new objects, and one processor per process. */
const execArgv = ['--no-warnings', '--max-semi-space-size=32', '--single-threaded-gc'];

/** Plays seeds in several processes. */
export async function runSeeds(options: RunSeeds): Promise<void> {
  const { seeds, isTraced = false, processes = availableParallelism(), coverage, bug, onPlayed } = options;
  const env = coverage === undefined ? process.env : { ...process.env, NODE_V8_COVERAGE: coverage };
  const left = seeds[Symbol.iterator]();
  let isEnough = false;
  const next = (): number[] => {
    const chunk: number[] = [];
    while (!isEnough && chunk.length < CHUNK) {
      const { value, done } = left.next();
      if (done) break;
      chunk.push(value);
    }
    return chunk;
  };
  const work = (first: number[]) =>
    new Promise<void>((resolve, reject) => {
      const child = fork(join(import.meta.dirname, 'worker.ts'), bug === undefined ? [] : [bug], { execArgv, env });
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
        const chunk = message === 'ready' ? first : next();
        if (chunk.length === 0) child.disconnect();
        else child.send({ seeds: chunk, isTraced });
      });
    });
  // Loading svc takes longer than most scenarios, so no process starts without a seed.
  const chunks = Array.from({ length: processes }, next).filter(({ length }) => length > 0);
  await Promise.all(chunks.map(work));
}

export function* from(seed: number, runs: number): Generator<number> {
  for (let at = seed; at < seed + runs; at++) yield at;
}
