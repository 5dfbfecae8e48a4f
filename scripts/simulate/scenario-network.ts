import type { Fate, Scenario } from './life.ts';
import type { NetworkBehaviour } from './machine.ts';

/** The network of a scenario, which works perfectly until `storm` is set. */
export interface ScenarioNetwork extends NetworkBehaviour {
  /** The probability of failures, from 0 (none) to 1 (all requests may fail). */
  storm: number;
}

const FATES: readonly (readonly [Fate, number])[] = [
  ['refused', 3],
  ['lost', 3],
  ['unanswered', 4],
  ['silent', 1],
  ['late', 1],
  ['cut', 2],
  ['limited', 2],
  ['failing', 2],
  ['failing after', 2],
  ['garbage', 1],
  ['led astray', 1],
];
const ALL = FATES.reduce((sum, [, weight]) => sum + weight, 0);

export function createScenarioNetwork({ random }: Scenario): ScenarioNetwork {
  const network: ScenarioNetwork = {
    storm: 0,
    fate({ method }) {
      if (network.storm === 0 || !random.chance(network.storm)) return 'fine';
      let at = random.next() * ALL;
      for (const [fate, weight] of FATES) {
        at -= weight;
        if (at >= 0) continue;
        // A late change would overwrite newer values, which only the service could prevent.
        return fate === 'late' && (method === 'PATCH' || method === 'DELETE') ? 'silent' : fate;
      }
      return 'fine';
    },
    latency: () => (random.chance(0.02) ? 2_000 * random.next() : 5 + 60 * random.next()),
    retryAfter: () => (random.chance(0.5) ? random.integer(0, 40) : undefined),
    failure: () => random.pick([500, 502, 503, 504]),
  };
  return network;
}
