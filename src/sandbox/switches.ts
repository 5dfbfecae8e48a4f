import { RESOURCES } from './resources/index.ts';

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
