import { type ApiClientOptions, createApiClient, type Exchange, type Wait } from '../../src/client/api-client.ts';
import type { CredentialRequest, CredentialSource } from '../../src/credential.ts';
import { createNetwork } from '../../src/system/network.ts';
import { parseHost } from '../../src/values/addresses.ts';
import { createManualClock } from './clock.ts';
import { startHttpServer } from './http-server.ts';

/** Starts a scripted server, and a client on a real network with a clock that does not wait. */
export async function startApi(overrides: Partial<ApiClientOptions> = {}) {
  const server = await startHttpServer();
  const network = createNetwork({ env: {} });
  const clock = createManualClock(Date.UTC(2025, 0, 15, 12), true);
  const asked: CredentialRequest[] = [];
  const exchanges: Exchange[] = [];
  const waits: Wait[] = [];
  const warnings: string[] = [];
  const credentials: CredentialSource = async (request) => {
    asked.push(request);
    return { token: request.rejected === undefined ? 'first-secret' : 'second-secret', kind: 'oauth' };
  };
  const client = createApiClient({
    host: parseHost(server.origin),
    network,
    credentials,
    clock,
    userAgent: 'svc/1.2.3',
    timeoutMs: 20_000,
    maxWaitMs: 300_000,
    random: () => 1,
    events: {
      onExchange: (exchange) => exchanges.push(exchange),
      onWait: (wait) => waits.push(wait),
      onWarnings: (texts) => warnings.push(...texts),
    },
    ...overrides,
  });
  const close = async () => {
    await network.close();
    await server.close();
  };
  return { server, client, clock, asked, exchanges, waits, warnings, close };
}

export type ApiFixture = Awaited<ReturnType<typeof startApi>>;
