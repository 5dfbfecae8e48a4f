// svc export --since last, against a service that is told what to answer.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Answer, json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

const ROWS = 10;
const CHANGED = 6;

let recording: Recording;
let directory: string;
/** The cursor at which the service fails for good. */
let brokenAt: string | undefined;
/** What `/me` answers. */
let me: Answer;
beforeEach(async () => {
  recording = await startRecording();
  directory = await mkdtemp(join(tmpdir(), 'svc-export-'));
  brokenAt = undefined;
  me = json(200, { id: 7 });
  recording.server.fallback((request, response, socket) => {
    const { path, query } = request;
    if (path === '/api/v2/me') return me(request, response, socket);
    if (!path.startsWith('/api/v2/labels')) {
      const entry = { name: 'labels', path: '/labels', item_path: '/labels/{label}' };
      return json(200, { data: [entry], links: { next: null } })(request, response, socket);
    }
    if (brokenAt !== undefined && query.get('cursor') === brokenAt) return json(401, { detail: 'No.' })(request, response, socket);
    const size = query.has('filter[updated_at][gte]') ? CHANGED : ROWS;
    const from = Number(query.get('cursor') ?? 0);
    const data = [1, 2].map((number) => ({ id: from + number, name: `label ${from + number}` }));
    const next = new URLSearchParams(query);
    next.set('cursor', String(from + 2));
    const link = from + 2 < size ? `${recording.server.origin}${path}?${next}` : null;
    json(200, { data, links: { next: link } })(request, response, socket);
  });
});
afterEach(async () => {
  await recording.remove();
  await rm(directory, { recursive: true, force: true });
});

const run = (...flags: string[]) => recording.svc(['export', directory, 'labels', ...flags], { hurried: true });
const file = () => join(directory, 'labels.ndjson');
const ids = async () =>
  (await readFile(file(), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id);
const all = Array.from({ length: ROWS }, (_, index) => index + 1);

it('a file that changed after an interruption is read whole, not from where the changes stopped', async () => {
  expect((await run()).code).toBe(0);
  brokenAt = '4';
  expect((await run('--since', 'last')).code).toBe(4);
  brokenAt = undefined;
  // As after a kill right after the changes were put in their place, too.
  await writeFile(file(), `${await readFile(file(), 'utf8')}{"id":99}\n`);
  const { code, stderr } = await run('--since', 'last');
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('is read whole');
  expect(await ids()).toEqual(all);
});

it('an interrupted one goes on with the changes', async () => {
  expect((await run()).code).toBe(0);
  brokenAt = '4';
  expect((await run('--since', 'last')).code).toBe(4);
  brokenAt = undefined;
  recording.sent();
  expect((await run('--since', 'last')).code).toBe(0);
  expect(recording.sent().filter((request) => request.includes('/labels'))).toEqual([expect.stringMatching(/updated_at.*cursor=4/)]);
  expect(await ids()).toEqual(all);
});

it('an export that does not say whose it is may be anybody’s', async () => {
  expect((await run()).code).toBe(0);
  const manifest = join(directory, 'manifest.json');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(/ *"user_id": 7,\n/, ''));
  expect((await run('--since', 'last')).code).toBe(0);
});

it('a service that cannot say who asks is a failure, not another person', async () => {
  expect((await run()).code).toBe(0);
  // Whose the token is was kept, as after a day it no longer is.
  await rm(join(recording.home, '.cache/svc/accounts'), { recursive: true });
  me = json(500, { detail: 'No.' });
  const { code, stderr } = await run('--since', 'last');
  expect(code).toBe(8);
  expect(stderr).not.toContain('another person');
  me = json(403, { detail: 'Not yours.' });
  expect((await run('--since', 'last')).code).toBe(0);
});
