// A file takes as long as it takes, as long as it moves; everything else is bounded as a whole. Time is turned by hand.
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Network, NetworkRequest } from '../../src/deps.ts';
import { createNetwork } from '../../src/system/network.ts';

const TIMEOUT = 10_000;
const NEARLY = 9_000;

let network: Network;
let server: net.Server;
let socket: Promise<Socket>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  network = createNetwork({ env: {} });
  server = net.createServer((made) => void made.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = once(server, 'connection').then(([made]) => made as Socket);
});
afterEach(async () => {
  vi.useRealTimers();
  await network.close();
  (await socket).destroy();
  server.close();
});

function send(extra: Partial<NetworkRequest> = {}) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  return network.request({ method: 'GET', url, headers: {}, timeoutMs: TIMEOUT, transfer: true, ...extra });
}

const head = (type: string, status = 200) => `HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;

/** Lets the event loop run until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe('a download', () => {
  it('continues while bytes arrive, and fails after ten silent seconds', async () => {
    const answer = send();
    const service = await socket;
    await once(service, 'data');
    service.write(head('application/pdf'));
    const pieces = (await answer).body[Symbol.asyncIterator]();
    for (let piece = 0; piece < 5; piece += 1) {
      vi.advanceTimersByTime(NEARLY);
      service.write('1\r\na\r\n');
      expect((await pieces.next()).done).toBe(false);
    }
    const silence = pieces.next();
    vi.advanceTimersByTime(TIMEOUT);
    await expect(silence).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^The connection to .* carried no data for 10 s\.$/),
    });
  });

  it.each<[string, string, Partial<NetworkRequest>]>([
    ['JSON', head('application/json; charset=utf-8'), {}],
    ['a problem', head('application/problem+json', 500), {}],
    ['an error page', head('text/html', 502), {}],
    ['a request that expects no file', head('application/pdf'), { transfer: false }],
  ])('has one time limit in total for %s', async (_what, text, extra) => {
    const answer = send(extra);
    const service = await socket;
    await once(service, 'data');
    service.write(text);
    const pieces = (await answer).body[Symbol.asyncIterator]();
    vi.advanceTimersByTime(NEARLY);
    service.write('1\r\na\r\n');
    await pieces.next();
    const rest = pieces.next();
    vi.advanceTimersByTime(TIMEOUT - NEARLY);
    await expect(rest).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('did not complete its answer within 10 s'),
    });
  });
});

describe('an upload', () => {
  const body = Buffer.alloc(60_000_000, 'x');

  /** Reads so much of it, while no time passes. */
  async function read(service: Socket, bytes: number): Promise<void> {
    const before = service.bytesRead;
    service.resume();
    await until(() => service.bytesRead - before >= bytes);
    service.pause();
  }

  it('continues while bytes leave, and waits the full time for the answer', async () => {
    const answer = send({ method: 'POST', body });
    const service = await socket;
    for (let round = 0; round < 4; round += 1) {
      await read(service, 10_000_000);
      vi.advanceTimersByTime(NEARLY);
    }
    service.resume();
    await until(() => service.bytesRead > body.byteLength);
    vi.advanceTimersByTime(NEARLY);
    service.write(`${head('application/json')}2\r\n{}\r\n0\r\n\r\n`);
    expect(await (await answer).text()).toBe('{}');
  });

  it('fails when no byte leaves for ten seconds', async () => {
    const answer = send({ method: 'POST', body });
    const service = await socket;
    await read(service, 10_000_000);
    const before = service.bytesRead;
    // What still fits on the way.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(TIMEOUT);
    await expect(answer).rejects.toMatchObject({ kind: 'timeout', ran: 'maybe', message: expect.stringContaining('carried no data for') });
    expect(before).toBeLessThan(body.byteLength);
  });

  it('has one time limit in total for a body that is not a file', async () => {
    const answer = send({ method: 'POST', body, transfer: false });
    const service = await socket;
    await read(service, 10_000_000);
    vi.advanceTimersByTime(NEARLY);
    await read(service, 10_000_000);
    vi.advanceTimersByTime(TIMEOUT - NEARLY);
    await expect(answer).rejects.toMatchObject({ kind: 'timeout', message: expect.stringContaining('did not answer within 10 s') });
  });
});
