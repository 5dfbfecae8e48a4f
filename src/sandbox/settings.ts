import type { Fault } from './http/faults.ts';
import type { Interpretations } from './interpretations.ts';
import { RESOURCES } from './resources/index.ts';

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
  /** Interpretations of the questions that the service's documentation leaves open: see docs/guides/sandbox.md. */
  readonly interpretations?: Partial<Interpretations>;
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

/** Switches of the organisation that an administrator or the service's support turns. */
export interface Switches {
  /** Whether the REST API is on at all. */
  api: boolean;
  /** Whether AI assistants may sign in. */
  mcp: boolean;
  /** Whether the person at the browser is in a support session, which can’t sign apps in. */
  supportSession: boolean;
  /** Features that the organisation has. */
  readonly features: Set<string>;
}

const FEATURES: readonly string[] = [...new Set(RESOURCES.flatMap(({ feature }) => feature ?? []))];

/** Names of all switches, as they are typed: the three of the organisation, then its features. */
const SWITCHES: readonly string[] = ['api', 'mcp', 'support-session', ...FEATURES];

/** Everything on but the support session and furlough. */
export function defaultSwitches(): Switches {
  return { api: true, mcp: true, supportSession: false, features: new Set(FEATURES.filter((feature) => feature !== 'furlough')) };
}

/** @throws RangeError that names the switches there are. */
export function checkSwitch(name: string): void {
  if (!SWITCHES.includes(name)) throw new RangeError(`There is no switch ${name}; there are ${SWITCHES.join(', ')}.`);
}

/** @throws RangeError for a name no switch has. */
export function turnSwitch(switches: Switches, name: string, on: boolean): void {
  checkSwitch(name);
  if (name === 'api' || name === 'mcp') switches[name] = on;
  else if (name === 'support-session') switches.supportSession = on;
  else if (on) switches.features.add(name);
  else switches.features.delete(name);
}

/** Every switch and how it stands. */
export function switchesByName({ api, mcp, supportSession, features }: Switches): Record<string, boolean> {
  const organisation: Record<string, boolean> = { api, mcp, 'support-session': supportSession };
  return Object.assign(organisation, Object.fromEntries(FEATURES.map((feature) => [feature, features.has(feature)])));
}
