import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Network } from '../../src/deps.ts';
import { NetworkError } from '../../src/errors.ts';
import { createNetwork } from '../../src/system/network.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let network: Network;
let server: net.Server;
let sockets: net.Socket[];
beforeEach(async () => {
  network = createNetwork({ env: {} });
  sockets = [];
  server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).on('data', () => socket.write(ANSWER));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await network.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const get = () => network.request({ method: 'GET', url: `${origin()}/`, headers: {}, timeoutMs: 5_000 });

/** The server's end of a connection that is made but not used. */
async function warm(): Promise<net.Socket> {
  const connected = once(server, 'connection');
  network.warm(origin(), 5_000);
  const [socket] = (await connected) as [net.Socket];
  return socket;
}

it('a request uses the connection that svc opened in advance', async () => {
  await warm();
  expect(await (await get()).text()).toBe('ok');
  expect(sockets.length).toBe(1);
});

it('a request uses the connection that svc is still opening in advance', async () => {
  network.warm(origin(), 5_000);
  expect(await (await get()).text()).toBe('ok');
  expect(sockets.length).toBe(1);
});

it('only one request uses a connection that svc opened in advance', async () => {
  network.warm(origin(), 5_000);
  const both = await Promise.all([get(), get()]);
  expect(await Promise.all(both.map((response) => response.text()))).toEqual(['ok', 'ok']);
  expect(sockets.length).toBe(2);
});

it('svc opens only one connection in advance for two calls', async () => {
  network.warm(origin(), 5_000);
  network.warm(origin(), 5_000);
  await (await get()).text();
  expect(sockets.length).toBe(1);
});

it('a request does not use a connection that the server closed', async () => {
  const socket = await warm();
  const closed = once(socket, 'close');
  socket.end();
  await closed;
  expect(await (await get()).text()).toBe('ok');
  expect(sockets.length).toBe(2);
});

it('a request fails as refused when svc could not connect in advance', async () => {
  const address = origin();
  server.close();
  await once(server, 'close');
  network.warm(address, 5_000);
  const failure = await network
    .request({ method: 'GET', url: `${address}/`, headers: {}, timeoutMs: 5_000 })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NetworkError);
  expect(failure).toMatchObject({ kind: 'refused', ran: 'no' });
});

it('an unused connection that svc opened in advance closes when svc closes the network', async () => {
  const socket = await warm();
  const ended = once(socket.resume(), 'close');
  await network.close();
  await ended;
});

it('svc opens no connection in advance when a proxy is set', async () => {
  const proxied = createNetwork({ env: { HTTPS_PROXY: origin() } });
  proxied.warm('https://acme.invalid', 5_000);
  await proxied.close();
  expect(sockets).toEqual([]);
});

it('a connection that is not ready closes when svc closes the network, with or without a waiting request', async () => {
  // It accepts, and never says a word of TLS.
  const secure = origin().replace('http:', 'https:');
  server.removeAllListeners('connection');
  server.on('connection', (socket) => sockets.push(socket.on('error', () => undefined)));
  const connected = once(server, 'connection');
  network.warm(secure, 20_000);
  const [first] = (await connected) as [net.Socket];
  const firstClosed = once(first.resume(), 'close');
  await network.close();
  await firstClosed;

  network = createNetwork({ env: {} });
  const again = once(server, 'connection');
  const answer = network.request({ method: 'GET', url: `${secure}/`, headers: {}, timeoutMs: 20_000 });
  const [second] = (await again) as [net.Socket];
  const secondClosed = once(second.resume(), 'close');
  await Promise.all([network.close(), expect(answer).rejects.toBeInstanceOf(Error)]);
  await secondClosed;
});

it('svc sends no request after svc closes the network', async () => {
  await network.close();
  await expect(get()).rejects.toThrow('closed');
  expect(sockets).toEqual([]);
});

it.each(['localhost', 'acme.localhost', 'a.b.LOCALHOST'])('a request to the name %s reaches this machine (RFC 6761)', async (name) => {
  const url = origin().replace('127.0.0.1', name);
  const response = await network.request({ method: 'GET', url: `${url}/`, headers: {}, timeoutMs: 5_000 });
  expect(await response.text()).toBe('ok');
});
