// Files sent to a service of another hand's style, as its description says; forms are read by undici.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DescribedField, DescribedOperation } from '../../src/schema/described.ts';
import { type FileService, json, startFileService } from '../support/file-service.ts';

const BYTES = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 31) & 0xff));
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const TEXT: DescribedField = { kind: 'string' };
const NUMBER: DescribedField = { kind: 'integer' };

let service: FileService;
let file: string;
beforeEach(async () => {
  service = await startFileService();
  file = `${service.home}/a "b".png`;
  await writeFile(file, BYTES);
});
afterEach(() => service.close());

const describeItems = (...operations: readonly DescribedOperation[]) => service.describe('work-items', operations);
const attach = (...more: string[]) => service.svc(['work-items', 'attach', '12', file, ...more]);
const last = () => service.requests.at(-1);

/** A file in the last form. */
async function fileIn(name: string): Promise<File> {
  const part = (await last()?.form())?.get(name);
  if (!(part instanceof File)) throw new Error(`The form has no file ${name}.`);
  return part;
}

const FORM: DescribedOperation = {
  name: 'attach',
  method: 'POST',
  path: '/work-items/{id}/attachments',
  contentType: 'multipart/form-data',
  body: { file: TEXT, name: TEXT, kind: { ...TEXT, required: true } },
};

describe('an upload in a form', () => {
  it('sends the file, its name and the typed fields in one request', async () => {
    await describeItems(FORM);
    service.answer((_, response) => json(response, 201, { id: 7, size: BYTES.length, sha256: SHA256 }));
    const result = await attach('-F', 'kind=photo');
    expect(result.code, result.stderr).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ id: 7, size: BYTES.length });
    expect(service.sent()).toEqual(['POST /work-items/12/attachments']);
    const form = await last()?.form();
    expect([form?.get('name'), form?.get('kind')]).toEqual(['a "b".png', 'photo']);
    const sent = await fileIn('file');
    expect([sent.name, sent.type]).toEqual(['a "b".png', 'image/png']);
    expect(Buffer.from(await sent.arrayBuffer())).toEqual(BYTES);
    expect(last()?.headers).toMatchObject({
      'content-length': String(last()?.bytes.length),
      'idempotency-key': expect.any(String),
    });
  });

  it('is not sent when a required field is missing, and svc names the field', async () => {
    await describeItems(FORM);
    const result = await attach();
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('-F kind=…') });
    expect(service.sent()).toEqual([]);
  });

  it('has the same bytes and Idempotency-Key when svc repeats the request', async () => {
    await describeItems(FORM);
    service.answer((_, response, socket) => (service.requests.length === 1 ? socket.destroy() : json(response, 201, { id: 7 })));
    expect(await attach('-F', 'kind=photo')).toMatchObject({ code: 0 });
    const [one, other] = service.requests;
    expect(other?.bytes.equals(one?.bytes ?? Buffer.of())).toBe(true);
    expect(other?.headers['idempotency-key']).toBe(one?.headers['idempotency-key']);
  });

  it('keeps its Idempotency-Key after a lost answer when you run the same command again', async () => {
    await describeItems(FORM);
    service.answer((_, __, socket) => socket.destroy());
    expect(await attach('-F', 'kind=photo')).toMatchObject({ code: 8, stderr: expect.stringContaining('once') });
    service.answer((_, response) => json(response, 201, { id: 7 }));
    const again = await attach('-F', 'kind=photo');
    expect(again.code, again.stderr).toBe(0);
    expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });
});

describe('an upload of plain bytes', () => {
  const BARE: DescribedOperation = {
    name: 'attach',
    method: 'PUT',
    path: '/work-items/{id}/files',
    contentType: 'application/octet-stream',
    query: { filename: TEXT, size: NUMBER },
  };

  it.each([
    ['application/octet-stream', 'application/octet-stream'],
    ['*/*', 'image/png'],
  ])('has for %s the same method, address and headers in a dry run: %s', async (contentType, sent) => {
    await describeItems({ ...BARE, contentType });
    service.answer((_, response) => void response.writeHead(204).end());
    const { stdout } = await attach('--dry-run');
    expect(await attach()).toMatchObject({ code: 0 });
    const { method, path, headers } = service.requests[0] ?? {};
    expect(headers?.['content-type']).toBe(sent);
    expect(JSON.parse(stdout)).toMatchObject({
      method,
      url: `${service.origin}/api/v2${path}`,
      headers: { 'Content-Type': sent, 'Content-Length': headers?.['content-length'] },
    });
  });

  it('sends the name and size of the file in the query', async () => {
    await describeItems(BARE);
    service.answer((_, response) => void response.writeHead(204).end());
    const result = await attach();
    expect(result.code, result.stderr).toBe(0);
    expect(service.sent()).toEqual([`PUT /work-items/12/files?filename=a+%22b%22.png&size=${BYTES.length}`]);
    expect(last()?.headers['content-type']).toBe('application/octet-stream');
    expect(last()?.bytes).toEqual(BYTES);
  });
});

const TICKET: DescribedOperation = {
  name: 'ask',
  method: 'POST',
  path: '/upload-tickets',
  body: { filename: TEXT, content_type: TEXT, byte_size: NUMBER, sha256: TEXT, work_item_id: { ...NUMBER, required: true } },
};

/** The imported API spec has tickets, and an operation to which they lead. */
async function describeTickets(method: string, path: string, contentType: string): Promise<void> {
  await service.describe('upload-tickets', [TICKET]);
  const isForm = contentType === 'multipart/form-data';
  await service.describe('uploads', [{ name: 'send', method, path, contentType, ...(isForm && { body: { file: TEXT, key: TEXT } }) }]);
}

describe('an upload with a ticket', () => {
  it('uses the address and headers of the ticket (not Authorization or Host), and the method of the API spec', async () => {
    await describeTickets('PUT', '/storage/{id}', '*/*');
    const headers = { 'Content-Type': 'application/x-thing', 'X-Upload': 'u1', Authorization: 'Bearer evil', Host: 'evil.example' };
    service.answer((request, response) =>
      request.method === 'POST'
        ? json(response, 201, { data: { id: 5, upload: { url: '/storage/5?sig=abc', headers } } })
        : json(response, 200, { data: { id: 9, size: BYTES.length } }),
    );
    const result = await attach();
    expect(result.code, result.stderr).toBe(0);
    expect(JSON.parse(service.requests[0]?.bytes.toString() ?? '')).toEqual({
      filename: 'a "b".png',
      content_type: 'image/png',
      byte_size: BYTES.length,
      sha256: SHA256,
      work_item_id: 12,
    });
    expect(service.sent()).toEqual(['POST /upload-tickets', 'PUT /storage/5?sig=abc']);
    expect(last()?.headers).toMatchObject({
      'content-type': 'application/x-thing',
      'x-upload': 'u1',
      authorization: 'Bearer a-token-for-tests',
      host: new URL(service.origin).host,
    });
    expect(last()?.bytes).toEqual(BYTES);
    // What is signed in an address is a secret.
    const history = await service.svc(['history', '--output', 'json']);
    expect(history.stdout).toContain('/storage/5');
    expect(history.stdout).not.toContain('sig=');
    const told = await attach('--debug');
    expect(told.stderr).toContain('/storage/5');
    expect(told.stderr).not.toContain('sig=');
  });

  it('sends the fields of the ticket first and the file last in a form', async () => {
    await describeTickets('POST', '/bucket', 'multipart/form-data');
    service.answer((request, response) =>
      request.path === '/upload-tickets'
        ? json(response, 201, { id: 5, url: `${service.origin}/bucket`, fields: { key: 'k/5', policy: 'p' } })
        : void response.writeHead(204).end(),
    );
    expect(await attach()).toMatchObject({ code: 0 });
    const form = await last()?.form();
    expect([...(form?.keys() ?? [])]).toEqual(['key', 'policy', 'file']);
    expect((await fileIn('file')).size).toBe(BYTES.length);
  });

  it.each([
    ['http://127.0.0.1:1/bucket?X-Sig=secret'],
    ['https://evil.example/bucket?X-Sig=secret'],
    ['//evil.example/bucket'],
    ['http://user:pw@HOST/bucket'],
  ])('stops at another origin, and sends neither token nor contents to %s', async (address) => {
    await describeTickets('POST', '/bucket', 'application/octet-stream');
    const url = address.replace('HOST', new URL(service.origin).host);
    service.answer((_, response) => json(response, 201, { id: 5, url }));
    const result = await attach();
    expect(result).toMatchObject({ code: 8, stderr: expect.stringContaining('that svc does not follow') });
    expect(result.stderr).not.toContain('secret');
    expect(service.sent()).toEqual(['POST /upload-tickets']);
  });

  it.each([
    ['no address', {}],
    ['an address that is not in the API spec', { upload_url: '/elsewhere/5', method: 'PUT' }],
    ['the address of an operation without a file', { url: '/upload-tickets' }],
  ])('stops when the ticket has %s, and sends no contents', async (_, record) => {
    await describeTickets('POST', '/up/{id}', 'application/octet-stream');
    service.answer((__, response) => json(response, 201, { id: 5, ...record }));
    expect(await attach()).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('names no address that the imported API spec describes'),
    });
    expect(service.sent()).toEqual(['POST /upload-tickets']);
  });

  it.each([
    [1, 'within 59 minutes', 59 * 60_000 - 1, undefined],
    [2, 'after 59 minutes', 59 * 60_000, undefined],
    [1, 'before the last minute of the ticket', 9 * 60_000 - 1, '2026-06-01T12:10:00Z'],
    [2, 'in the last minute of the ticket', 9 * 60_000, '2026-06-01T12:10:00Z'],
  ])('needs %i tickets for a run without an answer and a run %s', async (tickets, _, later, expires_at) => {
    await describeTickets('POST', '/up/{id}', 'application/octet-stream');
    let down = true;
    service.answer((request, response, socket) => {
      if (request.path !== '/upload-tickets') return down ? socket.destroy() : json(response, 201, { id: 7 });
      // Only the Location header has the address for the contents.
      return json(response, 201, { id: 5, ...(expires_at && { expires_at }) }, { location: `${service.origin}/api/v2/up/5` });
    });
    const now = Date.UTC(2026, 5, 1, 12);
    const argv = ['work-items', 'attach', '12', file];
    expect(await service.svc(argv, { now })).toMatchObject({ code: 8 });
    down = false;
    const again = await service.svc(argv, { now: now + later });
    expect(again.code, again.stderr).toBe(0);
    expect(service.sent().filter((line) => line === 'POST /upload-tickets')).toHaveLength(tickets);
  });

  it('stops when an earlier run used the ticket, and requests no second ticket', async () => {
    await describeTickets('POST', '/up/{id}', 'application/octet-stream');
    let down = true;
    service.answer((request, response, socket) => {
      if (request.path === '/upload-tickets') return json(response, 201, { id: 5, url: '/up/5' });
      return down ? socket.destroy() : json(response, 410, { type: 'x', title: 'Gone', status: 410 });
    });
    expect(await attach()).toMatchObject({ code: 8 });
    down = false;
    const again = await attach();
    expect(again.code, again.stderr).not.toBe(0);
    expect(await readdir(`${service.home}/.local/state/svc/uploads`)).toEqual([]);
    expect(service.sent().filter((line) => line === 'POST /upload-tickets')).toHaveLength(1);
  });
});

const OTHER_FORM = { ...FORM, body: { file: TEXT } };
const UPLOADS: DescribedOperation = { name: 'ask', method: 'POST', path: '/work-items/{id}/uploads' };

/** The address of the first request of an upload, in a dry run. Undefined if svc knows no upload. */
async function addressOf(argv: readonly string[]): Promise<string | undefined> {
  const { code, stdout, stderr } = await service.svc([...argv, '--dry-run']);
  if (code === 0) return [JSON.parse(stdout)].flat()[0].url.slice(`${service.origin}/api/v2`.length);
  expect([code, stderr]).toEqual([3, expect.stringContaining('its imported API spec does not describe the operation')]);
  return undefined;
}

describe('the operation of an upload', () => {
  it('has the record in its path, and is one request, if possible', async () => {
    const form = { ...OTHER_FORM, path: '/attachments', body: { file: TEXT, work_item_id: NUMBER } };
    const ways = [TICKET, form, UPLOADS, OTHER_FORM];
    const chosen: (string | undefined)[] = [];
    for (const count of [4, 3, 2, 1]) {
      await describeItems(...ways.slice(0, count));
      chosen.push(await addressOf(['work-items', 'attach', '12', file]));
    }
    expect(chosen).toEqual(['/work-items/12/attachments', '/work-items/12/uploads', '/attachments', '/upload-tickets']);
  });

  it.each([
    [{ ...UPLOADS, path: '/work-items/{id}/files', body: { original_filename: TEXT } }, '/work-items/12/files'],
    [{ ...UPLOADS, path: '/work-items/{id}/files', body: { title: TEXT } }, undefined],
    [{ ...UPLOADS, method: 'GET' }, undefined],
    [{ ...UPLOADS, path: '/work-items/{id}/uploads/last' }, undefined],
    [{ ...UPLOADS, path: '/work-items/uploads' }, undefined],
    [{ ...UPLOADS, path: '/projects/{id}/uploads' }, undefined],
    [{ ...OTHER_FORM, path: '/work-items/{id}/comments' }, undefined],
    [{ ...OTHER_FORM, contentType: 'application/x-www-form-urlencoded' }, undefined],
    [{ ...TICKET, path: '/files' }, '/files'],
    [{ ...TICKET, path: '/tickets' }, undefined],
    [{ ...TICKET, path: '/upload-tickets/{id}' }, undefined],
    [{ ...TICKET, body: { filename: TEXT, drive_item_id: NUMBER } }, undefined],
    [{ ...TICKET, body: {} }, undefined],
  ] as const)('for a work item can be %j: %s', async (operation, address) => {
    await describeItems(operation);
    expect(await addressOf(['work-items', 'attach', '12', file])).toBe(address);
  });

  it.each([
    [{ ...OTHER_FORM, path: '/drive-items' }, '/drive-items', undefined],
    [{ ...UPLOADS, path: '/drive-items' }, undefined, undefined],
    [{ ...UPLOADS, path: '/drive-items/uploads' }, '/drive-items/uploads', undefined],
    [{ ...UPLOADS, path: '/drive-items/uploads/last' }, undefined, undefined],
    [{ ...UPLOADS, path: '/drive-items/{id}/uploads' }, undefined, '/drive-items/7/uploads'],
    [{ ...TICKET, body: { filename: TEXT, folder_id: NUMBER } }, '/upload-tickets', undefined],
    [{ ...TICKET, body: { filename: TEXT, drive_item_id: NUMBER } }, undefined, '/upload-tickets'],
  ] as const)('for the drive or its item 7 can be %j: %s, %s', async (operation, drive, item) => {
    await service.describe('drive-items', [operation]);
    const upload = ['drive-items', 'upload', file];
    expect([await addressOf(upload), await addressOf([...upload, '--item', '7'])]).toEqual([drive, item]);
  });
});

describe('an upload without an API spec', () => {
  it.each([[['work-items', 'attach', '12']], [['drive-items', 'upload']]])(
    'makes svc send nothing, exit 3 and name svc schema import, for %j',
    async (argv) => {
      service.answer((_, response) => {
        const operations = ['POST /upload-tickets', 'POST /work-items/{id}/uploads', 'POST /drive-items/uploads'];
        json(response, 200, { data: [{ path: '/upload-tickets', operations }], links: { next: null } });
      });
      expect(await service.svc([...argv, file])).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
          /svc does not know how .* takes files: svc has no API spec of this organisation\.\n.*svc schema import .*<file>/,
        ),
      });
      expect(service.sent()).toEqual([]);
    },
  );
});

describe('an upload that fails', () => {
  beforeEach(() => describeItems({ ...FORM, body: { file: TEXT } }));

  it.each([
    [{ size: BYTES.length - 1 }, 'the file must have 199999 bytes, but has 200000'],
    [{ size: BYTES.length, sha256: 'a'.repeat(64) }, 'the SHA-256 must be aaaa'],
    [{ data: { id: 3, checksum: `sha256:${'b'.repeat(64)}` } }, 'the SHA-256 must be bbbb'],
  ])('makes svc exit 8 when %j differs from the sent file', async (record, words) => {
    service.answer((_, response) => json(response, 201, { ...('data' in record ? {} : { id: 3 }), ...record }));
    expect(await attach()).toMatchObject({ code: 8, stderr: expect.stringContaining(words) });
  });

  it.each([
    [413, 9],
    [401, 4],
    [403, 5],
    [422, 9],
    [503, 8],
  ])('after the status %d makes svc exit with code %d', async (status, code) => {
    service.answer((_, response) => json(response, status, { title: 'No', status }, { 'content-type': 'application/problem+json' }));
    expect(await attach()).toMatchObject({ code });
  });

  it('makes svc exit 9 after a refusal before the last byte', async () => {
    const early = http.createServer((incoming, response) => {
      incoming.resume();
      json(response, 413, { title: 'Too large', status: 413 }, { 'content-type': 'application/problem+json' });
    });
    early.listen(0, '127.0.0.1');
    await once(early, 'listening');
    const large = `${service.home}/large.bin`;
    await writeFile(large, Buffer.alloc(8_000_000));
    const SVC_HOST = `127.0.0.1:${(early.address() as AddressInfo).port}`;
    const argv = ['api', 'POST', '/x', '--input', large, '-H', 'Content-Type: application/octet-stream'];
    expect(await service.svc(argv, { env: { SVC_HOST } })).toMatchObject({ code: 9 });
    early.closeAllConnections();
    early.close();
  });

  it('makes svc exit 10 when one of several files fails', async () => {
    const other = `${service.home}/other.txt`;
    await writeFile(other, 'x');
    service.answer(async (request, response) => {
      const { name } = (await request.form()).get('file') as File;
      json(response, name === 'other.txt' ? 413 : 201, name === 'other.txt' ? { title: 'Too large', status: 413 } : { id: 1 });
    });
    const result = await attach(other);
    expect(result).toMatchObject({ code: 10, stderr: expect.stringContaining('1 of 2 files was sent') });
    expect(JSON.parse(result.stdout)).toMatchObject([{ id: 1 }, { file_name: 'other.txt', error: expect.any(String) }]);
  });
});

describe('svc api with fields and files', () => {
  it.each([[['--form']], [['-H', 'Content-Type: multipart/form-data']]])('sends a form with texts and files for %j', async (flags) => {
    service.answer((_, response) => json(response, 201, { id: 1 }));
    const argv = ['api', 'POST', '/anything', ...flags, '-f', 'n=1', '-F', 'on=true', '-F', `up[]=@${file}`, '-F', 'in=@-'];
    const result = await service.svc(argv, { stdin: 'from stdin' });
    expect(result.code, result.stderr).toBe(0);
    const form = await last()?.form();
    expect([form?.get('n'), form?.get('on'), (await fileIn('up[]')).name]).toEqual(['1', 'true', 'a "b".png']);
    expect(await (await fileIn('in')).text()).toBe('from stdin');
    expect(last()?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=[\w-]+$/);
  });

  it('sends the text of a file in JSON for -F name=@file without --form', async () => {
    await writeFile(file, 'text');
    service.answer((_, response) => json(response, 201, { id: 1 }));
    await service.svc(['api', 'POST', '/anything', '-F', `file=@${file}`]);
    expect(last()?.bytes.toString()).toBe('{"file":"text"}');
  });

  it.each([
    [['GET', '/x', '--form', '-f', 'a=1'], 'has no body'],
    [['POST', '/x', '--form'], 'needs fields'],
    [['POST', '/x', '--form', '-f', 'a=1', '--input', '-'], 'You cannot use --input and --form together'],
    [['POST', '/x', '--form', '-F', 'a=@nothing-there'], 'There is no file'],
  ])('refuses the flags in %j', async (argv, words) => {
    expect(await service.svc(['api', ...argv])).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(service.sent()).toEqual([]);
  });

  it('prints an answer that is not JSON unchanged', async () => {
    const pieces: string[] = [];
    service.answer(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.from('a\u0000b')),
    );
    await service.svc(['api', '/x/content'], { onStdout: (text) => pieces.push(text) });
    expect(pieces.join('')).toBe('a\u0000b');
  });
});
