// Columns of a local database without an API spec: those of the fields that the service sends, and no others.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { json } from '../support/http-server.ts';
import { startRecording } from '../support/recording.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const GUIDE = fileURLToPath(new URL('../../docs/guides/questions.md', import.meta.url));
const QUERIES = [...(await readFile(GUIDE, 'utf8')).matchAll(/^### (\d+)\..*\n\n```sql\n([\s\S]*?)```$/gm)].map(
  ([, number = '', sql = '']) => ({
    number: Number(number),
    sql,
  }),
);

// A service that names some fields differently, sends others, and lacks some resources.
describe.each([3, 11])('the columns for the service of seed %i', (tenant) => {
  let here: SignedIn;
  let database: DatabaseSync;
  beforeAll(async () => {
    here = await signedIn({ limits: 'off', personalToken: true, tenant });
    const file = join(here.home, 'columns.sqlite');
    const { code, stderr } = await here.svc(['sync', '--to', file]);
    expect(code, stderr).toBe(0);
    database = new DatabaseSync(file, { readOnly: true });
  }, 120_000);
  afterAll(async () => {
    database.close();
    await here.remove();
  });

  it('are the fields of the records, and no field is in svc_other_fields', () => {
    const tables = database.prepare('SELECT noun, "table", rows FROM svc_tables').all() as { noun: string; table: string; rows: number }[];
    expect(tables.filter(({ noun }) => !noun.includes('.')).length).toBeGreaterThanOrEqual(40);
    for (const { noun, table } of tables) {
      const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table) as { name: string }[];
      const records = database.prepare(`SELECT record FROM svc_record_${table}`).all() as { record: string }[];
      const sent = new Set(records.flatMap(({ record }) => Object.keys(JSON.parse(record) as JsonObject)));
      expect(columns.map(({ name }) => name).toSorted(), noun).toEqual([...new Set([...sent, 'id', 'svc_other_fields'])].toSorted());
      expect(database.prepare(`SELECT count(svc_other_fields) AS n FROM ${table}`).get()?.['n'], noun).toBe(0);
    }
  });

  it.each(QUERIES)('answer query $number of the guide, or svc names the missing part', async ({ sql }) => {
    const { code, stdout, stderr } = await here.svc(['sql', '-', '--db', join(here.home, 'columns.sqlite'), '--output', 'json'], {
      stdin: sql,
    });
    if (code === 0) {
      const rows = JSON.parse(stdout) as JsonObject[];
      const columns = Object.keys(rows[0] ?? {});
      // A column of nulls alone would be a sum over a field that is not there.
      expect(columns.filter((column) => rows.every((row) => row[column] === null))).toEqual([]);
    } else expect([code, stderr]).toEqual([2, expect.stringMatching(/There is no (?:column|table|view) \S+[\s\S]*svc (?:sql|sync)/)]);
  });
});

it('svc names the missing part of a view, and the column of a field that a query reads from svc_other_fields', async () => {
  const here = await signedIn({ limits: 'off' });
  const file = join(here.home, 'few.sqlite');
  const runQuery = async (sql: string) => {
    const { code, stderr } = await here.svc(['sql', sql, '--db', file]);
    return [code, stderr];
  };
  await here.svc(['sync', 'worklogs', 'budgets', '--to', file]);
  expect(await runQuery('SELECT project FROM hours')).toEqual([
    2,
    expect.stringContaining(
      `There is no column project: for hours.project, projects.name is missing.\n  To store the table: svc sync --to ${file} projects`,
    ),
  ]);
  expect(await runQuery('SELECT * FROM absence_days')).toEqual([
    2,
    expect.stringContaining('There is no view absence_days, because the local database does not have absences.id.'),
  ]);
  expect(await runQuery("SELECT svc_other_fields ->> 'hourly_rate' AS rate FROM budgets LIMIT 1")).toEqual([
    0,
    expect.stringContaining('budgets.hourly_rate is a column: svc_other_fields does not have that field.'),
  ]);
  await here.remove();
});

it('svc gives a field of nulls the expected type, and other fields a type that fits', async () => {
  const here = await startRecording();
  const row = { id: 1, minutes: null, is_overtime: 'partly', hourly_rate: '12.50', note: null, updated_at: 5 };
  here.server.fallback((request, response, socket) => {
    const data = request.path.endsWith('/worklogs')
      ? [row, { ...row, id: 2 }]
      : [{ name: 'worklogs', path: '/worklogs', item_path: '/worklogs/{id}' }];
    json(200, request.path.endsWith('/me') ? { data: { id: 7 } } : { data, links: { next: null } })(request, response, socket);
  });
  const file = join(here.home, 'types.sqlite');
  expect(await here.svc(['sync', '--to', file])).toMatchObject({ code: 0 });
  const { stdout } = await here.svc(['sql', '--schema', 'worklogs', '--db', file]);
  const columns = JSON.parse(stdout) as { readonly column: string; readonly type: string }[];
  expect(Object.fromEntries(columns.map(({ column, type }) => [column, type]))).toEqual({
    id: 'INTEGER',
    minutes: 'INTEGER',
    is_overtime: 'TEXT',
    hourly_rate: 'TEXT',
    note: 'TEXT',
    updated_at: 'TEXT',
    svc_other_fields: 'JSON TEXT',
  });
  await here.remove();
});
