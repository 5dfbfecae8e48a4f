import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from '../../src/sandbox/seed/seeding.ts';
import type { Disk, Open } from './disk.ts';
import type { Timeline } from './timeline.ts';

/** A request that a browser sends to a listener on its own machine. */
export interface Visit {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer of a listener to a browser. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export type Listener = (request: Visit) => Promise<Page | undefined>;

/**
 * The random values, the time and the log of a scenario, and the disk and clock of a machine. A second machine has a scenario with its own disk,
 * clock and listeners. All random values come from here, so that the seed decides everything.
 */
export interface Scenario {
  readonly timeline: Timeline;
  /** Random values for events such as failures. */
  readonly random: Random;
  /**
   * Random values for the commands and their times. Their generator is separate, so that an additional step of svc does not change the
   * commands.
   */
  readonly plot: Random;
  /** Random values that svc and the service use for keys, tokens and jitter. */
  readonly secrets: Random;
  readonly disk: Disk;
  /** Writes a line to the log. Two runs with the same seed write the same lines. */
  trace(who: string, what: string): void;
  /** The number of milliseconds by which the machine’s clock is ahead of the service’s clock. */
  clockOffset: number;
  /** The listeners on the machine, by port. Undefined for a port that is no longer in use. */
  readonly listeners: Map<number, Listener | undefined>;
}

/** A simulated process of svc, which can end at any step. */
export interface Life extends Open {
  readonly name: string;
  readonly scenario: Scenario;
  /** The number of the step before which the process is killed. */
  killAt: number;
  steps: number;
  isDead: boolean;
  /** The functions to call after the process has ended. */
  readonly onDeath: Set<() => void>;
  /** True if the process has used a refresh token and not yet stored the new tokens. */
  isRotating: boolean;
  /** The fates and statuses of the process’s requests. They must explain the exit code. */
  readonly causes: Set<Cause>;
  /** The number of reads, writes and timers that keep the process running. */
  pending: number;
}

/** The fate of a request. */
export type Fate =
  | 'fine'
  /** No connection is possible, so the service receives nothing. */
  | 'refused'
  /** The connection breaks before the service has read the request. */
  | 'lost'
  /** The service acts, but its answer is lost. */
  | 'unanswered'
  /** The service never receives the request, and the sender gets no answer. */
  | 'silent'
  /** The request arrives after the sender has given up. */
  | 'late'
  /** The answer breaks off in the middle. */
  | 'cut'
  | 'limited'
  /** A proxy in front of the service fails with an error status. */
  | 'failing'
  /** The service acts, but a proxy in front of it answers with an error status. */
  | 'failing after'
  /** A proxy answers with its own page. */
  | 'garbage'
  /** The answer contains addresses of another origin. */
  | 'led astray';

/** What happened to a request: its fate in the network, or the status of its answer. */
export type Cause = Fate | number;

export const lives = new AsyncLocalStorage<Life>();

/** The error in a process that was killed. */
export class Killed extends Error {}

/** Runs a step of a process. @throws Killed if the process has ended. */
export function step(life: Life, what: string): void {
  if (!life.isDead) {
    life.steps += 1;
    if (life.steps < life.killAt) {
      life.scenario.trace(life.name, what);
      return;
    }
    life.scenario.trace(life.name, `killed before ${what}`);
    end(life);
  }
  throw new Killed('It was killed.');
}

/** Ends a process. Closes its connections and files as the operating system does. Nothing that the process does later has an effect. */
export function end(life: Life): void {
  if (life.isDead) return;
  life.isDead = true;
  life.scenario.disk.releaseAll(life);
  for (const tell of life.onDeath) tell();
}

/** Runs an operation for which a process waits. If the process has ended, the promise never resolves. */
export function operation<T>(life: Life, what: string, ms: number, act: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    try {
      step(life, what);
    } catch {
      return;
    }
    life.pending += 1;
    life.scenario.timeline.after(ms, () => {
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
