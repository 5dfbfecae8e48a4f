// Answers that would never end, or fill the memory: each is exit 8 within its bound.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svcBinary } from '../support/binary.ts';

const PEAK = join(import.meta.dirname, 'fixtures', 'peak-memory.ts');

const svc = svcBinary();
let home: string;
let server: Server;
const sockets = new Set<Socket>();
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-home-'));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server.close();
  await rm(home, { recursive: true, force: true });
});

/** Runs svc against a server that does this once a request came. A PATCH is sent once, whatever becomes of it. */
async function run(
  answer: (socket: Socket) => void,
  argv: readonly string[] = ['api', 'PATCH', '/worklogs/1', '-F', 'minutes=5', '--timeout', '1s'],
) {
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const peak = join(home, 'peak');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { SVC_HOST: host, SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file', PEAK_MEMORY: peak };
  const result = await svc.run(argv, { home, env, preload: [PEAK] });
  return { ...result, megabytes: Number(await readFile(peak, 'utf8')) / 1000 };
}

interface Endless {
  /** What comes before it. */
  readonly head?: string;
  /** Between two of it; not given: as fast as it is read. */
  readonly pauseMs?: number;
}

/** Writes a text again and again. */
const endlessly =
  (text: string, { head = '', pauseMs }: Endless) =>
  (socket: Socket) => {
    socket.write(head);
    if (pauseMs !== undefined) {
      const timer = setInterval(() => socket.write(text), pauseMs);
      socket.once('close', () => clearInterval(timer));
      return;
    }
    const many = text.repeat(10_000);
    const pump = () => {
      while (!socket.destroyed && socket.write(many));
    };
    socket.on('drain', pump);
    pump();
  };

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;

describe('an answer', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['when its headers arrive byte by byte', 'did not answer within 1 s', endlessly('a', { head: `${HEAD}x: `, pauseMs: 20 })],
    ['after endless early hints', 'did not answer within 1 s', endlessly('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', {})],
    [
      'when its body arrives byte by byte',
      'did not complete its answer within 1 s',
      endlessly('1\r\n \r\n', { head: CHUNKED, pauseMs: 20 }),
    ],
    ['after endless single bytes', 'did not complete its answer within 1 s', endlessly('1\r\n \r\n', { head: CHUNKED })],
  ])('makes svc exit 8 within the time limit %s', async (_what, words, answer) => {
    const result = await run(answer);
    expect(result).toMatchObject({ code: 8, stdout: '', stderr: expect.stringContaining(words) });
    expect(result.megabytes).toBeLessThan(200);
  });

  it('with a slow file makes svc exit 8 only when no byte arrives within --timeout', async () => {
    const FILE = 'HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\ncontent-length: 40\r\n\r\n';
    const get = ['api', '/files/1/content', '--timeout', '1s'];
    const dripping = (bytes: number) => (socket: Socket) => {
      socket.write(FILE);
      let sent = 0;
      const timer = setInterval(() => {
        socket.write('a');
        sent += 1;
        if (sent === bytes) clearInterval(timer);
      }, 50);
      socket.once('close', () => clearInterval(timer));
    };
    expect(await run(dripping(40), get)).toMatchObject({ code: 0, stdout: 'a'.repeat(40), stderr: '' });
    server.close();
    expect(await run(dripping(39), get)).toMatchObject({
      code: 8,
      stdout: 'a'.repeat(39),
      stderr: expect.stringContaining('carried no data for'),
    });
  });

  it('makes svc exit 8 at 64 MiB when compressed bytes expand to a huge text', async () => {
    const bomb = gzipSync(Buffer.alloc(400_000_000));
    const result = await run(
      (socket) => {
        socket.write(`${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.byteLength}\r\n\r\n`);
        socket.write(bomb);
      },
      ['me'],
    );
    expect(result).toMatchObject({ code: 8, stdout: '', stderr: expect.stringContaining('more than 64 MiB') });
    expect(result.megabytes).toBeLessThan(200);
  });

  it('makes svc exit 8 when 100 pages in a row are empty', async () => {
    let page = 0;
    const pages = (socket: Socket) => {
      page += 1;
      const body = `{"data":[],"links":{"next":"/api/v2/worklogs?cursor=${page}"}}`;
      socket.write(`${HEAD}content-length: ${body.length}\r\n\r\n${body}`);
    };
    const result = await run(
      (socket) => {
        pages(socket);
        socket.on('data', () => pages(socket));
      },
      ['worklogs', 'list'],
    );
    expect(result).toMatchObject({ code: 8, stderr: expect.stringContaining('sent 100 pages in a row without a record') });
    expect(result.megabytes).toBeLessThan(200);
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('passes through svc api with a hundred thousand nested %s, and makes svc api --jq exit 8', async (_what, open, close) => {
    const body = `{"data":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
    const answer = (socket: Socket) => socket.end(`${HEAD}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const passed = await run(answer, ['api', '/me']);
    expect(passed).toMatchObject({ code: 0, stdout: `${body}\n`, stderr: '' });
    expect(passed.megabytes).toBeLessThan(200);
    server.close();
    const asked = await run(answer, ['api', '/me', '--jq', '.data']);
    expect(asked).toMatchObject({ code: 8, stderr: expect.stringContaining('nested deeper than svc reads') });
    expect(asked.megabytes).toBeLessThan(200);
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('makes svc me exit 8 with a hundred thousand nested %s', async (_what, open, close) => {
    const body = `{"data":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
    const result = await run((socket) => socket.end(`${HEAD}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`), ['me']);
    expect(result).toMatchObject({ code: 8, stdout: '', stderr: expect.stringContaining('nested deeper than svc reads') });
    expect(result.megabytes).toBeLessThan(200);
  });
});
