// The team database on a Citus cluster, with a schema for each organisation: the contract of every database, then the commands.
// By hand: SVC_TEST_CITUS=postgres://ada@127.0.0.1:5432/team npm run test:proofs -- test/database/citus (docs/contributing/citus.md).
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres } from '../../scripts/bench/postgres-server.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { databaseContract } from './contract.ts';
import { postgresKind } from './postgres-kind.ts';

const run = promisify(execFile);
const cluster = process.env['SVC_TEST_CITUS'] ?? '';
const bin = await findPostgres();
const SHARDING = `options=${encodeURIComponent('-c citus.enable_schema_based_sharding=on')}`;

describe('a team database on Citus', () => {
  const psql = async (...args: readonly string[]) =>
    (await run(`${bin}/psql`, ['-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-d', cluster, ...args], { maxBuffer: 1e9 })).stdout;
  const ask = async (sql: string) => (await psql('-F', '|', '-c', sql)).trim();

  databaseContract('like every other database', () => postgresKind(cluster, psql, `&${SHARDING}`));

  describe('after svc sync', () => {
    let here: SignedIn;
    const schema = `acme_${randomBytes(4).toString('hex')}`;
    const address = `${cluster}?schema=${schema}&${SHARDING}`;
    beforeAll(async () => {
      here = await signedIn({ limits: 'off', personalToken: true });
    });
    afterAll(async () => {
      await psql('-c', `DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await here?.remove();
    });

    it('has tables, changes and deletions, and answers commands', { timeout: 600_000 }, async () => {
      const first = await here.svc(['sync', '--to', address, '--quiet']);
      expect([0, 10], first.stderr).toContain(first.code);
      expect(await ask(`SELECT count(*) > 40 FROM ${schema}.svc_tables`)).toBe('t');
      expect(await ask(`SELECT count(*) FROM citus_schemas WHERE schema_name = '${schema}'::regnamespace`)).toBe('1');
      for (const view of ['hours', 'absence_days', 'budget_use'])
        expect(await ask(`SELECT count(*) > 0 FROM ${schema}.${view}`), view).toBe('t');
      const [one, two] = (await ask(`SELECT id FROM ${schema}.worklogs ORDER BY id LIMIT 2`)).split('\n');
      const token = here.sandbox.tokens[0]?.value ?? '';
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      await fetch(`${here.sandbox.baseUrl}/worklogs/${one}`, { method: 'DELETE', headers: { ...headers, 'idempotency-key': 'a' } });
      const body = JSON.stringify({ minutes: 77 });
      await fetch(`${here.sandbox.baseUrl}/worklogs/${two}`, { method: 'PATCH', headers: { ...headers, 'idempotency-key': 'b' }, body });
      const second = await here.svc(['sync', 'worklogs', '--to', address]);
      expect(JSON.parse(second.stdout), second.stderr).toMatchObject([{ noun: 'worklogs', put: 1, gone: 1 }]);
      expect(await ask(`SELECT count(*) FROM ${schema}.svc_changes`)).toBe('2');
      const changes = await here.svc(['changes', 'worklogs', '--since', '0', '--database', address]);
      expect(changes.code, changes.stderr).toBe(0);
      expect(changes.stderr).toContain('read with the rights of ');
      const changed = changes.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(changed.map(({ kind, record_id }) => [kind, record_id]).sort()).toEqual([
        ['deleted', Number(one)],
        ['updated', Number(two)],
      ]);
      const now = Date.now();
      await here.svc(['sync', '--quiet'], { now });
      for (const line of [
        'worklogs list --sort -date -L 50',
        'projects list -o csv',
        'report --from -30d --by project',
        'report --from -30d --by description',
        'week',
      ]) {
        const [team, offline] = [
          await here.svc([...line.split(' '), '--database', address], { now }),
          await here.svc([...line.split(' '), '--offline'], { now }),
        ];
        expect(team.code, team.stderr).toBe(0);
        expect(team.stdout, line).toBe(offline.stdout);
      }
      const found = async (...flags: readonly string[]) => {
        const { code, stdout, stderr } = await here.svc(['search', 'review', '--limit', '10000', ...flags], { now });
        expect(code, stderr).toBe(0);
        return (JSON.parse(stdout) as { resource: string; id: number }[]).map(({ resource, id }) => `${resource} ${id}`).sort();
      };
      expect(await found('--database', address)).toEqual(await found());
      expect((await found()).length).toBeGreaterThan(0);
      const both = await Promise.all([1, 2].map(() => here.svc(['sync', 'projects', '--to', address])));
      expect(both.map(({ code }) => code)).toEqual([0, 0]);
      expect((await here.svc(['sync', '--to', address, '--forget'])).code).toBe(0);
      expect(
        await ask(`SELECT count(*) FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = '${schema}')`),
      ).toBe('0');
    });
  });
});
