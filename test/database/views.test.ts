// Views of the copy: that they say what svc's own commands say, and are there as far as what they are made of is.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import type { TableShape } from '../../src/database/table-shape.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
let file: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
  // Two of each, of one project, so that each way to stand towards an invoice is there.
  const own = here.sandbox.rows('worklogs').filter((row) => row['project_id'] === 1 && row['is_not_billable'] === false);
  const marks = [{ exceeded_budget: true }, { invoice_id: 1 }, { sales_invoice_row_id: 1 }, { is_not_billable: true, invoice_id: 2 }];
  for (const [index, mark] of marks.entries()) Object.assign(own[index] ?? {}, mark);
  file = join(here.home, 'copy.sqlite');
  const nouns = ['worklogs', 'projects', 'customers', 'users', 'budgets', 'absences', 'holidays', 'free-days', 'invoices'];
  const { code, stderr } = await here.svc(['sync', ...nouns, 'sales-invoices', 'sales-invoice-rows', '--to', file]);
  expect(code, stderr).toBe(0);
});
afterAll(() => here.remove());

async function rows<Row = JsonObject>(argv: readonly string[]): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await here.svc([...argv, '-o', 'json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Row[];
}
const runQuery = (question: string, from = file) => rows(['sql', question, '--db', from]);

describe('the view', () => {
  it('hours names the project, the customer and the invoice of a worklog, and counts no row twice', async () => {
    const [project] = here.sandbox.rows('projects');
    const customer = here.sandbox.rows('customers').find(({ id }) => id === project?.['customer_id']);
    const own = here.sandbox.rows('worklogs').filter((row) => row['project_id'] === project?.['id']);
    const minutes = own.reduce((sum, row) => sum + Number(row['minutes']), 0);
    expect(await runQuery('SELECT project, customer, count(*) AS n, sum(minutes) AS minutes FROM hours WHERE project_id = 1')).toEqual([
      { project: project?.['name'], customer: customer?.['name'], n: own.length, minutes },
    ]);
    const [row, invoice] = [here.sandbox.rows('sales-invoice-rows'), here.sandbox.rows('sales-invoices')];
    const numbers = [...here.sandbox.rows('invoices').slice(0, 2), invoice.find(({ id }) => id === row[0]?.['sales_invoice_id'])];
    const found = await runQuery('SELECT invoice FROM hours WHERE invoice IS NOT NULL');
    expect(found.map((each) => each['invoice']).toSorted()).toEqual(numbers.map((each) => each?.['number']).toSorted());
  });

  it('hours shows the billing state of a worklog as svc billing does', async () => {
    const figures = ['unbilled', 'over-budget', 'not-billable', 'billed', 'unknown'].map(
      (state) => `sum(CASE billing WHEN '${state}' THEN minutes ELSE 0 END) AS ${state.replace('-', '_')}_minutes`,
    );
    const [told] = await rows(['billing', 'unbilled', '2025-01-01..2026-06-30', '--project', '1', '--by', 'project']);
    const [found] = await runQuery(
      `SELECT ${figures.join(', ')} FROM hours WHERE project_id = 1 AND date BETWEEN '2025-01-01' AND '2026-06-30'`,
    );
    expect(told).toMatchObject(found ?? {});
    expect(Object.values(found ?? {}).filter((minutes) => minutes === 0)).toHaveLength(1);
  });

  it('absence_days has the days of svc absences calendar', async () => {
    type Day = { readonly date: string; readonly from: string | null; readonly until: string | null; readonly works: boolean };
    const people = await rows<{ readonly user_id: number; readonly days: readonly (Day & JsonObject)[] }>(['absences', 'calendar', '2025']);
    const told = people.flatMap(({ user_id, days }) =>
      days.map(({ date, absence_id, type, status, runs, from, until }) => ({
        ...{ user_id, date, absence_id, type, status, runs: Number(runs), from, until },
      })),
    );
    const columns = 'user_id, date, absence_id, type, status, is_running AS runs, begins AS "from", ends AS until';
    const found = await runQuery(`SELECT ${columns} FROM absence_days WHERE date BETWEEN '2025-01-01' AND '2025-12-31'`);
    expect(byDay(found)).toEqual(byDay(told));
    expect(new Set(found.map(({ runs }) => runs)).size).toBe(2);
    const off = here.sandbox.rows('holidays').map(({ name, date }) => ({ date, day_off: name }));
    const [named] = await runQuery("SELECT date, day_off FROM absence_days WHERE weekday < 6 AND day_off <> 'Bridge day' LIMIT 1");
    expect(off).toContainEqual(named);
  });

  it('budget_use has the figures of svc budgets burn', async () => {
    const told = await rows(['budgets', 'burn', '--fields', 'id,name,project,budget_minutes,spent_minutes,left_minutes,percent']);
    const columns = 'budget_id AS id, budget AS name, project, budget_minutes, spent_minutes, left_minutes, percent';
    const found = await runQuery(`SELECT ${columns} FROM budget_use`);
    const byId = (all: readonly JsonObject[]) => all.toSorted((one, other) => Number(one['id']) - Number(other['id']));
    expect(byId(found)).toEqual(byId(told));
    expect(await runQuery('SELECT 1 AS differs FROM budget_use WHERE worklog_minutes <> shown_minutes')).toEqual([]);
  });
});

describe('the views', () => {
  const change = { path: '/x', as_of: '2026-03-10T12:00:00Z', whole_at: '2026-03-10T12:00:00Z', known_by: 'read' } as const;
  const shape = (noun: string, ...columns: readonly string[]): TableShape => ({
    noun,
    columns: columns.map((name) => ({ name, type: name === 'id' ? 'INTEGER' : 'TEXT' })),
  });
  const names = (path: string) => {
    const database = new DatabaseSync(path, { readOnly: true });
    const found = database.prepare("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name").all();
    database.close();
    return found.map(({ name }) => name);
  };

  it('appear and change with their tables, and are replaced by a table with the same name', async () => {
    const path = join(here.home, 'changing.sqlite');
    const localDatabase = await openSqliteDatabase(path, { host: here.host, user: 1, timeZone: 'Europe/Amsterdam' });
    await localDatabase.replace(shape('worklogs', 'id', 'date'), [{ id: 1, date: '2026-01-01' }], change);
    expect(names(path)).toEqual([]);
    await localDatabase.replace(
      shape('worklogs', 'id', 'date', 'minutes', 'project_id'),
      [{ id: 1, date: '2026-01-01', minutes: 5, project_id: 2 }],
      change,
    );
    expect((await here.svc(['sql', 'SELECT project FROM hours', '--db', path])).stderr).toContain('There is no column project');
    await localDatabase.replace(shape('projects', 'id', 'name'), [{ id: 2, name: 'Web' }], change);
    expect(await runQuery('SELECT id, project FROM hours', path)).toEqual([{ id: 1, project: 'Web' }]);
    await localDatabase.replace(shape('hours', 'id'), [{ id: 7 }], change);
    expect(await runQuery('SELECT * FROM hours', path)).toEqual([{ id: 7, svc_other_fields: null }]);
    await localDatabase.close();
    expect(names(path)).toEqual([]);
  });

  it('show a missing value as unknown, and read dates and times in several forms', async () => {
    const path = join(here.home, 'kinds.sqlite');
    const localDatabase = await openSqliteDatabase(path, { host: here.host, user: 1, timeZone: 'Europe/Amsterdam' });
    const worklog = {
      date: '2026-01-01',
      minutes: 5,
      invoice_id: null,
      sales_invoice_row_id: null,
      is_not_billable: false,
      exceeded_budget: false,
    };
    const { invoice_id: _, ...unseen } = worklog;
    await localDatabase.replace(
      shape('worklogs', 'id', 'date', 'minutes', 'invoice_id', 'sales_invoice_row_id', 'is_not_billable', 'exceeded_budget'),
      [
        { id: 1, ...worklog },
        { id: 2, ...unseen },
        { id: 3, ...worklog, is_not_billable: null },
        { id: 4, ...unseen, sales_invoice_row_id: 9 },
      ],
      change,
    );
    expect((await runQuery('SELECT billing FROM hours ORDER BY id', path)).map(({ billing }) => billing)).toEqual([
      'unbilled',
      'unknown',
      'unknown',
      'billed',
    ]);
    await localDatabase.replace(
      shape('users', 'id', 'name', 'timezone'),
      [{ id: 1, timezone: 'Asia/Tokyo' }, { id: 2, timezone: 'No/Where' }, { id: 3 }],
      change,
    );
    const absences: readonly JsonObject[] = [
      { id: 1, user_id: 1, start: '2026-03-01T15:00:00Z', end: '2026-03-02T14:59:59Z' },
      { id: 2, user_id: 2, start: '2026-03-27T23:00:00.000000Z', end: '2026-03-30T00:00:00+02:00' },
      { id: 3, user_id: 3, start: '2026-02-28', end: '2026-03-01', status: 'Declined' },
      { id: 4, user_id: 3, start: '2026-02-28', end: '2026-03-01' },
      { id: 5, user_id: 3, start: '2026-03-09T08:00:00Z', end: null },
      { id: 6, user_id: 3, start: '2026-03-09T08:00:00Z' },
      { id: 7, user_id: 3, start: '2026-03-08T23:00:00Z', end: '2026-03-08T23:00:00Z' },
      { id: 8, user_id: 3, start: '2026-99-99', end: 'never' },
    ];
    await localDatabase.replace(shape('absences', 'id', 'user_id', 'start', 'end'), absences, change);
    const found = await runQuery('SELECT absence_id, date, begins FROM absence_days', path);
    expect(found.map((row) => Object.values(row).join(' ')).toSorted()).toEqual([
      '1 2026-03-02 ',
      '2 2026-03-28 ',
      '2 2026-03-29 ',
      '4 2026-02-28 ',
      '4 2026-03-01 ',
      '5 2026-03-09 09:00',
      '5 2026-03-10 ',
      '7 2026-03-09 ',
    ]);
    await localDatabase.close();
  });
});

function byDay(days: readonly object[]): readonly string[] {
  return days.map((day) => JSON.stringify(Object.fromEntries(Object.entries(day).toSorted()))).toSorted();
}
