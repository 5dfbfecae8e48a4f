// Files that come from a service of another hand's style: cut off, lying, with names that nobody should trust.
import { createHash } from 'node:crypto';
import { chmod, lchown, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { InterruptedError } from '../../src/errors.ts';
import { type FileRequest, type FileService, json, startFileService } from '../support/file-service.ts';

const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 17) & 0xff));
const DIGEST = createHash('sha256').update(BYTES).digest('base64');

let service: FileService;
let out: string;
beforeEach(async () => {
  service = await startFileService();
  out = `${service.home}/out`;
  await mkdir(out);
});
afterEach(() => service.close());

type Serve = (request: FileRequest, response: ServerResponse, socket: { destroy(): void }) => unknown;

/** A drive item whose contents an operation gives. */
async function serving(serve: Serve, record: object = {}): Promise<void> {
  await service.describe('drive-items', [{ name: 'contents', method: 'GET', path: '/drive-items/{id}/content' }]);
  service.answer((request, response, socket) =>
    request.path === '/drive-items/3'
      ? json(response, 200, { data: { id: 3, name: 'Offer.pdf', ...record } })
      : serve(request, response, socket),
  );
}

async function* seen(pieces: AsyncIterable<Uint8Array>, onPiece: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    onPiece();
  }
}

const download = (...more: string[]) => service.svc(['drive-items', 'download', '3', '--out', out, ...more]);
const contents = () => service.requests.filter(({ path }) => path.endsWith('/content'));
const whole =
  (headers: Readonly<Record<string, string>> = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-length': String(BYTES.length), ...headers }).end(BYTES);

/** Sends a part, and breaks off. */
function cut(response: ServerResponse, socket: { destroy(): void }, to: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-length': String(BYTES.length), ...headers });
  response.write(BYTES.subarray(0, to), () => setImmediate(() => socket.destroy()));
}

const RANGES = { etag: '"v1"', 'accept-ranges': 'bytes' };

/** Answers a Range as RFC 9110 has it. */
function ranged(request: FileRequest, response: ServerResponse, headers: Readonly<Record<string, string>> = RANGES): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const range = { 'content-range': `bytes ${from}-${BYTES.length - 1}/${BYTES.length}` };
  response.writeHead(from > 0 ? 206 : 200, { ...headers, ...(from > 0 && range), 'content-length': String(BYTES.length - from) });
  response.end(BYTES.subarray(from));
}

describe('the contents of a file', () => {
  it('are stored under the name of the record when the digest matches', async () => {
    await serving(whole({ 'repr-digest': `sha-256=:${DIGEST}:` }));
    const result = await download();
    expect(result.code, result.stderr).toBe(0);
    expect(await readFile(`${out}/Offer.pdf`)).toEqual(BYTES);
    expect(JSON.parse(result.stdout)).toMatchObject({ drive_item_id: 3, file: `${out}/Offer.pdf`, size: BYTES.length });
    expect(contents()[0]?.headers).toMatchObject({ authorization: 'Bearer a-token-for-tests', 'accept-encoding': 'identity' });
  });

  it('are requested from the address in the record', async () => {
    service.answer((request, response, socket) => {
      if (request.path === '/drive-items/3')
        return json(response, 200, { id: 3, download_url: `${service.origin}/store/3?sig=x`, name: 'n' });
      return request.path === '/store/3?sig=x' ? whole()(request, response) : socket.destroy();
    });
    expect(await download()).toMatchObject({ code: 0 });
    expect(await readFile(`${out}/n`)).toEqual(BYTES);
  });

  it.each([['https://evil.example/3'], ['http://127.0.0.1:9/3']])('are not requested from another origin (%s)', async (download_url) => {
    service.answer((_, response) => json(response, 200, { id: 3, name: 'n', download_url }));
    expect(await download()).toMatchObject({ code: 8, stderr: expect.stringContaining('that svc does not follow') });
    expect(await readdir(out)).toEqual([]);
  });

  it('are not requested from another origin after a redirect', async () => {
    await serving((_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/x' }).end());
    expect(await download()).toMatchObject({ code: 8, stderr: expect.stringContaining('that svc does not follow') });
  });

  it.each([
    ['no address in the answers', {}, []],
    ['a path without an origin in the record', { download_url: '/store/3' }, []],
    ['only an address in discovery', {}, ['GET /drive-items/{id}/files/{file}/content']],
  ])('are not requested with %s: svc exits 3 and prints svc schema import', async (_, record, operations) => {
    service.answer((request, response) => {
      const listed = { data: [{ path: '/drive-items', operations }], links: { next: null } };
      if (request.path === '/') return json(response, 200, listed);
      const files = { data: [{ id: 1, file_name: 'a', ...record }], meta: { page: {} }, links: { next: null } };
      return json(response, 200, request.path.includes('/files') ? files : { id: 3, ...record });
    });
    expect(await download()).toMatchObject({ code: 3, stderr: expect.stringContaining('svc schema import') });
    expect(contents()).toEqual([]);
  });

  it('are the only output on stdout with --out -', async () => {
    await serving((_, response) => void response.writeHead(200, { 'content-length': '5' }).end('hallo'));
    expect(await service.svc(['drive-items', 'download', '3', '--out', '-'])).toMatchObject({ code: 0, stdout: 'hallo' });
  });
});

describe('a broken download', () => {
  it('continues from the last byte after each of eight breaks', async () => {
    await serving((request, response, socket) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      if (contents().length > 8) return ranged(request, response);
      const to = from + 20_000;
      const range = from > 0 ? { 'content-range': `bytes ${from}-${BYTES.length - 1}/${BYTES.length}` } : {};
      response.writeHead(from > 0 ? 206 : 200, { ...RANGES, ...range, 'content-length': String(BYTES.length - from) });
      response.write(BYTES.subarray(from, to), () => setImmediate(() => socket.destroy()));
    });
    const result = await download();
    expect(result.code, result.stderr).toBe(0);
    expect(await readFile(`${out}/Offer.pdf`)).toEqual(BYTES);
    expect(contents().length).toBeGreaterThan(8);
    expect(
      new Set(
        contents()
          .slice(1)
          .map(({ headers }) => headers['if-range']),
      ),
    ).toEqual(new Set(['"v1"']));
  });

  it('leaves a partial file that another run resumes, if the service supports ranges', async () => {
    let down = true;
    await serving((request, response, socket) => {
      if (!down) return ranged(request, response);
      return contents().length === 1 ? cut(response, socket, 150_000, RANGES) : socket.destroy();
    });
    expect(await download()).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/The same command resumes the download after the first \d+ bytes/),
    });
    expect(await readdir(out)).toEqual([expect.stringMatching(/^\.Offer\.pdf\.[0-9a-f]{12}\.part$/)]);
    down = false;
    const before = contents().length;
    const result = await download();
    expect(result.code, result.stderr).toBe(0);
    expect(await readFile(`${out}/Offer.pdf`)).toEqual(BYTES);
    expect(await readdir(out)).toEqual(['Offer.pdf']);
    expect(
      contents()
        .slice(before)
        .map(({ headers }) => headers.range),
    ).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  });

  it.runIf(process.getuid?.() === 0)('ignores a partial file of another user (skipped except for root)', async () => {
    let down = true;
    await serving((request, response, socket) => {
      if (!down) return ranged(request, response);
      return contents().length === 1 ? cut(response, socket, 150_000, RANGES) : socket.destroy();
    });
    await download();
    const [part = ''] = await readdir(out);
    await writeFile(`${out}/${part}`, 'Theirs.');
    await lchown(`${out}/${part}`, 61_002, 61_002);
    down = false;
    expect(await download()).toMatchObject({ code: 0 });
    expect(await readFile(`${out}/Offer.pdf`)).toEqual(BYTES);
    expect(await readdir(out)).toEqual(['Offer.pdf']);
  });

  it.runIf(process.platform !== 'win32')('ignores a partial file that another user can write', async () => {
    let down = true;
    await serving((request, response, socket) => {
      if (!down) return ranged(request, response);
      return contents().length === 1 ? cut(response, socket, 150_000, RANGES) : socket.destroy();
    });
    await download();
    const [part = ''] = await readdir(out);
    await writeFile(`${out}/${part}`, 'Theirs.');
    await chmod(`${out}/${part}`, 0o602);
    down = false;
    expect(await download()).toMatchObject({ code: 0 });
    expect((await readFile(`${out}/Offer.pdf`)).equals(BYTES)).toBe(true);
  });

  it.each([
    ['from another first byte', { etag: '"v1"', 'content-range': `bytes 1000-${BYTES.length - 1}/${BYTES.length}` }],
    ['with another ETag', { etag: '"v2"' }],
  ])('restarts when the service sends a range %s', async (_, other) => {
    await serving((request, response, socket) => {
      if (contents().length === 1) return cut(response, socket, 150_000, RANGES);
      if (contents().length > 2) return whole(RANGES)(request, response);
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]);
      const range = { 'content-range': `bytes ${from}-${BYTES.length - 1}/${BYTES.length}`, ...other };
      response.writeHead(206, { 'accept-ranges': 'bytes', ...range }).end(Buffer.alloc(BYTES.length - from, 'x'));
    });
    expect(await download()).toMatchObject({ code: 0 });
    expect((await readFile(`${out}/Offer.pdf`)).equals(BYTES)).toBe(true);
    expect(contents().map(({ headers: { range } }) => range)).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]/), undefined]);
  });

  it('leaves a partial file after Ctrl-C', async () => {
    const controller = new AbortController();
    await serving((_, response) => {
      response.writeHead(200, { ...RANGES, 'content-length': String(BYTES.length) });
      response.write(BYTES.subarray(0, 100_000));
    });
    const around = (deps: Deps): Deps => ({
      ...deps,
      files: {
        ...deps.files,
        writePieces: (path, pieces, from) =>
          deps.files.writePieces(
            path,
            seen(pieces, () => controller.abort(new InterruptedError('Interrupted.'))),
            from,
          ),
      },
    });
    const result = await service.svc(['drive-items', 'download', '3', '--out', out], { signal: controller.signal, around });
    expect(result.code).toBe(130);
    expect(await readdir(out)).toEqual([expect.stringMatching(/\.part$/)]);
  });

  it.each([
    ['no ETag', {}],
    ['a weak ETag', { etag: 'W/"v1"', 'accept-ranges': 'bytes' }],
    ['no ranges', { etag: '"v1"' }],
  ])('restarts from the first byte when the service sends %s', async (_, headers) => {
    await serving((request, response, socket) =>
      contents().length < 3 ? cut(response, socket, 150_000, headers) : whole(headers)(request, response),
    );
    expect(await download()).toMatchObject({ code: 0 });
    expect(contents().map(({ headers: { range } }) => range)).toEqual([undefined, undefined, undefined]);
    expect(await readFile(`${out}/Offer.pdf`)).toEqual(BYTES);
    expect(await readdir(out)).toEqual(['Offer.pdf']);
  });

  it('leaves no partial file when the service supports no ranges', async () => {
    await serving((_, response, socket) => cut(response, socket, 150_000));
    expect(await download()).toMatchObject({ code: 8 });
    expect(await readdir(out)).toEqual([]);
    // svc stops after five failures without a new byte to keep.
    expect(contents()).toHaveLength(5);
  });

  it('restarts and stores the new contents when the file changes', async () => {
    const next = Buffer.alloc(1000, 'n');
    await serving((_, response, socket) =>
      contents().length === 1
        ? cut(response, socket, 150_000, RANGES)
        : void response.writeHead(200, { ...RANGES, etag: '"v2"', 'content-length': '1000' }).end(next),
    );
    expect(await download()).toMatchObject({ code: 0 });
    expect(await readFile(`${out}/Offer.pdf`)).toEqual(next);
  });

  it('makes svc exit 8 with --out - when the service supports no ranges', async () => {
    await serving((_, response, socket) => cut(response, socket, 150_000));
    expect(await service.svc(['drive-items', 'download', '3', '--out', '-'])).toMatchObject({ code: 8 });
    expect(contents()).toHaveLength(1);
  });
});

describe('a file that differs from its record', () => {
  it.each([
    ['Repr-Digest', { 'repr-digest': `sha-256=:${createHash('sha256').update('x').digest('base64')}:` }, {}],
    ['Digest', { digest: `SHA-256=${createHash('sha256').update('x').digest('base64')}` }, {}],
    ['the record’s digest', {}, { sha256: 'c'.repeat(64) }],
    ['the record’s size', {}, { size: 17 }],
  ])('is not stored, and svc exits 8, when the contents differ from %s', async (_, headers, record) => {
    await serving(whole({ ...RANGES, ...headers }), record);
    expect(await download()).toMatchObject({ code: 8, stderr: expect.stringContaining('differs from the file of the service') });
    expect(await readdir(out)).toEqual([]);
  });

  it('is accepted when only compression changed the length', async () => {
    const packed = gzipSync(BYTES);
    await serving(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(packed.length) }).end(packed),
    );
    expect(await download()).toMatchObject({ code: 0 });
    expect(await readFile(`${out}/Offer.pdf`)).toEqual(BYTES);
  });
});

describe('a missing target directory', () => {
  it.each([
    [['--out', 'HOME/nowhere/x'], 'is not a directory'],
    [['--out', 'HOME/nowhere/'], 'is not a directory'],
  ])('is not created for %j, and svc exits 2', async (argv, words) => {
    await serving(whole());
    const result = await service.svc(['drive-items', 'download', '3', ...argv.map((word) => word.replace('HOME', service.home))]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(await readdir(service.home)).not.toContain('nowhere');
  });
});

describe('the name of a download', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\win.ini', 'win.ini'],
    ['/etc/shadow', 'shadow'],
    ['..', 'file-3'],
    ['.bashrc', '_bashrc'],
    ['-rf', '_rf'],
    ['con.txt', '_con.txt'],
    ['LPT1', '_LPT1'],
    ['a\u001b[31mb\u0000.txt', 'a[31mb.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['a:b|c?.txt', 'a_b_c_.txt'],
    ['trail. . ', 'trail'],
    [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(196)}.pdf`],
    ['', 'Offer.pdf'],
  ])('for the name %j in the header is %j', async (told, name) => {
    await serving(whole({ 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(told)}` }));
    const result = await download();
    expect(result.code, result.stderr).toBe(0);
    expect(await readdir(out)).toEqual([name]);
    expect(await readdir(service.home)).not.toContain('passwd');
  });

  it('is not used without --force when a link has that name', async () => {
    await writeFile(`${service.home}/mine`, 'mine');
    await symlink(`${service.home}/mine`, `${out}/Offer.pdf`);
    await serving(whole());
    expect(await download()).toMatchObject({ code: 1 });
    expect(await download('--force')).toMatchObject({ code: 0 });
    expect(await readFile(`${service.home}/mine`, 'utf8')).toBe('mine');
    expect(await readFile(`${out}/Offer.pdf`)).toEqual(BYTES);
  });

  it('is used once when two names differ only in letter case, even with --force', async () => {
    await service.describe('drive-items', [{ name: 'contents', method: 'GET', path: '/drive-items/{id}/files/{file}/content' }]);
    service.answer((request, response) => {
      if (request.path.endsWith('/content')) return void response.writeHead(200).end(request.path);
      if (!request.path.includes('/files')) return json(response, 200, { id: 3 });
      const data = [
        { id: 1, file_name: 'a.txt' },
        { id: 2, file_name: 'A.txt' },
      ];
      return json(response, 200, { data, meta: { page: { total: 2 } }, links: { next: null } });
    });
    expect(await download('--force', '--parallel', '1')).toMatchObject({ code: 0 });
    expect((await readdir(out)).sort()).toEqual(['A (2).txt', 'a.txt']);
  });
});
