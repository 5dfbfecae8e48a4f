import type { NetworkRequest } from '../../src/deps.ts';
import type { UserKeychain } from './keychain.ts';
import type { Fate, Life, Scenario } from './life.ts';
import type { Service } from './service.ts';

/** The behaviour of a scenario’s network. */
export interface NetworkBehaviour {
  /** Returns the fate of a request. */
  fate(request: NetworkRequest, who: string): Fate;
  /** Returns the delay of one direction, in milliseconds. */
  latency(): number;
  retryAfter(): number | undefined;
  failure(): number;
}

/** A machine of the simulated person. */
export interface Machine {
  /** The start of the names of the machine’s processes and texts. Empty for the first machine. */
  readonly name: string;
  readonly scenario: Scenario;
  readonly service: Service;
  readonly behaviour: NetworkBehaviour;
  readonly userKeychain: UserKeychain;
  readonly env: Readonly<Record<string, string>>;
  /** The processes that are running. */
  readonly running: Set<Life>;
  /** The ids of the OAuth clients that the machine registered. */
  readonly clients: Set<string>;
  /** The number of token refreshes of this machine whose answers were lost. */
  lostRotations: number;
  /** The number of processes that were killed after the service issued new tokens and before svc stored them. */
  lostPairs: number;
  /** True if a process was killed after it moved new tokens into place and before it flushed them. */
  hasLoosePair: boolean;
}

/** Returns true if the machine still has the newest tokens of each of its sign-ins. */
export function isStored({ service, scenario, userKeychain, clients }: Machine): boolean {
  // A temporary file does not count, because no process reads it.
  const files = [...scenario.disk.files()].filter(([path]) => !/\.(?:tmp|room)$/.test(path));
  const stored = [...userKeychain.entries.values(), ...files.map(([, content]) => content.toString('latin1'))].join('\n');
  const own = service.sandboxState.apps.connections.filter(({ client }) => clients.has(client.id));
  return own.every(({ refreshToken }) => stored.includes(refreshToken));
}
