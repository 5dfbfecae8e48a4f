// svc changes --database postgres://…: the changes of a team database, by role, with and without files.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, PASSWORD, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const bin = await findPostgres();

describe.skipIf(bin === undefined)('svc changes --database postgres://…', () => {
  let server: PostgresServer;
  let here: SignedIn;
  let address: string;
  let file: string;
  beforeAll(async () => {
    [server, here] = await Promise.all([startPostgres(bin ?? ''), signedIn({ limits: 'off', personalToken: true })]);
    address = await server.database('team');
    file = join(here.home, 'team.sqlite');
    await sync();
    await rename('customers', 1, { name: 'First' });
    await rename('projects', 1, { name: 'Second' });
    await rename('worklogs', 1, { minutes: 55, description: 'nul \u0000 and half \ud800' });
    await sync();
    await psql(`CREATE ROLE reader LOGIN PASSWORD '${PASSWORD}'; CREATE ROLE stranger LOGIN PASSWORD '${PASSWORD}'`);
    await grant('reader:customers');
  });
  afterAll(async () => {
    await Promise.all([server?.close(), here?.remove()]);
  });

  const psql = async (sql: string) => (await server.psql(address, '-q', '-F', '|', '-c', sql)).trim();
  async function sync() {
    for (const to of [address, file]) {
      const { code, stderr } = await here.svc(['sync', 'projects', 'customers', 'worklogs', 'users', '--parallel', '1', '--to', to]);
      expect(code, stderr).toBe(0);
    }
  }
  async function grant(to: string) {
    const granted = await here.svc(['sync', 'projects', '--to', address, '--grant', to]);
    expect(granted.code, granted.stderr).toBe(0);
  }
  async function rename(noun: string, id: number, change: object) {
    const headers = { authorization: `Bearer ${here.sandbox.tokens[0]?.value ?? ''}`, 'content-type': 'application/json' };
    const answer = await fetch(`${here.sandbox.baseUrl}/${noun}/${id}`, { method: 'PATCH', headers, body: JSON.stringify(change) });
    expect(answer.ok, await answer.text()).toBe(true);
  }
  const read = (words: readonly string[], role = 'ada') =>
    here.svc(['changes', ...words, '--database', address.replace('ada:', `${role}:`)]);
  const bare = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/"(?:id":"[0-9a-f]{12}-\d+"|position":\d+|seen_at":"[^"]*"),?/g, ''))
      .sort();

  it('prints the same changes as from a local database (except ids, positions and times), without a request', async () => {
    here.sandbox.requests.length = 0;
    const team = await read(['--since', '0']);
    expect(team.code, team.stderr).toBe(0);
    expect(team.stderr).toMatch(
      /^From postgres:\/\/ada@\S+\/team \(read with the rights of Sanne de Vries\), complete at \S+ \S+, \S+ ago/,
    );
    const local = await here.svc(['changes', '--since', '0', '--database', file]);
    expect(bare(team.stdout)).toEqual(bare(local.stdout));
    expect(bare(team.stdout).map((line) => /"noun":"([^"]*)"/.exec(line)?.[1])).toEqual(['customers', 'projects', 'worklogs']);
    const [first, ...others] = team.stdout.trimEnd().split('\n');
    expect((await read(['--since', JSON.parse(first ?? '').id])).stdout).toBe(`${others.join('\n')}\n`);
    expect((await read(['--since', 'now'])).stdout).toBe('');
    const env = { PGPASSWORD: PASSWORD, SVC_DATABASE: address.replace(/:[^:@]*@/, '@') };
    expect((await here.svc(['changes', '--since', '0'], { env })).stdout).toBe(team.stdout);
    await here.svc(['config', 'set', 'database', env.SVC_DATABASE]);
    expect((await here.svc(['changes', '--since', '0'], { env: { PGPASSWORD: PASSWORD } })).stdout).toBe(team.stdout);
    await here.svc(['config', 'unset', 'database']);
    expect(here.sandbox.requests).toEqual([]);
  });

  it('shows the changes of tables that the role can read, and names the other tables', async () => {
    const own = await read(['--since', '0'], 'reader');
    expect([own.code, bare(own.stdout)], own.stderr).toEqual([0, [expect.stringContaining('"noun":"customers"')]]);
    expect(own.stderr).toContain('svc leaves out the changes that your role must not read: projects, users, worklogs');
    const refused = await read(['worklogs', '--since', '0'], 'reader');
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([5, '', expect.stringContaining('--grant <role>:worklogs')]);
    // The role must not read users, so svc does not know the name of the user.
    expect((await read(['customers', '--since', '0'], 'reader')).stderr).toMatch(/^From \S+ \(read with the rights of user 1\), [^\n]*\n$/);
    for (const relation of ['svc_changes', 'svc_log']) {
      const denied = server.psql(address.replace('ada:', 'reader:'), '-c', `SELECT 1 FROM svc.${relation}`);
      await expect(denied, relation).rejects.toThrow('permission denied');
    }
    await psql('GRANT USAGE ON SCHEMA svc TO stranger; GRANT SELECT ON svc.svc_status TO stranger');
    const stranger = await read(['--since', '0'], 'stranger');
    expect([stranger.code, stranger.stderr]).toEqual([5, expect.stringContaining('GRANT SELECT ON "svc"."svc_change_log" TO')]);
  });

  it('hides the changes of rows that row-level security can hide, also from functions of the role', async () => {
    // A function that costs nothing runs before the conditions of a view without a barrier.
    await psql(
      `CREATE TABLE public.seen (record text); GRANT INSERT ON public.seen TO reader;
       CREATE FUNCTION public.leak(text) RETURNS boolean COST 0.0001 LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.seen VALUES ($1); RETURN true; END $$`,
    );
    const seen = async () => {
      await server.psql(address.replace('ada:', 'reader:'), '-c', 'SELECT 1 FROM svc.svc_change_log WHERE public.leak(record_after)');
      return psql('DELETE FROM public.seen RETURNING 1').then((rows) => rows.split('\n').filter(Boolean).length);
    };
    expect(await seen()).toBe(1);
    await psql('ALTER TABLE svc.customers ENABLE ROW LEVEL SECURITY');
    expect(await seen()).toBe(0);
    expect((await read(['--since', '0'], 'reader')).stdout).toBe('');
    expect((await read(['--since', '0'])).stdout.trimEnd().split('\n')).toHaveLength(3);
    await psql('ALTER TABLE svc.customers DISABLE ROW LEVEL SECURITY');
  });

  it('writes files that a later run continues, and refuses the log of another database', async () => {
    const directory = join(here.home, 'split');
    expect((await read(['--split', directory, '--since', '0'])).code).toBe(0);
    await rename('customers', 2, { name: 'Third' });
    await sync();
    expect((await read(['--split', directory])).stderr).toContain('svc wrote 1 change of 1 resource');
    expect(await readdir(directory)).toEqual(['.svc-changes.json', 'customers.ndjson', 'projects.ndjson', 'worklogs.ndjson']);
    const kept = await readFile(join(directory, 'customers.ndjson'), 'utf8');
    expect(kept.trimEnd().split('\n')).toHaveLength(2);
    const other = await here.svc(['changes', '--split', directory, '--database', file]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('the change is from another database')]);
    expect(await readFile(join(directory, 'customers.ndjson'), 'utf8')).toBe(kept);
  });

  it('exits 2 for a team database that an older svc filled, until the next sync', async () => {
    await psql(
      `DROP VIEW svc.svc_change_log; DROP VIEW svc.svc_status; UPDATE svc.svc_mirror SET form = 3;
       CREATE VIEW svc.svc_status AS SELECT t.noun AS resource, t."table", t.path, t.rows, t.as_of::timestamptz AS checked_at,
         t.whole_at::timestamptz AS complete_at, t.known_by AS method, t.verified_at::timestamptz AS verified_at, m.host AS organisation,
         m.user_id AS read_by, m.form FROM svc.svc_tables AS t CROSS JOIN svc.svc_mirror AS m;
       CREATE VIEW svc.svc_change_log AS SELECT position, noun AS resource, id, before::jsonb, after::jsonb, seen_at::timestamptz FROM svc.svc_changes;
       GRANT SELECT ON svc.svc_status TO reader`,
    );
    const old = await read(['--since', '0']);
    expect([old.code, old.stderr]).toEqual([2, expect.stringContaining('An older svc filled')]);
    await sync();
    expect((await read(['--since', '0'])).stdout.trimEnd().split('\n')).toHaveLength(4);
    expect((await read(['--since', '0'], 'reader')).code).toBe(5);
    await grant('reader:customers');
    expect((await read(['--since', '0'], 'reader')).stdout.trimEnd().split('\n')).toHaveLength(2);
  });
});
