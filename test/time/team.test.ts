// A team's week and balances, worked out by hand, and what they cost.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { json, startHttpServer } from '../support/http-server.ts';
import { pageBody } from '../support/page-body.ts';
import { signedIn } from '../support/svc.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

/** 9 to 17, Monday to Friday. */
const FULL_TIME = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [day, { start: '09:00', end: '17:00' }]),
);

let here: PinnedSandbox;
const ids = { berta: 0, nora: 0, kiri: 0, nemo: 0, gone: 0, branch: 0 };

// Friday 23 October 2026 in Berlin and on Kiritimati, still Thursday in New York.
beforeAll(async () => {
  here = await signInAt('2026-10-22T23:30:00Z');
  ids.branch = await here.addRecord('/company-branches', { name: 'Remote' });
  const person = (name: string, timezone: string, working_hours: JsonObject | null, more: JsonObject = {}) =>
    here.addRecord('/users', { name, timezone, working_hours, company_branch_id: ids.branch, manager_id: 1, ...more });
  ids.berta = await person('Berta', 'Europe/Berlin', {
    monday: { start: '09:00', end: '17:00' },
    tuesday: { start: '09:00', end: '13:00' },
    wednesday: null,
    thursday: { start: '09:00', end: '17:00' },
    friday: { start: '09:00', end: '15:30' },
    saturday: { start: '22:00', end: '06:00' },
    sunday: null,
  });
  ids.nora = await person('Nora', 'America/New_York', FULL_TIME);
  ids.kiri = await person('Kiri', 'Pacific/Kiritimati', FULL_TIME);
  ids.nemo = await person('Nemo', 'Europe/Berlin', null);
  ids.gone = await person('Gone', 'Europe/Berlin', FULL_TIME, { is_active: false });
  await here.addRecord('/holidays', { name: 'Town fair', date: '2026-10-19' });
  const away = (user_id: number, start: string, end: string) => here.addRecord('/absences', { user_id, start, end });
  // From 13:00 on: Berta on Thursday (summer time still), Nora on Wednesday.
  await away(ids.berta, '2026-10-22T11:00:00Z', '2026-10-22T15:00:00Z');
  await away(ids.nora, '2026-10-21T17:00:00Z', '2026-10-21T21:00:00Z');
  // Kiri's whole days from Wednesday 30 December to Saturday 2 January, where it is 14 hours later.
  await away(ids.kiri, '2026-12-29T10:00:00Z', '2027-01-02T09:59:59Z');
  const logged: readonly (readonly [number, string, number])[] = [
    [ids.berta, '2026-10-12', 600],
    [ids.berta, '2026-10-20', 150],
    [ids.berta, '2026-10-22', 240],
    [ids.berta, '2026-10-23', 60],
    [ids.nora, '2026-10-20', 480],
    [ids.nora, '2026-10-21', 240],
    [ids.nora, '2026-10-22', 500],
    [ids.nora, '2026-10-25', 30],
    [ids.nora, '2026-12-28', 480],
    [ids.nora, '2026-12-31', 300],
    [ids.nemo, '2026-10-20', 60],
    [ids.gone, '2026-10-20', 45],
  ];
  for (const [user_id, date, minutes] of logged) await here.addRecord('/worklogs', { user_id, date, minutes });
});
afterAll(() => here.remove());

const rowsOf = (stdout: string) => JSON.parse(stdout) as readonly JsonObject[];
const remote = ['--team', '--branch', 'Remote'];
/** Name, target, logged, away, gap, the most that the gap can be, last entry, whether all leave is known. */
const figures = (stdout: string) =>
  rowsOf(stdout).map((row) => [
    row['user'],
    row['target_minutes'],
    row['logged_minutes'],
    row['away_minutes'],
    row['gap_minutes'],
    row['gap_at_most_minutes'],
    row['last_entry_date'],
    row['absences_known'],
  ]);
const asEmployee = () => ({ env: { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[4]?.value ?? '' } });

const WEEK = [
  // Monday is a holiday (480), Tuesday 240, Thursday 480 less 240, Friday 390, and the night of Saturday 540: the clocks go back in it.
  // Missing: Tuesday 240 - 150, Thursday nothing, Friday, which is today there, 390 - 60; the night is to come.
  ['Berta', 240 + 240 + 390 + 540, 150 + 240 + 60, 480 + 240, 90 + 330, 420, '2026-10-23', true],
  // Nothing is logged; Tuesday to Friday.
  ['Kiri', 4 * 480, 0, 480, 4 * 480, 1920, null, true],
  ['Nemo', null, 60, null, null, null, '2026-10-20', true],
  // Half of Wednesday; Friday is to come there. What is logged on a day to come is in the week all the same.
  ['Nora', 480 + 240 + 480 + 480, 480 + 240 + 500 + 30, 480 + 240, 0, 0, '2026-10-25', true],
];

describe('svc week --team', () => {
  it.each<Partial<Interpretations>>([
    {},
    { worklogSummaryIds: 'always' },
    { assumedIncludes: 'refused' },
    { hoursFilters: 'by-date' },
    { otherFilters: 'refused' },
    { summary: 'bare', missingTimezone: 'absent' },
  ])('equals a count by hand for part-timers, half days, clock changes and time zones, with %j', async (interpretations) => {
    const before = { ...here.sandbox.interpretations };
    Object.assign(here.sandbox.interpretations, interpretations);
    try {
      const { code, stdout, stderr } = await here.svc(['week', ...remote]);
      expect(code, stderr).toBe(0);
      expect(figures(stdout)).toEqual(WEEK);
      expect(stderr).toContain('svc leaves out people who are not active: Gone.\n');
      expect(stderr).toContain('svc knows neither the working hours nor the missing hours of Nemo.');
    } finally {
      Object.assign(here.sandbox.interpretations, before);
    }
  });

  it('prints ids, names, the week, the time zone and the days', async () => {
    const { stdout } = await here.svc(['week', ...remote, '--jq', '.[0]']);
    const { days, ...row } = JSON.parse(stdout) as JsonObject & { readonly days: readonly JsonObject[] };
    expect(row).toMatchObject({ user_id: ids.berta, user: 'Berta', week: '2026-W43', timezone: 'Europe/Berlin', timezone_assumed: false });
    expect(days.map((day) => [day['date'], day['target_minutes'], day['logged_minutes'], day['gap_minutes']])).toEqual([
      ['2026-10-19', 0, 0, 0],
      ['2026-10-20', 240, 150, 90],
      ['2026-10-21', 0, 0, 0],
      ['2026-10-22', 240, 240, 0],
      ['2026-10-23', 390, 60, 330],
      ['2026-10-24', 540, 0, 0],
      ['2026-10-25', 0, 0, 0],
    ]);
  });

  it('writes a page with bounds for unknown sums, as in the golden file', async () => {
    const file = join(here.home, 'team.html');
    const { code, stdout, stderr } = await here.svc(['week', ...remote, '--missing', '--html', file]);
    expect([code, stdout], stderr).toEqual([0, '']);
    await expect(pageBody(await readFile(file, 'utf8'), here.host)).toMatchFileSnapshot('goldens/team-page.txt');
  });

  it('prints a table with bounds for unknown sums, and blocks for a screen reader', async () => {
    const table = await here.svc(['week', ...remote], { terminal: 90, env: { NO_COLOR: '1' } });
    await expect(table.stdout).toMatchFileSnapshot('goldens/team.txt');
    const heard = await here.svc(['week', ...remote], { terminal: 90, env: { NO_COLOR: '1', ACCESSIBLE: '1' } });
    expect(heard.stdout).toContain('User: Nemo\nTarget: unknown\nLogged: 1h\nAway: unknown\nMissing: unknown\nLast entry: 2026-10-20\n\n');
    expect(heard.stdout).toContain('Total of 4 people\nTarget: at least 83h30\n');
    for (const width of [40, 80]) {
      const { stdout } = await here.svc(['week', ...remote], { terminal: width, env: { NO_COLOR: '1' } });
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it('--missing leaves out a person only when svc knows that no hours are missing', async () => {
    const { stdout } = await here.svc(['week', ...remote, '--missing']);
    expect(rowsOf(stdout).map((row) => row['user'])).toEqual(['Berta', 'Kiri', 'Nemo']);
    const nobody = await here.svc(['week', '--team', '--users', `Nora,${ids.nora}`, '--missing']);
    expect([nobody.code, nobody.stdout]).toEqual([0, '[]\n']);
    expect(nobody.stderr).toContain('No hours are missing in week 2026-W43.\n');
  });

  it('--remind prints a reminder to paste, and no JSON in a pipe', async () => {
    const { code, stdout, stderr } = await here.svc(['week', '--team', '--remind', '--manager', 'me', '--no-color']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Week 2026-W43, 2026-10-19 to 2026-10-25\n');
    expect(stdout).toContain('- Berta: 7h missing (Tue 2026-10-20 1h30, Fri 2026-10-23 5h30)\n');
    expect(stdout).toContain('- Kiri: 32h missing (Tue 2026-10-20 8h, Wed 2026-10-21 8h, Thu 2026-10-22 8h, Fri 2026-10-23 8h)\n');
    expect(stdout).not.toMatch(/Nora|Nemo|Gone/);
    const nobody = await here.svc(['week', '--team', '--remind', '--users', 'Nora']);
    expect([nobody.code, nobody.stdout]).toEqual([0, '']);
  });

  it('counts the hours of the week over New Year', async () => {
    const { code, stdout, stderr } = await here.svc(['week', '2027-01-02', ...remote], {
      now: Date.parse('2027-01-04T08:00:00Z'),
      env: { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' },
    });
    expect(code, stderr).toBe(0);
    expect(rowsOf(stdout)[0]).toMatchObject({ week: '2026-W53' });
    expect(figures(stdout).slice(1)).toEqual([
      // Wednesday and Thursday of leave, New Year's Day; Monday and Tuesday are missing.
      ['Kiri', 2 * 480, 0, 3 * 480, 2 * 480, 960, null, true],
      ['Nemo', null, 0, null, null, null, null, true],
      // New Year's Day; Tuesday, Wednesday, and 180 of Thursday are missing.
      ['Nora', 4 * 480, 480 + 300, 480, 480 + 480 + 180, 1140, '2026-12-31', true],
    ]);
  });

  it('includes every visible person by default, and names the people whose records have no time zone', async () => {
    const { code, stdout, stderr } = await here.svc(['week', '--team']);
    expect(code, stderr).toBe(0);
    expect(rowsOf(stdout).map((row) => row['user_id'])).toHaveLength(12 + 4);
    expect(stderr).toContain('The records of Anaïs N’Diaye name no time zone. svc assumes Europe/Amsterdam.\n');
  });

  it('includes inactive people that you name', async () => {
    const { stdout, stderr } = await here.svc(['week', '--team', '--users', 'Gone', '--jq', 'map(.logged_minutes)']);
    expect([JSON.parse(stdout), stderr]).toEqual([[45], `User: Gone (#${ids.gone})\n`]);
  });

  it('marks people with hidden absences in data, tables and reminders, and names the permission (rule 9.27)', async () => {
    const argv = ['week', '--team', '--users', `${ids.berta},3`];
    const asked = (more: readonly string[], terminal?: number) =>
      here.svc([...argv, ...more], { ...asEmployee(), ...(terminal !== undefined && { terminal }) });
    const data = await asked([]);
    expect(data.code, data.stderr).toBe(0);
    // Thursday may be a whole day of work: 240 more to do, and 240 more missing.
    expect(figures(data.stdout)[0]).toEqual(['Berta', null, 450, null, null, 420 + 240, '2026-10-23', false]);
    // One's own are known.
    expect(rowsOf(data.stdout)[1]).toMatchObject({ user_id: 3, absences_known: true, gap_minutes: expect.any(Number) });
    expect(data.stderr).toContain('svc cannot see the absences of Berta (to see absences of others, you need absences::manage)');
    const csv = await asked(['-o', 'csv', '--fields', 'user,gap_minutes,gap_at_most_minutes,absences_known']);
    expect(csv.stdout.split(/\r?\n/).slice(0, 2)).toEqual(['user,gap_minutes,gap_at_most_minutes,absences_known', 'Berta,,660,false']);
    const table = await asked(['--no-color'], 100);
    // 240 + 480 + 390 + 540.
    expect(table.stdout).toMatch(/^Berta +up to 27h30 +7h30 +unknown +up to 11h +2026-10-23$/m);
    const both = await asked(['--no-color', '--missing'], 100);
    // Zoë works four days of 8 hours, of which the holiday is one.
    expect(both.stdout).toMatch(/^Total of 2 people +up to 51h30 +21h30 +≥8h +up to 27h45 /m);
    const text = await asked(['--remind']);
    expect(text.stdout).toContain(
      '- Berta: up to 11h missing (Tue 2026-10-20 1h30, Thu 2026-10-22 4h, Fri 2026-10-23 5h30; absences not known)\n',
    );
    const balance = await asked(['--balance', '--from', '2026-10-19']);
    // By Friday: 240 + 480 + 390 at most.
    expect(rowsOf(balance.stdout)[0]).toMatchObject({ target_minutes: null, balance_minutes: null, balance_at_least_minutes: 450 - 1110 });
  });

  describe('at other services', () => {
    /** Ada's week where worklogs are shown so, by view and with the user or without; and how often they were asked for. */
    async function weekWhere(shows: (view: string | null, withUser: boolean) => readonly JsonObject[] | undefined) {
      const server = await startHttpServer();
      server.fallback((request, response, socket) => {
        const users = [{ id: 7, name: 'Ada', timezone: 'Europe/Berlin', working_hours: FULL_TIME }];
        const { query, path } = request;
        const logged = path.includes('/worklogs') ? shows(query.get('view'), query.has('include')) : [];
        if (logged === undefined) return json(400, { status: 400, parameter: 'include' })(request, response, socket);
        const data = path.includes('/users') ? users : logged;
        return json(200, { data, meta: { page: {} }, links: { next: null } })(request, response, socket);
      });
      const { code, stdout, stderr } = await here.svc(['week', '--team'], {
        env: { SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc' },
      });
      await server.close();
      expect(code, stderr).toBe(0);
      return { rows: figures(stdout), stderr, asked: server.requests.filter(({ path }) => path.includes('/worklogs')).length };
    }
    const entry = { id: 1, date: '2026-10-20', minutes: 60 };

    it('counts an entry with a hidden user for no person (rule 18.23)', async () => {
      const { rows, stderr, asked } = await weekWhere((_, withUser) => (withUser ? undefined : [entry]));
      // Monday to Friday, which is today there; of Tuesday an hour may be Ada's.
      expect(rows).toEqual([['Ada', 2400, null, 0, null, 2400, null, true]]);
      expect(stderr).toContain('The service does not show the user of 1 entry (1h), so svc does not know all hours of each person.\n');
      expect(asked).toBe(3);
    });

    it('reads the detail view if the service ignores a relation, and reports unknown users', async () => {
      const { rows, stderr, asked } = await weekWhere((view) =>
        view === 'detail'
          ? [
              { ...entry, user_id: 7 },
              { ...entry, id: 2, user_id: 9 },
              { ...entry, id: 3, user_id: null },
            ]
          : [entry],
      );
      expect(rows).toEqual([['Ada', 2400, 60, 0, 2340, 2340, '2026-10-20', true]]);
      expect(stderr).toContain('svc leaves out 2 entries (2h) of users that svc cannot see.\n');
      expect(asked).toBe(3);
    });
  });

  it('names the missing permission for hours, and unknown users', async () => {
    const contractor = { env: { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[5]?.value ?? '' } };
    const refused = await here.svc(['week', '--team'], contractor);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('hours::read');
    const absent = await here.svc(['week', '--team', '--users', '3,998,999']);
    expect(absent.code).toBe(3);
    expect(absent.stderr).toContain('You cannot see these users: 998, 999.');
  });
});

it.each([
  [['--missing'], '--missing needs --team.'],
  [['--remind'], '--remind needs --team.'],
  [['--users', '3'], '--users needs --team.'],
  [['--from', '2026-01-01'], '--from needs --balance.'],
  [['--team', '--users', '3', '--branch', '1'], 'You cannot use --users and --branch together.'],
  [['--team', '--user', '3'], 'You cannot use --team and --user together.'],
  [['--team', '--target', '8h'], 'You cannot use --team and --target together.'],
  [['--team', '--remind', '-o', 'json'], '--remind prints a text'],
  [['--team', '--users', 'me,'], '--users: "" is not a user.'],
  [['--balance', '--html', 'x.html'], 'You cannot use --balance and --html together.'],
  [['last', '--balance'], '--balance takes its days from --from and --to.'],
  [['--balance', '--from', '2026-10-20', '--to', '2026-10-01'], '2026-10-20 is after 2026-10-01.'],
])('svc week refuses %j, and sends nothing', async (argv, words) => {
  here.sandbox.requests.length = 0;
  const { code, stderr } = await here.svc(['week', ...argv]);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
  expect(here.sandbox.requests).toEqual([]);
});

describe('svc week --balance', () => {
  it('adds up weeks up to and including today', async () => {
    const { code, stdout, stderr } = await here.svc(['week', '--balance', '--user', 'Berta', '--from', '2026-10-12', '--to', '2026-10-31']);
    expect(code, stderr).toBe(0);
    // Monday 480, Tuesday 240, Thursday 480, Friday 390, and a night of 480; then, up to Friday, 240 + 240 + 390.
    const first = 600 - (480 + 240 + 480 + 390 + 480);
    const second = 450 - 870;
    expect(
      rowsOf(stdout).map((row) =>
        ['week', 'from', 'to', 'target_minutes', 'logged_minutes', 'difference_minutes', 'balance_minutes'].map((name) => row[name]),
      ),
    ).toEqual([
      ['2026-W42', '2026-10-12', '2026-10-18', 2070, 600, first, first],
      ['2026-W43', '2026-10-19', '2026-10-23', 870, 450, second, first + second],
    ]);
    const table = await here.svc(['week', '--balance', '--user', 'Berta', '--from', '2026-10-12'], {
      terminal: 90,
      env: { NO_COLOR: '1' },
    });
    await expect(table.stdout).toMatchFileSnapshot('goldens/balance.txt');
  });

  it('prints a row for each person with --team, a surplus above zero, and null for unknown values', async () => {
    const { stdout } = await here.svc(['week', '--balance', ...remote, '--from', '2026-10-19']);
    expect(rowsOf(stdout).map((row) => [row['user'], row['target_minutes'], row['logged_minutes'], row['balance_minutes']])).toEqual([
      ['Berta', 870, 450, -420],
      ['Kiri', 1920, 0, -1920],
      ['Nemo', null, 60, null],
      // Up to Thursday: 480 + 240 + 480, and 20 more than that; what is logged on Sunday is to come.
      ['Nora', 1200, 1220, 20],
    ]);
    const table = await here.svc(['week', '--balance', ...remote, '--from', '2026-10-19'], { terminal: 90, env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^Nora +20h +20h20 +\+20m$/m);
    expect(table.stdout).toMatch(/^Total of 4 people +≥66h30 +28h50 +unknown$/m);
  });

  it('prints a notice when all days are in the future', async () => {
    const future = await here.svc(['week', '--balance', '--from', '2026-11-01', '--to', '2026-11-30']);
    expect([future.code, future.stdout, future.stderr]).toEqual([0, '[]\n', 'All days of the balance are in the future.\n']);
  });

  it('reads a year in one list, without names', async () => {
    here.sandbox.requests.length = 0;
    const { code, stdout, stderr } = await here.svc(['week', '--balance', '--from', '2025-10-23', '--to', '2026-10-22']);
    expect(code, stderr).toBe(0);
    const rows = rowsOf(stdout);
    expect(rows).toHaveLength(53);
    expect(rows.at(-1)?.['balance_minutes']).toBe(rows.reduce((sum, row) => sum + Number(row['difference_minutes']), 0));
    const logged = here.sandbox.rows('worklogs').filter((row) => {
      const date = String(row['date']);
      return row['user_id'] === 1 && date >= '2025-10-23' && date <= '2026-10-22';
    });
    expect(rows.reduce((sum, row) => sum + Number(row['logged_minutes']), 0)).toBe(
      logged.reduce((sum, row) => sum + Number(row['minutes']), 0),
    );
    const walk = here.sandbox.requests.filter(({ path }) => path.includes('/worklogs'));
    expect(walk.every(({ units }) => units === 1)).toBe(true);
    expect(walk.length).toBeLessThanOrEqual(Math.ceil(logged.length / 100) + 1);
  });
});

describe('svc week --team for a hundred people with full weeks', () => {
  let data: string;
  beforeAll(async () => {
    data = join(await mkdtemp(join(tmpdir(), 'svc-team-')), 'data');
    await mkdir(data);
    const lines = (records: readonly JsonObject[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const people = Array.from({ length: 100 }, (_, index) => index + 1);
    const days = ['2026-10-19', '2026-10-20', '2026-10-21', '2026-10-22', '2026-10-23'];
    const users = people.map((id) => ({ id, name: `Person ${id}`, timezone: 'Europe/Berlin', working_hours: FULL_TIME, is_active: true }));
    const entries = people.flatMap((user_id) => days.flatMap((date) => [160, 160, 160].map((minutes) => ({ user_id, date, minutes }))));
    await writeFile(join(data, 'manifest.json'), '{}');
    await writeFile(join(data, 'users.ndjson'), lines(users));
    await writeFile(join(data, 'worklogs.ndjson'), lines(entries.map((entry, index) => ({ id: index + 1, ...entry }))));
  });
  afterAll(() => rm(join(data, '..'), { recursive: true, force: true }));

  // People 3, absences that end 3 and that run 3, holidays 1, free days 3; and 15 pages of entries.
  const OTHER_REQUESTS = 13;
  it.each<[string, Partial<Interpretations>, number]>([
    ['a page without users, then a list with users', {}, OTHER_REQUESTS + 1 + 15 * 2],
    ['only the summary, which shows the user', { worklogSummaryIds: 'always' }, OTHER_REQUESTS + 15],
    ['a page, then a list after a refusal', { assumedIncludes: 'refused' }, OTHER_REQUESTS + 1 + 1 + 15 * 3],
  ])('costs at most 60 rate-limit units when svc needs %s', async (_, interpretations, units) => {
    const now = Date.parse('2026-10-24T10:00:00Z');
    const there = await signedIn({ data, interpretations, clock: { now: () => now } });
    try {
      const { code, stdout, stderr } = await there.svc(['week', '--team'], { now });
      expect(code, stderr).toBe(0);
      const rows = rowsOf(stdout);
      expect(rows).toHaveLength(100);
      expect(new Set(rows.map((row) => `${row['logged_minutes']} of ${row['target_minutes']}, ${row['gap_minutes']}`))).toEqual(
        new Set(['2400 of 2400, 0']),
      );
      const spent = there.sandbox.requests.reduce((sum, request) => sum + request.units, 0);
      expect(spent).toBe(units);
      expect(spent).toBeLessThanOrEqual(60);
    } finally {
      await there.remove();
    }
  });
});
