import type { LookupFunction, Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { setEngineFlags } from './engine-flags.ts';

type Connect = buildConnector.connector;
type ConnectOptions = buildConnector.Options;
type Callback = buildConnector.Callback;

export type Connections = ReturnType<typeof createConnections>;

/** The lifetime of a warm connection, in milliseconds. Some servers close a silent connection after five seconds. */
const FRESH_MS = 3_000;

interface Warm {
  readonly started: number;
  socket: Socket | undefined;
  /** True if the connection failed before a caller used the connection. The next request then tries again. */
  failed: boolean;
  waiting: Callback | undefined;
}

/** Creates the connections of this process. @param now a clock that never jumps, in milliseconds. */
export function createConnections(build: typeof buildConnector, now: () => number = () => performance.now()) {
  const warm = new Map<string, Warm>();
  const connecting = new Set<Socket>();

  function connectorOf(timeoutMs: number): Connect {
    const plain = build({ timeout: timeoutMs, allowH2: false });
    let local: Connect | undefined;
    return (options, callback) => {
      if (isLocalName(options.hostname)) local ??= build({ timeout: timeoutMs, allowH2: false, lookup: lookUpLocal });
      const connect = isLocalName(options.hostname) ? (local ?? plain) : plain;
      // undici returns the socket, although its types do not show the return value.
      const socket = connect(options, (...outcome) => {
        if (socket !== undefined) connecting.delete(socket);
        callback(...outcome);
      }) as Socket | undefined;
      if (socket !== undefined) connecting.add(socket);
    };
  }

  function take(options: ConnectOptions): Warm | undefined {
    const origin = `${options.protocol}//${options.host}`;
    const entry = warm.get(origin);
    warm.delete(origin);
    if (entry === undefined || entry.failed) return undefined;
    const good = entry.socket === undefined || (isOpen(entry.socket) && now() - entry.started < FRESH_MS);
    if (!good) entry.socket?.destroy();
    return good ? entry : undefined;
  }

  return {
    /** Starts to connect to an origin. A second call for the same origin does nothing. */
    warm(origin: string, timeoutMs: number): void {
      if (warm.has(origin)) return;
      const entry: Warm = { started: now(), socket: undefined, failed: false, waiting: undefined };
      warm.set(origin, entry);
      connectorOf(timeoutMs)(optionsOf(new URL(origin)), (...outcome) => {
        const [error, socket] = outcome;
        if (entry.waiting !== undefined) entry.waiting(...outcome);
        else if (error !== null) entry.failed = true;
        else if (warm.get(origin) === entry) entry.socket = socket;
        else socket.destroy();
      });
    },

    /** Returns a connector for an agent. The first caller gets the warm connection if it is valid. Other callers get a new connection. */
    connector(timeoutMs: number): Connect {
      const connect = connectorOf(timeoutMs);
      return (options, callback) => {
        // undici creates its parser here, at the first connection.
        const ready: Callback = (...outcome) => withoutTierUp(() => callback(...outcome));
        const entry = take(options);
        if (entry === undefined) connect(options, ready);
        else if (entry.socket === undefined) entry.waiting = ready;
        else queueMicrotask(() => ready(null, entry.socket as Socket));
      };
    },

    close(): void {
      for (const { socket } of warm.values()) socket?.destroy();
      warm.clear();
      // svc destroys the socket with an error, so that a waiting caller receives the error.
      for (const socket of connecting) socket.destroy(new Error('svc is done'));
    },
  };
}

/** Returns true for `localhost` and every name under it. Such a name means this machine, even if DNS answers otherwise (RFC 6761 §6.3). */
function isLocalName(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(hostname);
}

/** Resolves a local name to 127.0.0.1 and ::1. The system’s resolver may send unknown names to the network, and accept any answer. */
const lookUpLocal: LookupFunction = (_hostname, options, callback) => {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  const [first] = addresses;
  if (options.all === true) callback(null, addresses);
  else callback(null, first?.address ?? '', first?.family);
};

function isOpen(socket: Socket): boolean {
  return !socket.destroyed && socket.readable && socket.writable;
}

function optionsOf({ protocol, host, hostname, port }: URL): ConnectOptions {
  return { protocol, host, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port };
}

/** The flags that stop V8 from compiling WebAssembly lazily, because a late compilation would use other flags. */
const QUICK_COMPILER_ONLY = ['--no-wasm-lazy-compilation', '--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

const AS_ALWAYS = ['--wasm-lazy-compilation', '--wasm-dynamic-tiering', '--wasm-tier-up'];

/**
 * Creates undici’s HTTP parser with V8’s quick compiler only. V8 would otherwise optimise the parser, which is one large function, after
 * the headers of one answer. The optimisation takes 30 ms and 8 MB on another thread, and delays the end of the process. svc resets the
 * flags at once, because V8’s code cache is valid only for the same flags.
 */
function withoutTierUp<T>(make: () => T): T {
  setEngineFlags(QUICK_COMPILER_ONLY);
  try {
    return make();
  } finally {
    setEngineFlags(AS_ALWAYS);
  }
}
