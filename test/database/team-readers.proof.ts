// Who can read a team database, and how old it is: roles with --grant, the guide’s row-level security, types of values, and a server that
// stops during a sync.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPostgres, PASSWORD, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const bin = await findPostgres();

describe.skipIf(bin === undefined)('a team database', () => {
  let server: PostgresServer;
  let here: SignedIn;
  let address: string;
  beforeAll(async () => {
    [server, here] = await Promise.all([startPostgres(bin ?? ''), signedIn({ limits: 'off', personalToken: true })]);
    address = await server.database('team');
    const { code, stderr } = await here.svc(['sync', 'worklogs', 'projects', 'users', '--to', address, '--quiet']);
    expect(code, stderr).toBe(0);
  });
  afterAll(async () => {
    await Promise.all([server?.close(), here?.remove()]);
  });

  const psql = async (sql: string, as = 'ada') => (await server.psql(address.replace('ada:', `${as}:`), '-q', '-F', '|', '-c', sql)).trim();
  const createRole = (name: string, more = '') => psql(`CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}' ${more}`);
  const readAs = (role: string, ...argv: string[]) => here.svc([...argv, '--database', address.replace('ada:', `${role}:`)]);

  it('lets a role read the granted tables, but not other tables of svc', async () => {
    await createRole('analyst');
    expect(await readAs('analyst', 'projects', 'list')).toMatchObject({ code: 5, stderr: expect.stringContaining('permission denied') });
    const granted = await here.svc(['sync', 'projects', '--to', address, '--grant', 'analyst:projects,users']);
    expect(granted.stderr).toContain('The role analyst can now read 2 tables, svc_status and svc_change_log.');
    const [team, offline] = [await readAs('analyst', 'projects', 'list'), await readAs('ada', 'projects', 'list')];
    expect(team).toMatchObject({ code: 0, stdout: offline.stdout });
    expect(team.stderr).toMatch(
      /^From postgres:\/\/analyst@127\.0\.0\.1:\d+\/team \(read with the rights of Sanne de Vries\), complete at /,
    );
    expect(await readAs('analyst', 'worklogs', 'list')).toMatchObject({ code: 5, stderr: expect.stringContaining('worklogs') });
    for (const table of ['svc_kept', 'svc_changes', 'svc_tables', 'svc_mirror', 'worklogs', 'svc_record_worklogs'])
      await expect(psql(`SELECT 1 FROM svc.${table} LIMIT 1`, 'analyst'), table).rejects.toThrow('permission denied');
    expect(await psql("SELECT count(*) FROM svc.svc_status WHERE now() - checked_at < '1 hour'", 'analyst')).toBe('3');
  });

  it('makes svc refuse a grant to an unknown role, of a missing table, and in a file', async () => {
    expect(await here.svc(['sync', 'projects', '--to', address, '--grant', 'nobody'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('To create the role in psql: CREATE ROLE "nobody" LOGIN'),
    });
    expect(await here.svc(['sync', 'projects', '--to', address, '--grant', 'ada:absences'])).toMatchObject({ code: 2 });
    expect(await here.svc(['sync', 'projects', '--to', join(here.home, 'a.sqlite'), '--grant', 'ada'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--grant needs a team database in PostgreSQL.'),
    });
  });

  it('gives svc sql values of many types in JSON, with all digits', async () => {
    const select = `SELECT 9007199254740993 AS long, 1.10::numeric AS decimal, true AS yes, '{"a":[1]}'::jsonb AS json, date '2026-11-24' AS day,
      timestamptz '2026-11-24 10:00:00+01' AS at, NULL AS nothing, 'a''b' AS text, 'NaN'::float8 AS strange, :day::date + 1 AS next`;
    const { code, stdout, stderr } = await here.svc(['sql', select, '--db', address, '--param', 'day=2026-12-31']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.replace(/\s/g, '')).toBe(
      '[{"long":9007199254740993,"decimal":1.10,"yes":true,"json":{"a":[1]},"day":"2026-11-24","at":"2026-11-24T09:00:00Z","nothing":null,"text":"a\'b","strange":"NaN","next":"2027-01-01"}]',
    );
  });

  it('refuses a query that changes rows, has a second statement or names a missing column', async () => {
    const before = await psql('SELECT count(*) FROM svc.projects');
    for (const sql of [
      'DELETE FROM projects',
      'SELECT 1; DELETE FROM projects',
      'WITH x AS (DELETE FROM projects RETURNING 1) SELECT * FROM x',
      'SELECT nam FROM projects',
    ])
      expect(await here.svc(['sql', sql, '--db', address]), sql).toMatchObject({ code: 2, stdout: '' });
    expect(await psql('SELECT count(*) FROM svc.projects')).toBe(before);
  });

  it('shows an employee and a lead only the rows that the guide’s row-level security allows', async () => {
    const guide = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'guides', 'team-database.md'), 'utf8');
    const [, statements = ''] = /```sql\n([\s\S]*?)```/.exec(guide) ?? [];
    const refused = await here.svc(['sync', 'users', '--to', address, '--grant', 'ada:worklogs']);
    expect(refused.code).toBe(0);
    await psql(statements);
    for (const [role, user] of [
      ['emma', 4],
      ['lea', 2],
    ] as const) {
      await createRole(role, 'IN ROLE employees');
      await psql(`INSERT INTO team.people VALUES ('${role}', ${user})`);
    }
    await psql('INSERT INTO team.leads VALUES (2, 4)');
    expect(await here.svc(['sync', 'users', '--to', address, '--grant', 'employees:worklogs,projects,users'])).toMatchObject({ code: 0 });
    const usersIn = async (role: string) => {
      const { stdout, stderr, code } = await readAs(role, 'worklogs', 'list', '--fields', 'user_id', '-o', 'ndjson');
      expect(code, stderr).toBe(0);
      return [
        ...new Set(
          stdout
            .trim()
            .split('\n')
            .map((line) => (JSON.parse(line) as { user_id: number }).user_id),
        ),
      ].sort();
    };
    expect(await usersIn('emma')).toEqual([4]);
    expect(await usersIn('lea')).toEqual([2, 4]);
    expect(await psql('SELECT DISTINCT user_id FROM svc.worklogs', 'emma')).toBe('4');
    // A record that the rows hide is hidden too.
    const [hidden] = (await psql('SELECT id FROM svc.worklogs WHERE user_id = 1 LIMIT 1')).split('\n');
    expect(await readAs('emma', 'worklogs', 'get', hidden ?? '')).toMatchObject({ code: 3, stdout: '' });
    await expect(psql('SELECT 1 FROM svc.hours LIMIT 1', 'emma')).rejects.toThrow('permission denied');
    // Without resources too, a role gets no view that would show the hidden rows.
    await createRole('auditor');
    expect(await here.svc(['sync', 'users', '--to', address, '--grant', 'auditor'])).toMatchObject({ code: 0 });
    await expect(psql('SELECT 1 FROM svc.hours LIMIT 1', 'auditor')).rejects.toThrow('permission denied');
    // svc itself still reads and writes every row.
    expect((await here.svc(['sync', 'worklogs', '--to', address, '--verify'])).code).toBe(0);
    await psql('ALTER TABLE svc.svc_record_worklogs DISABLE ROW LEVEL SECURITY');
    const open = await here.svc(['sync', 'users', '--to', address, '--grant', 'analyst:worklogs']);
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('ENABLE ROW LEVEL SECURITY; CREATE POLICY as_rows') });
  });

  it('has comments, names beside ids, foreign keys and a change log for other programs', async () => {
    const sync = (...more: string[]) => here.svc(['sync', 'worklogs', 'projects', 'users', '--to', address, ...more]);
    expect((await sync('--foreign-keys')).code).toBe(0);
    expect(
      await psql(
        "SELECT col_description('svc.worklogs'::regclass, attnum) FROM pg_attribute WHERE attrelid = 'svc.worklogs'::regclass AND attname = 'project_id'",
      ),
    ).toBe('The id of a record in projects.');
    expect(
      await psql('SELECT count(*) FROM svc.worklogs_named n JOIN svc.projects p ON p.id = n.project_id WHERE n.project <> p.name'),
    ).toBe('0');
    expect(await psql('SELECT count(*) > 0 FROM svc.worklogs_named WHERE project IS NOT NULL AND "user" IS NOT NULL')).toBe('t');
    const keys = () =>
      psql(
        "SELECT string_agg(conname, ' ' ORDER BY conname) FROM pg_constraint WHERE contype = 'f' AND conrelid = 'svc.worklogs'::regclass",
      );
    expect(await keys()).toBe('svc_ref_project_id svc_ref_user_id');
    // The next sync stores a row whose project the database does not have, and then a project that is referenced is deleted.
    const token = here.sandbox.tokens[0]?.value ?? '';
    const [id] = (await psql('SELECT id FROM svc.worklogs WHERE project_id IS NOT NULL ORDER BY id LIMIT 1')).split('\n');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'named' };
    await fetch(`${here.sandbox.baseUrl}/worklogs/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ minutes: 55 }) });
    await psql(
      'UPDATE svc.worklogs SET project_id = NULL; ALTER TABLE svc.worklogs DROP CONSTRAINT svc_ref_project_id; DELETE FROM svc.projects WHERE id = 1',
    );
    const verified = await sync('--verify');
    expect(verified.code, verified.stderr).toBe(0);
    expect(await keys()).toBe('');
    expect(
      await psql(
        "SELECT resource, (before ->> 'minutes')::int <> 55, after ->> 'minutes', now() - seen_at < '1 hour' FROM svc.svc_change_log ORDER BY position DESC LIMIT 1",
      ),
    ).toBe('worklogs|t|55|t');
    expect(await here.svc(['sync', '--to', join(here.home, 'a.sqlite'), '--foreign-keys'])).toMatchObject({ code: 2 });
  });

  it('makes svc refuse a role without the permission to create temporary tables, before svc reads a record', async () => {
    await psql('REVOKE TEMPORARY ON DATABASE team FROM PUBLIC');
    await createRole('syncer');
    await psql('GRANT CREATE ON DATABASE team TO syncer');
    here.sandbox.requests.length = 0;
    const { code, stderr } = await here.svc(['sync', 'projects', '--to', `${address.replace('ada:', 'syncer:')}?schema=other`]);
    expect([code, stderr]).toEqual([5, expect.stringContaining('GRANT TEMPORARY ON DATABASE "team" TO')]);
    expect(here.sandbox.requests.filter(({ path }) => path.includes('/projects'))).toEqual([]);
  });

  it('makes a sync stop soon after the server ends the connection, and the next sync succeeds', async () => {
    const schema = 'lost';
    const to = `${address}?schema=${schema}`;
    const backend = "application_name LIKE 'svc sync%' AND datname = 'team'";
    here.sandbox.requests.length = 0;
    const pages = () => here.sandbox.requests.filter(({ path }) => path.includes('/worklogs')).length;
    // The next pages wait, so that the connection ends while most of the list is unread.
    here.sandbox.setFaults([{ method: 'GET', path: '/worklogs', skip: 3, delayMs: 1_000, times: Number.POSITIVE_INFINITY }]);
    const running = here.svc(['sync', 'worklogs', '--to', to, '--quiet', '--parallel', '1']);
    await vi.waitFor(() => expect(pages()).toBeGreaterThan(2), { timeout: 60_000, interval: 1 });
    await psql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${backend}`);
    const { code, stderr } = await running;
    expect([code, stderr]).toEqual([8, expect.stringContaining('The connection to')]);
    here.sandbox.setFaults([]);
    const read = pages();
    const again = await here.svc(['sync', 'worklogs', '--to', to, '--quiet']);
    expect(again.code, again.stderr).toBe(0);
    expect(read, `${pages() - read} pages in a whole sync`).toBeLessThan((pages() - read) / 2);
  });

  it('refuses commands for another organisation, writes, and --offline', async () => {
    const { code, stderr } = await here.svc(['projects', 'list', '--database', address, '--host', 'other.example.com']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to')]);
    expect(await here.svc(['worklogs', 'add', '2h', '--database', address])).toMatchObject({ code: 2 });
    expect(await here.svc(['projects', 'list', '--database', address, '--offline'])).toMatchObject({ code: 2 });
  });

  it('in the setting database answers only commands that read', async () => {
    expect(await here.svc(['config', 'set', 'database', address])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no password'),
    });
    await here.svc(['config', 'set', 'database', address.replace(/:[^:@]*@/, '@')]);
    here.sandbox.requests.length = 0;
    const env = { PGPASSWORD: PASSWORD };
    expect((await here.svc(['projects', 'list'], { env })).stderr).toContain('read with the rights of');
    expect(here.sandbox.requests).toEqual([]);
    expect((await here.svc(['projects', 'list'], { env: { ...env, SVC_DATABASE: '' } })).stderr).not.toContain('read with the rights of');
    expect(await here.svc(['sql', '--sync', 'SELECT 1'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('or set SVC_DATABASE to an empty value'),
    });
    const added = await here.svc(['worklogs', 'create', '--minutes', '30', '--date', '2026-11-20'], { env });
    expect(added.code, added.stderr).toBe(0);
    await here.svc(['config', 'unset', 'database']);
  });
});
