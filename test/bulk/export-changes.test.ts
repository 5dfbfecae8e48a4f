// svc export --since last, against a scripted service.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { type Answer, json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

const ROWS = 10;
const CHANGED = 6;

let recording: Recording;
let directory: string;
/** The cursor at which the service keeps failing. */
let brokenAt: string | undefined;
/** Further entries of discovery. */
let alsoListed: readonly JsonObject[];
/** Further fields of each row. */
let fieldsOf: (id: number) => JsonObject;
/** Runs before the service answers with rows. */
let beforeRows: () => Promise<void>;
/** The answer to `/me`. */
let me: Answer;
beforeEach(async () => {
  recording = await startRecording();
  directory = await mkdtemp(join(tmpdir(), 'svc-export-'));
  brokenAt = undefined;
  alsoListed = [];
  fieldsOf = () => ({ updated_at: '2026-01-01T00:00:00Z' });
  beforeRows = () => Promise.resolve();
  me = json(200, { id: 7 });
  recording.server.fallback(async (request, response, socket) => {
    const { path, query } = request;
    if (path === '/api/v2/me') return me(request, response, socket);
    if (!path.startsWith('/api/v2/labels')) {
      const entry = { name: 'labels', path: '/labels', item_path: '/labels/{label}' };
      return json(200, { data: [...alsoListed, entry], links: { next: null } })(request, response, socket);
    }
    await beforeRows();
    if (brokenAt !== undefined && query.get('cursor') === brokenAt) return json(401, { detail: 'No.' })(request, response, socket);
    const size = query.has('filter[updated_at][gte]') ? CHANGED : ROWS;
    const from = Number(query.get('cursor') ?? 0);
    const data = [1, 2].map((number) => ({ id: from + number, name: `label ${from + number}`, ...fieldsOf(from + number) }));
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

it('svc export reads a resource in full when its file changed after an interruption', async () => {
  expect((await run()).code).toBe(0);
  brokenAt = '4';
  expect((await run('--since', 'last')).code).toBe(4);
  brokenAt = undefined;
  // A kill right after the changes were written leaves this as well.
  await writeFile(file(), `${await readFile(file(), 'utf8')}{"id":99}\n`);
  const { code, stderr } = await run('--since', 'last');
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('so svc reads all labels');
  expect(await ids()).toEqual(all);
});

it('svc export resumes an interrupted export of changes', async () => {
  expect((await run()).code).toBe(0);
  brokenAt = '4';
  expect((await run('--since', 'last')).code).toBe(4);
  brokenAt = undefined;
  recording.sent();
  expect((await run('--since', 'last')).code).toBe(0);
  expect(recording.sent().filter((request) => request.includes('/labels'))).toEqual([expect.stringMatching(/updated_at.*cursor=4/)]);
  expect(await ids()).toEqual(all);
});

it.each([
  ['ahead of', 1],
  ['behind', -1],
])('svc export finds changes when the service clock is an hour %s the clock of its records', async (_, hours) => {
  const start = Date.parse('2026-06-15T12:00:00Z');
  const stamp = (minutes: number) => new Date(start + minutes * 60_000).toISOString().replace('.000', '');
  const rows = all.map((id) => ({ id, name: `label ${id}`, updated_at: stamp(-30) }));
  let minutes = 0;
  recording.server.fallback((request, response, socket) => {
    const { path, query } = request;
    if (path === '/api/v2/me') return me(request, response, socket);
    const since = query.get('filter[updated_at][gte]') ?? '';
    const isRows = path.startsWith('/api/v2/labels');
    const data = isRows
      ? rows.filter((row) => row.updated_at >= since)
      : [{ name: 'labels', path: '/labels', item_path: '/labels/{label}' }];
    const date = new Date(start + (minutes + hours * 60) * 60_000).toUTCString();
    json(200, { data, links: { next: null } }, { date })(request, response, socket);
  });
  expect((await run()).code).toBe(0);
  minutes = 10;
  Object.assign(rows[3] ?? {}, { name: 'changed', updated_at: stamp(minutes) });
  minutes = 20;
  expect((await run('--since', 'last')).code).toBe(0);
  expect(await readFile(file(), 'utf8')).toBe(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  expect(recording.sent().at(-1)).toContain('filter[updated_at][gte]');
});

it('svc export reads a resource in full when some records lack updated_at', async () => {
  fieldsOf = (id) => (id === 7 ? {} : { updated_at: '2026-01-01T00:00:00Z' });
  expect((await run()).code).toBe(0);
  recording.sent();
  expect((await run('--since', 'last')).code).toBe(0);
  expect(recording.sent().join()).not.toContain('updated_at');
  expect(await ids()).toEqual(all);
});

it('svc export --since last accepts a manifest that names no user', async () => {
  expect((await run()).code).toBe(0);
  const manifest = join(directory, 'manifest.json');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(/ *"user_id": 7,\n/, ''));
  expect((await run('--since', 'last')).code).toBe(0);
});

it('svc export exits 8 when the service cannot return the user, instead of reporting another user', async () => {
  expect((await run()).code).toBe(0);
  // svc had cached the user of the token, and forgets the user after a day.
  await rm(join(recording.home, '.cache/svc/accounts'), { recursive: true });
  me = json(500, { detail: 'No.' });
  const { code, stderr } = await run('--since', 'last');
  expect(code).toBe(8);
  expect(stderr).not.toContain('another person');
  me = json(403, { detail: 'Not yours.' });
  expect((await run('--since', 'last')).code).toBe(0);
});

it.each([
  ['after each other', '$1$1$2'],
  ['after another row', '$1$2$1$2'],
])('svc export reads a resource in full when its file has a row twice %s, even with a matching digest', async (_, rows) => {
  expect((await run()).code).toBe(0);
  const doubled = (await readFile(file(), 'utf8')).replace(/^(.*\n)(.*\n)/, rows);
  await writeFile(file(), doubled);
  const manifest = join(directory, 'manifest.json');
  const written = JSON.parse(await readFile(manifest, 'utf8'));
  written.collections[0].sha256 = createHash('sha256').update(doubled).digest('hex');
  await writeFile(manifest, JSON.stringify(written));
  const again = await run('--since', 'last');
  expect(again.code, again.stderr).toBe(0);
  expect(again.stderr).toContain('has a repeated or misplaced row, so svc reads all labels');
  expect(await ids()).toEqual(all);
});

const PRECIOUS = '{"id":1,"name":"precious"}\n';

describe('a linked export file', () => {
  /** The target of the link, outside the directory. */
  let precious: string;
  beforeEach(async () => {
    precious = join(recording.home, 'precious');
    await writeFile(precious, PRECIOUS, { mode: 0o644 });
  });
  const link = (name: string) => symlink(precious, join(directory, name));
  const expectUntouched = async () => {
    expect(await readFile(precious, 'utf8')).toBe(PRECIOUS);
    expect((await stat(precious)).mode & 0o777).toBe(0o644);
  };

  it.each([
    ['.svc-export.json', []],
    ['manifest.json', []],
    ['labels.ndjson', []],
    ['labels.csv', ['--format', 'csv']],
    ['export.sqlite', ['--format', 'sqlite']],
    ['export.sqlite.part', ['--format', 'sqlite']],
  ])('is replaced if the name is %s, and its target stays unchanged', async (name, flags) => {
    await link(name);
    const { code, stderr } = await run(...flags);
    expect(code, stderr).toBe(0);
    expect(await ids()).toEqual(all);
    expect((await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink())).toEqual([]);
    await expectUntouched();
  });

  it.each([
    ['.svc-export.lock', []],
    ['labels.ndjson.part', []],
    ['labels.ndjson.merged', ['--since', 'last']],
    ['labels.csv.part', ['--format', 'csv']],
  ])('is refused if the name is %s, and its target stays unchanged', async (name, flags) => {
    expect((await run()).code).toBe(0);
    await link(name);
    expect(await run(...flags)).toMatchObject({ code: 1, stderr: expect.stringContaining(`${join(directory, name)} is a symbolic link`) });
    await expectUntouched();
  });

  it('is refused as the lock file, even with a database as its target', async () => {
    const path = join(recording.home, 'own.db');
    const version = () => {
      const database = new DatabaseSync(path);
      try {
        return database.prepare('PRAGMA user_version').get()?.['user_version'];
      } finally {
        database.close();
      }
    };
    expect(version()).toBe(0);
    await symlink(path, join(directory, '.svc-export.lock'));
    expect((await run()).code).toBe(1);
    expect(version()).toBe(0);
  });
});

describe('an export file that svc did not write', () => {
  const pipe = (name: string) => execFileSync('mkfifo', ['-m', '600', join(directory, name)]);
  const refused = (name: string) => ({
    code: 1,
    stderr: expect.stringContaining(`${join(directory, name)} is a symbolic link`),
  });

  it.each([
    ['.svc-export.json', []],
    ['manifest.json', ['--since', 'last']],
    ['labels.ndjson.part', []],
  ])('is refused if the file is the named pipe %s', async (name, flags) => {
    pipe(name);
    expect(await run(...flags)).toMatchObject(refused(name));
  });

  it('is written again if the file of rows is a named pipe', async () => {
    expect((await run()).code).toBe(0);
    await rm(file());
    pipe('labels.ndjson');
    const { code, stderr } = await run('--since', 'last');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('has changed since the last export');
    expect(await ids()).toEqual(all);
  });

  it('is not read through a link, and svc refuses a linked manifest', async () => {
    expect((await run()).code).toBe(0);
    const elsewhere = join(recording.home, 'elsewhere');
    await rename(file(), elsewhere);
    await symlink(elsewhere, file());
    const { code, stderr } = await run('--since', 'last');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('has changed since the last export');
    await rename(join(directory, 'manifest.json'), elsewhere);
    await symlink(elsewhere, join(directory, 'manifest.json'));
    expect(await run('--since', 'last')).toMatchObject(refused('manifest.json'));
  });

  it.each([
    ['a line that is not JSON', '{"id":1}\nno JSON\n'],
    ['a line that is not a record', '{"id":1}\n[2]\n'],
    ['half a line', '{"id":1}\n{"id":2'],
  ])('makes svc report the bad line (%s), and print the next steps', async (_name, text) => {
    expect((await run()).code).toBe(0);
    const manifest = join(directory, 'manifest.json');
    const written = JSON.parse(await readFile(manifest, 'utf8'));
    written.collections[0].sha256 = createHash('sha256').update(text).digest('hex');
    await writeFile(manifest, JSON.stringify(written));
    await writeFile(file(), text);
    const { code, stderr } = await run('--since', 'last');
    expect(code, stderr).toBe(1);
    expect(stderr).toContain(`Line 2 of ${file()} is not a record`);
    expect(stderr).toContain('Remove the file, then export with --restart.');
    await rm(file());
    expect((await run('--since', 'last', '--restart')).code).toBe(0);
    expect(await ids()).toEqual(all);
  });
});

describe('the command that resumes an export', () => {
  const failure = async (...flags: string[]) => {
    const { code, stderr } = await run('--error-format', 'json', ...flags);
    return { code, ...(JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { message: string; resume: string }) };
  };

  it('leaves out --restart when --restart began the export', async () => {
    brokenAt = '4';
    const { code, resume } = await failure('--restart');
    expect([code, resume]).toEqual([4, expect.stringMatching(/ labels --error-format json$/)]);
  });

  it('contains --restart when another program changed the file', async () => {
    expect((await run()).code).toBe(0);
    const [labels] = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')).collections;
    brokenAt = '4';
    expect((await run()).code).toBe(4);
    const state = join(directory, '.svc-export.json');
    const unfinished = JSON.parse(await readFile(state, 'utf8'));
    await writeFile(state, JSON.stringify({ ...unfinished, collections: [labels], under_way: [] }));
    await writeFile(file(), '{"id":1}\n');
    brokenAt = undefined;
    const { code, message, resume } = await failure();
    expect([code, message]).toEqual([1, `${file()} has changed since svc wrote it.`]);
    expect(resume).toMatch(/ labels --error-format json --restart$/);
    expect((await run('--restart')).code).toBe(0);
    expect(await ids()).toEqual(all);
  });
});

it.each([
  ['refuses', 'manifest.json'],
  ['ignores', '.svc-export.json'],
])('svc export %s the file %s of more than 16 MiB', async (_, name) => {
  expect((await run()).code).toBe(0);
  const manifest = await readFile(join(directory, 'manifest.json'), 'utf8');
  // Valid except for its size, because blanks can precede JSON.
  await writeFile(join(directory, name), `${' '.repeat(17 * 1024 * 1024)}${manifest}`);
  const { code, stderr } = await run('--since', 'last');
  if (name === 'manifest.json') {
    expect([code, stderr]).toEqual([1, expect.stringContaining('manifest.json is larger than 16 MiB, so the file is not from svc.')]);
  } else expect(code, stderr).toBe(0);
});

describe('a file outside the export directory', () => {
  let precious: string;
  beforeEach(async () => {
    precious = join(directory, '..', `${basename(directory)}-precious`);
    await writeFile(precious, PRECIOUS);
  });
  afterEach(() => rm(precious, { force: true }));
  const change = async (name: string, edit: (content: { [key: string]: JsonObject[] }) => void) => {
    const content = JSON.parse(await readFile(join(directory, name), 'utf8'));
    edit(content);
    await writeFile(join(directory, name), JSON.stringify(content));
  };
  const interrupt = async () => {
    brokenAt = '4';
    expect((await run()).code).toBe(4);
    brokenAt = undefined;
  };
  const outside = () => `../${basename(precious)}`;

  it('stays unchanged when the manifest names the file', async () => {
    expect((await run()).code).toBe(0);
    const sha256 = createHash('sha256').update(PRECIOUS).digest('hex');
    await change('manifest.json', ({ collections = [] }) => Object.assign(collections[0] ?? {}, { file: outside(), sha256 }));
    const { code, stderr } = await run('--since', 'last');
    expect(code, stderr).toBe(0);
    expect(await ids()).toEqual(all);
    expect(await readFile(precious, 'utf8')).toBe(PRECIOUS);
  });

  it('stays unchanged when the checkpoint names the file as a partial file', async () => {
    await interrupt();
    await change('.svc-export.json', ({ under_way = [], splits = [] }) => {
      const query = under_way[0]?.['query'] ?? [];
      const at = '2026-01-01T00:00:00Z';
      splits.push({ noun: 'labels', query, total: 10, before: at, as_of: at, by: 'page', parts: [{ file: outside(), query, limit: 100 }] });
    });
    const { code, stderr } = await run();
    expect(stderr).toContain('svc resumes the export');
    expect(code, stderr).toBe(0);
    expect(await ids()).toEqual(all);
    expect(await readFile(precious, 'utf8')).toBe(PRECIOUS);
  });

  it('does not count as the finished file of a resource', async () => {
    await interrupt();
    await writeFile(join(directory, 'labels.ndjson'), PRECIOUS);
    await change('.svc-export.json', ({ collections = [] }) => {
      const sha256 = createHash('sha256').update(PRECIOUS).digest('hex');
      const facts = { path: '/labels', query: [], rows: 1, bytes: PRECIOUS.length, sha256, as_of: '2026-01-01T00:00:00Z' };
      collections.push({ noun: outside(), file: 'labels.ndjson', ...facts }, { noun: 'labels', file: outside(), ...facts });
    });
    const { code, stderr } = await run('--format', 'csv');
    expect(code, stderr).toBe(0);
    expect(await ids()).toEqual(all);
    expect(await readdir(join(directory, '..'))).not.toContain(`${basename(precious)}.csv`);
  });
});

it('svc export refuses a directory only while another svc exports into that directory', async () => {
  const asked = Promise.withResolvers<void>();
  const mayResume = Promise.withResolvers<void>();
  beforeRows = () => {
    asked.resolve();
    return mayResume.promise;
  };
  const first = run();
  await asked.promise;
  const second = await run();
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`Another svc (process ${process.pid}) exports into ${directory}.`);
  mayResume.resolve();
  expect((await first).code).toBe(0);
  expect(await ids()).toEqual(all);
  expect((await readdir(directory)).sort()).toEqual(['labels.ndjson', 'manifest.json']);
  expect((await run('--since', 'last')).code).toBe(0);
});

it('svc export leaves out a resource whose name cannot be a file name, and exports the other resources', async () => {
  const names = ['x'.repeat(300), '..%2f..%2fetc', 'CON:'];
  alsoListed = names.map((name) => ({ name, path: `/${name}`, item_path: `/${name}/{id}` }));
  const { code, stderr } = await recording.svc(['export', directory], { hurried: true });
  expect(code, stderr).toBe(10);
  expect(await ids()).toEqual(all);
  const { left_out } = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
  expect(left_out.map(({ noun }: JsonObject) => noun)).toEqual(names.map((name) => `/${name}`.slice(0, 200)));
  expect((await readdir(directory)).sort()).toEqual(['labels.ndjson', 'manifest.json']);
});

it('svc export stores names that differ in case, 2,500 fields and mixed types in SQLite', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, index) => [`field_${index}`, index]));
  fieldsOf = (id) => ({ Name: `Label ${id}`, mixed: id === 1 ? 5 : id === 2 ? 'five' : 5.5, big: 9_007_199_254_740_991, ...many });
  const { code, stderr } = await run('--format', 'sqlite');
  expect(code, stderr).toBe(0);
  const database = new DatabaseSync(join(directory, 'export.sqlite'), { readOnly: true });
  try {
    const rows = database
      .prepare(
        "SELECT id, name, mixed, big, field_7, svc_other_fields ->> 'Name' AS upper, svc_other_fields ->> 'field_2499' AS last FROM labels",
      )
      .all();
    expect(rows).toHaveLength(ROWS);
    expect(rows.slice(0, 3)).toEqual([
      { id: 1, name: 'label 1', mixed: '5', big: 9_007_199_254_740_991, field_7: 7, upper: 'Label 1', last: 2_499 },
      { id: 2, name: 'label 2', mixed: 'five', big: 9_007_199_254_740_991, field_7: 7, upper: 'Label 2', last: 2_499 },
      { id: 3, name: 'label 3', mixed: '5.5', big: 9_007_199_254_740_991, field_7: 7, upper: 'Label 3', last: 2_499 },
    ]);
    expect(database.prepare("SELECT count(*) AS columns FROM pragma_table_info('labels')").get()).toEqual({ columns: 2_000 });
  } finally {
    database.close();
  }
});
