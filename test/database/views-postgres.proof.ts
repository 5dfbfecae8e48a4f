// The views of a copy in PostgreSQL: the same rows as in a file, and what only a database has, where others have views too.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import type { LocalDatabase } from '../../src/database/local-database.ts';
import { readAddress } from '../../src/database/postgres/address.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import type { StoredColumn, TableShape } from '../../src/database/table-shape.ts';
import { VIEWS } from '../../src/database/views.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const run = promisify(execFile);
const bin = await findPostgres();

describe.skipIf(bin === undefined)('the views of a team database', () => {
  let server: PostgresServer;
  let here: SignedIn;
  let address: string;
  beforeAll(async () => {
    [server, here] = await Promise.all([startPostgres(bin ?? ''), signedIn({ limits: 'off' })]);
    address = await server.database('reports');
  });
  afterAll(async () => {
    await Promise.all([server?.close(), here?.remove()]);
  });

  const psql = async (sql: string) => (await server.psql(address, '-F', '|', '-q', '-c', sql)).trim();
  const inDatabase = async (sql: string) => rowsOf(await psql(`SELECT coalesce(json_agg(row_to_json(v)), '[]') FROM (${sql}) v`));
  const inFile = async (sql: string, file: string) => {
    const { code, stdout, stderr } = await here.svc(['sql', sql, '--db', file, '-o', 'json']);
    expect(code, stderr).toBe(0);
    return rowsOf(stdout);
  };
  const opened = async (schema: string): Promise<LocalDatabase> =>
    openPostgresDatabase(await readAddress(`${address}?schema=${schema}`, {}, ''), { host: 'x', user: 1, timeZone: 'Europe/Amsterdam' });
  const viewsIn = async (schema: string) =>
    (await psql(`SELECT viewname FROM pg_views WHERE schemaname = '${schema}' ORDER BY 1`))
      .split('\n')
      .filter((name) => name !== '' && !name.startsWith('svc_'));

  it('have the same rows as the views of a local database file', async () => {
    const own = here.sandbox.rows('worklogs').filter((row) => row['project_id'] === 1 && row['is_not_billable'] === false);
    const marks = [{ exceeded_budget: true }, { invoice_id: 1 }, { sales_invoice_row_id: 1 }, { is_not_billable: true, invoice_id: 2 }];
    for (const [index, mark] of marks.entries()) Object.assign(own[index] ?? {}, mark);
    for (const [index, timezone] of ['Asia/Tokyo', 'America/New_York', 'No/Where'].entries())
      Object.assign(here.sandbox.rows('users')[index + 1] ?? {}, { timezone });
    const file = join(here.home, 'copy.sqlite');
    const nouns = ['worklogs', 'projects', 'customers', 'users', 'work-items', 'tasks', 'budgets', 'absences', 'holidays', 'free-days'];
    for (const to of [file, address]) {
      const { code, stderr } = await here.svc(['sync', ...nouns, 'invoices', 'sales-invoices', 'sales-invoice-rows', '--to', to]);
      expect(code, stderr).toBe(0);
    }
    for (const view of VIEWS) {
      const [theirs, ours] = [await inFile(`SELECT * FROM ${view}`, file), await inDatabase(`SELECT * FROM svc.${view}`)];
      expect(ours.length, view).toBeGreaterThan(5);
      expect(ours, view).toEqual(theirs);
    }
    const question = (schema: string) =>
      `SELECT h.person, h.date, sum(h.minutes) AS minutes FROM ${schema}hours h WHERE EXISTS (SELECT 1 FROM ${schema}absence_days a
        WHERE a.user_id = h.user_id AND a.date = h.date AND a.is_whole_day) GROUP BY h.user_id, h.person, h.date`;
    expect(await inDatabase(question('svc.'))).toEqual(await inFile(question(''), file));
    // What reports make of them.
    const types = `SELECT table_name || '.' || column_name || ' ' || data_type FROM information_schema.columns WHERE table_schema = 'svc'
      AND (table_name, column_name) IN (('hours', 'date'), ('hours', 'is_overtime'), ('absence_days', 'date'), ('absence_days', 'is_running'),
        ('budget_use', 'spent_minutes'), ('budget_use', 'percent')) ORDER BY 1`;
    expect((await psql(types)).split('\n')).toEqual([
      'absence_days.date date',
      'absence_days.is_running boolean',
      'budget_use.percent numeric',
      'budget_use.spent_minutes bigint',
      'hours.date date',
      'hours.is_overtime boolean',
    ]);
    const restored = await server.database('restored');
    const dump = join(here.home, 'dump.sql');
    await run(server.program('pg_dump'), ['--schema', 'svc', '-f', dump, address]);
    await server.psql(restored, '-q', '-f', dump);
    expect(await server.psql(restored, '-c', 'SELECT count(*) FROM svc.absence_days')).toBe(
      `${await psql('SELECT count(*) FROM svc.absence_days')}\n`,
    );
    // There too they are svc's.
    expect((await here.svc(['sync', '--forget', '--to', restored])).code).toBe(0);
    expect((await here.svc(['sync', '--forget', '--to', address])).code).toBe(0);
    for (const to of [address, restored])
      expect((await server.psql(to, '-c', "SELECT count(*) FROM pg_namespace WHERE nspname = 'svc'")).trim()).toBe('0');
  });

  it('equal the views of a file for hidden fields and unusual dates', async () => {
    const file = join(here.home, 'kinds.sqlite');
    const mirrors = [await openSqliteDatabase(file, { host: 'x', user: 1, timeZone: 'Europe/Amsterdam' }), await opened('kinds')];
    const shows = { invoice_id: null, sales_invoice_row_id: null, is_not_billable: false, exceeded_budget: false };
    const { invoice_id: _, ...unseen } = shows;
    const worklogs: readonly JsonObject[] = [
      shows,
      unseen,
      { ...shows, is_not_billable: null },
      { ...unseen, sales_invoice_row_id: 9 },
      // Shown below it, and in a text, is not shown.
      { ...unseen, about: { invoice_id: 5 }, description: '"invoice_id":1' },
      { ...unseen, description: '\u0001\ud800\0 \\u0000 {' },
      { ...shows, description: '\u0001\ud800\0 \\u0000 {' },
      { ...shows, invoice_id: 'seven', exceeded_budget: true },
    ];
    const absences: readonly JsonObject[] = [
      { user_id: 1, start: '2026-03-01T15:00:00Z', end: '2026-03-02T14:59:59Z' },
      { user_id: 2, start: '2026-03-27T23:00:00.000000Z', end: '2026-03-30T00:00:00+02:00' },
      { user_id: 3, start: '2026-02-28', end: '2026-03-01', status: 'Declined' },
      { user_id: 3, start: '2026-02-28', end: '2026-03-01', type: 'leave', status: 'approved' },
      { user_id: 3, start: '2026-03-09T08:00:00Z', end: null },
      { user_id: 3, start: '2026-03-09T08:00:00Z' },
      { user_id: 3, start: '2026-03-08T23:00:00Z', end: '2026-03-08T23:00:00Z' },
      { user_id: 3, start: '2026-99-99', end: 'never' },
      { user_id: 3, start: '2026-02-29', end: '2026-03-01' },
      { user_id: 1, start: '9999-12-30', end: '9999-12-31' },
      { user_id: 1, start: '9999-12-31T23:59:59-14:00', end: null },
      { user_id: null, start: '2026-10-25T00:30:00Z', end: '2026-10-25T02:30:00Z' },
    ];
    for (const localDatabase of mirrors) {
      await localDatabase.replace(
        shapeOf('worklogs', { date: 'day', minutes: 'INTEGER', ...BILLING, description: 'TEXT' }),
        numbered(worklogs.map((row) => ({ date: '2026-01-01', minutes: 5, ...row }))),
        CHANGE,
      );
      await localDatabase.replace(
        shapeOf('users', { name: 'TEXT', timezone: 'TEXT' }),
        numbered([{ timezone: 'Asia/Tokyo' }, { timezone: 'No/Where' }, {}]),
        CHANGE,
      );
      await localDatabase.replace(
        shapeOf('holidays', { date: 'day', name: 'TEXT' }),
        numbered([{ date: '2026-03-09', name: 'Fair' }]),
        CHANGE,
      );
      await localDatabase.replace(shapeOf('absences', { user_id: 'INTEGER', start: 'moment', end: 'moment' }), numbered(absences), CHANGE);
      await localDatabase.close();
    }
    const states = await inDatabase('SELECT id, billing FROM kinds.hours');
    expect(states).toEqual(await inFile('SELECT id, billing FROM hours', file));
    expect(states.map((row) => (JSON.parse(row) as { billing: string }).billing).toSorted()).toEqual([
      'billed',
      'billed',
      'unbilled',
      'unbilled',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
    ]);
    // An index finds these rows, so the view reads no other record. A query without the column reads no record at all.
    const planOf = (column: string) => psql(`SET enable_seqscan = off; EXPLAIN SELECT ${column} FROM kinds.hours`);
    expect(await planOf('billing')).toMatch(/Scan using svc_[0-9a-f]{16} on svc_record_worklogs/);
    expect(await planOf('minutes')).not.toContain('svc_record_worklogs');
    const days = await inDatabase('SELECT * FROM kinds.absence_days');
    expect(days).toEqual(await inFile('SELECT * FROM absence_days', file));
    expect(days.length).toBe(11);
  });

  it('leave your objects with equal names unchanged, and do not block row changes', async () => {
    await psql('CREATE SCHEMA shared; CREATE VIEW shared.hours AS SELECT 1 AS mine; CREATE TABLE shared.budget_use (mine int)');
    const worklogs = shapeOf('worklogs', {
      date: 'day',
      minutes: 'INTEGER',
      project_id: 'INTEGER',
      description: 'TEXT',
      budget_id: 'INTEGER',
    });
    const rows = numbered([{ date: '2026-01-01', minutes: 5, project_id: 1, description: 'a', budget_id: 1 }]);
    const projects = shapeOf('projects', { name: 'TEXT' });
    const without = (name: string) => ({ ...worklogs, columns: worklogs.columns.filter((column) => column.name !== name) });
    const theirs = await opened('shared');
    await theirs.replace(worklogs, rows, CHANGE);
    await theirs.replace(shapeOf('budgets', { name: 'TEXT', budget: 'INTEGER' }), numbered([{ name: 'b', budget: 10 }]), CHANGE);
    await theirs.drop('worklogs');
    expect((await theirs.heldBack()).views).toEqual([]);
    await theirs.close();
    await here.svc(['sync', '--forget', '--to', `${address}?schema=shared`]);
    expect(await psql('SELECT mine FROM shared.hours')).toBe('1');
    expect(await psql("SELECT count(*) FROM pg_class WHERE relnamespace = 'shared'::regnamespace")).toBe('2');

    const localDatabase = await opened('stood');
    await localDatabase.replace(worklogs, rows, CHANGE);
    expect(await viewsIn('stood')).toEqual(['hours']);
    await psql(
      'CREATE ROLE reader; GRANT SELECT ON stood.hours TO reader; CREATE VIEW public.report AS SELECT id, minutes FROM stood.hours',
    );
    // New columns in the middle: not while a report stands on it; the table is brought up to date all the same.
    await localDatabase.replace(projects, numbered([{ name: 'Web' }]), CHANGE);
    expect((await localDatabase.heldBack()).views).toEqual(['hours']);
    await localDatabase.update(worklogs, numbered([{ ...rows[0], minutes: 7 }]), [], CHANGE);
    expect(await psql('SELECT * FROM public.report')).toBe('1|7');
    // The view uses a column, and the last record with that field is deleted.
    const short = { date: '2026-01-01', minutes: 8, project_id: 1, budget_id: 1 };
    await localDatabase.replace(without('description'), numbered([short]), CHANGE);
    expect(await psql('SELECT * FROM public.report')).toBe('1|8');
    expect((await localDatabase.heldBack()).columns).toEqual([{ table: 'worklogs', column: 'description', views: ['public.report'] }]);
    expect(await psql("SELECT count(description) FROM stood.worklogs; SELECT has_table_privilege('reader', 'stood.hours', 'SELECT')")).toBe(
      '0\nt',
    );
    await psql('DROP VIEW public.report');
    await localDatabase.update(without('description'), [], [], CHANGE);
    expect([await localDatabase.heldBack(), await psql('SELECT id, project FROM stood.hours')]).toEqual([
      { views: [], columns: [] },
      '1|Web',
    ]);
    expect(await psql("SELECT has_table_privilege('reader', 'stood.hours', 'SELECT')")).toBe('t');
    // A table that has the name of a view; and then none that it is made of.
    await localDatabase.replace(shapeOf('hours', { name: 'TEXT' }), numbered([{ name: 'of the service' }]), CHANGE);
    expect(await psql('SELECT name FROM stood.hours')).toBe('of the service');
    await localDatabase.drop('hours');
    expect(await viewsIn('stood')).toEqual(['hours']);
    await psql('DROP VIEW stood.hours; CREATE VIEW stood.hours AS SELECT 2 AS mine');
    await localDatabase.drop('worklogs');
    expect(await psql('SELECT mine FROM stood.hours')).toBe('2');
    // What is no number cannot be added up; all else goes on.
    await psql('DROP VIEW stood.hours');
    await localDatabase.replace(shapeOf('worklogs', { date: 'day', minutes: 'TEXT', budget_id: 'INTEGER' }), rows, CHANGE);
    await localDatabase.replace(shapeOf('budgets', { name: 'TEXT', budget: 'INTEGER' }), numbered([{ name: 'b', budget: 10 }]), CHANGE);
    expect(await viewsIn('stood')).toEqual(['hours']);
    await localDatabase.close();
  });

  it('are named in a notice when your own view prevents an update', async () => {
    const to = `${address}?schema=said`;
    expect((await here.svc(['sync', 'worklogs', '--to', to])).stderr).not.toContain('your view');
    await psql('CREATE VIEW public.said AS SELECT date FROM said.hours');
    const { code, stderr } = await here.svc(['sync', 'projects', '--to', to]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('Your view depends on a view of svc, so svc did not update: hours. Drop your view and create it again after'),
    ]);
    await psql('DROP VIEW public.said');
    expect((await here.svc(['sync', 'projects', '--to', to])).stderr).not.toContain('your view');
    expect(await psql('SELECT count(*) > 0 FROM said.hours WHERE project IS NOT NULL')).toBe('t');
    // A column that svc would drop, and a report uses: the rows are updated all the same.
    await psql('ALTER TABLE said.worklogs ADD COLUMN old int; CREATE VIEW public.said AS SELECT old FROM said.worklogs');
    const held = await here.svc(['sync', 'worklogs', 'projects', '--to', to]);
    expect([held.code, held.stderr]).toEqual([
      0,
      expect.stringContaining('svc keeps the column worklogs.old as it was, because your views use it: public.said.'),
    ]);
    await psql('DROP VIEW public.said');
    expect((await here.svc(['sync', 'worklogs', '--to', to])).code).toBe(0);
    expect(await psql("SELECT count(*) FROM pg_attribute WHERE attrelid = 'said.worklogs'::regclass AND attname = 'old'")).toBe('0');
  });
});

const CHANGE = { path: '/x', as_of: '2026-03-10T12:00:00Z', whole_at: '2026-03-10T12:00:00Z', known_by: 'read' } as const;

const BILLING = {
  invoice_id: 'INTEGER',
  sales_invoice_row_id: 'INTEGER',
  is_not_billable: 'BOOLEAN',
  exceeded_budget: 'BOOLEAN',
} as const;

function shapeOf(noun: string, columns: Readonly<Record<string, StoredColumn['type'] | 'day' | 'moment'>>): TableShape {
  const all = Object.entries(columns).map(
    ([name, type]): StoredColumn => (type === 'day' || type === 'moment' ? { name, type: 'TEXT', holds: type } : { name, type }),
  );
  return { noun, columns: [{ name: 'id', type: 'INTEGER' }, ...all] };
}

function numbered(records: readonly JsonObject[]): readonly JsonObject[] {
  return records.map((record, index) => ({ id: index + 1, ...record }));
}

/** Rows as texts that can be compared: in a file booleans are 0 and 1, a text with NUL has no column in a database, and there is no order. */
function rowsOf(json: string): readonly string[] {
  const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : String(value).includes('\0') ? null : value);
  return (JSON.parse(json) as JsonObject[])
    .map((row) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(row)
            .map(([name, value]) => [name, plain(value)] as const)
            .toSorted(),
        ),
      ),
    )
    .toSorted();
}
