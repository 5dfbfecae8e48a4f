import type { Dispatcher } from 'undici';
import type { Env, Network, NetworkRequest, NetworkResponse } from '../deps.ts';
import { isLoopbackName } from '../values/host.ts';
import type { Connections } from './connections.ts';
import { decodeBody } from './content-encoding.ts';
import { describeNetworkFailure } from './network-failure.ts';

/** Enough for a page and the one read ahead, and for a bulk run that keeps a few writes under way. */
const CONNECTIONS = 8;

/** The most that is read of a body nobody wants, so that its connection can be used again. */
const DISCARD_BYTES = 16 * 1024;

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

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
  let handlerModule: Promise<typeof import('undici/lib/api/api-request.js')> | undefined;
  let connections: Promise<Connections> | undefined;

  function connected(): Promise<Connections> {
    connections ??= openConnections();
    return connections;
  }

  function agentFor(url: URL, timeoutMs: number): Promise<Dispatcher> {
    const proxies = proxiesFor(url, env);
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
      const url = new URL(request.url);
      // Kept, since even a loaded module takes a while to import: a tenth of a bulk read, all pages together.
      handlerModule ??= import('undici/lib/api/api-request.js');
      const [agent, { default: api }] = await Promise.all([agentFor(url, request.timeoutMs), handlerModule]);
      return exchange(agent, api.RequestHandler, url, request);
    },
    warm(origin, timeoutMs) {
      if (proxiesFor(new URL(origin), env) !== undefined) return;
      void connected().then((made) => made.warm(origin, timeoutMs));
    },
    async close() {
      const open = [...agents.values()];
      agents.clear();
      const made = connections;
      connections = undefined;
      (await made)?.close();
      await Promise.all(open.map(async (agent) => (await agent).destroy()));
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

type RequestHandlerClass = typeof import('undici/lib/api/api-request.js').default.RequestHandler;

function exchange(agent: Dispatcher, RequestHandler: RequestHandlerClass, url: URL, request: NetworkRequest): Promise<NetworkResponse> {
  const { method, headers, body, timeoutMs, signal } = request;
  const options: Dispatcher.RequestOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: method as Dispatcher.HttpMethod,
    headers: { ...headers },
    body: body ?? null,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal: signal ?? null,
  };
  return new Promise((resolve, reject) => {
    let sent = false;
    const fail = (error: unknown, stage: 'answer' | 'body') =>
      signal?.aborted ? signal.reason : describeNetworkFailure(error, { request, sent, stage });
    try {
      const handler = new RequestHandler(options, (error, response) => {
        if (error !== null) reject(fail(error, 'answer'));
        else resolve(new Response(request, response, (cause) => fail(cause, 'body')));
      });
      // undici calls this right before it writes; a failure before that surely did not run.
      const begin = handler.onRequestStart;
      handler.onRequestStart = (controller, context) => {
        sent = true;
        begin.call(handler, controller, context);
      };
      agent.dispatch(options, handler);
    } catch (error) {
      reject(fail(error, 'answer'));
    }
  });
}

class Response implements NetworkResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly #request: NetworkRequest;
  readonly #raw: Dispatcher.ResponseData;
  readonly #fail: (cause: unknown) => unknown;

  constructor(request: NetworkRequest, raw: Dispatcher.ResponseData, fail: (cause: unknown) => unknown) {
    this.status = raw.statusCode;
    this.headers = joinHeaders(raw.headers);
    this.#request = request;
    this.#raw = raw;
    this.#fail = fail;
    this.body = this.#pieces();
  }

  async text(maxBytes: number = DEFAULT_MAX_BYTES): Promise<string> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of this.body) {
      size += piece.byteLength;
      if (size > maxBytes) throw this.#fail(new BodyTooLarge(maxBytes));
      pieces.push(piece);
    }
    return new TextDecoder().decode(Buffer.concat(pieces));
  }

  async discard(): Promise<void> {
    await this.#raw.body.dump({ limit: DISCARD_BYTES });
    await connectionIsFree();
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* await decodeBody(this.#raw.body, hasNoBody(this.#request.method, this.status) ? undefined : this.headers['content-encoding']);
      await connectionIsFree();
    } catch (error) {
      throw this.#fail(error);
    }
  }
}

/**
 * undici frees a connection only after the turn in which its answer ended; a request sent within that turn would open
 * a second one.
 */
function connectionIsFree(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** More came than the reader wanted to hold. */
class BodyTooLarge extends Error {
  readonly code = 'SVC_TOO_LARGE';

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
  }
}

/** Answers that have no body whatever their headers say (RFC 9110 §6.4.1). */
function hasNoBody(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}

/** undici gives names in lower case; `undefined` never comes from the wire. */
function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}
