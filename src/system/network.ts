import type { Dispatcher } from 'undici';
import type { Env, Network } from '../deps.ts';
import { isLoopbackName, type ProxyAddress, readProxy } from '../values/addresses.ts';
import type { Connections } from './connections.ts';

/**
 * The most connections to one origin. A list needs a few connections for pages that svc reads ahead, and some writes run at the same time.
 */
const CONNECTIONS = 8;

/**
 * Creates the real network, with undici. svc loads undici before the first request, and only the parts that send a request
 * (`docs/contributing/performance.md`). Idle connections do not keep the process alive. svc follows `HTTPS_PROXY` and `NO_PROXY` in either
 * case, except for addresses on this machine. Node itself reads `NODE_EXTRA_CA_CERTS`. svc uses only HTTP/1.1, because HTTP/2 takes longer
 * to load, and does not speed up sequential requests.
 */
export function createNetwork({ env }: { readonly env: Env }): Network {
  /** The agents by time-out and proxy, because undici limits the connection time of a whole agent. */
  const agents = new Map<string, Promise<Dispatcher>>();
  let exchangeModule: Promise<typeof import('./exchange.ts')> | undefined;
  let connections: Promise<Connections> | undefined;
  let isClosed = false;

  function connected(): Promise<Connections> {
    connections ??= openConnections();
    return connections;
  }

  function agentFor(url: URL, timeoutMs: number): Promise<Dispatcher> {
    const proxy = proxyFor(url, env);
    const key = `${timeoutMs} ${proxy === undefined ? 'direct' : 'proxy'}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    const agent = proxy === undefined ? directAgent(connected(), timeoutMs) : proxyAgent(timeoutMs, proxy, noProxyOf(env));
    agents.set(key, agent);
    return agent;
  }

  return {
    async request(request) {
      request.signal?.throwIfAborted();
      // svc refuses a request after the end, because the request would keep the process alive.
      if (isClosed) throw new Error('svc has closed its connections.');
      const url = new URL(request.url);
      // svc keeps the module, because a repeated import takes a tenth of the time of a bulk read.
      exchangeModule ??= import('./exchange.ts');
      const [agent, { exchange }] = await Promise.all([agentFor(url, request.timeoutMs), exchangeModule]);
      request.signal?.throwIfAborted();
      return exchange(agent, url, request);
    },
    warm(origin, timeoutMs) {
      if (isProxied(origin, env)) return;
      void connected().then((made) => made.warm(origin, timeoutMs));
    },
    async close() {
      isClosed = true;
      const open = [...agents.values()];
      agents.clear();
      const made = connections;
      connections = undefined;
      (await made)?.close();
      await Promise.all(
        open.map((agent) =>
          agent.then(
            (one) => one.destroy(),
            () => undefined,
          ),
        ),
      );
    },
  };
}

/** Returns the proxy for an address. Undefined for a direct connection. @throws UsageError for an invalid proxy. */
function proxyFor(url: URL, env: Env): ProxyAddress | undefined {
  return isLoopbackName(url.hostname) ? undefined : readProxy(env);
}

function isProxied(origin: string, env: Env): boolean {
  try {
    return proxyFor(new URL(origin), env) !== undefined;
  } catch {
    return true;
  }
}

function noProxyOf(env: Env): string {
  return env['no_proxy'] ?? env['NO_PROXY'] ?? '';
}

async function openConnections(): Promise<Connections> {
  const [{ createConnections }, { default: build }] = await Promise.all([import('./connections.ts'), import('undici/lib/core/connect.js')]);
  return createConnections(build);
}

async function directAgent(connections: Promise<Connections>, timeoutMs: number): Promise<Dispatcher> {
  const [{ default: Agent }, made] = await Promise.all([import('undici/lib/dispatcher/agent.js'), connections]);
  return new Agent({ connections: CONNECTIONS, connect: made.connector(timeoutMs), allowH2: false });
}

async function proxyAgent(timeoutMs: number, { address, host }: ProxyAddress, noProxy: string): Promise<Dispatcher> {
  const [{ default: EnvHttpProxyAgent }, { default: Pool }, { openTunnels }] = await Promise.all([
    import('undici/lib/dispatcher/env-http-proxy-agent.js'),
    import('undici/lib/dispatcher/pool.js'),
    import('./proxy-tunnel.ts'),
  ]);
  return new EnvHttpProxyAgent({
    httpProxy: address,
    httpsProxy: address,
    // Without this option, undici reads the environment itself.
    noProxy,
    connections: CONNECTIONS,
    connectTimeout: timeoutMs,
    allowH2: false,
    proxyTls: { allowH2: false },
    clientFactory: (origin, options) => openTunnels(new Pool(origin, options), host),
  });
}
