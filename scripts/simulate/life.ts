import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from '../../src/sandbox/seed/plant.ts';
import type { Disk, Open } from './disk.ts';
import type { Timeline } from './timeline.ts';

/** What a browser asks of a listener on its own machine. */
export interface Visit {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a browser gets from a listener of svc. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export type Listener = (request: Visit) => Promise<Page | undefined>;

/** A world's chance, time and record; everything random in it is drawn from here, so that its seed is all there is to know. */
export interface Universe {
  readonly timeline: Timeline;
  /** What befalls the world. */
  readonly random: Random;
  /** What is typed in it, and when: apart, so that a step more or less of svc does not make it another story. */
  readonly plot: Random;
  /** What svc and the service draw: keys, tokens, jitter. */
  readonly secrets: Random;
  readonly disk: Disk;
  /** Writes down what happened; two runs of a seed write the same. */
  trace(who: string, what: string): void;
  /** Milliseconds that the machine's clock is ahead of the service's. */
  clockOffset: number;
  /** Who listens on the machine, by port; undefined where somebody did. */
  readonly listeners: Map<number, Listener | undefined>;
}

/** One svc: a process within this one, which can end at any step. */
export interface Life extends Open {
  readonly name: string;
  readonly universe: Universe;
  /** It ends right before the n-th thing it does. */
  killAt: number;
  steps: number;
  isDead: boolean;
  /** Told once it is no more. */
  readonly onDeath: Set<() => void>;
  /** It has spent a refresh token. */
  isRotating: boolean;
  /** What keeps a process from ending though it has nothing more to do: reads, writes, timers under way. */
  pending: number;
}

export const lives = new AsyncLocalStorage<Life>();

/** Thrown where a process is no more. */
export class Killed extends Error {}

/** Something that a process does at once. @throws Killed */
export function step(life: Life, what: string): void {
  if (!life.isDead) {
    life.steps += 1;
    if (life.steps < life.killAt) {
      life.universe.trace(life.name, what);
      return;
    }
    life.universe.trace(life.name, `killed before ${what}`);
    end(life);
  }
  throw new Killed('It was killed.');
}

/** Ends a process: its connections and files close as the operating system closes them, and nothing it does has an effect from now on. */
export function end(life: Life): void {
  if (life.isDead) return;
  life.isDead = true;
  life.universe.disk.releaseAll(life);
  for (const tell of life.onDeath) tell();
}

/** Something that a process waits for; of a process that is no more it never comes. */
export function operation<T>(life: Life, what: string, ms: number, act: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    try {
      step(life, what);
    } catch {
      return;
    }
    life.pending += 1;
    life.universe.timeline.after(ms, () => {
      if (life.isDead) return;
      life.pending -= 1;
      try {
        resolve(lives.run(life, act));
      } catch (error) {
        if (!life.isDead) reject(error);
      }
    });
  });
}
