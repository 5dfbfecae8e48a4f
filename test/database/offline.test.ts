// Without a connection and without a keychain, reads are answered from the account's own local database: the rows that the service has, as
// they are stored, or a refusal that names what is not. test/database/offline.proof.ts compares far more.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { createFakeKeychain } from '../auth/fixtures/fake-keychain.ts';
import { createMachine, type Machine, type RunOptions, signedIn } from '../support/svc.ts';
import { startTenant } from '../support/tenant/start-tenant.ts';
import { isInOrder } from './promised-order.ts';

const keychain = createFakeKeychain();
let sandbox: Sandbox;
let machine: Machine;
let host: string;
const now = Date.now();

beforeAll(async () => {
  sandbox = await startTenant({ approve: true, limits: 'off', worklogIdsBy: 5 });
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
const runQuery = (line: string, options: RunOptions = {}) => machine.svc(line.split(' '), { now, ...options });
const offline = (line: string) => runQuery(`${line} --offline`, { around: cutOff });
const databaseFile = () => {
  const directory = join(machine.home, '.local/state/svc/mirror');
  return join(directory, readdirSync(directory).find((name) => name.endsWith('.sqlite')) ?? '');
};

const rowsOf = async (line: string) => {
  const { code, stdout, stderr } = await offline(line);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Row[];
};
/** What the service has, by id. */
const onlineRows = async (line: string) => {
  const { code, stdout, stderr } = await runQuery(`${line} --view detail --no-cache`);
  expect(code, stderr).toBe(0);
  return new Map((JSON.parse(stdout) as Row[]).map((row) => [row.id, row]));
};

it.each([
  'worklogs list',
  'worklogs list --sort minutes',
  'worklogs list --sort -minutes',
  'worklogs list --sort description',
  'worklogs list --sort -date,minutes',
  'worklogs list --filter minutes.gte=60',
  'worklogs list --filter minutes.lt=60 --filter is_overtime=true',
  'worklogs list --from -14d --mine',
  'worklogs list --filter project_id.in=1,2 --sort -date',
  'worklogs list --filter work_item_id.null=true --per-page 7',
  'worklogs list --filter created_at.gte=2026-01-01',
  'projects list --sort status',
  'projects list --filter status=on-hold',
  'projects list --filter end_date.lte=2027-01-01 --sort name',
  'projects list --sort -end_date',
  'absences list',
  'absences list --running',
  'absences list --user me --year 2026',
  'labels list',
])('svc answers %s offline with the complete rows of the service, in the documented order', async (line) => {
  const rows = await rowsOf(line);
  const online = await onlineRows(line.replace(/ --sort \S+/, ''));
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBe(online.size);
  for (const row of rows) expect(JSON.stringify(row)).toBe(JSON.stringify(online.get(row.id)));
  expect(isInOrder(rows, line)).toBe(true);
});

type Row = Readonly<Record<string, unknown>> & { readonly id: number };

it('svc compares money as a number offline, and finds a row without a value only with .null=true', async () => {
  const writer = new DatabaseSync(databaseFile());
  writer.exec(`
    CREATE TABLE sales_invoice_rows (id INTEGER PRIMARY KEY, unit_price TEXT, name TEXT);
    CREATE TABLE svc_record_sales_invoice_rows (id INTEGER PRIMARY KEY, record TEXT NOT NULL);
    INSERT INTO svc_tables VALUES ('sales-invoice-rows', 'sales_invoice_rows', '/sales-invoice-rows', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'read', 4, NULL)`);
  for (const [id, price] of [
    [1, '9.50'],
    [2, '10.00'],
    [3, null],
    [4, '-2.00'],
  ] as const) {
    writer.prepare('INSERT INTO sales_invoice_rows VALUES (?, ?, NULL)').run(id, price);
    writer.prepare('INSERT INTO svc_record_sales_invoice_rows VALUES (?, ?)').run(id, JSON.stringify({ id, unit_price: price }));
  }
  const ids = async (flags: string) => (await rowsOf(`sales-invoice-rows list ${flags}`)).map(({ id }) => id);
  try {
    expect(await ids('--sort unit_price')).toEqual([4, 1, 2, 3]);
    expect(await ids('--sort -unit_price')).toEqual([2, 1, 4, 3]);
    expect(await ids('--filter unit_price.gt=9.5')).toEqual([2]);
    expect(await ids('--filter unit_price=10')).toEqual([2]);
    expect(await ids('--filter unit_price.lt=0')).toEqual([4]);
    expect(await ids('--filter unit_price.null=true')).toEqual([3]);
    expect(await ids('--filter unit_price.null=false')).toEqual([1, 2, 4]);
    // No row was stored with a name: whether it has one is not known.
    const unknown = await offline('sales-invoice-rows list --filter name.null=true');
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toContain('some rows were stored without the field name');
    expect((await offline('sales-invoice-rows list --sort name')).stderr).toContain('no row was stored with the field name');
  } finally {
    writer.exec(
      "DELETE FROM svc_tables WHERE noun = 'sales-invoice-rows'; DROP TABLE sales_invoice_rows; DROP TABLE svc_record_sales_invoice_rows",
    );
    writer.close();
  }
});

it('svc finds a record with a stored date offline when a filter has a date-time of that day', async () => {
  const [absence] = await rowsOf('absences list -L 1');
  const [id, start] = [absence?.id, String(absence?.['start'])];
  const day = start.slice(0, 10);
  const writer = new DatabaseSync(databaseFile());
  writer.exec(`UPDATE absences SET start = '${day}' WHERE id = ${id}`);
  const rows = await rowsOf(`absences list --filter start.gte=${day}T00:00:00Z`);
  writer.exec(`UPDATE absences SET start = '${start}' WHERE id = ${id}`);
  writer.close();
  expect(rows.map((row) => row.id)).toContain(id);
});

it('svc adds a related record offline from the table of that record', async () => {
  const [row] = await rowsOf('worklogs list --include project,user -L 1');
  const project = JSON.parse((await offline(`projects get ${row?.['project_id']}`)).stdout);
  const user = JSON.parse((await offline(`users get ${row?.['user_id']}`)).stdout);
  expect([row?.['project'], row?.['user']]).toEqual([project, user]);
});

it.each([
  'worklogs get 5 10',
  'users get 1',
  'report --from -30d --by project',
  'report --from -30d --by description',
  'me',
  'worklogs list --jq length',
  'labels list --fields id,name',
])('svc prints the same output offline as online for %s', async (line) => {
  const online = await runQuery(line);
  const { code, stdout, stderr } = await offline(line);
  expect([code, stdout], stderr).toEqual([online.code, online.stdout]);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/From the local database, complete at \d{4}-\d\d-\d\d \d\d:\d\d, \d+s ago/);
});

it('svc shows names in offline output, and ids when the local database lacks the names', async () => {
  const worklogs = await offline('worklogs list -L 30 -o table');
  expect([worklogs.code, worklogs.stdout], worklogs.stderr).toEqual([0, expect.stringContaining('Web shop')]);
  const projects = await offline('projects list -o table');
  expect([projects.code, projects.stdout], projects.stderr).toEqual([0, expect.stringMatching(/Web shop.*#\d/)]);
});

it.each([
  ['worklogs list --search a', 2, 'Not available offline: a search.'],
  ['worklogs list --trashed with', 2, 'Not available offline: deleted records.'],
  ['worklogs list --view summary', 2, 'Not available offline: --view summary.'],
  ['worklogs list --filter minuts=1', 2, 'Did you mean minutes?'],
  ['worklogs list --filter minutes=abc', 2, 'minutes'],
  ['worklogs list --include links', 2, 'Not available offline: the relation links.'],
  ['projects list --include customer', 2, 'svc sync customers'],
  ['worklogs list --sort links', 2, 'no stored column "links"'],
  ['worklogs list --cursor abc', 2, 'Not available offline: a cursor'],
  ['worklogs get 999999', 3, 'The local database has no worklog 999999'],
  ['sprints list', 2, 'svc sync sprints'],
  ['week', 2, 'svc sync'],
  ['sync', 2, 'svc sync reads from the service, and --offline reads the local database'],
  ['changes', 2, 'so the database stores no position'],
  ['changes --follow', 2, 'svc changes --follow reads from the service, and --offline reads the local database'],
  ['sql --sync SELECT(1)', 2, '--sync reads from the service, and --offline reads the local database'],
  ['export out', 2, '--offline reads the local database'],
  ['api /worklogs', 2, '--offline reads the local database'],
  ['limits', 2, '--offline reads the local database'],
  ['auth refresh', 4, 'With --offline, svc does not open the keychain'],
  ['worklogs add --minutes 30', 2, '--offline sends nothing'],
  ['worklogs list --max-age 5m', 2, 'Use one of the flags'],
])('svc refuses %s offline, and names the reason', async (line, code, words) => {
  const result = await offline(line);
  expect([result.code, result.stdout], result.stderr).toEqual([code, '']);
  expect(result.stderr).toContain(words);
});

it('svc stores a new record in the outbox with --later and --offline, and sends nothing', async () => {
  const { code, stderr } = await offline('worklogs add --minutes 30 --project 1 --later');
  expect(stderr).toContain('svc stored the write as entry 1');
  expect(code).toBe(0);
});

it('svc refuses --offline for commands that need the service', async () => {
  const asOf = async () => (await offline('projects list')).stderr;
  const before = await asOf();
  for (const line of ['changes --follow', 'logout', 'sync', 'sql --sync VALUES(1)']) {
    const { code, stderr } = await runQuery(`${line} --offline`, { around: cutOff, now: now + 60_000 });
    expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining(', and --offline reads the local database.')]);
  }
  expect(await asOf()).toBe(before);
});

it('svc prints the age of an offline answer, and names the table', async () => {
  const later = now + 3_600_000;
  expect((await runQuery('me --offline', { now: later })).stderr).toMatch(/, (?:59m|1h) ago \(users\)/);
});

it('svc continues an offline list that --limit cut short', async () => {
  const all = JSON.parse((await offline('worklogs list -L 6')).stdout) as unknown[];
  const { stderr } = await offline('worklogs list -L 3');
  const cursor = /--cursor (\S+)/.exec(stderr)?.[1];
  const rest = JSON.parse((await offline(`worklogs list -L 3 --cursor ${cursor}`)).stdout) as unknown[];
  expect(rest).toEqual(all.slice(3));
  const other = await offline(`projects list -L 3 --cursor ${cursor}`);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('Not available offline: a cursor of another list.')]);
});

it('SVC_OFFLINE turns offline mode on or off, and takes precedence over the setting', async () => {
  const labels = (await runQuery('labels list')).stdout;
  expect((await runQuery('labels list', { around: cutOff, env: { SVC_OFFLINE: '1' } })).stdout).toBe(labels);
  await runQuery('config set offline true');
  expect((await runQuery('labels list', { around: cutOff })).stdout).toBe(labels);
  sandbox.requests.length = 0;
  await runQuery('labels list --no-cache', { env: { SVC_OFFLINE: '0' } });
  expect(sandbox.requests).toHaveLength(1);
  await runQuery('config unset offline');
});

it('svc reads a local database within --max-age, and the service if the local database is older', async () => {
  const fresh = (wanted: string, later: number) => machine.svc(['projects', 'list', '--max-age', wanted], { now: now + later });
  const young = await fresh('10m', 60_000);
  expect([young.code, sandbox.requests.length], young.stderr).toEqual([0, 0]);
  const old = await fresh('10m', 700_000);
  expect(sandbox.requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual(['/api/v2/projects']);
  expect([old.code, JSON.parse(old.stdout).length]).toEqual([0, JSON.parse(young.stdout).length]);
  // The age counts from the last time at which the table was complete, not from the last check.
  const writer = new DatabaseSync(databaseFile());
  writer.exec("UPDATE svc_tables SET as_of = whole_at, whole_at = '2026-01-01T00:00:00Z' WHERE noun = 'projects'");
  sandbox.requests.length = 0;
  await fresh('10m', 60_000);
  writer.exec("UPDATE svc_tables SET whole_at = as_of WHERE noun = 'projects'");
  writer.close();
  expect(sandbox.requests).toHaveLength(1);
  // What the copy cannot tell, the service is asked.
  expect((await runQuery('projects list --max-age 10m --search a')).code).toBe(0);
  expect(sandbox.requests).toHaveLength(2);
});

/** A world where nobody listens at the other end. */
function unreachable(deps: Deps): Deps {
  const request: Deps['network']['request'] = (wanted) => deps.network.request({ ...wanted, url: wanted.url.replace(host, '127.0.0.1:1') });
  return { ...deps, network: { request, warm: () => undefined, close: () => deps.network.close() } };
}

it('svc offers the local database to a person without a connection, and prints the flag --offline for a script', async () => {
  const said = await machine.svc(['projects', 'list'], { hurried: true, around: unreachable });
  expect([said.code, said.stdout]).toEqual([8, '']);
  expect(said.stderr).toMatch(/To answer from the local database, complete at \d{4}-\d\d-\d\d \d\d:\d\d: --offline/);
  const agreed = await machine.svc(['projects', 'list'], { hurried: true, around: unreachable, answers: [true] });
  expect(agreed.stderr).toMatch(/\? Answer from the local database, complete at \d{4}-\d\d-\d\d \d\d:\d\d\?/);
  expect([agreed.code, agreed.stdout]).toEqual([0, (await offline('projects list')).stdout]);
  const declined = await machine.svc(['projects', 'list'], { hurried: true, around: unreachable, answers: [false] });
  expect([declined.code, declined.stdout]).toEqual([8, '']);
});

it('svc answers from the local database after another sign-in of the same person', async () => {
  const before = await offline('labels list');
  expect((await runQuery(`login ${host}`)).code).toBe(0);
  expect(await offline('labels list')).toMatchObject({ code: 0, stdout: before.stdout });
});

it('svc worklogs list --offline names the order of a shortened list', async () => {
  const list = ['worklogs', 'list', '-L', '2', '--offline'];
  expect((await machine.svc(list, { terminal: 100 })).stderr).toMatch(/^2 of \d+, lowest id first\. More: -L 20$/m);
  expect((await machine.svc([...list, '--sort', '-date'], { terminal: 100 })).stderr).toMatch(/^2 of \d+\. More: -L 20$/m);
  // The documentation names the order of absences.
  expect((await machine.svc(['absences', ...list.slice(1)], { terminal: 100 })).stderr).toMatch(/^2 of \d+\. More: -L 20$/m);
});

it('svc worklogs add without a connection says that it logged nothing, when it could not look up a name', async () => {
  const words = ['worklogs', 'add', '35m', '--project', 'Web shop', '--no-check', '--no-context'];
  const failed = await machine.svc(words, { hurried: true, around: unreachable });
  expect([failed.code, failed.stderr]).toEqual([
    8,
    expect.stringContaining('svc logged nothing. To store the entry for later, add --later --offline.'),
  ]);
});

it('svc worklogs add --later without a connection names --offline, which finds the project', async () => {
  const words = ['worklogs', 'add', '35m', '--project', 'Web shop', '--later', '--no-check', '--no-context'];
  const without = await machine.svc(words, { hurried: true, around: unreachable });
  expect([without.code, without.stdout]).toEqual([8, '']);
  expect(without.stderr).toContain('svc stored nothing, because svc could not look up a name. To use the local database, add --offline.');
  const stored = await machine.svc([...words, '--offline'], { around: unreachable });
  expect(stored.code, stored.stderr).toBe(0);
  const entries = JSON.parse((await machine.svc(['outbox', '-o', 'json'])).stdout) as { number: number; body: object }[];
  const entry = entries.at(-1);
  expect(entry?.body).toMatchObject({ project_id: expect.any(Number), minutes: 35 });
  expect((await machine.svc(['outbox', 'drop', String(entry?.number)])).code).toBe(0);
});

it('svc prints the complete time and the last check of a table, and the command that compares all rows', async () => {
  const writer = new DatabaseSync(databaseFile());
  writer.exec("UPDATE svc_tables SET whole_at = '2026-01-01T00:00:00Z' WHERE noun = 'labels'");
  const { stderr } = await offline('labels list');
  writer.exec("UPDATE svc_tables SET whole_at = as_of WHERE noun = 'labels'");
  writer.close();
  expect(stderr).toMatch(
    /complete at 2026-01-01 01:00, \w+ ago \(labels\), and checked \w+ ago\. To compare all rows: svc sync --verify\n$/,
  );
});

it('svc prints that svc sent nothing after a write without a connection, and does not offer the local database', async () => {
  const words = ['work-items', 'comments', 'create', 'ABC-12', '--body', 'Later'];
  const { code, stdout, stderr } = await machine.svc(words, { hurried: true, around: unreachable, answers: [], terminal: 200 });
  expect([code, stdout]).toEqual([8, '']);
  expect(stderr).not.toContain('local database');
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'svc sent nothing. Run the same command again. To store such writes for later: svc config set outbox offline',
  );
});

it.each(['sync', 'changes', 'export'])('svc %s exits 8 without a connection, and does not offer the local database', async (command) => {
  const words = [command, ...(command === 'export' ? [join(machine.home, 'out')] : []), 'projects'];
  const { code, stdout, stderr } = await machine.svc(words, { hurried: true, around: unreachable, answers: [true] });
  expect([code, stdout]).toEqual([8, '']);
  expect(stderr).not.toContain('Answer from the local database');
});

it('svc continues to answer from the local database when the connection returns', async () => {
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

it('svc opens a database of an earlier version, and the next sync removes the old answers of the service', async () => {
  const other = await createMachine({ keychain: createFakeKeychain() });
  const run = (line: string, options: RunOptions = {}) => other.svc(line.split(' '), { now, ...options });
  const directory = join(other.home, '.local/state/svc/mirror');
  try {
    await run(`login ${host}`);
    await run('sync labels');
    const file = join(directory, readdirSync(directory).find((name) => name.endsWith('.sqlite')) ?? '');
    const change = (sql: string) => {
      const writer = new DatabaseSync(file);
      writer.exec(sql);
      writer.close();
    };
    change(`PRAGMA user_version = 2; ALTER TABLE svc_tables DROP COLUMN verified_at; DROP TABLE svc_pages; DELETE FROM svc_kept WHERE name LIKE 'answer%';
      DROP TABLE svc_touched;
      INSERT INTO svc_kept VALUES ('manner /labels', '{"noun":"labels","orders":[]}'), ('surroundings', '{"paths":[]}'), ('answer /me', '{}'),
        ('touched work-items', '[3,8]')`);
    const before = await run('labels list --offline', { around: cutOff });
    expect([before.code, (JSON.parse(before.stdout) as Row[]).length], before.stderr).toEqual([0, 6]);
    expect((await run('sync labels')).code).toBe(0);
    const reader = new DatabaseSync(file, { readOnly: true });
    expect(reader.prepare('PRAGMA user_version').get()?.['user_version']).toBe(6);
    expect(reader.prepare('SELECT noun, id FROM svc_touched').all()).toMatchObject([3, 8].map((id) => ({ noun: 'work-items', id })));
    expect(
      reader
        .prepare('SELECT name FROM svc_kept ORDER BY name')
        .all()
        .map(({ name }) => name),
    ).toEqual(['answer /', 'fields labels']);
    reader.close();
    expect((await run('labels list --offline', { around: cutOff })).stdout).toBe(before.stdout);
  } finally {
    await other.remove();
  }
});

it('a first sync sends only requests that the service accepts', async () => {
  const other = await createMachine({ keychain: createFakeKeychain() });
  try {
    await other.svc(['login', host], { now });
    sandbox.requests.length = 0;
    expect((await other.svc(['sync'], { now })).code).toBe(0);
    expect(sandbox.requests.filter(({ status }) => status >= 400)).toEqual([]);
    // Comments come with their work items, and become rows.
    expect(sandbox.requests.filter(({ path }) => /sort=(?!id)|include=(?!comments)|view=summary/.test(path))).toEqual([]);
  } finally {
    await other.remove();
  }
});

it('svc labels list --offline reads a local database that the command “svc changes” created', async () => {
  const other = await createMachine({ keychain: createFakeKeychain() });
  try {
    await other.svc(['login', host], { now });
    expect((await other.svc(['changes', 'labels'], { now })).code).toBe(0);
    const { code, stdout, stderr } = await other.svc(['labels', 'list', '--offline'], { now, around: cutOff });
    expect([code, stdout], stderr).toEqual([0, (await runQuery('labels list')).stdout]);
  } finally {
    await other.remove();
  }
});

it('svc reads one consistent state while another program changes the local database', async () => {
  const line = 'projects list --view detail --per-page 3 -L 8 -o ndjson';
  const before = (await offline(line)).stdout;
  const writer = new DatabaseSync(databaseFile());
  let changed = false;
  // Between two pages everything changes.
  const onStdout = () => {
    if (!changed) writer.exec("CREATE TEMP TABLE kept AS SELECT * FROM svc_record_projects; UPDATE svc_record_projects SET record = '{}'");
    changed = true;
  };
  const meanwhile = await runQuery(`${line} --offline`, { around: cutOff, onStdout });
  const after = (await offline(line)).stdout;
  writer.exec('INSERT OR REPLACE INTO svc_record_projects SELECT * FROM kept');
  writer.close();
  expect(changed).toBe(true);
  expect(meanwhile.stdout).toBe(before);
  expect(after).not.toBe(before);
});

it('svc reports a local database that is newer, damaged, missing, or of another organisation', async () => {
  const change = (sql: string) => {
    const writer = new DatabaseSync(databaseFile());
    writer.exec(sql);
    writer.close();
  };
  const form = new DatabaseSync(databaseFile(), { readOnly: true }).prepare('PRAGMA user_version').get()?.['user_version'];
  change('PRAGMA user_version = 999');
  expect((await offline('labels list')).stderr).toContain('A newer svc created the local database ');
  change(`PRAGMA user_version = ${form}; UPDATE svc_mirror SET host = 'other.example.com'`);
  expect((await offline('labels list')).stderr).toContain('belongs to another user or organisation');
  change(`UPDATE svc_mirror SET host = '${host}'`);
  writeFileSync(databaseFile(), 'no database at all, however one looks at it'.repeat(100));
  const damaged = await offline('labels list');
  expect([damaged.code, damaged.stdout]).toEqual([1, '']);
  expect(damaged.stderr).toContain('To remove a damaged database: svc sync --forget');
  const fresh = await runQuery('labels list --max-age 1h');
  expect([fresh.code, (JSON.parse(fresh.stdout) as unknown[]).length], fresh.stderr).toEqual([0, 6]);
  expect(fresh.stderr).toContain('svc reads from the service instead.');
  rmSync(databaseFile());
  const none = await offline('labels list');
  expect([none.code, none.stdout]).toEqual([2, '']);
  expect(none.stderr).toContain(`There is no complete local database of ${host}.`);
  expect(none.stderr).toContain('svc sync');
});

it('an offline table names the statuses of work items that svc has never listed online', async () => {
  const here = await signedIn({ limits: 'off' });
  try {
    expect((await here.svc(['sync', 'work-items', 'workflow-statuses'])).code).toBe(0);
    const { code, stdout, stderr } = await here.svc(
      ['work-items', 'list', '--offline', '--limit', '20', '--columns', 'id,workflow_status', '--no-color'],
      {
        terminal: 120,
        around: cutOff,
      },
    );
    expect(code, stderr).toBe(0);
    const names = here.sandbox.rows('workflow-statuses').map(({ name }) => String(name));
    const shown = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^ *\d+\s+/, ''));
    expect(shown.filter((name) => !names.includes(name))).toEqual([]);
    expect(shown.length).toBeGreaterThan(5);
  } finally {
    await here.remove();
  }
});
