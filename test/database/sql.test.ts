// Questions to the copy: what they answer, that nothing can be changed by them, and how they fail.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { svcBinary } from '../support/binary.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
let file: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
  file = join(here.home, 'copy.sqlite');
  const { code, stderr } = await here.svc(['sync', 'worklogs', 'projects', 'users', '--to', file]);
  expect(code, stderr).toBe(0);
  here.sandbox.requests.length = 0;
});
afterAll(async () => {
  expect(here.sandbox.requests).toEqual([]);
  await here.remove();
});
const runQuery = (question: string, ...words: string[]) => here.svc(['sql', question, '--db', file, ...words]);

describe('svc sql', () => {
  it('answers in JSON, CSV and ids, with all digits', async () => {
    const minutes = here.sandbox.rows('worklogs').reduce((sum, { minutes: each }) => sum + Number(each), 0);
    const question = 'SELECT sum(minutes) AS minutes, 9223372036854775807 AS big, NULL AS empty, \'{"a":1}\' AS text FROM worklogs';
    expect((await runQuery(question)).stdout).toBe(
      `[\n{"minutes":${minutes},"big":9223372036854775807,"empty":null,"text":"{\\"a\\":1}"}\n]\n`,
    );
    expect((await runQuery(question, '-o', 'csv', '--fields', 'minutes,big')).stdout).toBe(`minutes,big\n${minutes},9223372036854775807\n`);
    expect((await runQuery('SELECT id FROM users ORDER BY id LIMIT 2', '-o', 'ids')).stdout).toBe('1\n2\n');
    expect((await runQuery('SELECT 1.5 * 2.5, count(*) FROM users', '--jq', '.[0].column_1')).stdout).toBe('3.75\n');
    expect((await runQuery('SELECT name FROM projects WHERE id < 0')).stdout).toBe('[]\n');
  });

  it('reads the query from standard input and from a file, with values for its parameters', async () => {
    const question = 'SELECT count(*) AS n FROM worklogs WHERE date >= :from AND is_overtime = $over -- of :nobody\n';
    const n = here.sandbox.rows('worklogs').filter((row) => String(row['date']) >= '2026-01-01' && row['is_overtime'] === false).length;
    const values = ['--param', 'from=2026-01-01', '--param', ':over=false', '--db', file];
    expect((await here.svc(['sql', ...values], { stdin: question })).stdout).toBe(`[\n{"n":${n}}\n]\n`);
    await writeFile(join(here.home, 'question.sql'), question);
    expect((await here.svc(['sql', '--file', join(here.home, 'question.sql'), ...values])).stdout).toBe(`[\n{"n":${n}}\n]\n`);
    const missing = await runQuery(question, '--param', 'from=2026-01-01');
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('has a parameter :over, but you gave no value')]);
    const strange = await runQuery('SELECT :from AS a', '--param', 'form=1', '--param', 'from=1');
    expect([strange.code, strange.stderr]).toEqual([2, expect.stringContaining('Did you mean --param from=…')]);
  });

  it.each([
    ['DELETE FROM projects', 'DELETE is not a query'],
    ['WITH all_of AS (SELECT 1) DELETE FROM projects', 'attempt to write a readonly database'],
    ["VACUUM INTO 'stolen.sqlite'", 'VACUUM is not a query'],
    ["ATTACH 'other.sqlite' AS other", 'ATTACH is not a query'],
    ['/* SELECT */ PRAGMA writable_schema = 1', 'PRAGMA is not a query'],
    ['SELECT 1; DELETE FROM projects', 'more than one statement'],
    ["SELECT ';'; -- nothing more", undefined],
    ['', '"svc sql" needs a query.'],
    ['SELECT nam FROM projects', 'Did you mean name?'],
    // There is one, elsewhere: that would be no help.
    ['SELECT name FROM worklogs', 'There is no column name.\n  List the columns: svc sql --db '],
    ['SELECT 1 FROM project', 'Did you mean projects?'],
    ['SELECT a.id, b.id FROM projects a, projects b', 'AS other_id'],
    ['SELECT FROM', 'SQLite refuses the query: near "FROM": syntax error'],
  ])('answers %s, or names the reason for a refusal, and leaves the file unchanged', async (question, said) => {
    const before = await stat(file);
    const { code, stderr } = await runQuery(question);
    expect([code, stderr]).toEqual(said === undefined ? [0, ''] : [2, expect.stringContaining(said)]);
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs);
  });

  it('--schema lists the columns of tables and views, but no internal table', async () => {
    const { stdout } = await here.svc(['sql', '--schema', '--db', file]);
    const columns = JSON.parse(stdout) as { table: string; column: string; type: string; known_by: string }[];
    expect([...new Set(columns.map(({ table }) => table))]).toEqual(['hours', 'projects', 'users', 'worklogs']);
    expect(columns.find(({ table, column }) => table === 'worklogs' && column === 'minutes')).toMatchObject({
      type: 'INTEGER',
      known_by: 'read',
    });
    expect(columns.find(({ table }) => table === 'projects')).toMatchObject({ column: 'id' });
    expect(columns[0]).toMatchObject({ table: 'hours', column: 'id', rows: null });
  });

  it('prints when svc last checked an old table, also for a view of the table', async () => {
    const database = new DatabaseSync(file);
    database.exec("UPDATE svc_tables SET as_of = '2025-01-01T00:00:00Z' WHERE noun = 'projects'");
    database.close();
    expect((await runQuery('SELECT count(*) FROM users')).stderr).toBe('');
    expect((await runQuery('SELECT count(*) FROM "projects"')).stderr).toBe(
      `svc last checked projects at 2025-01-01T00:00:00Z. To update: svc sync --to ${file}\n`,
    );
    // A view is as old as the oldest of what it is made of.
    expect((await runQuery('SELECT count(*) FROM Hours')).stderr).toContain('svc last checked projects');
  });

  it.skipIf(process.platform === 'win32')('stops an endless query at SIGINT', async () => {
    const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c WHERE x <= 200';
    const child = spawn(process.execPath, [svcBinary().path, 'sql', endless, '--db', file, '-o', 'ndjson'], {
      env: { PATH: process.env['PATH'], HOME: here.home, SVC_TOKEN_STORE: 'file' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      // The first rows are there; the next are looked for until the end of time.
      await once(child.stdout, 'data');
      await vi.waitFor(() => expect(child.kill('SIGINT') && child.signalCode === null).toBe(false), { timeout: 20_000 });
      await vi.waitFor(() => expect(child.signalCode).toBe('SIGINT'));
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('queries a file with a broken view, and names the view', async () => {
    const other = join(here.home, 'broken-view.sqlite');
    const database = new DatabaseSync(other);
    database.exec(
      'CREATE TABLE kept (a INTEGER); INSERT INTO kept VALUES (1); CREATE TABLE gone (b); CREATE VIEW broken AS SELECT b FROM gone; DROP TABLE gone',
    );
    database.close();
    const runQuery = (...words: string[]) => here.svc(['sql', ...words, '--db', other]);
    expect(JSON.parse((await runQuery('SELECT a FROM kept')).stdout)).toEqual([{ a: 1 }]);
    expect(await runQuery('SELECT b FROM broken')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no table main.gone.'),
    });
    expect(await runQuery('SELECT a FROM kep')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean kept?') });
    for (const words of [['--schema'], ['--schema', 'broken']])
      expect(await runQuery(...words)).toMatchObject({ code: 0, stderr: 'svc cannot query the view broken: no such table: main.gone.\n' });
    expect(JSON.parse((await runQuery('--schema')).stdout)).toMatchObject([{ table: 'kept', column: 'a' }]);
  });

  // Root can write to every directory; test/e2e/other-user.proof.ts runs this query for root, as another user.
  const isBound = process.platform !== 'win32' && process.getuid?.() !== 0;
  (isBound ? it : () => undefined)('reads a file in a read-only directory', async () => {
    const directory = join(here.home, 'read-only');
    await mkdir(directory);
    await copyFile(file, join(directory, 'copy.sqlite'));
    await chmod(directory, 0o500);
    try {
      const { code, stdout } = await here.svc(['sql', 'SELECT count(*) AS n FROM users', '--db', join(directory, 'copy.sqlite')]);
      expect([code, stdout]).toEqual([0, expect.stringContaining('"n":')]);
    } finally {
      await chmod(directory, 0o700);
    }
  });

  it('exits 3 if the local database does not exist, and 1 if the file is not a database', async () => {
    const none = await here.svc(['sql', 'SELECT 1']);
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('To create the local database: svc sync')]);
    const other = join(here.home, 'other.sqlite');
    await writeFile(other, 'no database at all '.repeat(100));
    await chmod(other, 0o600);
    const broken = await here.svc(['sql', 'SELECT 1', '--db', other]);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('as a database: file is not a database')]);
  });
});
