import type { Dispatcher } from 'undici';
import type { Env, Network } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { isLoopbackName } from '../values/host.ts';
import type { Connections } from './connections.ts';

/** Enough for a page and the one read ahead, and for a bulk run that keeps a few writes under way. */
const CONNECTIONS = 8;

/**
 * The real network, on undici. Nothing of it is loaded before the first request, and then only the parts that send one
 * (`docs/performance.md`). Idle connections never keep the process alive.
 *
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (either case) are heeded, except for addresses on this machine;
 * `NODE_EXTRA_CA_CERTS` is Node's own affair. HTTP/1.1 only: HTTP/2 costs a third of the load time and gains nothing
 * for requests that follow one another.
 */
export function createNetwork({ env }: { readonly env: Env }): Network {
  /** By time-out and way out: undici bounds connecting for a whole agent, not for a request. */
  const agents = new Map<string, Promise<Dispatcher>>();
  let exchangeModule: Promise<typeof import('./exchange.ts')> | undefined;
  let connections: Promise<Connections> | undefined;
  let isClosed = false;

  function connected(): Promise<Connections> {
    connections ??= openConnections();
    return connections;
  }

  function agentFor(url: URL, timeoutMs: number): Promise<Dispatcher> {
    const proxies = proxiesFor(url, env);
    if (proxies !== undefined) assertProxies(proxies);
    const key = `${timeoutMs} ${proxies === undefined ? 'direct' : 'proxy'}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    const agent = proxies === undefined ? directAgent(connected(), timeoutMs) : proxyAgent(timeoutMs, proxies);
    agents.set(key, agent);
    return agent;
  }

  return {
    async request(request) {
      request.signal?.throwIfAborted();
      // What still asks then was given up, and would keep the process alive.
      if (isClosed) throw new Error('The network is closed.');
      const url = new URL(request.url);
      // Kept, since even a loaded module takes a while to import: a tenth of a bulk read, all pages together.
      exchangeModule ??= import('./exchange.ts');
      const [agent, { exchange }] = await Promise.all([agentFor(url, request.timeoutMs), exchangeModule]);
      request.signal?.throwIfAborted();
      return exchange(agent, url, request);
    },
    warm(origin, timeoutMs) {
      if (proxiesFor(new URL(origin), env) !== undefined) return;
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
            // One that was never made: whoever asked for it was told.
            () => undefined,
          ),
        ),
      );
    },
  };
}

interface ProxySettings {
  readonly httpsProxy: string;
  readonly httpProxy: string;
  readonly noProxy: string;
}

/** The proxies between here and an address; undefined when it is reached directly. */
function proxiesFor(url: URL, env: Env): ProxySettings | undefined {
  return isLoopbackName(url.hostname) ? undefined : proxySettings(env);
}

/** Undefined where no proxy is set; all three given, since undici would look into the environment by itself. */
function proxySettings(env: Env): ProxySettings | undefined {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name] ?? '';
  const settings = { httpsProxy: read('HTTPS_PROXY'), httpProxy: read('HTTP_PROXY'), noProxy: read('NO_PROXY') };
  return settings.httpsProxy === '' && settings.httpProxy === '' ? undefined : settings;
}

async function openConnections(): Promise<Connections> {
  const [{ createConnections }, { default: build }] = await Promise.all([import('./connections.ts'), import('undici/lib/core/connect.js')]);
  return createConnections(build);
}

async function directAgent(connections: Promise<Connections>, timeoutMs: number): Promise<Dispatcher> {
  const [{ default: Agent }, made] = await Promise.all([import('undici/lib/dispatcher/agent.js'), connections]);
  return new Agent({ connections: CONNECTIONS, connect: made.connector(timeoutMs), allowH2: false });
}

async function proxyAgent(timeoutMs: number, settings: ProxySettings): Promise<Dispatcher> {
  const [{ default: EnvHttpProxyAgent }, { default: Pool }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/env-http-proxy-agent.js'),
    import('undici/lib/dispatcher/pool.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  return new EnvHttpProxyAgent({
    ...settings,
    connections: CONNECTIONS,
    connectTimeout: timeoutMs,
    allowH2: false,
    proxyTls: { allowH2: false },
    // The way to the proxy opens tunnels with `connect`, which only undici's index would add to a pool.
    clientFactory: (origin, options) => Object.assign(new Pool(origin, options), { connect }),
  });
}

/** @throws UsageError that does not show the address, which may hold a password. */
function assertProxies({ httpsProxy, httpProxy }: ProxySettings): void {
  assertProxy('HTTPS_PROXY', httpsProxy);
  assertProxy('HTTP_PROXY', httpProxy);
}

function assertProxy(name: string, address: string): void {
  if (address === '' || (URL.canParse(address) && /^(https?|socks5?):$/.test(new URL(address).protocol))) return;
  throw new UsageError(`${name} is not the address of a proxy.`, { hint: 'Write it as http://proxy.example.com:8080.' });
}
