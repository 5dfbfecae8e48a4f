// One question after the other, and what helps to ask: the prompt, its history, names that are completed, and a copy brought up to date first.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeSql } from '../../src/commands/sql/complete.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
  const { code, stderr } = await here.svc(['sync', 'worklogs', 'projects', 'users']);
  expect(code, stderr).toBe(0);
});
afterAll(() => here.remove());
const type = (lines: RunOptions['answers'], ...words: string[]) =>
  here.svc(['sql', '-o', 'csv', ...words], { answers: lines ?? [], env: { NO_COLOR: '1' } });

describe('the prompt of svc sql', () => {
  it('runs a query after a final semicolon, and continues after an error', async () => {
    const { code, stdout, stderr } = await type(
      [
        "SELECT count(*) AS n, ';",
        "' AS text -- no end; yet",
        'FROM projects;',
        'SELECT nam FROM projects;',
        'SELECT given up',
        false,
        'SELECT :day AS day ;',
        'SELECT 1 AS one;',
        '.quit',
        'SELECT 2;',
      ],
      '--param',
      'day=2026-11-22',
    );
    expect([code, stdout]).toEqual([0, `n,text\n${here.sandbox.rows('projects').length},";\n"\nday\n2026-11-22\none\n1\n`]);
    expect(stderr).toContain('Did you mean name?');
    expect(stderr.match(/svc> |\.\.\.> /g)).toEqual(['svc> ', '...> ', '...> ', 'svc> ', 'svc> ', '...> ', 'svc> ', 'svc> ', 'svc> ']);
  });

  it('lists tables and columns with the commands of psql and sqlite3', async () => {
    const { stdout, stderr } = await type(['\\d', '.schema Users', '\\x']);
    expect(stdout).toMatch(
      /^table,rows,as_of,.*\n(.*\n)*users,\d+,.*\nworklogs,.*\ntable,column,type,.*\nusers,id,INTEGER,.*\nusers,name,TEXT/,
    );
    expect(stderr).toContain('svc has no \\x here.');
  });

  it('stores the history in a private file, without the values of parameters', async () => {
    await type(['SELECT :secret AS s;', 'SELECT :secret AS s;', 'SELECT 3;'], '--param', 'secret=hunter2');
    const file = join(here.home, '.local', 'state', 'svc', 'sql-history');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const stored = await readFile(file, 'utf8');
    expect(stored).toMatch(/SELECT :secret AS s;\nSELECT 3;\n$/);
    expect(stored).not.toContain('hunter2');
  });

  it('does not open in a pipe, where svc sql reads the query from standard input', async () => {
    expect((await here.svc(['sql', '-o', 'csv'], { stdin: 'SELECT 1 AS one' })).stdout).toBe('one\n1\n');
  });
});

describe('svc sql --sync', () => {
  it('updates the tables that the query names, including the tables of views, and no other table', async () => {
    here.sandbox.requests.length = 0;
    await here.svc(['projects', 'create', '--name', 'New here']);
    const asked = await here.svc(['sql', '--sync', "SELECT name FROM projects WHERE name = 'New here'", '-o', 'ids', '--fields', 'name']);
    expect([asked.code, asked.stdout], asked.stderr).toEqual([0, 'New here\n']);
    const labels = await here.svc(['sql', '--sync', 'SELECT count(*) AS n FROM labels', '-o', 'csv']);
    expect(labels.stdout).toBe(`n\n${here.sandbox.rows('labels').length}\n`);
    const paths = () => new Set(here.sandbox.requests.map(({ path }) => path.split('?')[0]?.replace('/api/v2', '')));
    expect(paths()).not.toContain('/worklogs');
    await here.svc(['sql', '--sync', 'SELECT count(*) FROM hours']);
    expect(paths()).toEqual(new Set(['/projects', '/labels', '/users', '/worklogs']));
  });
});

describe('completion of names', () => {
  const tables = [
    { name: 'projects', columns: ['id', 'name'] },
    { name: 'worklogs', columns: ['id', 'minutes', 'project_id'] },
  ];
  it.each([
    ['SELECT sum(minu', ['minutes']],
    ['SELECT * FROM proj', ['projects']],
    ['SELECT p.na FROM projects p WHERE p.n', ['name']],
    ['SELECT w.mi', ['minutes']],
    ["SELECT 1 WHERE 'minu", []],
    ['SEL', ['SELECT']],
    ['SELECT minutes\nfrom worklogs gro', ['group']],
  ])('after %s offers %j at the prompt', (typed, completed) => {
    expect(completeSql(typed, tables).choices).toEqual(completed);
  });

  it('offers tables in a shell, but nothing inside a quoted query', async () => {
    const complete = async (...typed: string[]) => (await here.svc(['__complete', '--', 'sql', ...typed])).stdout;
    expect(await complete('--schema', 'proj')).toMatch(/^projects\t\n:/);
    expect(await complete('SELECT * FROM proj')).toBe(':\n');
  });
});
