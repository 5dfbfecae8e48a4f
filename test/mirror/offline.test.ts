// Without a connection and without a keychain, reads are answered from the account's own copy: what the service printed, or a refusal that
// names what the copy cannot tell. test/mirror/offline.proof.ts compares far more.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { InterruptedError } from '../../src/errors.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { createFakeKeychain } from '../auth/fixtures/fake-keychain.ts';
import { createMachine, type Machine, type RunOptions } from '../support/svc.ts';

const keychain = createFakeKeychain();
let sandbox: Sandbox;
let machine: Machine;
let host: string;
const now = Date.now();

beforeAll(async () => {
  sandbox = await startSandbox({ approve: true, limits: 'off' });
  host = new URL(sandbox.origin).host;
  machine = await createMachine({ keychain });
  for (const line of [
    ['login', host],
    ['sync', 'worklogs', 'projects', 'absences', 'labels', 'users'],
  ]) {
    const { code, stderr } = await machine.svc(line, { now });
    expect(code, stderr).toBe(0);
  }
});
afterAll(async () => {
  await sandbox.close();
  await machine.remove();
});
beforeEach(() => {
  sandbox.requests.length = 0;
});

/** A world in which nothing can be asked: no network, no keychain. */
function cutOff(deps: Deps): Deps {
  const fail = () => {
    throw new Error('Nothing may be asked.');
  };
  return { ...deps, network: { request: fail, warm: fail, close: async () => undefined }, keychain: fail };
}
const ask = (line: string, options: RunOptions = {}) => machine.svc(line.split(' '), { now, ...options });
const offline = (line: string) => ask(`${line} --offline`, { around: cutOff });
const mirrorFile = () => {
  const directory = join(machine.home, '.local/state/svc/mirror');
  return join(directory, readdirSync(directory).find((name) => name.endsWith('.sqlite')) ?? '');
};

it.each([
  'worklogs list -L 40',
  'worklogs list --from -14d --mine -o csv',
  'worklogs list --filter project_id.in=1,2 --sort -date --view detail -L 20',
  'worklogs list --include project,user -L 5',
  'worklogs list --per-page 7 -L 15 -o ids',
  'worklogs get 1 2',
  'labels list -o table',
  'projects list --page 2 --per-page 3 -L 3',
  'absences list --running',
  'absences list --user me --year 2026',
  'labels list',
  'users get 1',
  'report --from -30d --by project',
  'me',
])('prints what the service printed: %s', async (line) => {
  const online = await ask(line);
  const { code, stdout, stderr } = await offline(line);
  expect([code, stdout], stderr).toEqual([online.code, online.stdout]);
  expect(stderr).toMatch(/From your copy as of \d{4}-\d\d-\d\dT[\d:]+Z, \d+s ago/);
});

it.each([
  ['worklogs list --search a', 2, 'cannot search as the service would'],
  ['worklogs list --trashed with', 2, 'cannot answer trashed=with'],
  ['worklogs list --filter nothing=1', 2, 'filter[nothing]'],
  ['worklogs list --include links', 2, 'the relation links'],
  ['worklogs list --sort description', 2, '--sort description'],
  ['projects list --sort status', 2, '--sort status'],
  ['worklogs list --cursor abc', 2, 'a cursor that it did not give'],
  ['worklogs get 999999', 3, 'Your copy has no worklog 999999'],
  ['sprints list', 2, 'svc sync sprints'],
  ['projects list -o table', 2, 'svc sync customers'],
  ['week', 2, 'svc sync'],
  ['sync', 2, 'A sync asks the service, and --offline asks your copy'],
  ['changes', 2, 'What changed is asked of the service, and --offline asks your copy'],
  ['sql --sync SELECT(1)', 2, '--sync asks the service, and --offline asks your copy'],
  ['export out', 2, '--offline asks your copy'],
  ['api /worklogs', 2, '--offline asks your copy'],
  ['limits', 2, '--offline asks your copy'],
  ['auth refresh', 4, '--offline opens no keychain'],
  ['worklogs add --minutes 30', 2, '--offline sends nothing'],
  ['worklogs list --fresh 5m', 2, 'Use one of them'],
])('refuses what it cannot tell, and names it: %s', async (line, code, words) => {
  const result = await offline(line);
  expect([result.code, result.stdout], result.stderr).toEqual([code, '']);
  expect(result.stderr).toContain(words);
});

it('keeps a new record for later, and sends nothing', async () => {
  const { code, stderr } = await offline('worklogs add --minutes 30 --project 1 --later');
  expect(stderr).toContain('Kept for later as entry 1');
  expect(code).toBe(0);
});

it('refuses what asks the service, so that the copy is no younger than it was', async () => {
  const asOf = async () => (await offline('projects list')).stderr;
  const before = await asOf();
  for (const line of ['changes', 'changes --follow', 'logout', 'sync', 'sql --sync VALUES(1)']) {
    const { code, stderr } = await ask(`${line} --offline`, { around: cutOff, now: now + 60_000 });
    expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining(', and --offline asks your copy.')]);
  }
  expect(await asOf()).toBe(before);
});

it('is as old as the last sync that looked at who asks', async () => {
  const later = now + 3_600_000;
  expect((await ask('me --offline', { now: later })).stderr).toContain(', 1h ago (/me)');
  await ask('sync users', { now: later });
  expect((await ask('me --offline', { now: later })).stderr).toContain(', 0s ago (/me)');
});

it('goes on where a list was cut short', async () => {
  const all = JSON.parse((await offline('worklogs list -L 6')).stdout) as unknown[];
  const { stderr } = await offline('worklogs list -L 3');
  const cursor = /--cursor (\S+)/.exec(stderr)?.[1];
  const rest = JSON.parse((await offline(`worklogs list -L 3 --cursor ${cursor}`)).stdout) as unknown[];
  expect(rest).toEqual(all.slice(3));
});

it('obeys SVC_OFFLINE and the setting, in this order', async () => {
  const labels = (await ask('labels list')).stdout;
  expect((await ask('labels list', { around: cutOff, env: { SVC_OFFLINE: '1' } })).stdout).toBe(labels);
  await ask('config set offline true');
  expect((await ask('labels list', { around: cutOff })).stdout).toBe(labels);
  sandbox.requests.length = 0;
  await ask('labels list --no-cache', { env: { SVC_OFFLINE: '0' } });
  expect(sandbox.requests).toHaveLength(1);
  await ask('config unset offline');
});

it('asks the copy where it is young enough, else the service', async () => {
  const fresh = (wanted: string, later: number) => machine.svc(['projects', 'list', '--fresh', wanted], { now: now + later });
  const young = await fresh('10m', 60_000);
  expect([young.code, sandbox.requests.length], young.stderr).toEqual([0, 0]);
  const old = await fresh('10m', 700_000);
  expect(sandbox.requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual(['/api/v2/projects']);
  expect([old.code, old.stdout]).toEqual([0, young.stdout]);
  // What the copy cannot tell, the service is asked.
  expect((await ask('projects list --fresh 10m --search a')).code).toBe(0);
  expect(sandbox.requests).toHaveLength(2);
});

/** A world where nobody listens at the other end. */
function unreachable(deps: Deps): Deps {
  const request: Deps['network']['request'] = (wanted) => deps.network.request({ ...wanted, url: wanted.url.replace(host, '127.0.0.1:1') });
  return { ...deps, network: { request, warm: () => undefined, close: () => deps.network.close() } };
}

it('offers the copy to a person without a connection, once, and tells a script of it', async () => {
  const said = await machine.svc(['projects', 'list'], { hurried: true, around: unreachable });
  expect([said.code, said.stdout]).toEqual([8, '']);
  expect(said.stderr).toMatch(/Your copy as of \S+ answers with --offline\./);
  const agreed = await machine.svc(['projects', 'list'], { hurried: true, around: unreachable, answers: [true] });
  expect(agreed.stderr).toMatch(/\? Answer from your copy as of \S+\?/);
  expect([agreed.code, agreed.stdout]).toEqual([0, (await ask('projects list')).stdout]);
  const declined = await machine.svc(['projects', 'list'], { hurried: true, around: unreachable, answers: [false] });
  expect([declined.code, declined.stdout]).toEqual([8, '']);
});

it.each(['sync', 'changes', 'export'])('offers no copy to what takes it for the service: %s', async (command) => {
  const words = [command, ...(command === 'export' ? [join(machine.home, 'out')] : []), 'projects'];
  const { code, stdout, stderr } = await machine.svc(words, { hurried: true, around: unreachable, answers: [true] });
  expect([code, stdout]).toEqual([8, '']);
  expect(stderr).not.toContain('Answer from your copy');
});

it('goes on with the copy once it has answered, though the connection is back', async () => {
  let isBack = false;
  const unsteady = (deps: Deps): Deps => {
    const gone = unreachable(deps);
    const request: Deps['network']['request'] = (wanted) => (isBack ? deps : gone).network.request(wanted);
    return { ...gone, network: { ...gone.network, request } };
  };
  const line = 'worklogs list --per-page 5 -L 15';
  const onStdout = () => {
    isBack = true;
  };
  const options = { hurried: true, around: unsteady, answers: [true], onStdout };
  const agreed = await machine.svc([...line.split(' '), '-o', 'ndjson'], options);
  expect([agreed.code, sandbox.requests.length], agreed.stderr).toEqual([0, 0]);
  expect(agreed.stdout).toBe((await offline(`${line} -o ndjson`)).stdout);
});

it('learns in the next sync what an interrupt kept from the last one', async () => {
  const other = await createMachine({ keychain: createFakeKeychain() });
  const stop = new AbortController();
  const interrupting = (deps: Deps): Deps => {
    const request: Deps['network']['request'] = (wanted) => {
      if (/filter(?:%5B|\[)project_id/i.test(wanted.url)) stop.abort(new InterruptedError('Interrupted (SIGINT).', { signal: 'SIGINT' }));
      return deps.network.request(wanted);
    };
    return { ...deps, network: { ...deps.network, request, warm: () => undefined, close: () => deps.network.close() } };
  };
  const run = (line: string, options: RunOptions = {}) => other.svc(line.split(' '), { now, ...options });
  try {
    await run(`login ${host}`);
    expect((await run('sync worklogs', { signal: stop.signal, around: interrupting })).code).toBe(130);
    expect((await run('sync worklogs')).code).toBe(0);
    // How rows without a value are sorted, no worklog shows.
    expect((await run('sync absences')).code).toBe(0);
    const line = 'worklogs list --filter project_id.in=1,2 --sort -date -L 20';
    const { code, stdout, stderr } = await run(`${line} --offline`, { around: cutOff });
    expect([code, stdout], stderr).toEqual([0, (await run(line)).stdout]);
  } finally {
    await other.remove();
  }
});

it('answers from a copy that svc changes began', async () => {
  const other = await createMachine({ keychain: createFakeKeychain() });
  try {
    await other.svc(['login', host], { now });
    expect((await other.svc(['changes', 'labels'], { now })).code).toBe(0);
    const { code, stdout, stderr } = await other.svc(['labels', 'list', '--offline'], { now, around: cutOff });
    expect([code, stdout], stderr).toEqual([0, (await ask('labels list')).stdout]);
  } finally {
    await other.remove();
  }
});

it('sees one state, whatever a sync does meanwhile', async () => {
  const line = 'projects list --view detail --per-page 3 -L 8 -o ndjson';
  const before = (await offline(line)).stdout;
  const writer = new DatabaseSync(mirrorFile());
  let changed = false;
  // Between two pages everything changes.
  const onStdout = () => {
    if (!changed) writer.exec("CREATE TEMP TABLE kept AS SELECT * FROM svc_record_projects; UPDATE svc_record_projects SET record = '{}'");
    changed = true;
  };
  const meanwhile = await ask(`${line} --offline`, { around: cutOff, onStdout });
  const after = (await offline(line)).stdout;
  writer.exec('INSERT OR REPLACE INTO svc_record_projects SELECT * FROM kept');
  writer.close();
  expect(changed).toBe(true);
  expect(meanwhile.stdout).toBe(before);
  expect(after).not.toBe(before);
});

it('says what is wrong with a copy that is newer, of another organisation, damaged or not there', async () => {
  const change = (sql: string) => {
    const writer = new DatabaseSync(mirrorFile());
    writer.exec(sql);
    writer.close();
  };
  const form = new DatabaseSync(mirrorFile(), { readOnly: true }).prepare('PRAGMA user_version').get()?.['user_version'];
  change('PRAGMA user_version = 999');
  expect((await offline('labels list')).stderr).toContain('was made by a newer svc');
  change(`PRAGMA user_version = ${form}; UPDATE svc_mirror SET host = 'other.example.com'`);
  expect((await offline('labels list')).stderr).toContain('holds what another person or organisation may see');
  change(`UPDATE svc_mirror SET host = '${host}'; DELETE FROM svc_kept`);
  const old = await offline('labels list');
  expect([old.code, old.stdout]).toEqual([2, '']);
  expect(old.stderr).toContain('Your copy cannot answer yet');
  writeFileSync(mirrorFile(), 'no database at all, however one looks at it'.repeat(100));
  const damaged = await offline('labels list');
  expect([damaged.code, damaged.stdout]).toEqual([1, '']);
  expect(damaged.stderr).toContain('a damaged one goes with svc sync --forget');
  const fresh = await ask('labels list --fresh 1h');
  expect([fresh.code, (JSON.parse(fresh.stdout) as unknown[]).length], fresh.stderr).toEqual([0, 6]);
  expect(fresh.stderr).toContain('The service is asked instead.');
  await ask('logout');
  await ask(`login ${host}`);
  const none = await offline('labels list');
  expect([none.code, none.stdout]).toEqual([2, '']);
  expect(none.stderr).toContain(`There is no copy of ${host} to answer from.`);
  expect(none.stderr).toContain('svc sync');
});
