// A team database that drivers of other programs read: each PostgreSQL type as the Python type for it, each value as the service sent it.
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('fixtures/other-driver.py', import.meta.url));

const bin = await findPostgres();
/** The system’s Python, which finds the packages of the distribution. */
const PYTHON = '/usr/bin/python3';
const hasDriver = (driver: string) =>
  process.env['SVC_TEST_PSYCOPG'] === 'required' || spawnSync(PYTHON, ['-c', `import ${driver}`]).status === 0;

describe.skipIf(bin === undefined)('a team database', () => {
  let server: PostgresServer;
  let here: SignedIn;
  let address: string;
  beforeAll(async () => {
    [server, here] = await Promise.all([startPostgres(bin ?? ''), signedIn({ limits: 'off', personalToken: true })]);
    address = await server.database('team');
    await sync();
    const token = here.sandbox.tokens[0]?.value ?? '';
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${here.sandbox.baseUrl}/worklogs/1`, { method: 'PATCH', headers, body: JSON.stringify({ minutes: 55 }) });
    await sync('worklogs');
  });
  afterAll(async () => {
    await Promise.all([server?.close(), here?.remove()]);
  });

  async function sync(...words: string[]) {
    const { code, stderr } = await here.svc(['sync', ...words, '--to', address, '--quiet']);
    expect([0, 10], stderr).toContain(code);
  }

  for (const driver of ['psycopg2', 'asyncpg'])
    it.skipIf(!hasDriver(driver))(`gives ${driver} the values of the service’s records, in the types of Python`, async () => {
      const { stdout } = await run(PYTHON, [SCRIPT, driver], { env: { ...process.env, ADDRESS: address }, maxBuffer: 1e8 });
      const read = JSON.parse(stdout) as Record<'types' | 'differences' | 'change', unknown> & Record<'tables' | 'compared', number>;
      console.info(driver, read);
      expect(read).toMatchObject({
        types: {
          bigint: ['int'],
          boolean: ['bool'],
          date: ['date'],
          jsonb: ['dict', 'list'],
          numeric: ['Decimal'],
          text: ['str'],
          'timestamp with time zone': ['datetime'],
        },
        aware: true,
        differences: [],
        change: [expect.any(Number), 55, '55', true],
      });
      expect([read.tables > 40, read.compared > 10_000]).toEqual([true, true]);
    });
});
