// test/sandbox/from.proof.ts compares every resource, and the pseudonyms of every field.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openSandboxOrigins } from '../../src/config/sandbox-origins.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { databaseFile, type Fields, recordsIn, rehearse } from './from-organisation.ts';

const READ = ['users', 'projects', 'work-items', 'customers', 'sales-invoices', 'absences', 'furlough-balance-mutations'];
let here: SignedIn;
beforeAll(async () => {
  const interpretations = { missingTimezone: 'absent', organisationZone: 'shown', workingHours: 'from-to', absenceBounds: 'date' } as const;
  here = await signedIn({ limits: 'off', switches: { furlough: true }, interpretations });
  const { code, stderr } = await here.svc(['sync', ...READ, '--no-children']);
  expect(code, stderr).toBe(0);
});
afterAll(() => here.remove());

const originOf = (origin: string) => openSandboxOrigins(nodeFiles(), `${here.home}/.local/state/svc`).originOf({ origin });
const digest = () =>
  createHash('sha256')
    .update(readFileSync(databaseFile(here)))
    .digest('hex');

test('svc sandbox --from shows only the records of the local database, and leaves the file unchanged', async () => {
  const before = digest();
  const now = Date.now();
  const run = await rehearse(here, [], async ({ svc, get, origin, report }) => {
    for (const noun of READ) {
      const [there, offline] = await Promise.all([svc(`${noun} list --view detail`), here.svc([noun, 'list', '--offline'])]);
      expect(there.code, there.stderr).toBe(0);
      const rows = (text: string, address: string): Fields[] => JSON.parse(text.replaceAll(address, 'https://organisation'));
      expect(rows(there.stdout, origin).length).toBe(report.records[noun]);
      expect(new Set(rows(there.stdout, origin)), noun).toEqual(new Set(rows(offline.stdout, here.sandbox.origin)));
    }
    expect(report).toMatchObject({ host: here.host, user_id: 1, pseudonyms: false, incomplete: [], unsupported: [] });
    expect(Math.abs(Date.parse(report.read_at) - now)).toBeLessThan(120_000);
    expect(report.missing).toContainEqual({ resource: 'worklogs', reason: 'No sync has stored the records.' });
    expect(report.missing).toContainEqual({ resource: 'work-items comments', reason: 'No sync has stored the records.' });
    for (const path of ['/worklogs', '/work-items/1/comments', '/sales-invoices/1/rows', '/labels'])
      expect((await get(path)).body['type'], path).toContain('endpoint-not-found');
    expect((await svc('worklogs list')).code).toBe(3);
    expect((await get('/projects?include=budgets')).status).toBe(400);
    expect(JSON.stringify((await get('/')).body)).not.toMatch(/worklogs|transition/);
    expect(await originOf(origin)).toMatchObject({ from: here.host, pseudonyms: false, read_at: report.read_at });
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(digest()).toBe(before);
});

test('svc sandbox --from accepts writes, and adds new records to the counters that the service calculated', async () => {
  await rehearse(here, [], async ({ svc, get }) => {
    const stored = recordsIn(databaseFile(here), here.sandbox.origin);
    const project = stored.get('projects')?.find((each) => Number(each['work_items_count']) > 0);
    const created = await svc(`work-items create --project ${project?.id} --title New`);
    expect(created.code, created.stderr).toBe(0);
    const item = JSON.parse(created.stdout) as Fields;
    expect(item.id).toBe(Math.max(...(stored.get('work-items') ?? []).map(({ id }) => id)) + 1);
    expect((await get(`/projects/${project?.id}`)).body['data']).toMatchObject({
      work_items_count: Number(project?.['work_items_count']) + 1,
      web_url: expect.stringMatching(/^http:\/\/127/),
    });
    const logged = stored.get('work-items')?.find((each) => Number(each['logged_minutes']) > 0);
    expect((await get(`/work-items/${logged?.id}`)).body['data']).toMatchObject({ logged_minutes: logged?.['logged_minutes'] });
    expect((await svc('projects update 1 --status nonsense')).code).toBe(9);
    expect((await svc(`work-items delete ${item.id} --yes`)).code).toBe(0);
  });
});

test('svc sandbox --from refuses a write that the user’s known role does not allow, but accepts a read', async () => {
  const rename = (role: string | null) => {
    const database = new DatabaseSync(databaseFile(here));
    database.prepare("UPDATE svc_record_users SET record = json_set(record, '$.role', ?) WHERE id = 1").run(role);
    database.close();
  };
  const codes = async () => {
    const found: number[] = [];
    await rehearse(here, [], async ({ svc }) => {
      for (const line of ['sales-invoices list', 'customers update 1 --name New']) found.push((await svc(line)).code);
    });
    return found;
  };
  rename('employee');
  expect(await codes()).toEqual([0, 5]);
  rename('a role of this organisation');
  expect(await codes()).toEqual([0, 0]);
  rename('admin');
});

test('svc signs in to a sandbox with --from as the user who filled the local database', async () => {
  await rehearse(here, ['--approve'], async ({ host }) => {
    const login = await here.svc(['login', host]);
    expect(login.code, login.stderr).toBe(0);
    expect((await here.svc(['me', '--host', host, '--jq', '.id'])).stdout).toBe('1\n');
    expect((await here.svc(['logout', host])).code).toBe(0);
  });
});

test('only the person who started the sandbox can sign in and see pages with records', async () => {
  const secrets: string[] = [];
  const visit = () =>
    rehearse(here, [], async ({ origin, stdout }) => {
      secrets.push(JSON.parse(stdout).tokens[0].value);
      const paths = ['/projects/1', '/work-items/1', '/oauth/authorize?client_id=app'];
      for (const path of paths) expect((await fetch(`${origin}${path}`)).status, path).toBe(403);
      const start = await fetch(JSON.parse(stdout).start_url, { redirect: 'manual' });
      const cookie = start.headers.get('set-cookie')?.split(';')[0] ?? '';
      for (const path of paths) expect((await fetch(`${origin}${path}`, { headers: { cookie } })).status, path).not.toBe(403);
    });
  await visit();
  await visit();
  expect(secrets[0]).not.toBe(secrets[1]);
});

test('--pseudonyms replaces names equally in two runs, scales amounts, and keeps ids, dates and roles', async () => {
  const stored = recordsIn(databaseFile(here), here.sandbox.origin);
  const printed: string[] = [];
  const run = () =>
    rehearse(here, ['--pseudonyms', '--port', '0'], async ({ svc, origin, report, stdout }) => {
      const users = JSON.parse((await svc('users list --view detail')).stdout) as Fields[];
      for (const user of users) {
        const real = stored.get('users')?.find(({ id }) => id === user.id);
        expect(Object.keys(user).sort()).toEqual(Object.keys(real ?? {}).sort());
        const { name, email, ...kept } = user;
        expect(kept).toMatchObject({ role: real?.['role'], working_hours: real?.['working_hours'], started_on: real?.['started_on'] });
        expect(String(email)).toMatch(/^[a-z.]+@example\.org$/);
        expect(stdout + JSON.stringify(users)).not.toContain(JSON.stringify(real?.['name']).slice(1, -1));
        printed.push(String(name));
      }
      const projects = JSON.parse((await svc('projects list --view detail')).stdout) as Fields[];
      const rates = projects.map(({ id, hourly_rate: rate }) => Number(rate) / Number(stored.get('projects')?.[id - 1]?.['hourly_rate']));
      for (const rate of rates.filter(Number.isFinite)) expect(rate).toBeCloseTo(rates[0] ?? 0, 3);
      expect([report.pseudonyms, (await originOf(origin))?.pseudonyms]).toEqual([true, true]);
    });
  await run();
  await run();
  const [first, second] = [printed.slice(0, printed.length / 2), printed.slice(printed.length / 2)];
  expect([new Set(first).size, second]).toEqual([first.length, first]);
});

test('--pseudonyms exits 1 when the file of their secret is damaged', async () => {
  const directory = join(here.home, '.local', 'state', 'svc', 'sandboxes');
  const name = (await readdir(directory)).find((each) => each.endsWith('.key')) ?? '';
  await writeFile(join(directory, name), `${'0'.repeat(63)}g`);
  const interrupt = new AbortController();
  const argv = ['sandbox', '--from', here.host, '--pseudonyms', '--port', '0'];
  const run = await here.svc(argv, { signal: interrupt.signal, onStdout: () => interrupt.abort() });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain(`${name} does not contain a key.\n  Remove the file. The next pseudonyms then differ.\n`);
  await rm(join(directory, name));
});

test('svc sandbox --from prints the number and age of the records, and the resources that the local database lacks', async () => {
  const database = new DatabaseSync(databaseFile(here));
  database.exec("UPDATE svc_tables SET as_of = '2026-11-22T15:00:00Z', whole_at = '2026-11-21T15:00:00Z' WHERE noun = 'projects'");
  database.exec("UPDATE svc_tables SET noun = 'meeting-rooms' WHERE noun = 'customers'");
  database.exec(`INSERT OR REPLACE INTO svc_kept VALUES ('refused tables', '{"budgets":"You lack budgets::read."}')`);
  database.close();
  const interrupt = new AbortController();
  const { stdout } = await here.svc(['sandbox', '--from', here.host], {
    now: Date.parse('2026-11-22T16:00:00Z'),
    signal: interrupt.signal,
    onStdout: () => interrupt.abort(),
  });
  expect(stdout).toContain(`Records of:       ${here.host}, as user 1 could read them\n`);
  expect(stdout).toMatch(/^ +\d+ records of 6 resources, complete at 2026-11-21T15:00:00Z, 1d ago$/m);
  expect(stdout).toContain('\n  budgets: You lack budgets::read.\n');
  expect(stdout).toContain('\n  customers: No sync has stored the records.\n');
  expect(stdout).toContain('\nResources that may have deleted records:\n  projects: last complete at 2026-11-21T15:00:00Z\n');
  expect(stdout).toContain('\nResources that the sandbox does not offer:\n  meeting-rooms\n');
});

describe('a sandbox that cannot start', () => {
  it.each([
    [['--from', 'nowhere.example.com'], 'There is no complete local database of nowhere.example.com.'],
    [['--pseudonyms'], '--pseudonyms replaces the records of an organisation.'],
    [['--from', 'acme.example.com', '--data', 'x.json'], '--from and --data each choose the data of the sandbox.'],
    [['--from', 'acme.example.com', '--seed', '7'], '--from and --seed each choose the data of the sandbox.'],
  ])('makes svc exit 2: %j', async (flags, message) => {
    const run = await here.svc(['sandbox', ...flags]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});
