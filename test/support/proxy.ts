import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy that creates tunnels. */
export interface Proxy {
  /** The origin: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** The requested tunnels. */
  readonly connects: readonly { readonly target: string | undefined; readonly authorization: string | undefined }[];
  /** Resolves at the request for the first tunnel. */
  readonly asked: Promise<void>;
  close(): void;
}

/**
 * Starts a proxy.
 * @param behaviour a port: leads each tunnel to this port of the machine. `refuses`: always requires a password. `silent`: never answers.
 * An object: answers with a status.
 */
export async function startProxy(behaviour: number | 'refuses' | 'silent' | { readonly status: number }): Promise<Proxy> {
  const asked = Promise.withResolvers<void>();
  const connects: Proxy['connects'][number][] = [];
  const clients = new Set<Duplex>();
  const server = http.createServer();
  server.on('connect', (request, client) => {
    connects.push({ target: request.url, authorization: request.headers['proxy-authorization'] });
    clients.add(client.on('error', () => {}));
    asked.resolve();
    if (behaviour === 'silent') return;
    if (behaviour === 'refuses') return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    if (typeof behaviour === 'object') return void client.end(`HTTP/1.1 ${behaviour.status} No\r\n\r\n`);
    const upstream = connect(behaviour, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connects,
    asked: asked.promise,
    close() {
      for (const client of clients) client.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
