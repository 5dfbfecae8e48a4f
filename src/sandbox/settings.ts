import type { Fault } from './http/faults.ts';
import type { Interpretations } from './interpretations.ts';
import { RESOURCES } from './resources/index.ts';

/** A clock that returns milliseconds since 1970. */
export interface SandboxClock {
  now(): number;
}

/** The options for starting a sandbox. Every option has a default. */
export interface SandboxOptions {
  /** The TCP port on 127.0.0.1. 0 picks a free port. Default: 0. */
  readonly port?: number;
  /** The seed of the sample data. The same seed at the same time of the clock gives the same organisation. Default: 20250101. */
  readonly seed?: number;
  /** True to approve every sign-in without showing the consent page. Default: false. */
  readonly approve?: boolean;
  /** `off` to never refuse a request because of a rate limit. The headers then always show all rate-limit units. Default: `real`. */
  readonly limits?: 'real' | 'off';
  /** The clock of the sandbox. `advance` sets the sandbox ahead of this clock. Default: the machine’s clock. */
  readonly clock?: SandboxClock;
  /** The seconds until a rate limit is full again. Default: 60, as in the service. */
  readonly windowSeconds?: number;
  /**
   * Values of the options for questions that the service’s documentation leaves open; see docs/guides/sandbox.md. Default: the first value
   * of each option.
   */
  readonly interpretations?: Partial<Interpretations>;
  /**
   * The initial states of switches: `api`, `mcp`, `support-session` and the features. Default: only the support session and the feature
   * `furlough` are off.
   */
  readonly switches?: Readonly<Record<string, boolean>>;
  /** The faults from the start. Default: none. */
  readonly faults?: readonly Fault[];
  /**
   * A file with data, or a directory that `svc export` wrote. The sandbox saves its data in a file, and creates a missing file. The sandbox
   * only reads a directory. Default: sample data in memory.
   */
  readonly data?: string;
}

export type SandboxSettings = Required<Pick<SandboxOptions, 'port' | 'seed' | 'approve' | 'limits' | 'clock' | 'windowSeconds'>>;

const DEFAULT_SEED = 20250101;

export function settingsFrom(options: SandboxOptions): SandboxSettings {
  const { port = 0, seed = DEFAULT_SEED, approve = false, limits = 'real', clock = Date, windowSeconds = 60 } = options;
  return { port, seed, approve, limits, clock, windowSeconds };
}

/** The switches that an administrator or the service’s support can change. */
export interface Switches {
  api: boolean;
  mcp: boolean;
  /** True if the browser is in a support session, in which apps can’t sign in. */
  supportSession: boolean;
  readonly features: Set<string>;
}

const FEATURES: readonly string[] = [...new Set(RESOURCES.flatMap(({ feature }) => feature ?? []))];

const SWITCHES: readonly string[] = ['api', 'mcp', 'support-session', ...FEATURES];

/** Returns the default switches. Only the support session and the feature `furlough` are off. */
export function defaultSwitches(): Switches {
  return { api: true, mcp: true, supportSession: false, features: new Set(FEATURES.filter((feature) => feature !== 'furlough')) };
}

export function checkSwitch(name: string): void {
  if (!SWITCHES.includes(name)) throw new RangeError(`The sandbox has no switch ${name}. Its switches are ${SWITCHES.join(', ')}.`);
}

export function turnSwitch(switches: Switches, name: string, on: boolean): void {
  checkSwitch(name);
  if (name === 'api' || name === 'mcp') switches[name] = on;
  else if (name === 'support-session') switches.supportSession = on;
  else if (on) switches.features.add(name);
  else switches.features.delete(name);
}

export function switchesByName({ api, mcp, supportSession, features }: Switches): Record<string, boolean> {
  const organisation: Record<string, boolean> = { api, mcp, 'support-session': supportSession };
  return Object.assign(organisation, Object.fromEntries(FEATURES.map((feature) => [feature, features.has(feature)])));
}
