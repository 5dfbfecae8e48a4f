// The guide’s commands for DuckDB and ClickHouse, on files of svc export and svc changes --split. Nothing here runs BigQuery.
// By hand: SVC_TEST_DUCKDB=<directory> npm run test:proofs -- test/docs/warehouse. In the directory, run `npm install @duckdb/node-api chdb`.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

const run = promisify(execFile);
const modules = process.env['SVC_TEST_DUCKDB'] ?? '';
const guide = await readFile(fileURLToPath(new URL('../../docs/guides/warehouse.md', import.meta.url)), 'utf8');

/** Returns the statements of the guide for an engine, in their order. */
const statementsFor = (engine: string) =>
  [...guide.matchAll(/^\*\*(\w+)\*\*([\s\S]*?)(?=^\*\*|^## |^The SQL works)/gm)]
    .filter(([, name]) => name === engine)
    .flatMap(([, , text = '']) => [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql))
    .flatMap((sql) => sql.split(/;\n/))
    .filter((sql) => sql.trim() !== '');

/** Runs statements in another process, which has the engine. The last words are the statements. */
const ENGINES = {
  DuckDB: `const { DuckDBInstance } = require('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const query = async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    const version = 'SELECT version() AS v';`,
  ClickHouse: `const { Session } = require('chdb');
    const session = new Session();
    const query = async (sql) => session.query(sql, 'JSONEachRow').split('\\n').filter(Boolean).map((line) => JSON.parse(line));
    await query('CREATE DATABASE d'); await query('USE d');
    const version = 'SELECT version() AS v';`,
};

let here: SignedIn;

async function inEngine(engine: keyof typeof ENGINES, statements: readonly string[]) {
  const script = `import { createRequire } from 'node:module';
    const require = createRequire(${JSON.stringify(`${modules}/package.json`)});
    ${ENGINES[engine]}
    const answers = [await query(version)];
    for (const sql of ${JSON.stringify(statements)}) answers.push(await query(sql));
    process.stdout.write('\\nANSWERS' + JSON.stringify(answers));
    process.exit();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: here.home, maxBuffer: 1e8 });
  const [version, ...answers] = JSON.parse(stdout.split('ANSWERS')[1] ?? '') as Record<string, unknown>[][];
  console.info(
    engine,
    version?.[0]?.['v'],
    answers.map((rows) => rows.slice(0, 3)),
  );
  return answers;
}

describe('the guide to warehouses', () => {
  beforeAll(async () => {
    here = await signedIn({ limits: 'off', personalToken: true });
    const commands = [...guide.matchAll(/^svc (export|changes) (.*)$/gm)].map(([, verb = '', rest = '']) => [verb, ...rest.split(' ')]);
    expect(commands.map((words) => words.join(' '))).toEqual([
      'export warehouse worklogs projects customers users',
      'changes --split warehouse/changes --since 0',
      'changes --split warehouse/changes',
    ]);
    for (const [at, words] of commands.entries()) {
      if (at === 2) await change();
      // A test has no working directory of its own.
      const { code, stderr } = await here.svc(words.map((word) => word.replace(/^warehouse/, join(here.home, 'warehouse'))));
      expect([0, 10], stderr).toContain(code);
    }
  }, 300_000);
  afterAll(() => here?.remove());

  async function change() {
    const headers = { authorization: `Bearer ${here.sandbox.tokens[0]?.value ?? ''}`, 'content-type': 'application/json' };
    const send = (method: string, path: string, body?: object) =>
      fetch(`${here.sandbox.baseUrl}${path}`, {
        method,
        headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
        ...(body && { body: JSON.stringify(body) }),
      });
    before = [1, 2].map((id) => Number(here.sandbox.rows('worklogs').find((row) => row['id'] === id)?.['minutes']));
    const answers = [
      await send('PATCH', '/worklogs/1', { minutes: 100 }),
      await send('DELETE', '/worklogs/2'),
      await send('POST', '/worklogs', { date: '2026-11-02', minutes: 25 }),
    ];
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
  }
  let before: readonly number[] = [];
  const moved = () => 100 - (before[0] ?? 0) - (before[1] ?? 0) + 25;
  const sum = (rows: readonly Record<string, unknown>[] = [], column: string) => rows.reduce((all, row) => all + Number(row[column]), 0);

  it('has SQL for DuckDB that sums the exported and the changed worklogs', async () => {
    const answers = await inEngine('DuckDB', [
      ...statementsFor('DuckDB'),
      "SELECT after.* FROM read_ndjson('warehouse/changes/worklogs.ndjson')",
    ]);
    const exported = (await readFile(`${here.home}/warehouse/worklogs.ndjson`, 'utf8')).trimEnd().split('\n');
    const worklogs = exported.map((line) => JSON.parse(line) as { date: string; minutes: number; project_id: number | null });
    const hours = worklogs.filter(({ date, project_id }) => date >= '2026-01-01' && project_id !== null);
    expect(sum(answers[2], 'hours')).toBeCloseTo(hours.reduce((all, { minutes }) => all + minutes, 0) / 60);
    expect(sum(answers[4], 'minutes')).toBe(moved());
  });

  it('has SQL for ClickHouse that counts each loaded line once', async () => {
    const statements = statementsFor('ClickHouse');
    const load = statements.find((sql) => sql.startsWith('INSERT INTO worklog_changes')) ?? '';
    const answers = await inEngine('ClickHouse', [
      ...statements.slice(0, -1),
      load,
      ...statements.slice(-1),
      'SELECT count() AS rows FROM worklogs FINAL',
    ]);
    const exported = (await readFile(`${here.home}/warehouse/worklogs.ndjson`, 'utf8')).trimEnd().split('\n');
    expect(sum(answers.at(-1), 'rows')).toBe(exported.length);
    expect(sum(answers.at(-2), 'minutes')).toBe(moved());
  });
});
