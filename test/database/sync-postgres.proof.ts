// `svc sync --to postgres://…` as people use it, against a PostgreSQL as the distribution packs it.
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findPostgres, PASSWORD, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import { readAddress } from '../../src/database/postgres/address.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';
import { svcBinary } from '../support/binary.ts';
import { forgetLimits, type SignedIn, signedIn } from '../support/svc.ts';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY } from '../system/fixtures/localhost-certificate.ts';

const bin = await findPostgres();
const run = promisify(execFile);

describe.skipIf(bin === undefined)('svc sync --to postgres://…', () => {
  let server: PostgresServer;
  let here: SignedIn;
  let token: string;
  let address: string;
  beforeAll(async () => {
    [server, here] = await Promise.all([
      startPostgres(bin ?? '', { certificate: LOCALHOST_CERTIFICATE, key: LOCALHOST_KEY }),
      signedIn({ limits: 'off', personalToken: true }),
    ]);
    token = here.sandbox.tokens[0]?.value ?? '';
    address = await server.database('reports');
  });
  afterAll(async () => {
    await Promise.all([server?.close(), here?.remove()]);
  });
  beforeEach(() => here.sandbox.setFaults([]));

  const psql = async (sql: string) => (await server.psql(address, '-F', '|', '-q', '-c', sql)).trim();
  const bare = () => address.replace(/:[^:@]*@/, '@');
  /** Nobody may ever see the password, in any of its forms. */
  const svc = async (argv: readonly string[], options: Parameters<SignedIn['svc']>[1] = {}) => {
    const result = await here.svc(argv, options);
    for (const form of [PASSWORD, encodeURIComponent(PASSWORD)]) expect(result.stdout + result.stderr).not.toContain(form);
    return result;
  };

  /** A collection as it is now, asked without svc. */
  async function truth(path: string): Promise<string[]> {
    const found: string[] = [];
    let url: string | null = `${here.sandbox.baseUrl}${path}?sort=id&per_page=100&view=detail`;
    while (url !== null) {
      const answer: Response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      const { data, links } = (await answer.json()) as { data: object[]; links: { next: string | null } };
      for (const row of data) found.push(JSON.stringify(row));
      url = links.next;
    }
    return found;
  }
  const held = async (schema: string, table: string) =>
    (await server.psql(address, '-q', '-R', '\u001e', '-c', `SELECT record FROM ${schema}.svc_record_${table} ORDER BY id`))
      .replace(/\n$/, '')
      .split('\u001e');

  it('stores records and changes, and with --forget keeps your own objects', async () => {
    const first = await svc(['sync', 'worklogs', 'projects', 'work-items', '--to', address, '--debug']);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain(`tables in postgres://ada@127.0.0.1:${server.port}/reports, for`);
    for (const [path, table] of [
      ['/worklogs', 'worklogs'],
      ['/projects', 'projects'],
      ['/work-items', 'work_items'],
    ] as const)
      expect(await held('svc', table)).toEqual(await truth(path));
    expect(
      await psql('SELECT sum(minutes) FROM svc.worklogs JOIN svc.projects p ON p.id = project_id WHERE is_overtime IS NOT NULL'),
    ).toMatch(/^\d+$/);
    // What was there for the first read is gone from the account's directory.
    const state = join(here.home, '.local', 'state', 'svc', 'mirror');
    expect((await readdir(state)).every((name) => /^127.*-[0-9a-f]{16}\.sync$/.test(name))).toBe(true);

    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const [one, two] = (await held('svc', 'worklogs')).map((line) => (JSON.parse(line) as { id: number }).id);
    await fetch(`${here.sandbox.baseUrl}/worklogs/${one}`, { method: 'DELETE', headers: { ...headers, 'idempotency-key': 'a' } });
    const body = JSON.stringify({ minutes: 77 });
    await fetch(`${here.sandbox.baseUrl}/worklogs/${two}`, { method: 'PATCH', headers: { ...headers, 'idempotency-key': 'b' }, body });
    const second = await svc(['sync', 'worklogs', '--to', bare()], { env: { PGPASSWORD: PASSWORD } });
    expect(second.code, second.stderr).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject([{ noun: 'worklogs', put: 1, gone: 1 }]);
    expect(await held('svc', 'worklogs')).toEqual(await truth('/worklogs'));
    expect(await psql('SELECT noun, id, before IS NULL, after IS NULL FROM svc.svc_changes ORDER BY id')).toBe(
      `worklogs|${one}|f|t\nworklogs|${two}|f|f`,
    );

    const copy = await server.database('restored');
    const dump = join(here.home, 'dump.sql');
    await run(server.program('pg_dump'), ['--schema', 'svc', '-f', dump, address]);
    await server.psql(copy, '-q', '-f', dump);
    const count = 'SELECT count(*), sum(minutes) FROM svc.worklogs';
    expect((await server.psql(copy, '-F', '|', '-c', count)).trim()).toBe(await psql(count));

    await psql('CREATE TABLE svc.of_mine (a int); CREATE VIEW public.hours AS SELECT minutes FROM svc.worklogs');
    const stored = await svc(['sync', '--forget', '--to', address]);
    expect([stored.code, stored.stderr]).toEqual([1, expect.stringContaining('depends on a table of svc')]);
    expect(await psql(count)).toMatch(/^\d+/);
    await psql('DROP VIEW public.hours');
    const forgotten = await svc(['sync', '--forget', '--to', address]);
    expect([forgotten.code, forgotten.stderr]).toEqual([0, `Removed: postgres://ada@127.0.0.1:${server.port}/reports\n`]);
    expect(await psql("SELECT relname FROM pg_class WHERE relnamespace = 'svc'::regnamespace")).toBe('of_mine');
    expect((await svc(['sync', '--forget', '--to', address])).stderr).toContain('There is no database');
    await psql('DROP SCHEMA svc CASCADE');
    // Nothing but its own: then the schema goes too.
    await svc(['sync', 'labels', '--to', address]);
    await psql('CREATE FUNCTION svc.mine() RETURNS int LANGUAGE sql AS $$SELECT 1$$');
    expect((await svc(['sync', '--forget', '--to', address])).code).toBe(0);
    expect(await psql('SELECT svc.mine()')).toBe('1');
    await psql('DROP SCHEMA svc CASCADE');
    await svc(['sync', 'labels', '--to', address]);
    await svc(['sync', '--forget', '--to', address]);
    expect(await psql("SELECT count(*) FROM pg_namespace WHERE nspname = 'svc'")).toBe('0');
  });

  it('uses the schema that you name, next to tables of other programs', async () => {
    await psql('CREATE SCHEMA shared; CREATE TABLE shared.labels (mine int); INSERT INTO shared.labels VALUES (1)');
    const { stdout, code, stderr } = await svc(['sync', 'labels', '--to', `${address}?schema=shared`]);
    expect([code, JSON.parse(stdout)], stderr).toEqual([0, [expect.objectContaining({ noun: 'labels', table: 'labels_2' })]]);
    expect(await psql('SELECT * FROM shared.labels')).toBe('1');
    expect(await held('shared', 'labels_2')).toEqual(await truth('/labels'));
    await svc(['sync', '--forget', '--to', `${address}?schema=shared`]);
    expect(await psql("SELECT relname FROM pg_class WHERE relnamespace = 'shared'::regnamespace")).toBe('labels');
  });

  it('succeeds when run again after kill -9, and reports another sync that still runs', async () => {
    const to = `${address}?schema=killed`;
    const env = { SVC_TOKEN: token, SVC_HOST: here.host, SVC_TOKEN_STORE: 'file' };
    const home = join(here.home, 'another');
    await mkdir(home);
    here.sandbox.requests.length = 0;
    here.sandbox.setFaults([{ path: '/worklogs', skip: 20, delayMs: 60_000 }]);
    const child = svcBinary().start(['sync', 'worklogs', 'labels', '--to', to], { home, env });
    await vi.waitFor(() => expect(here.sandbox.requests.filter(({ path }) => path.includes('/worklogs')).length).toBeGreaterThan(20), {
      timeout: 60_000,
    });
    // On another machine: its own lock is not seen.
    const other = await svc(['sync', 'labels', '--to', to, '--max-wait', '0s']);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringMatching(/^svc: Another svc \(.+ on .+, since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\) updates postgres:/),
    ]);
    child.kill('SIGKILL');
    await child.ended;
    here.sandbox.setFaults([]);
    here.sandbox.requests.length = 0;
    const again = await svcBinary().run(['sync', 'worklogs', 'labels', '--to', to], { home, env });
    expect(again.code, again.stderr).toBe(0);
    expect(await held('killed', 'worklogs')).toEqual(await truth('/worklogs'));
    expect(await held('killed', 'labels')).toEqual(await truth('/labels'));
  });

  it('resumes with the same command after a rate limit', async () => {
    here.sandbox.setFaults([{ path: '/worklogs', skip: 10, status: 429, retryAfter: 50 }]);
    const argv = ['sync', 'worklogs', `--to=${address}?schema=cut`, '--max-wait', '10s', '--debug'];
    expect((await svc(argv)).code).toBe(7);
    here.sandbox.setFaults([]);
    // The wait that the service asked for is over.
    await forgetLimits(here.home);
    here.sandbox.requests.length = 0;
    expect((await svc(argv)).code).toBe(0);
    // What was read is not read again: ten pages of a hundred.
    expect(here.sandbox.requests.filter(({ path }) => path.includes('/worklogs')).length).toBeLessThan(58);
    expect(await held('cut', 'worklogs')).toEqual(await truth('/worklogs'));
  });

  it('finds the password in ~/.pgpass, and refuses a file that others can read', async () => {
    const home = join(here.home, 'third');
    await mkdir(home);
    const env = { SVC_TOKEN: token, SVC_HOST: here.host, SVC_TOKEN_STORE: 'file' };
    const sync = () => svcBinary().run(['sync', 'labels', '--to', `${bare()}?schema=found`], { home, env });
    const none = await sync();
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining('the server requires a password')]);
    const file = join(home, '.pgpass');
    await writeFile(file, `*:*:reports:ada:${PASSWORD.replaceAll(':', '\\:')}\n`);
    await chmod(file, 0o644);
    expect(await sync()).toMatchObject({ code: 5, stderr: expect.stringContaining('group or world access') });
    await chmod(file, 0o600);
    const found = await sync();
    expect([found.code, found.stderr]).toEqual([0, expect.stringContaining('1 table in')]);
  });

  it('uses the encryption that the address names', async () => {
    const local = (mode: string) => `${address.replace('127.0.0.1', 'localhost')}?schema=tls${mode}`;
    const ca = join(here.home, 'ca.pem');
    await writeFile(ca, LOCALHOST_CERTIFICATE);
    const codes: Record<string, number> = {};
    for (const mode of [
      '',
      '&sslmode=require',
      '&sslmode=verify-full',
      `&sslmode=verify-full&sslrootcert=${ca}`,
      `&sslmode=verify-ca&sslrootcert=${ca}`,
      '&sslmode=prefer',
      '&sslmode=verify-ca',
      '&sslmode=verify-full&sslrootcert=/nowhere',
      '&channel_binding=require',
    ])
      codes[mode.replace(ca, 'ca')] = (await svc(['sync', 'labels', '--to', local(mode)])).code;
    expect(codes).toEqual({
      '': 0,
      '&sslmode=require': 0,
      '&sslmode=verify-full': 8,
      '&sslmode=verify-full&sslrootcert=ca': 0,
      '&sslmode=verify-ca&sslrootcert=ca': 0,
      '&sslmode=prefer': 2,
      '&sslmode=verify-ca': 2,
      '&sslmode=verify-full&sslrootcert=/nowhere': 2,
      '&channel_binding=require': 2,
    });
    const untrusted = await svc(['sync', 'labels', '--to', local('&sslmode=verify-full')]);
    expect(untrusted.stderr).toContain('sslrootcert=<file>');
    // While one is held open, the server says what it is.
    const localDatabase = await openPostgresDatabase(await readAddress(local('&sslmode=require'), {}, ''), {
      host: here.host,
      user: undefined,
    });
    expect(await psql("SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'svc sync%'")).toBe('t');
    await localDatabase.close();
  });

  it('reports the reason for an unusable address, server or role', async () => {
    await psql("CREATE ROLE guest LOGIN PASSWORD 'guest'");
    await server.database('latin', "ENCODING 'LATIN1' TEMPLATE template0");
    const at = (change: (url: URL) => void) => {
      const url = new URL(address);
      change(url);
      return url.href;
    };
    const cases: readonly (readonly [string, number, string])[] = [
      [at((url) => Object.assign(url, { pathname: '/nothing' })), 3, 'createdb -h 127.0.0.1'],
      [at((url) => Object.assign(url, { password: 'wrong' })), 5, 'password authentication failed for user "ada"'],
      [at((url) => Object.assign(url, { username: 'guest', password: 'guest' })), 5, 'GRANT CREATE, TEMPORARY'],
      [at((url) => Object.assign(url, { port: '1' })), 8, 'pg_isready -h 127.0.0.1 -p 1'],
      [at((url) => Object.assign(url, { pathname: '/latin' })), 1, 'createdb -E UTF8'],
      [`${address}?shema=a`, 2, 'Did you mean schema?'],
      [`${address}?schema=pg_a`, 2, 'start with pg_'],
      [`${address.replace(/:\d+\//, ':none/')}`, 2, 'svc cannot read the address of the database'],
      [`${address.replace('%2F', '/')}`, 2, 'svc cannot read the address'],
      [`${address.replace('127.0.0.1', 'one,two')}`, 2, 'Name only the server'],
      [`${address}?connect_timeout=soon`, 2, 'connect_timeout'],
    ];
    for (const [to, code, said] of cases) {
      const result = await svc(['sync', 'labels', '--to', to, '--debug']);
      expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(said)]);
    }
    const asked = await svc(['sql', '--db', address, 'SELECT 1']);
    expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('There is no team database in the schema svc')]);
    expect((await svc(['sync', address])).code).toBe(2);
    await psql('ALTER ROLE ada SET default_transaction_read_only = on');
    const read = await svc(['sync', 'labels', '--to', `${address}?schema=read`]);
    await server.psql(address, '-c', 'SET default_transaction_read_only = off', '-c', 'ALTER ROLE ada RESET default_transaction_read_only');
    expect([read.code, read.stderr]).toEqual([1, expect.stringContaining('This server is read-only')]);
  });
});
