// The files of earlier versions, kept for good. For a new version, README.md in this folder says how to add its files.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/svc.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const versions = (await readdir(folder)).flatMap((name) => /^(\d+\.\d+\.\d+)\.tar\.gz$/.exec(name)?.[1] ?? []);

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine({ env: { SVC_TOKEN_STORE: 'file' } });
});
afterEach(() => machine.remove());

/** Fills the home with the files of a version. */
function restore(version: string): void {
  execFileSync('tar', ['-xzf', join(folder, `${version}.tar.gz`), '-C', machine.home]);
}

async function json(...argv: readonly string[]) {
  const { code, stdout, stderr } = await machine.svc([...argv, '--output', 'json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** The files of the home that a test names, by a part of their path. */
async function fileOf(part: string): Promise<string> {
  const names = await readdir(machine.home, { recursive: true });
  const name = names.find((one) => one.replaceAll('\\', '/').includes(part) && !/-(wal|shm)$/.test(one));
  if (name === undefined) throw new Error(`There is no file ${part}.`);
  return join(machine.home, name);
}

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

it('the tests have files that svc 0.1.0 wrote', () => {
  expect(versions).toContain('0.1.0');
});

describe.each(versions)('the files of svc %s', (version) => {
  beforeEach(() => restore(version));

  it('still give svc the settings, the alias and the policy', async () => {
    const settings: readonly { readonly name: string; readonly value: unknown }[] = await json('config', 'list');
    expect(Object.fromEntries(settings.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])))).toEqual({
      host: '127.0.0.1:47110',
      output: 'json',
      timezone: 'Europe/Amsterdam',
    });
    expect(await json('alias', 'list')).toEqual([{ name: 'standup', line: 'worklogs add 15m "Stand-up" --no-context' }]);
    expect(await json('policy', 'show')).toMatchObject([{ allow: [{ resource: 'worklogs', verbs: ['create', 'update'] }] }]);
  });

  it('still give svc the sign-in', async () => {
    expect(await json('auth', 'status')).toMatchObject([{ host: '127.0.0.1:47110', user: 'Sanne de Vries', user_id: 1 }]);
  });

  it('still give svc the journal, with the write that waits in the outbox', async () => {
    expect(await json('history')).toMatchObject([
      { number: 4, outcome: 'waiting', method: 'POST' },
      { number: 3, outcome: 'done', what: 'PATCH /worklogs/5931: minutes 50', record_id: 5931 },
      { number: 2, outcome: 'done', record_id: 5932 },
      { number: 1, outcome: 'done', record_id: 5931 },
    ]);
    expect(await json('outbox')).toMatchObject([
      {
        number: 4,
        body: { project_id: 1, minutes: 15, description: 'Fixture: waits in the outbox', date: '2026-01-07' },
        idempotency_key: 'a399500b-f520-49e8-8b56-7c1415b70dca',
      },
    ]);
  });

  it('still give svc the local database', async () => {
    expect(await json('sql', 'select count(*) as projects, (select count(*) from users) as users from projects')).toEqual([
      { projects: 8, users: 12 },
    ]);
  });

  it('still give svc the imported API spec', async () => {
    const nouns: readonly { readonly noun: string }[] = await json('schema', 'show');
    expect(nouns).toContainEqual(expect.objectContaining({ noun: 'worklogs', known: 'described', path: '/worklogs' }));
  });

  it('still give svc the plan, which svc refuses for another organisation', async () => {
    const { code, stderr } = await machine.svc(['apply', join(machine.home, 'plan.json'), '--host', 'acme.example.com']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('127.0.0.1:47110')]);
  });
});

describe('a file of a newer svc', () => {
  beforeEach(() => restore('0.1.0'));

  // test/database/contract.ts has the same for the local database.
  it('such as the journal is refused, and stays unchanged', async () => {
    const path = await fileOf('journal/');
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const before = await digestOf(path);
    const { code, stdout, stderr } = await machine.svc(['history']);
    expect([code === 0, stdout, stderr]).toEqual([false, '', expect.stringMatching(/newer svc/)]);
    expect(await digestOf(path)).toBe(before);
  });

  it.each([
    ['the token file', 'tokens/127', '"version":1', '"version":9999', ['me']],
    ['a plan', 'plan.json', '"svc_plan":1', '"svc_plan":9999', ['apply', 'PLAN']],
  ] as const)('such as %s is refused, and stays unchanged', async (_, part, mark, newer, argv) => {
    const path = await fileOf(part);
    const text = await readFile(path, 'utf8');
    expect(text).toContain(mark);
    await writeFile(path, text.replace(mark, newer), { mode: 0o600 });
    const before = await digestOf(path);
    const { code, stdout, stderr } = await machine.svc(argv.map((word) => (word === 'PLAN' ? path : word)));
    expect([code === 0, stdout, stderr]).toEqual([false, '', expect.stringMatching(/newer svc/)]);
    expect(await digestOf(path)).toBe(before);
  });

  it('such as an API spec is ignored with a notice, and stays unchanged', async () => {
    const path = await fileOf('index.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"form":1', '"form":9999'), { mode: 0o600 });
    const before = await digestOf(path);
    const { code, stderr } = await machine.svc(['schema', 'show']);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('A newer svc stored the imported API spec of 127.0.0.1:47110. This svc ignores the spec.'),
    ]);
    expect(await digestOf(path)).toBe(before);
  });
});
