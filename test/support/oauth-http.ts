import type { OAuthHttp } from '../../src/auth/oauth-exchange.ts';
import { createNetwork } from '../../src/system/network.ts';
import { createManualClock, type ManualClock } from './clock.ts';

/** Returns the parts for a step of a sign-in. The network is real, and sleeps of the clock end at once. */
export function testHttp(overrides: Partial<OAuthHttp> = {}): OAuthHttp & { readonly clock: ManualClock; readonly told: string[] } {
  const told: string[] = [];
  const clock = createManualClock(undefined, true);
  const notify = (line: string) => void told.push(line);
  return {
    network: createNetwork({ env: {} }),
    timeoutMs: 10_000,
    maxWaitMs: 90_000,
    userAgent: 'svc/test',
    notify,
    ...overrides,
    clock,
    told,
  };
}
