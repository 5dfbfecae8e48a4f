import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Env, Network, NetworkRequest, NetworkResponse } from '../../src/deps.ts';
import { NetworkError, UsageError } from '../../src/errors.ts';
import { createNetwork } from '../../src/system/network.ts';
import { type Answer, drop, type HttpServer, hang, json, startHttpServer, truncate } from '../support/http-server.ts';
import { startProxy as startTestProxy } from '../support/proxy.ts';
import { startTlsServer } from '../support/tls-server.ts';
import { LOCALHOST_CERTIFICATE } from './fixtures/localhost-certificate.ts';

let server: HttpServer;
let network: Network;
const closers: (() => Promise<unknown> | unknown)[] = [];
beforeEach(async () => {
  server = await startHttpServer();
  network = createNetwork({ env: {} });
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await network.close();
  await server.close();
});

function send(extra: Partial<NetworkRequest> = {}) {
  return network.request({ method: 'GET', url: `${server.origin}/x?y=1`, headers: {}, timeoutMs: 20_000, ...extra });
}

async function failureOf(work: Promise<unknown>): Promise<NetworkError> {
  const failure = await work.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(NetworkError);
  return failure as NetworkError;
}

const encoded =
  (encoding: string, bytes: Uint8Array): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    response.end(bytes);
  };

describe('a request on the network', () => {
  it('sends the given body, and adds only the headers Connection, Content-Length and Host', async () => {
    server.script(json(201, { ok: true }, { 'X-Mixed': 'a' }));
    const response = await send({ method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'hällo' });
    expect(response.status).toBe(201);
    expect(response.headers['x-mixed']).toBe('a');
    expect(await response.text()).toBe('{"ok":true}');
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/x?y=1', body: 'hällo' });
    expect(Object.keys(server.requests[0]?.headers ?? {}).sort()).toEqual(['connection', 'content-length', 'content-type', 'host']);
  });

  it('does not follow a redirect', async () => {
    server.script(json(302, '', { location: '/elsewhere' }));
    const response = await send();
    expect(response.status).toBe(302);
    await response.discard();
    expect(server.requests).toHaveLength(1);
  });

  it('joins answer headers of the same name', async () => {
    server.script((_request, response) => {
      response.setHeader('x-two', ['a', 'b']);
      response.end();
    });
    expect((await send()).headers['x-two']).toBe('a, b');
  });

  it('reuses a connection, even after an unread body', async () => {
    const ports = new Set<number | undefined>();
    server.fallback((request, response, socket) => {
      ports.add(socket.remotePort);
      json(200, { some: 'text' })(request, response, socket);
    });
    await (await send()).discard();
    await (await send()).text();
    expect(ports.size).toBe(1);
  });
});

describe('a long answer', () => {
  it('reaches a slow reader completely', async () => {
    const bytes = Buffer.alloc(4_000_000, 'abcdefg');
    server.script((_request, response) => response.end(bytes));
    const pieces: Uint8Array[] = [];
    for await (const piece of (await send()).body) {
      pieces.push(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });

  it.each([
    ['discarded before the end', (response: NetworkResponse) => response.discard()],
    [
      'abandoned halfway',
      async (response: NetworkResponse) => {
        for await (const _ of response.body) break;
      },
    ],
  ])('%s closes its connection, and the next request succeeds', async (_how, leave) => {
    let closed: Promise<unknown> | undefined;
    server.script((_request, response, socket) => {
      closed = new Promise((resolve) => socket.once('close', resolve));
      response.write(Buffer.alloc(1_000_000));
    });
    await leave(await send());
    await closed;
    expect((await send()).status).toBe(200);
  });
});

describe('a compressed answer', () => {
  const text = 'many words, '.repeat(1000);
  it.each([
    ['gzip', zlib.gzipSync(text)],
    ['br', zlib.brotliCompressSync(text)],
    ['deflate', zlib.deflateSync(text)],
    ['identity', Buffer.from(text)],
  ])('is decompressed from %s', async (encoding, bytes) => {
    server.script(encoded(encoding, bytes));
    expect(await (await send()).text()).toBe(text);
  });

  it('can have an empty body', async () => {
    server.script((_request, response) => {
      response.writeHead(304, { 'content-encoding': 'gzip' });
      response.end();
    });
    expect(await (await send()).text()).toBe('');
  });

  it('cannot unpack to more than the allowed size', async () => {
    server.script(encoded('gzip', zlib.gzipSync(Buffer.alloc(20_000_000))));
    expect((await failureOf((await send()).text(1000))).kind).toBe('too-large');
  });

  it.each<[string, Buffer]>([
    ['larger than the limit', zlib.gzipSync(Buffer.alloc(20_000_000))],
    ['in another format than gzip', Buffer.from('not gzip at all')],
  ])('closes its connection at once when the body is %s', async (_what, bytes) => {
    let closed: Promise<void> | undefined;
    server.script((_request, response, socket) => {
      closed = new Promise((resolve) => socket.once('close', () => resolve()));
      response.writeHead(200, { 'content-encoding': 'gzip' });
      // And more to come, which never does.
      response.write(bytes);
    });
    await failureOf((await send()).text(1000));
    await closed;
  });

  it.each([
    ['truncated', 'gzip', zlib.gzipSync(text).subarray(0, 30)],
    ['other', 'gzip', Buffer.from('not gzip at all')],
    ['other', 'br', Buffer.from('not Brotli at all')],
    ['truncated', 'br', zlib.brotliCompressSync(text).subarray(0, 10)],
    ['other', 'zstd', Buffer.from('whatever')],
  ])('causes the error "%s" (%s) when damaged or in an unknown encoding', async (kind, encoding, bytes) => {
    server.script(encoded(encoding, bytes));
    expect(await failureOf((await send()).text())).toMatchObject({ kind, ran: 'maybe' });
  });
});

describe('a failure of a request', () => {
  it('means that the request did not run when svc cannot find the name', async () => {
    const failure = await failureOf(send({ url: 'https://no-such-host.invalid/' }));
    expect(failure).toMatchObject({ kind: 'dns', ran: 'no' });
    expect(failure.message).toContain('no-such-host.invalid');
  });

  it('means that the request did not run when svc cannot connect', async () => {
    const gone = await startHttpServer();
    await gone.close();
    expect(await failureOf(send({ url: gone.origin }))).toMatchObject({ kind: 'refused', ran: 'no' });
  });

  it('means that the request did not run, and has a hint, for an untrusted certificate', async () => {
    const failure = await failureOf(send({ url: (await startTls()).origin }));
    expect(failure).toMatchObject({ kind: 'tls', ran: 'no' });
    expect(failure.message).toMatch(/^This machine does not trust the certificate of localhost:\d+ \(self-signed certificate\)\.$/);
    expect(failure.hint).toContain('NODE_EXTRA_CA_CERTS');
  });

  it.each<[string, string, Answer]>([
    ['a dropped connection', 'reset', drop],
    ['a silent server', 'timeout', hang],
    ['an answer that is not HTTP', 'reset', (_request, _response, socket) => void socket.end('SSH-2.0-OpenSSH\r\n')],
  ])('means that the request may have run after %s', async (_what, kind, answer) => {
    server.script(answer);
    expect(await failureOf(send({ timeoutMs: 200 }))).toMatchObject({ kind, ran: 'maybe' });
  });

  it.each<[string, string, Answer]>([
    ['cut off', 'truncated', truncate],
    ['stalled', 'timeout', (_request, response) => void response.write('half')],
  ])('means that the request may have run when the body is %s', async (_what, kind, answer) => {
    server.script(answer);
    expect(await failureOf((await send({ timeoutMs: 200 })).text())).toMatchObject({ kind, ran: 'maybe' });
  });

  it('is reported as an oversized answer when headers never end', async () => {
    server.script((_request, _response, socket) => void socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}`));
    expect(await failureOf(send())).toMatchObject({ kind: 'too-large' });
  });

  it.each([
    ['a line break', { 'x-a': 'b\r\nc: d' }],
    ['the expectation 100-continue', { expect: '100-continue' }],
  ])('is a usage error when a header contains %s', async (_what, headers) => {
    await expect(send({ headers })).rejects.toBeInstanceOf(UsageError);
  });
});

describe('an aborted request', () => {
  it('fails with the reason of the abort before the wait, in the wait and in the read', async () => {
    const reason = new Error('stopped');
    await expect(send({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

    const waiting = new AbortController();
    server.script(() => waiting.abort(reason));
    await expect(send({ signal: waiting.signal })).rejects.toBe(reason);

    const reading = new AbortController();
    server.script((_request, response) => void response.write('half'));
    const response = await send({ signal: reading.signal });
    const text = response.text();
    reading.abort(reason);
    await expect(text).rejects.toBe(reason);
  });

  it('fails at once while the connection is not ready', async () => {
    const proxy = await startProxy('silent');
    network = createNetwork({ env: { HTTPS_PROXY: proxy.origin } });
    const reason = new Error('stopped');
    const connecting = new AbortController();
    const answer = send({ url: 'https://acme.invalid/x', signal: connecting.signal });
    await proxy.asked;
    connecting.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });
});

describe('a proxy', () => {
  it('makes a tunnel to the host, and gets no token', async () => {
    const proxy = await startProxy((await startTls()).port);
    network = createNetwork({ env: { HTTPS_PROXY: proxy.origin } });
    const failure = await failureOf(send({ url: 'https://acme.invalid/x', headers: { authorization: 'Bearer secret' } }));
    expect(failure).toMatchObject({ kind: 'tls', ran: 'no' });
    expect(proxy.connects).toEqual([{ target: 'acme.invalid:443', authorization: undefined }]);
  });

  const throughProxy = async (address: string) => {
    network = createNetwork({ env: { HTTPS_PROXY: address } });
    return failureOf(send({ url: 'https://acme.invalid/x' }));
  };
  const hostOf = (address: string) => new URL(address).host;

  it('is named with a hint when the proxy needs a password', async () => {
    const { origin } = await startProxy('refuses');
    const failure = await throughProxy(origin);
    expect(failure).toMatchObject({ kind: 'proxy', ran: 'no', hint: expect.stringContaining('http://name:password@') });
    expect(failure.message).toBe(`The proxy ${hostOf(origin)} needs a user name and a password (407).`);
  });

  it.each([
    [403, 'proxy'],
    [502, 'other'],
  ])('is reported as the cause after the answer %i', async (status, kind) => {
    const { origin } = await startProxy({ status });
    const failure = await throughProxy(origin);
    expect(failure).toMatchObject({ kind, ran: 'no' });
    expect(failure.message).toBe(`The proxy ${hostOf(origin)} did not connect svc to acme.invalid: the proxy answered ${status}.`);
  });

  it('is named in the message when svc cannot reach the proxy', async () => {
    const { origin, close } = await startProxy('silent');
    close();
    expect(await throughProxy(origin)).toMatchObject({
      kind: 'refused',
      ran: 'no',
      message: `The proxy ${hostOf(origin)} refused the connection.`,
    });
    const unknown = await throughProxy('http://ada:secret@proxy.invalid:3128');
    expect(unknown).toMatchObject({ kind: 'dns', ran: 'no' });
    expect(unknown.message).toMatch(/^DNS does not know the name of the proxy proxy\.invalid:3128/);
    expect(`${unknown.message} ${unknown.hint}`).not.toContain('secret');
  });

  it('is an HTTP proxy when its address has no scheme', async () => {
    const { origin, connects } = await startProxy('refuses');
    expect((await throughProxy(hostOf(origin))).message).toContain('407');
    expect((await throughProxy(`ada:s%40cret@${hostOf(origin)}`)).message).toContain('407');
    expect(connects.map(({ authorization }) => authorization)).toEqual([undefined, `Basic ${btoa('ada:s@cret')}`]);
  });

  it('is not used for https when set in HTTP_PROXY', async () => {
    const { origin, connects } = await startProxy('refuses');
    network = createNetwork({ env: { HTTP_PROXY: origin } });
    expect((await failureOf(send({ url: 'https://acme.invalid/x' }))).kind).toBe('dns');
    expect(connects).toEqual([]);
  });

  it.each([
    'http://',
    'ftp://proxy.example.com',
    'http://proxy:99999',
    'http://ada:100%@proxy:8080',
    'http://a%4:0b@proxy:8080',
    'my proxy',
    '://',
  ])('makes svc exit 2 with the address "%s"', async (address) => {
    network = createNetwork({ env: { https_proxy: address } });
    await expect(send({ url: 'https://acme.invalid/x' })).rejects.toMatchObject({
      name: 'UsageError',
      message: 'https_proxy is not the address of a proxy.',
    });
  });

  it.each(['socks5://proxy:1080', 'socks://ada:secret@proxy', 'socks5h://proxy:1080', 'SOCKS4A://proxy'])(
    'makes svc exit 2 without a request for the other protocol "%s"',
    async (address) => {
      network = createNetwork({ env: { HTTPS_PROXY: address } });
      await expect(send({ url: 'https://acme.invalid/x' })).rejects.toMatchObject({
        name: 'UsageError',
        message: 'HTTPS_PROXY names a SOCKS proxy, and svc supports only HTTP proxies.',
      });
    },
  );

  it.each<[string, Env]>([
    ['NO_PROXY', { NO_PROXY: '.invalid' }],
    ['no_proxy', { no_proxy: '*' }],
  ])('is not used for a host in %s', async (_name, env) => {
    const proxy = await startProxy('refuses');
    network = createNetwork({ env: { HTTPS_PROXY: proxy.origin, ...env } });
    expect((await failureOf(send({ url: 'https://acme.invalid/x' }))).kind).toBe('dns');
    expect(proxy.connects).toEqual([]);
  });

  it('is not used for this machine', async () => {
    network = createNetwork({ env: { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' } });
    expect((await send()).status).toBe(200);
  });
});

describe('a server that needs a client certificate', () => {
  // By TLS 1.3 the client may send before it hears of it, and undici then knows only that the other side closed.
  it('is reported with a hint about client certificates over TLS 1.2', async () => {
    const directory = await fs.mkdtemp(path.join(os.tmpdir(), 'svc-network-'));
    closers.push(() => fs.rm(directory, { recursive: true }));
    const certificate = path.join(directory, 'ca.pem');
    await fs.writeFile(certificate, LOCALHOST_CERTIFICATE);
    const server = await startTlsServer('safe', { requestCert: true, maxVersion: 'TLSv1.2' });
    closers.push(server.close);
    const script = path.join(import.meta.dirname, 'fixtures', 'request-once.ts');
    const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificate };
    const { stdout } = await promisify(execFile)(process.execPath, [script, server.origin], { env });
    expect(JSON.parse(stdout).result).toMatchObject({
      kind: 'tls',
      ran: 'no',
      hint: expect.stringContaining('may need a client certificate'),
    });
  });
});

describe('a svc process', () => {
  it('trusts NODE_EXTRA_CA_CERTS, checks the name, and ends despite an idle connection', async () => {
    const directory = await fs.mkdtemp(path.join(os.tmpdir(), 'svc-network-'));
    closers.push(() => fs.rm(directory, { recursive: true }));
    const certificate = path.join(directory, 'ca.pem');
    await fs.writeFile(certificate, LOCALHOST_CERTIFICATE);
    const { origin } = await startTls();
    const script = path.join(import.meta.dirname, 'fixtures', 'request-once.ts');
    const run = async (url: string) => {
      const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificate };
      return JSON.parse((await promisify(execFile)(process.execPath, [script, url], { env })).stdout);
    };
    expect(await run(origin)).toEqual({ result: { status: 200, text: 'safe' }, held: [] });
    const { result } = await run(origin.replace('localhost', '127.0.0.1'));
    expect(result).toMatchObject({ kind: 'tls', ran: 'no', message: expect.stringContaining('another name') });
  });
});

/** An HTTPS server with a certificate that nobody knows. */
async function startTls() {
  const server = await startTlsServer('safe');
  closers.push(server.close);
  return server;
}

async function startProxy(...behaviour: Parameters<typeof startTestProxy>) {
  const proxy = await startTestProxy(...behaviour);
  closers.push(proxy.close);
  return proxy;
}
