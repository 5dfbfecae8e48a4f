// Several machines that sync one team database: one process at a time reads from the service, and the others wait for it.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import { svcBinary } from '../support/binary.ts';
import { type RowsService, startRowsService } from '../support/rows-service.ts';

const bin = await findPostgres();
const BEGAN = /^Another sync of postgres:\S+ began at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ and is complete, so svc did not sync again\.$/m;

describe.skipIf(bin === undefined)('syncs of one team database', () => {
  const svc = svcBinary();
  let server: PostgresServer;
  let address: string;
  let service: RowsService;
  let root: string;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres(bin ?? '');
    address = await server.database('reports');
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-home-'));
    service = await startRowsService({ worklogs: 250 });
    count += 1;
  });
  afterEach(async () => {
    await service.close();
    await rm(root, { recursive: true, force: true });
  });

  /** Starts svc in the home directory of a machine. Machines in the same place share their files. */
  const on = async (machine: string, ...argv: string[]) => {
    const home = join(root, machine);
    await mkdir(home, { recursive: true });
    const to = ['--to', `${address}?schema=turn_${count}`];
    return svc.start([...argv, ...to], { home, env: { SVC_HOST: service.host, SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file' } });
  };
  const psql = async (sql: string) => (await server.psql(address, '-q', '-c', sql)).trim();
  const rowsStored = () => psql(`SELECT count(*) FROM turn_${count}.worklogs`);
  const leads = new RegExp(
    String.raw`^Another svc \(Ada Lovelace on ${hostname()}, since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\) updates postgres:\S+/reports\S*\. svc waits for the other svc\.$`,
    'm',
  );

  it('wait for a running sync, continue if that sync is killed, and store every row', async () => {
    const release = service.hold();
    const leader = await on('one', 'sync');
    await service.asked('worklogs');
    const waiters = [await on('two', 'sync'), await on('one', 'sync')];
    for (const waiter of waiters) expect(await waiter.shows(/svc waits for the other svc/)).toMatch(leads);
    const refused = await (await on('three', 'sync', '--max-wait', '0s')).ended;
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`Ada Lovelace on ${hostname()}, since`)]);
    expect(refused.stderr).toContain('--max-wait');
    leader.kill('SIGKILL');
    await leader.ended;
    release();
    for (const waiter of waiters) expect(await waiter.ended).toMatchObject({ code: 0 });
    expect(await rowsStored()).toBe('250');
  });

  it('that wait for another sync start when the server ends its connection', async () => {
    const release = service.hold();
    const leader = await on('one', 'sync');
    await service.asked('worklogs');
    const waiter = await on('two', 'sync');
    await waiter.shows(/svc waits for the other svc/);
    await psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'svc sync: Ada%'");
    release();
    expect((await waiter.ended).code).toBe(0);
    expect((await leader.ended).code).toBe(8);
    expect(await rowsStored()).toBe('250');
  });

  it('read from the service only once for four syncs that waited for an earlier sync', async () => {
    const release = service.hold();
    const leader = await on('one', 'sync');
    await service.asked('worklogs');
    const waiters = await Promise.all(['two', 'three', 'four', 'five'].map((machine) => on(machine, 'sync')));
    for (const waiter of waiters) await waiter.shows(/svc waits for the other svc/);
    // The leader may have read this row already, so its sync is not enough for those that wait.
    service.remove('worklogs', [7]);
    release();
    const first = await leader.ended;
    expect([first.code, first.stderr]).toEqual([0, expect.not.stringMatching(BEGAN)]);
    const ended = await Promise.all(waiters.map((each) => each.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const [again, ...others] = ended.toSorted((one, other) => Number(BEGAN.test(one.stderr)) - Number(BEGAN.test(other.stderr)));
    expect([again, ...others].map((each) => BEGAN.test(each?.stderr ?? ''))).toEqual([false, true, true, true]);
    for (const { stdout } of others) expect(JSON.parse(stdout)).toMatchObject([{ noun: 'worklogs', rows: 249, put: 0, gone: 0 }]);
    expect(await rowsStored()).toBe('249');
  });

  it('are skipped with --max-age while the last sync is recent and covers the resources', async () => {
    const run = async (machine: string, ...argv: string[]) => {
      const before = service.requests();
      const { code, stderr, stdout } = await (await on(machine, 'sync', ...argv)).ended;
      return { code, isSkipped: BEGAN.test(stderr), requests: service.requests() - before, stdout, stderr };
    };
    expect(await run('one', 'worklogs', '--max-age', '1h')).toMatchObject({ code: 0, isSkipped: false });
    const skipped = await run('two', 'worklogs', '--max-age', '1h');
    expect(skipped).toMatchObject({ code: 0, isSkipped: true, requests: 0 });
    expect(JSON.parse(skipped.stdout)).toMatchObject([{ noun: 'worklogs', rows: 250, put: 0 }]);
    // Every resource, every child record, every value: more than the last sync did.
    for (const more of [[], ['worklogs', '--children'], ['worklogs', '--verify']])
      expect(await run('two', ...more, '--max-age', '1h'), more.join(' ')).toMatchObject({ code: 0, isSkipped: false });
    expect(await run('two', 'worklogs', '--max-age', '1h')).toMatchObject({ isSkipped: true });
    expect(await run('two', 'worklogs')).toMatchObject({ code: 0, isSkipped: false });
    expect(await run('two', 'worklogs', '--max-age', '1ms')).toMatchObject({ code: 0, isSkipped: false });
    // A file has no other machines.
    const { code, stderr } = await svc.run(['sync', '--to', 'a.sqlite', '--max-age', '1h'], {
      home: root,
      env: { SVC_HOST: service.host, SVC_TOKEN: 'a' },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--max-age reads the local database')]);
  });
});
