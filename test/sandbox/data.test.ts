import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signedIn } from '../support/svc.ts';
import { refresh, signIn } from './oauth-flow.ts';
import { sandbox, send, tokenNamed } from './support.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-sandbox-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('a data file', () => {
  test('lets the next sandbox continue with the same records, ETags, tokens, apps, features, idempotency keys and clock', async () => {
    const data = join(directory, 'below', 'sandbox.json');
    const before = await sandbox({ data });
    const app = await signIn(before);
    const post = { method: 'POST', body: { minutes: 5, date: '2026-06-15' }, headers: { 'idempotency-key': 'k' } };
    const made = await send(before, '/worklogs', post);
    await send(before, '/worklogs/1', { method: 'DELETE' });
    const last = (await send(before, '/projects', { method: 'POST', body: { name: 'last' } })).body.data.id;
    await send(before, `/labels/6`, { method: 'DELETE' });
    const own = before.createToken({ name: 'own', userId: 1, scopes: ['read'] });
    before.setFeature('furlough', true);
    before.setPerson(2);
    before.advance(1000);
    await before.close();

    const after = await sandbox({ data });
    expect(after.tokens).toEqual(before.tokens);
    expect(after.apps).toEqual(before.apps);
    expect((await send(after, '/worklogs', post)).headers.get('idempotency-replayed')).toBe('true');
    const read = await send(after, `/worklogs/${made.body.data.id}`);
    expect(read.headers.get('etag')?.split('.')[0]).toBe(made.headers.get('etag')?.split('.')[0]);
    expect((await send(after, '/worklogs/1')).status).toBe(404);
    expect((await send(after, '/labels', { method: 'POST', body: { name: 'x' } })).body.data.id).toBe(7);
    expect((await send(after, `/projects/${last}`)).body.data.name).toBe('last');
    expect((await send(after, '/me', { token: own.value })).status).toBe(200);
    expect((await send(after, '/furlough-balance-mutations')).status).toBe(200);
    expect((await refresh(after, app.clientId, app.refresh)).status).toBe(200);
    expect((await send(after, '/worklogs', { method: 'POST', body: { minutes: 5, date: '2026-06-15' } })).body.data.created_at).toBe(
      '2026-06-15T12:00:01Z',
    );
    expect(after.createToken({ name: 'next', userId: 1, scopes: ['read'] }).value).not.toBe(own.value);
  });

  test('is readable only by its owner, and has each change after a save', async () => {
    const data = join(directory, 'sandbox.json');
    const service = await sandbox({ data });
    expect((await stat(data)).mode & 0o777).toBe(0o600);
    for (let minutes = 1; minutes <= 5; minutes++) {
      await send(service, '/worklogs/1', { method: 'PATCH', body: { minutes } });
      await service.save();
      const rows = JSON.parse(await readFile(data, 'utf8')).tables.find(({ name }: { name: string }) => name === 'worklogs').rows;
      expect(rows[0].row.minutes).toBe(minutes);
    }
    expect(await readdir(directory)).toEqual(['sandbox.json', 'sandbox.json.lock']);
  });

  test('belongs to one sandbox at a time', async () => {
    const data = join(directory, 'sandbox.json');
    const first = await sandbox({ data });
    await expect(sandbox({ data })).rejects.toThrow('another sandbox uses this file');
    await first.close();
    await expect(sandbox({ data })).resolves.toBeDefined();
  });

  test('is written soon after a change', async () => {
    const data = join(directory, 'sandbox.json');
    const service = await sandbox({ data });
    await send(service, '/labels/1', { method: 'PATCH', body: { name: 'renamed by a test' } });
    await expect.poll(() => readFile(data, 'utf8')).toContain('renamed by a test');
    service.setRole(3, 'a role of a test');
    await expect.poll(() => readFile(data, 'utf8')).toContain('a role of a test');
  });

  test.each([
    ['{', 'it is not JSON'],
    ['{"a": 1}', 'it was not written by a sandbox'],
    ['{"sandbox": 1}', 'it has version 1'],
    ['{"sandbox": 2}', 'a part of it is missing or damaged'],
  ])('is refused with the content %s, and stays unchanged', async (text, why) => {
    const data = join(directory, 'sandbox.json');
    await writeFile(data, text);
    await expect(sandbox({ data })).rejects.toThrow(RangeError);
    await expect(sandbox({ data })).rejects.toThrow(why);
    expect(await readFile(data, 'utf8')).toBe(text);
  });

  test('causes an error at the start when the sandbox cannot write the file', async () => {
    await writeFile(join(directory, 'a-file'), '');
    await expect(sandbox({ data: join(directory, 'a-file', 'sandbox.json') })).rejects.toThrow('ENOTDIR');
  });
});

describe('an export as sandbox data', () => {
  async function write(files: Record<string, readonly object[] | string>): Promise<string> {
    const data = join(directory, 'export');
    await mkdir(data);
    await writeFile(join(data, 'manifest.json'), '{}');
    for (const [name, records] of Object.entries(files)) {
      await writeFile(
        join(data, name),
        typeof records === 'string' ? records : records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      );
    }
    return data;
  }

  const users = [
    { id: 7, name: 'Ada', timezone: 'Europe/London', shoe_size: 38, links: { self: 'https://acme.example.com/api/v2/users/7' } },
    { id: 9, name: 'Bob', role: 'employee' },
  ];

  test('gives the sandbox its ids and unknown fields, and leaves a missing resource empty', async () => {
    const data = await write({
      'users.ndjson': users,
      'absences.ndjson': [{ id: 3, user_id: 7, manager_id: null, start: '2026-01-05', end: null }],
      'worklogs.ndjson': [{ id: 40, user_id: 9, date: '2026-01-05', minutes: 60, user: { id: 9, name: 'Bob' }, project_id: 12 }],
      'strangers.ndjson': [{ id: 1 }],
    });
    const service = await sandbox({ data });
    const me = await send(service, '/me');
    expect(me.body.data).toMatchObject({ id: 7, name: 'Ada', shoe_size: 38, links: { self: `${service.baseUrl}/users/7` } });
    const worklog = await send(service, '/worklogs/40?include=user,project');
    expect(worklog.body.data).toMatchObject({ minutes: 60, user: { name: 'Bob', role: 'employee' }, project_id: 12, project: null });
    expect((await send(service, '/absences?filter[start][gte]=2026-01-05T00:00:00Z')).body.data).toHaveLength(1);
    expect((await send(service, '/projects')).body.data).toEqual([]);
    const made = await send(service, '/worklogs', { method: 'POST', body: { minutes: 5, date: '2026-06-15' } });
    expect(made.body.data).toMatchObject({ id: 41, user_id: 7 });
    expect(service.tokens.map(({ name, user }) => [name, user])).toContainEqual(['employee', 'Bob']);
    expect((await send(service, '/worklogs', { token: tokenNamed(service, 'employee') })).status).toBe(200);
    await service.close();
    expect(await readdir(data)).toEqual(['absences.ndjson', 'manifest.json', 'strangers.ndjson', 'users.ndjson', 'worklogs.ndjson']);
  });

  test('gives the sandbox every record that svc export wrote', async () => {
    const signed = await signedIn({ limits: 'off' });
    const data = join(directory, 'exported');
    const nouns = ['users', 'projects', 'absences', 'labels'];
    expect(await signed.svc(['export', data, ...nouns])).toMatchObject({ code: 0 });
    const service = await sandbox({ data, limits: 'off' });
    for (const noun of nouns) {
      const path = `/${noun}?sort=id&per_page=100`;
      // Where a record is to be found differs, and so do counts of what was not exported.
      const rows = async (from: typeof service) =>
        (await send(from, path)).body.data.map(({ links: _, web_url: __, work_items_count: ___, ...row }: Record<string, unknown>) => row);
      expect([noun, await rows(service)]).toEqual([noun, await rows(signed.sandbox)]);
    }
    await signed.remove();
  });

  test('gives the sandbox generated people when the export has no people', async () => {
    const service = await sandbox({ data: await write({ 'labels.ndjson': [{ id: 1, name: 'one' }] }) });
    expect((await send(service, '/me')).body.data.name).toBe('Sanne de Vries');
    expect((await send(service, '/labels')).body.data).toMatchObject([{ name: 'one' }]);
  });

  test.each([
    [{ 'users.ndjson': `${JSON.stringify(users[0])}\n{"id": "x"}\n` }, 'users.ndjson, line 2, is not a record with an id'],
    [{ 'labels.ndjson': '{"id": 1' }, 'labels.ndjson, line 1'],
    [{ 'users.ndjson': [{ id: 1, name: 'Gone', deleted_at: '2026-01-01T00:00:00Z' }] }, 'no active user'],
  ])('is refused with %j', async (files, why) => {
    const data = await write(files);
    await expect(sandbox({ data })).rejects.toThrow(why);
  });

  test('needs the file manifest.json', async () => {
    await expect(sandbox({ data: directory })).rejects.toThrow('it contains no manifest.json');
  });
});
