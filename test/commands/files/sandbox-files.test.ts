// Files to and from the sandbox, in each interpretation of uploads.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deps } from '../../../src/deps.ts';
import { startSandbox } from '../../../src/sandbox/start.ts';
import { sent } from '../../support/sent.ts';
import { createMachine, type Machine, type SignedIn, signedIn } from '../../support/svc.ts';

let here: SignedIn;
/** Bytes that are not valid UTF-8. */
const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7 + (index >> 8)) & 0xff));

beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
  await importSpec(here);
  await mkdir(`${here.home}/in`);
  await writeFile(`${here.home}/in/photo.png`, BYTES);
  await writeFile(`${here.home}/in/notes.txt`, 'notes');
});
afterAll(() => here.remove());

/** Imports the API spec of the sandbox. */
async function importSpec(machine: Pick<Machine, 'svc'>): Promise<void> {
  const { stdout } = await machine.svc(['api', '/openapi.json']);
  expect(await machine.svc(['schema', 'import', '-'], { stdin: stdout })).toMatchObject({ code: 0 });
}

async function svc(...argv: string[]) {
  const result = await here.svc(argv);
  expect(result.code, result.stderr).toBe(0);
  return result;
}

const requests = () => sent(here.sandbox).filter((line) => !line.startsWith('GET /api/v2/ ') && line !== 'GET /api/v2/');

describe('svc work-items attach', () => {
  it('requests an upload ticket with the file’s name and type, and uploads the bytes to this ticket (rules 13.75, 18.21)', async () => {
    here.sandbox.requests.length = 0;
    const { stdout } = await svc('work-items', 'attach', 'ABC-12', `${here.home}/in/photo.png`);
    expect(JSON.parse(stdout)).toMatchObject({ file_name: 'photo.png', mime_type: 'image/png', size: BYTES.length });
    expect(requests()[0]).toBe('POST /api/v2/work-items/ABC-12/uploads {"file_name":"photo.png","mime_type":"image/png"}');
    expect(here.sandbox.requests.at(-1)).toMatchObject({ path: expect.stringMatching(/^\/api\/v2\/uploads\/\d+$/), status: 201 });
    expect(here.sandbox.requests.at(-1)?.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(BYTES.length),
    });
    const id = JSON.parse(stdout).id;
    const got = await svc('api', `/work-items/ABC-12/attachments/${id}/content`, '-i');
    expect(got.stdout).toContain(`content-length: ${BYTES.length}`);
  });

  it('accepts standard input with --name, and several files at once', async () => {
    const argv = ['work-items', 'attach', '12', '-', `${here.home}/in/notes.txt`, '--name', 'dump.sql'];
    const result = await here.svc(argv, { stdin: 'select 1' });
    expect(JSON.parse(result.stdout)).toMatchObject([
      { file_name: 'dump.sql', size: 8 },
      { file_name: 'notes.txt', size: 5 },
    ]);
    expect((await readdir(`${here.home}/.local/state/svc/uploads`)).filter((name) => name.endsWith('.input'))).toEqual([]);
  });

  it('prints the requests of a dry run, and writes nothing', async () => {
    here.sandbox.requests.length = 0;
    const { stdout } = await svc('work-items', 'attach', 'ABC-12', `${here.home}/in/notes.txt`, '--dry-run');
    expect(JSON.parse(stdout)).toMatchObject([
      { step: 'ticket', method: 'POST', body: { file_name: 'notes.txt', mime_type: 'text/plain' } },
      { step: 'contents', body: '<the 5 bytes of notes.txt>' },
    ]);
    expect(here.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each([
    [['ABC-12'], 2, 'needs <file>'],
    [['ABC-12', 'HOME/nothing.txt'], 2, 'There is no file'],
    [['ABC-12', 'HOME/in'], 2, 'is not a file'],
    [['ABC-12', '-'], 2, 'Standard input has no name'],
    [['ABC-12', 'HOME/in/notes.txt', 'HOME/in/photo.png', '--name', 'x'], 2, 'the name of one file'],
    [['ABC-12', 'HOME/in/notes.txt', '--type', 'words'], 2, 'is not a media type'],
    [['ABC-12', 'HOME/in/notes.txt', '--plan', 'HOME/plan.json'], 2, 'A plan cannot contain a file'],
    [['ABC-9999', 'HOME/in/notes.txt'], 3, 'There is no work item ABC-9999'],
  ] as const)('refuses the arguments %j with exit %d', async (argv, code, words) => {
    here.sandbox.requests.length = 0;
    const result = await here.svc(['work-items', 'attach', ...argv.map((word) => word.replace('HOME', here.home))]);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(words) });
    expect(here.sandbox.requests.filter(({ method, status }) => method !== 'GET' && status < 400)).toEqual([]);
  });

  it('attaches a file that svc undo then deletes', async () => {
    const { stdout } = await svc('work-items', 'attach', 'ABC-12', `${here.home}/in/notes.txt`);
    here.sandbox.requests.length = 0;
    await svc('undo', '--yes');
    expect(requests().filter((line) => line.startsWith('DELETE'))).toEqual([
      `DELETE /api/v2/work-items/ABC-12/attachments/${JSON.parse(stdout).id}`,
    ]);
  });

  it('shows the progress at a terminal, and the result in one line', async () => {
    let now = 0;
    const around = (deps: Deps): Deps => ({
      ...deps,
      clock: {
        ...deps.clock,
        monotonic: () => {
          now += 700;
          return now;
        },
      },
    });
    const argv = ['work-items', 'attach', 'ABC-12', `${here.home}/in/photo.png`];
    const result = await here.svc(argv, { answers: [], terminal: 80, around });
    expect(result.stderr).toMatch(/photo\.png: \d+ kB of 100 kB, [\d.]+ kB a second/);
    expect(result.stdout).toBe('Sent photo.png to ABC-12 · 100 kB\n');
  });

  it.each(['before', 'after'] as const)(
    'sends the contents again with the same Idempotency-Key when the connection drops %s the request runs',
    async (drop) => {
      here.sandbox.setFaults([{ method: 'POST', path: '/uploads/*', drop }]);
      here.sandbox.requests.length = 0;
      const before = JSON.parse((await svc('work-items', 'attachments', 'list', 'ABC-12')).stdout).length;
      const result = await here.svc(['work-items', 'attach', 'ABC-12', `${here.home}/in/notes.txt`], { hurried: true });
      expect(result.code, result.stderr).toBe(0);
      const contents = here.sandbox.requests.filter(({ method, path }) => method === 'POST' && path.includes('/api/v2/uploads/'));
      expect(new Set(contents.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      expect(contents).toHaveLength(2);
      expect(JSON.parse((await svc('work-items', 'attachments', 'list', 'ABC-12')).stdout)).toHaveLength(before + 1);
    },
  );

  it('continues with the upload ticket after a lost answer, and attaches the file once', async () => {
    const before = JSON.parse((await svc('work-items', 'attachments', 'list', 'ABC-12')).stdout).length;
    await writeFile(`${here.home}/in/once.txt`, 'once');
    here.sandbox.setFaults([{ method: 'POST', path: '/uploads/*', drop: 'after', times: 5 }]);
    const argv = ['work-items', 'attach', 'ABC-12', `${here.home}/in/once.txt`];
    const lost = await here.svc(argv, { hurried: true });
    expect(lost.code).toBe(8);
    // The journal has no file, so svc outbox send could not send the contents.
    expect(lost.stderr).not.toContain('svc outbox send');
    here.sandbox.setFaults([]);
    here.sandbox.requests.length = 0;
    const again = await here.svc(argv);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('continues with the upload ticket of an earlier run') });
    expect(requests().filter((line) => line.startsWith('POST'))).toEqual([expect.stringMatching(/^POST \/api\/v2\/uploads\/\d+ once$/)]);
    expect(JSON.parse((await svc('work-items', 'attachments', 'list', 'ABC-12')).stdout)).toHaveLength(before + 1);
    expect((await readdir(`${here.home}/.local/state/svc/uploads`)).filter((name) => name.endsWith('.json'))).toEqual([]);
  });
});

describe('svc drive-items', () => {
  it('downloads an uploaded file unchanged, under its own name', async () => {
    await svc('drive-items', 'upload', `${here.home}/in/photo.png`, '--item', '2');
    await mkdir(`${here.home}/out`);
    const { stdout } = await svc('drive-items', 'download', '2', '--out', `${here.home}/out`);
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect((await readdir(`${here.home}/out`)).sort()).toEqual(['photo.png', 'plan.pdf']);
    expect(await readFile(`${here.home}/out/photo.png`)).toEqual(BYTES);
  });

  it('uploads a file that svc undo then deletes', async () => {
    const { stdout } = await svc('drive-items', 'upload', `${here.home}/in/notes.txt`, '--item', '2');
    here.sandbox.requests.length = 0;
    await svc('undo', '--yes');
    expect(requests().filter((line) => line.startsWith('DELETE'))).toEqual([`DELETE /api/v2/drive-items/2/files/${JSON.parse(stdout).id}`]);
  });

  it('overwrites a file with --force, but not without a terminal or after a no', async () => {
    await mkdir(`${here.home}/kept`);
    await writeFile(`${here.home}/kept/plan.pdf`, 'mine');
    const argv = ['drive-items', 'download', '3', '--out', `${here.home}/kept`];
    expect(await here.svc(argv)).toMatchObject({ code: 1, stderr: expect.stringContaining('did not overwrite it') });
    expect(await readFile(`${here.home}/kept/plan.pdf`, 'utf8')).toBe('mine');
    expect(await here.svc(argv, { answers: [false] })).toMatchObject({ code: 1 });
    expect(await readFile(`${here.home}/kept/plan.pdf`, 'utf8')).toBe('mine');
    expect(await here.svc([...argv, '--force'])).toMatchObject({ code: 0 });
    expect((await readFile(`${here.home}/kept/plan.pdf`)).length).toBe(120_331);
    expect(await readdir(`${here.home}/kept`)).toEqual(['plan.pdf']);
  });

  it('continues a broken download after the last received byte', async () => {
    await mkdir(`${here.home}/broken`);
    here.sandbox.setFaults([{ method: 'GET', path: '/drive-items/3/files/*', truncate: true, skip: 0 }]);
    here.sandbox.requests.length = 0;
    const result = await here.svc(['drive-items', 'download', '3', '--out', `${here.home}/broken/x.pdf`], { hurried: true });
    expect(result.code, result.stderr).toBe(0);
    const ranges = here.sandbox.requests.filter(({ path }) => path.endsWith('/content')).map(({ headers }) => headers['range']);
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect((await readFile(`${here.home}/broken/x.pdf`)).length).toBe(120_331);
    expect(await readdir(`${here.home}/broken`)).toEqual(['x.pdf']);
  });
});

describe('an upload with a browser sign-in', () => {
  it.each([
    ['the contents', 'contents'],
    ['every step', 'every-step'],
  ] as const)('makes svc exit 4 without a POST when the service refuses %s (rule 13.75)', async (_, uploadsRefuseApps) => {
    const other = await signedIn({ limits: 'off', interpretations: { uploadsRefuseApps } });
    try {
      await importSpec(other);
      await writeFile(`${other.home}/a.txt`, 'a');
      const result = await other.svc(['work-items', 'attach', 'ABC-12', `${other.home}/a.txt`]);
      expect(result).toMatchObject({ code: 4, stderr: expect.stringContaining('needs a personal access token') });
      expect(other.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    } finally {
      await other.remove();
    }
  });
});

describe.each([
  ['POST /upload-tickets', 'tickets', 'POST /api/v2/upload-tickets {"file_name":"a.txt","mime_type":"text/plain","work_item_id":12}'],
  ['POST /work-items/…/uploads', 'work-item', 'POST /api/v2/work-items/ABC-12/uploads {"file_name":"a.txt","mime_type":"text/plain"}'],
  ['no upload operation', 'none', undefined],
] as const)('svc work-items attach at a service with %s', (_, uploads, first) => {
  it.each([['octet-stream'], ['multipart']] as const)('follows the imported API spec for contents as %s', async (uploadContents) => {
    const sandbox = await startSandbox({ limits: 'off', interpretations: { uploads, uploadContents } });
    const machine = await createMachine({ env: { SVC_HOST: new URL(sandbox.origin).host, SVC_TOKEN: sandbox.tokens[0]?.value ?? '' } });
    try {
      await writeFile(`${machine.home}/a.txt`, 'a');
      const attach = () => machine.svc(['work-items', 'attach', 'ABC-12', `${machine.home}/a.txt`]);
      const posts = () => sent(sandbox).filter((line) => line.startsWith('POST'));
      expect(await attach()).toMatchObject({ code: 3, stderr: expect.stringContaining('svc has no API spec of this organisation') });
      await importSpec(machine);
      expect(posts()).toEqual([]);
      const result = await attach();
      if (first === undefined) {
        expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining('its imported API spec does not describe the operation') });
        expect(posts()).toEqual([]);
      } else {
        expect(result.code, result.stderr).toBe(0);
        expect(posts()[0]).toBe(first);
        expect(posts()).toHaveLength(2);
      }
    } finally {
      await sandbox.close();
      await machine.remove();
    }
  });
});
