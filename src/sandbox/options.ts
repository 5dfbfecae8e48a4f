import type { Fault } from './http/faults.ts';
import type { SandboxKnobs } from './knobs.ts';

/** A clock: milliseconds since 1970. */
export interface SandboxClock {
  now(): number;
}

/** How a sandbox starts. Everything has a default; `startSandbox()` is enough. */
export interface SandboxOptions {
  /** TCP port on 127.0.0.1; 0 picks a free one. */
  readonly port?: number;
  /** Chooses the data: the same seed on the same day gives the same organisation. */
  readonly seed?: number;
  /** Answers every consent with yes, without showing the page. */
  readonly approve?: boolean;
  /** `off`: no request is ever refused for its number; the headers then always show a full budget. */
  readonly limits?: 'real' | 'off';
  /** The clock of the sandbox, in milliseconds since 1970; `advance` adds to it. */
  readonly clock?: SandboxClock;
  /** Seconds until a rate limit bucket is full again. The service: 60. */
  readonly windowSeconds?: number;
  /** Interpretations of the questions that the service's documentation leaves open: see docs/sandbox.md. */
  readonly knobs?: Partial<SandboxKnobs>;
  /** Switches to turn at the start: `api`, `mcp`, `support-session` and the features. */
  readonly switches?: Readonly<Record<string, boolean>>;
  /** Faults from the start. */
  readonly faults?: readonly Fault[];
  /**
   * A file or a directory with the data. svc starts from a file, keeps everything in it, and makes it when it is missing. svc only
   * reads a directory, which `svc export` wrote. Absent: made-up data, kept in memory.
   */
  readonly data?: string;
}

/** {@link SandboxOptions} with the defaults filled in. */
export interface SandboxSettings {
  readonly port: number;
  readonly seed: number;
  readonly approve: boolean;
  readonly limits: 'real' | 'off';
  readonly clock: SandboxClock;
  readonly windowSeconds: number;
}

const DEFAULT_SEED = 20250101;

export function settingsFrom(options: SandboxOptions): SandboxSettings {
  return {
    port: options.port ?? 0,
    seed: options.seed ?? DEFAULT_SEED,
    approve: options.approve ?? false,
    limits: options.limits ?? 'real',
    clock: options.clock ?? { now: () => Date.now() },
    windowSeconds: options.windowSeconds ?? 60,
  };
}
