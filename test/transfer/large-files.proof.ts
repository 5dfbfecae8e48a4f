// A file of 300 MB goes up and comes down in a process whose memory does not grow with it.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { json } from '../support/file-service.ts';

const SIZE = 300_000_000;
/** In kB. Node with svc in it takes about 110,000; the file is nearly three times the bound. */
const MOST_MEMORY = 220_000;
const MAIN = new URL('../../src/main.ts', import.meta.url).pathname;

const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
const RECORD = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const ITEM = { name: 'item', in: 'path', required: true, schema: { type: 'integer' } };
const SPEC = {
  openapi: '3.1.0',
  info: { title: 'Files', version: '1' },
  paths: {
    '/work-items': {
      get: { responses: { 200: { description: 'Some', content: { 'application/json': { schema: { type: 'array', items: RECORD } } } } } },
    },
    '/upload-tickets': {
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { file_name: { type: 'string' }, work_item_id: { type: 'integer' } } },
            },
          },
        },
        responses: { 201: { description: 'Made' } },
      },
    },
    '/upload-tickets/contents': { post: { requestBody: { content: BYTES }, responses: { 201: { description: 'Made' } } } },
    '/drive-items/{item}': {
      parameters: [ITEM],
      get: { responses: { 200: { description: 'One', content: { 'application/json': { schema: RECORD } } } } },
    },
    '/drive-items/{item}/content': { parameters: [ITEM], get: { responses: { 200: { description: 'It', content: BYTES } } } },
  },
};

let home: string;
let file: string;
let digest: string;
let server: http.Server;
let received = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-large-'));
  file = join(home, 'large.bin');
  const hash = createHash('sha256');
  const writing = createWriteStream(file);
  for (let at = 0; at < SIZE; at += 1_000_000) {
    const piece = Buffer.alloc(1_000_000, createHash('sha256').update(String(at)).digest());
    hash.update(piece);
    if (!writing.write(piece)) await once(writing, 'drain');
  }
  writing.end();
  await once(writing, 'finish');
  digest = hash.digest('hex');
  server = http.createServer((incoming, response) => void serve(incoming, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(home, { recursive: true, force: true });
});

async function serve(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const path = (incoming.url ?? '').replace('/api/v2', '');
  if (incoming.method === 'POST' && path === '/upload-tickets') {
    incoming.resume();
    return json(response, 201, { id: 1, upload_url: '/upload-tickets/contents' });
  }
  if (incoming.method === 'POST') {
    const hash = createHash('sha256');
    for await (const piece of incoming) hash.update(piece as Buffer);
    received = hash.digest('hex');
    return json(response, 201, { id: 2, sha256: received });
  }
  if (path === '/openapi.json') return json(response, 200, SPEC);
  if (path.endsWith('/content')) {
    response.writeHead(200, {
      'content-length': String(SIZE),
      'repr-digest': `sha-256=:${Buffer.from(digest, 'hex').toString('base64')}:`,
    });
    createReadStream(file).pipe(response);
    return undefined;
  }
  return json(response, 200, { data: { id: 3, name: 'large.bin' } });
}

/** Runs svc from source and gives its exit code and the most memory that it held, in kB. */
async function svc(...argv: string[]): Promise<{ readonly code: number; readonly memory: number; readonly stderr: string }> {
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const told = `process.on('exit',()=>process.stderr.write('\\nMEMORY '+process.resourceUsage().maxRSS))`;
  const env = { PATH: process.env['PATH'], HOME: home, SVC_HOST: host, SVC_TOKEN: 'a-token-for-tests' };
  const run = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(told)}`, MAIN, ...argv], { env, cwd: home });
  let stderr = '';
  run.stdout.resume();
  run.stderr.on('data', (piece) => {
    stderr += String(piece);
  });
  const [code] = await once(run, 'close');
  return { code: Number(code), memory: Number(/MEMORY (\d+)/.exec(stderr)?.[1]), stderr };
}

it('svc imports the API spec of the service', async () => {
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await svc('schema', 'import', `http://${host}/api/v2/openapi.json`, '--yes');
  expect(code, stderr).toBe(0);
});

it('svc uploads a file of 300 MB with less than 220 MB of memory', async () => {
  const { code, memory, stderr } = await svc('work-items', 'attach', '12', file);
  expect(code, stderr).toBe(0);
  expect(received).toBe(digest);
  expect(memory).toBeLessThan(MOST_MEMORY);
});

it('svc api uploads a file of 300 MB in a form with less than 220 MB of memory', async () => {
  const { code, memory, stderr } = await svc('api', 'POST', '/anything', '--form', '-F', `file=@${file}`);
  expect(code, stderr).toBe(0);
  expect(memory).toBeLessThan(MOST_MEMORY);
});

it('svc downloads a file of 300 MB with less than 220 MB of memory', async () => {
  const { code, memory, stderr } = await svc('drive-items', 'download', '3', '--out', 'got.bin');
  expect(code, stderr).toBe(0);
  expect((await stat(join(home, 'got.bin'))).size).toBe(SIZE);
  expect(memory).toBeLessThan(MOST_MEMORY);
});
