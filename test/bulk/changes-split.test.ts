// Changes that earlier syncs recorded, and svc changes --split: the files, their schema, and what svc refuses.
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
let token: string;
let number = 0;
let file: string;
let directory: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
  token = here.sandbox.tokens[0]?.value ?? '';
  file = join(here.home, 'team.sqlite');
  expect((await here.svc(['sync', 'projects', 'customers', '--to', file])).code).toBe(0);
  await rename('customers', 1, 'First');
  await rename('projects', 1, 'Second');
  await rename('customers', 2, 'Third');
  expect((await here.svc(['sync', 'projects', 'customers', '--to', file])).code).toBe(0);
});
afterAll(() => here.remove());
beforeEach(() => {
  number += 1;
  directory = join(here.home, `split-${number}`);
  here.sandbox.requests.length = 0;
});

async function rename(noun: string, id: number, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${here.sandbox.baseUrl}/${noun}/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ name }) });
  expect(answer.ok).toBe(true);
}

const recorded = (words: readonly string[], options: RunOptions = {}) => here.svc(['changes', ...words, '--database', file], options);
const split = (...words: string[]) => recorded(['--split', directory, ...words]);
const linesOf = async (noun: string) =>
  (await readFile(join(directory, `${noun}.ndjson`), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('svc changes --database', () => {
  it('prints the recorded changes with the age of the database, and sends no request', async () => {
    const { code, stdout, stderr } = await recorded(['--since', '0']);
    expect(code, stderr).toBe(0);
    const printed = stdout.trimEnd().split('\n');
    // The sync read the resources at once, so their changes have no fixed order.
    expect(printed.map((line) => JSON.parse(line).after.name).sort()).toEqual(['First', 'Second', 'Third']);
    expect(stdout).toBe((await here.svc(['changes', '--since', '0', '--to', file])).stdout);
    here.sandbox.requests.length = 0;
    const [first] = printed;
    expect((await recorded(['--since', JSON.parse(first ?? '').id])).stdout).toBe(`${printed.slice(1).join('\n')}\n`);
    expect((await recorded(['project', '--since', 'today', '--fields', 'noun,after.name', '-o', 'csv'])).stdout).toBe(
      'noun,after.name\nprojects,Second\n',
    );
    expect((await recorded(['--since', 'now'])).stdout).toBe('');
    expect(stderr).toMatch(
      /^From \S+team\.sqlite \(read with the rights of .+\), complete at \S+ \S+, \S+ ago \(\w+\)\. To update: svc sync --to /,
    );
    expect((await recorded(['--since', '0'], { env: { SVC_OFFLINE: '1' } })).code).toBe(0);
    expect(here.sandbox.requests).toEqual([]);
  });

  it.each([
    [[], 2, 'Name the start: --since <id, position or time>'],
    [['--since', 'last'], 2, 'the database stores no position'],
    [['--since', '99'], 2, 'There is no change 99 yet; the last change is 3.'],
    [['--since', 'abcdefabcdef-1'], 2, 'Then continue from now: svc changes --database /'],
    [['project-x', '--since', '0'], 2, 'The database has no table for project-x. Did you mean projects?'],
    [['--since', '0', '--follow'], 2, 'svc changes --follow reads from the service, and --database reads the team database.'],
    [['--since', '0', '--consumer', 'team'], 2, 'svc changes --consumer reads from the service'],
    [['--since', '0', '--max-units', '5'], 2, 'svc changes --max-units reads from the service'],
    [['--since', '0', '--to', 'other.sqlite'], 2, 'svc changes --to reads from the service'],
  ] as const)('exits 2 for the words %j, and sends no request', async (words, code, said) => {
    const result = await recorded(words);
    expect([result.code, result.stdout, result.stderr.replaceAll('\n', ' ').replaceAll(/ +/g, ' ')]).toEqual([
      code,
      '',
      expect.stringContaining(said),
    ]);
    expect(here.sandbox.requests).toEqual([]);
  });

  it('stops after a failed command, and exits 1 for a change log without an order', async () => {
    const got: string[] = [];
    const program: RunOptions['program'] = async (_, __, input) => {
      for await (const text of input ?? []) got.push(JSON.parse(text).noun);
      return got.length === 2 ? 1 : 0;
    };
    const { code, stderr } = await recorded(['--since', '0', '--exec', 'cat'], { program });
    expect([code, got.length], stderr).toEqual([10, 2]);
    expect(stderr).toContain('--since 1');
    const broken = join(here.home, 'broken.sqlite');
    await writeFile(broken, await readFile(file));
    const database = new DatabaseSync(broken);
    database.exec(
      `ALTER TABLE svc_changes RENAME TO kept; CREATE VIEW svc_changes AS SELECT 5 AS position, noun, id, before, after, seen_at FROM kept`,
    );
    database.close();
    const damaged = await here.svc(['changes', '--since', '0', '--database', broken]);
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('its change log has no order after position 5')]);
  });
});

describe('svc changes --split', () => {
  it('appends each change once to a private file per resource, with equal fields in the lines', async () => {
    const first = await split('--since', '0');
    expect([first.code, first.stdout], first.stderr).toEqual([0, '']);
    expect(first.stderr).toContain(`svc wrote 3 changes of 2 resources to ${directory}.`);
    expect(await readdir(directory)).toEqual(['.svc-changes.json', 'customers.ndjson', 'projects.ndjson']);
    for (const name of await readdir(directory)) expect((await stat(join(directory, name))).mode & 0o777, name).toBe(0o600);
    const exported = await here.svc(['export', directory, 'customers']);
    expect([exported.code, exported.stderr]).toEqual([2, expect.stringContaining('has the files of svc changes --split.')]);
    await rename('customers', 3, 'Fourth');
    expect((await here.svc(['sync', 'customers', '--to', file])).code).toBe(0);
    const state = join(directory, '.svc-changes.json');
    const before = await readFile(state);
    const again = await split();
    expect(again.stderr).toContain('svc wrote 1 change of 1 resource');
    // svc was killed between the file and its state, and reads the change again.
    await writeFile(state, before);
    await split();
    expect((await split()).stderr).toContain('svc wrote 0 changes of 0 resources');
    const lines = await linesOf('customers');
    expect(lines.map(({ after }) => (after as { name: string }).name).sort()).toEqual(['First', 'Fourth', 'Third']);
    const keys = (value: unknown) => Object.keys(value as object).join();
    expect(new Set(lines.map(keys))).toEqual(new Set(['id,position,kind,noun,record_id,seen_at,changed,before,after']));
    expect(new Set(lines.flatMap(({ before, after }) => [keys(before), keys(after)])).size).toBe(1);
    expect(keys(lines[0]?.['after'])).toMatch(/^id,.*,svc_other_fields$/);
    expect(lines[0]?.['changed']).toBe('["name","updated_at"]');
  });

  it('starts with the next change, and stores the position before the first change', async () => {
    const begun = await split('projects');
    expect(begun.stderr).toContain('This directory has changes from now on.');
    expect(await readdir(directory)).toEqual(['.svc-changes.json']);
    expect((await split('projects', '--since', '0')).code).toBe(2);
    const refused = await split('customers');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('has the changes of projects.')]);
    await rename('projects', 2, 'Fifth');
    expect((await here.svc(['sync', 'projects', '--to', file])).code).toBe(0);
    expect((await split('projects')).code).toBe(0);
    expect((await linesOf('projects')).map(({ record_id }) => record_id)).toEqual([2]);
  });

  it('keeps the fields of a file when records get other fields and values', async () => {
    const changing = join(here.home, 'changing.sqlite');
    await writeFile(changing, await readFile(file));
    const database = new DatabaseSync(changing);
    const log = database.prepare('INSERT INTO svc_changes VALUES (?, ?, ?, ?, ?, ?)');
    const { last } = database.prepare('SELECT last FROM svc_log').get() as { last: number };
    let position = last;
    const add = (record: object) => {
      position += 1;
      log.run(position, 'customers', 1, null, JSON.stringify(record), '2026-11-26T10:00:00Z');
      database.exec(`UPDATE svc_log SET last = ${position}`);
    };
    const run = () => here.svc(['changes', '--split', directory, '--since', String(last), '--database', changing]);
    add({ id: 1, name: 'A', tags: [1, 'b'], size: 2, mixed: 1, none: null, 'odd name': true, Name: 'B' });
    add({ id: 1, name: 'A', mixed: 'x' });
    expect((await run()).code).toBe(0);
    add({ id: 1, name: 7, size: null, none: 3, mixed: { a: 1 }, tags: 'c', new: '🙂' });
    const { code, stderr } = await here.svc(['changes', '--split', directory, '--database', changing]);
    database.close();
    expect(code, stderr).toBe(0);
    const rows = (await linesOf('customers')).map(({ before, after }) => [before, after] as [unknown, Record<string, unknown>]);
    expect(rows.flatMap(([before]) => Object.values(before as object)).filter((value) => value !== null)).toEqual([]);
    expect(new Set(rows.flatMap((both) => both.map((record) => Object.keys(record as object).join()))).size).toBe(1);
    expect(rows.map(([, { name, tags, size, mixed, none, svc_other_fields: others }]) => [name, tags, size, mixed, none, others])).toEqual([
      ['A', '[1,"b"]', 2, '1', undefined, '{"odd name":true,"Name":"B"}'],
      ['A', null, null, '"x"', undefined, null],
      [null, '"c"', null, '{"a":1}', undefined, '{"name":7,"none":3,"new":"🙂"}'],
    ]);
  });

  it('refuses foreign, linked and changed files, and leaves these files unchanged', async () => {
    const path = join(directory, 'customers.ndjson');
    await mkdir(directory);
    await writeFile(path, 'mine\n');
    const foreign = await split('--since', '0');
    expect([foreign.code, foreign.stderr]).toEqual([
      1,
      expect.stringContaining('svc changes did not create it, so svc did not change it.'),
    ]);
    expect(await readFile(path, 'utf8')).toBe('mine\n');
    directory += '-link';
    await mkdir(directory);
    await symlink(join(here.home, 'nowhere'), join(directory, 'customers.ndjson'));
    expect((await split('--since', '0')).code).toBe(1);
    expect(await readdir(here.home)).not.toContain('nowhere');
    directory += '-changed';
    expect((await split('--since', '0', 'projects')).code).toBe(0);
    const changed = `${await readFile(join(directory, 'projects.ndjson'), 'utf8')}{}\n`;
    await writeFile(join(directory, 'projects.ndjson'), changed);
    await rename('projects', 3, 'Sixth');
    expect((await here.svc(['sync', 'projects', '--to', file])).code).toBe(0);
    const refused = await split('projects');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has changed since svc changes wrote it')]);
    expect(await readFile(join(directory, 'projects.ndjson'), 'utf8')).toBe(changed);
    const state = join(directory, '.svc-changes.json');
    await writeFile(state, (await readFile(state, 'utf8')).replace(here.host, 'other.example.com'));
    expect((await split('projects')).stderr).toContain('has the changes of other.example.com');
    await writeFile(state, '{}');
    expect((await split('projects')).stderr).toContain('.svc-changes.json has changed since');
  });

  it.each([
    [['--exec', 'cat'], '--split writes the changes to files'],
    [['-o', 'csv'], 'With --split files get the changes'],
  ])('exits 2 with %j', async (words, said) => {
    const { code, stderr } = await split(...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});
