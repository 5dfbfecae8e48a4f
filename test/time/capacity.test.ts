// How many hours people can work: counted by hand.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { organisation, week } from './organisation.ts';
import type { PinnedSandbox } from './support.ts';

/** Wednesday of 2026-W42. The clocks in Amsterdam go back in the night to 25 October. */
const NOW = '2026-10-14T10:00:00Z';
const AMSTERDAM = 'Europe/Amsterdam';

let here: PinnedSandbox;

beforeAll(async () => {
  const person = (id: number, name: string, working_hours: JsonObject | string | null, more: JsonObject = {}): JsonObject => ({
    ...{ id, name, role: 'employee', timezone: AMSTERDAM, working_hours, is_active: true, manager_id: 1 },
    ...more,
  });
  const away = (id: number, user_id: number, start: string, end: string | null, status = 'approved'): JsonObject => ({
    ...{ id, user_id, type: 'vacation', status, start, end },
  });
  const entry = (id: number, user_id: number | null, date: string, minutes: number, more: JsonObject): JsonObject => ({
    ...{ id, user_id, date, minutes, description: '', project_id: 1, ...more },
  });
  const budget = (id: number, name: string, left: number, spent: number): JsonObject => ({ id, project_id: 1, name, budget: left + spent });
  const item = (id: number, sprint_id: number, assignee_id: number | null, estimation: number): JsonObject => ({
    ...{ id, issue_key: `HAR-${id}`, title: `Item ${id}`, project_id: 1, workflow_status_id: null, sprint_id, assignee_id, estimation },
  });
  here = await organisation(NOW, {
    users: [
      person(1, 'Ada', week('09:00', '17:00'), { role: 'admin', manager_id: null }),
      person(2, 'Ben', week('09:00', '13:00', ['friday'])),
      person(3, 'Cleo', { saturday: { start: '22:00', end: '06:00' } }),
      person(4, 'Dan', null),
      person(5, 'Eva', week('09:00', '17:00'), { timezone: 'Asia/Tokyo' }),
      person(6, 'Finn', week('09:00', '17:00'), { is_active: false }),
    ],
    holidays: [{ id: 1, name: 'Fair', date: '2026-10-19' }],
    'free-days': [{ id: 1, name: 'Bridge', date: '2026-10-20', user_id: 2 }],
    absences: [
      // Thursday afternoon of W43 from 13:00, and a whole Wednesday in Tokyo.
      away(1, 1, '2026-10-22T11:00:00Z', '2026-10-22T15:00:00Z'),
      away(2, 5, '2026-10-20T15:00:00Z', '2026-10-21T14:59:59Z'),
      // Only requested: the Thursday of W44 in Tokyo. Declined: all of it.
      away(3, 5, '2026-10-28T15:00:00Z', '2026-10-29T14:59:59Z', 'requested'),
      away(4, 5, '2026-10-25T15:00:00Z', '2026-11-01T14:59:59Z', 'declined'),
      // Ben is ill from 27 October on, without an end. Ada’s leave ends at the start of Friday 30 October, which can be part of it.
      away(5, 2, '2026-10-26T23:00:00Z', null),
      away(6, 1, '2026-10-28T23:00:00Z', '2026-10-29T23:00:00Z'),
    ],
    projects: [{ id: 1, name: 'Harbour', status: 'active', end_date: null }],
    budgets: [
      budget(1, 'Ben alone', 480, 240),
      budget(2, 'With Dan', 2_400, 600),
      budget(3, 'Of nobody', 600, 60),
      budget(4, 'Ada alone', 1_440, 480),
      budget(5, 'Large', 900_000, 480),
      budget(6, 'With Finn', 1_440, 480 + 2_400),
    ],
    worklogs: [
      // W41, the only full week of these budgets. Ben works 960 minutes in it, Ada 2400.
      entry(1, 2, '2026-10-06', 240, { budget_id: 1 }),
      entry(2, 4, '2026-10-06', 120, { budget_id: 2 }),
      entry(3, 1, '2026-10-07', 480, { budget_id: 2 }),
      entry(4, null, '2026-10-07', 60, { budget_id: 3 }),
      entry(5, 1, '2026-10-07', 480, { budget_id: 4 }),
      entry(6, 1, '2026-10-07', 480, { budget_id: 5 }),
      entry(8, 1, '2026-10-07', 480, { budget_id: 6 }),
      entry(9, 6, '2026-10-07', 2_400, { budget_id: 6 }),
      entry(7, 2, '2026-10-13', 60, { work_item_id: 1 }),
    ],
    sprints: [
      { id: 1, name: 'Autumn', start_date: '2026-10-12', end_date: '2026-10-25' },
      { id: 2, name: 'Later', start_date: '2026-10-26', end_date: '2026-11-01' },
      { id: 3, name: 'Unknown', start_date: '2026-10-12', end_date: '2026-10-25' },
    ],
    'work-items': [item(1, 1, 1, 4_000), item(2, 1, null, 60), item(3, 2, 5, 2_100), item(4, 3, 4, 60)],
  });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
  here.sandbox.setRole(1, 'admin');
});

const asEmployee = () => {
  here.sandbox.setRole(1, 'employee');
  return { env: { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' } };
};
const asked = () => here.sandbox.requests.map(({ path }) => path.split('?')[0]?.replace('/api/v2', '')).toSorted();
const rowsOf = async (argv: readonly string[], options = {}) => {
  const { code, stdout, stderr } = await here.svc(argv, options);
  expect(code, stderr).toBe(0);
  return { rows: JSON.parse(stdout) as JsonObject[], stderr };
};
const bounds = (row: JsonObject | undefined) => [
  row?.['capacity_minutes'],
  row?.['capacity_at_least_minutes'],
  row?.['capacity_at_most_minutes'],
];
const exact = (minutes: number) => [minutes, minutes, minutes];
const UNKNOWN = [null, null, null];

describe('svc users capacity', () => {
  it('counts working hours, days off and leave by week, in the zone of each person', async () => {
    const { rows, stderr } = await rowsOf(['users', 'capacity', '2026-W43']);
    expect(rows.map((row) => [row['user'], row['working_minutes'], ...bounds(row)])).toEqual([
      // Without Monday, and without four hours of Thursday.
      ['Ada', 2400, ...exact(2400 - 480 - 240)],
      // Monday and Tuesday are off. Ben never works on Friday.
      ['Ben', 960, ...exact(480)],
      // Nine hours: the clocks go back in this night.
      ['Cleo', 540, ...exact(540)],
      ['Dan', null, ...UNKNOWN],
      ['Eva', 2400, ...exact(2400 - 480 - 480)],
    ]);
    expect(rows[0]).toMatchObject({ user_id: 1, from: '2026-10-19', to: '2026-10-25', absences_known: true, timezone: AMSTERDAM });
    expect(stderr).toBe('svc does not know the working hours of Dan, so their capacity is unknown.\n');
  });

  it('reads as few pages for a year as for a week', async () => {
    await rowsOf(['users', 'capacity', '2026-W43']);
    const few = asked();
    expect(few).toEqual(['/absences', '/absences', '/free-days', '/holidays', '/users']);
    here.sandbox.requests.length = 0;
    expect((await rowsOf(['users', 'capacity', '2026'])).rows[0]?.['weeks']).toHaveLength(53);
    expect(asked()).toEqual(few);
  });

  it('shows bounds for leave that is requested, has no end, or has an uncertain last day (rule 18.34)', async () => {
    const { rows, stderr } = await rowsOf(['users', 'capacity', '2026-W44']);
    expect(rows.map((row) => [row['user'], ...bounds(row)])).toEqual([
      ['Ada', null, 2400 - 960, 2400 - 480],
      ['Ben', null, 240, 960],
      ['Cleo', ...exact(480)],
      ['Dan', ...UNKNOWN],
      ['Eva', null, 2400 - 480, 2400],
    ]);
    expect(stderr).toContain('Some leave of Ada, Ben, Eva is only requested, has no end, or has an uncertain last day.');
  });

  it('counts leave without an end as certain only up to the end of today', async () => {
    const { rows } = await rowsOf(['users', 'capacity', '2026-10-27..2026-10-28', '--user', 'Ben'], {
      now: Date.parse('2026-10-27T10:00:00Z'),
    });
    expect(rows.map(bounds)).toEqual([[null, 0, 240]]);
  });

  it('shows an upper bound for people whose leave is hidden (rule 9.27)', async () => {
    const { rows, stderr } = await rowsOf(['users', 'capacity', '2026-W43'], asEmployee());
    expect(rows.map((row) => [row['user'], ...bounds(row), row['absences_known']])).toEqual([
      ['Ada', ...exact(2400 - 480 - 240), true],
      ['Ben', null, 0, 480, false],
      ['Cleo', null, 0, 540, false],
      ['Dan', ...UNKNOWN, false],
      ['Eva', null, 0, 2400 - 480, false],
    ]);
    expect(stderr).toContain('svc does not see all leave of Ben, Cleo, Eva, so svc only knows how much capacity they have at most.');
    expect(stderr).toContain('absences::manage');
  });

  it.each([
    [[], '2026-10-12', '2026-11-08', 4],
    [['--weeks', '1'], '2026-10-12', '2026-10-18', 1],
    [['next', 'month'], '2026-11-01', '2026-11-30', 6],
    [['last-week'], '2026-10-05', '2026-10-11', 1],
    [['2026-Q4', '--weeks', '2'], '2026-09-28', '2026-10-11', 2],
    [['2026-10-16..2026-10-20'], '2026-10-16', '2026-10-20', 2],
  ])('reads %j as the days from %s to %s', async (words, from, to, weeks) => {
    const { rows } = await rowsOf(['users', 'capacity', ...words, '--user', 'me']);
    expect(rows).toHaveLength(1);
    const byWeek = (rows[0]?.['weeks'] ?? []) as JsonObject[];
    expect([rows[0]?.['from'], rows[0]?.['to'], byWeek.length]).toEqual([from, to, weeks]);
    const sum = byWeek.reduce((minutes, one) => minutes + Number(one['working_minutes']), 0);
    expect(rows[0]?.['working_minutes']).toBe(sum);
  });

  it.each([
    [['2026-01-01..2027-06-01'], '2026-01-01 to 2027-06-01 is longer than a year.'],
    [['--weeks', '0'], '"0" is not a whole number from 1 to 52.'],
    [['soon'], '"soon" is neither a day nor a date range.'],
  ])('refuses %j with exit 2', async (words, message) => {
    const { code, stdout, stderr } = await here.svc(['users', 'capacity', ...words]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  it('leaves out people who are not active, unless you name them', async () => {
    const names = async (...argv: string[]) => (await rowsOf(['users', 'capacity', '2026-W43', ...argv])).rows.map(({ user }) => user);
    expect(await names('--manager', 'me')).toEqual(['Ben', 'Cleo', 'Dan', 'Eva']);
    expect(await names('--user', 'Finn')).toEqual(['Finn']);
  });

  it.each([80, 50])('prints a table of at most %i columns, as in the golden file', async (terminal) => {
    const { code, stdout, stderr } = await here.svc(['users', 'capacity', '2026-W43', '--weeks', '3'], {
      terminal,
      env: { NO_COLOR: '1' },
    });
    expect(code, stderr).toBe(0);
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(terminal);
    await expect(stdout).toMatchFileSnapshot(`goldens/capacity-${terminal}.txt`);
  });
});

describe('the forecast of svc budgets burn', () => {
  const forecast = async (options = {}) => {
    const { rows, stderr } = await rowsOf(['budgets', 'burn', '--forecast'], options);
    return { ends: rows.map((row) => [row['name'], row['projected_earliest'], row['projected_latest']]), stderr };
  };

  it('follows working hours, leave and days off, and is null without a known day', async () => {
    const { ends, stderr } = await forecast();
    expect(ends).toEqual([
      // Ada logged 480 of 2400 minutes, so 96 on a whole day: 1440 are 15 such days. W42 has 2 more, W43 3½, W44 3 or 4 with the Friday, W45 5.
      // Monday 9 November is day 14½ or 15½.
      ['Ada alone', '2026-11-09', '2026-11-10'],
      // Ben logged 240 of 960 minutes, so 60 on a day. 480 are eight days: 15, 21, 22 and 26 October, and if he is back at once, 27 to 29 October
      // and 2 November.
      ['Ben alone', '2026-11-02', null],
      // 96 minutes on a day take 9375 days.
      ['Large', null, null],
      ['Of nobody', null, null],
      // Dan logs more, but nobody knows how much. Ada alone needs 25 days for 2400 minutes, at the latest.
      ['With Dan', null, '2026-11-24'],
      ['With Finn', '2026-11-09', '2026-11-10'],
    ]);
    expect(stderr).toContain('svc does not know the working hours of Dan');
  });

  it('counts any leave as possible when absences are hidden (rule 9.27)', async () => {
    const { ends } = await forecast(asEmployee());
    expect(ends).toEqual([
      ['Ada alone', '2026-11-09', '2026-11-10'],
      // Ben logged four hours in W41, and may have been away in all other hours. He then logs all of his 240 minutes a day.
      ['Ben alone', '2026-10-21', null],
      ['Large', null, null],
      ['Of nobody', null, null],
      ['With Dan', null, '2026-11-24'],
      ['With Finn', '2026-11-09', '2026-11-10'],
    ]);
  });

  it('counts no later hours of people who are not active', async () => {
    const { rows } = await rowsOf(['budgets', 'burn', 'With Finn', '--forecast']);
    expect(rows).toMatchObject([
      { weekly_minutes: 2_880, projected_earliest: '2026-11-09', projected_latest: '2026-11-10', people: [{ user: 'Ada', minutes: 480 }] },
    ]);
  });

  it('names no day for a budget that is used up', async () => {
    const row = here.sandbox.rows('budgets').find(({ id }) => id === 4);
    const before = row?.['budget'];
    Object.assign(row ?? {}, { budget: 480 });
    const { rows } = await rowsOf(['budgets', 'burn', 'Ada alone', '--forecast']);
    Object.assign(row ?? {}, { budget: before });
    expect(rows).toMatchObject([{ left_minutes: 0, projected_earliest: null, projected_latest: null }]);
  });

  it('shows the earliest and the latest day in a table', async () => {
    const { code, stdout, stderr } = await here.svc(['budgets', 'burn', '--forecast'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(code, stderr).toBe(0);
    await expect(stdout).toMatchFileSnapshot('goldens/burn-range.txt');
  });
});

describe('svc budgets burn --why', () => {
  const explained = async (...argv: string[]) => {
    const { rows } = await rowsOf(['budgets', 'burn', ...argv]);
    const figures = (Array.isArray(rows) ? rows : [rows]) as (JsonObject & { readonly steps: readonly JsonObject[] })[];
    for (const { minutes, steps } of figures)
      expect(minutes).toBe(
        steps.reduce<number | null>((sum, step) => (sum === null || step['minutes'] === null ? null : sum + Number(step['minutes'])), 0),
      );
    return figures.map(({ figure, minutes, steps }) => [
      figure,
      minutes,
      steps.map((step) => [step['kind'], step['resource'], step['id'], step['minutes']]),
    ]);
  };

  it('lists the worklogs behind the time left, and the steps to both forecast days', async () => {
    expect(await explained('--why', 'Ada alone')).toEqual([
      [
        'left_minutes',
        1_440,
        [
          ['budget-size', 'budgets', 4, 1_920],
          ['worklog', 'worklogs', 5, -480],
        ],
      ],
      // A fifth of 14½ or 15½ days is more than is left on the last day.
      [
        'projected_earliest',
        1_440,
        [
          ['share-of-hours', 'users', 1, 1_488],
          ['last-day', null, null, -48],
        ],
      ],
      [
        'projected_latest',
        1_440,
        [
          ['share-of-hours', 'users', 1, 1_488],
          ['last-day', null, null, -48],
        ],
      ],
    ]);
  });

  it('shows unknown hours and uncertain leave as separate steps', async () => {
    expect(await explained('With Dan', '--why')).toEqual([
      ['left_minutes', 2_400, expect.arrayContaining([['worklog', 'worklogs', 2, -120]])],
      ['projected_earliest', null, [['unknown-hours', 'users', 4, null]]],
      // Ada needs 25 days alone, and the last one is the 26th without half a day.
      [
        'projected_latest',
        2_400,
        [
          ['share-of-hours', 'users', 1, 2_448],
          ['unknown-hours', 'users', 4, 0],
          ['last-day', null, null, -48],
        ],
      ],
    ]);
    expect(await explained('Of nobody', '--why')).toMatchObject([{}, ['projected_earliest', null, [['unknown-hours', null, null, null]]]]);
    const [, , latest] = await explained('Ben alone', '--why');
    expect(latest).toEqual([
      'projected_latest',
      null,
      [
        ['share-of-hours', 'users', 2, 240],
        ['uncertain-leave', null, null, null],
      ],
    ]);
  });

  it('exits 2 for several budgets, and prints tables for one budget', async () => {
    const { code, stderr } = await here.svc(['budgets', 'burn', '--why']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--why: the table has 6 rows.')]);
    expect((await here.svc(['budgets', 'burn', '1', '--why', '--html', 'page.html'])).code).toBe(2);
    const shown = await here.svc(['budgets', 'burn', '4', '--why'], { terminal: 80, env: { NO_COLOR: '1' } });
    await expect(shown.stdout).toMatchFileSnapshot('goldens/burn-why.txt');
  });
});

describe('svc sprints burndown --capacity', () => {
  const burndown = (...argv: string[]) => rowsOf(['sprints', 'burndown', ...argv, '--capacity']);

  it('adds the capacity of people with assigned work items or logged time in the sprint', async () => {
    const { rows } = await burndown('Autumn');
    const figures = rows.map((row) => [row['date'], row['capacity_minutes'], row['capacity_left_minutes']]);
    // Ada 480, and Ben 240, who logged time. Monday is a holiday, and Tuesday is off for Ben.
    expect(figures.slice(2, 5)).toEqual([
      ['2026-10-14', 720, 480 + 240 + 480 + (2400 - 480 - 240) + 480],
      ['2026-10-15', 720, 480 + (2400 - 480 - 240) + 480],
      ['2026-10-16', 480, 2400 - 480 - 240 + 480],
    ]);
    expect(figures.at(-1)).toEqual(['2026-10-25', 0, 0]);
  });

  it('shows bounds, and null where the working hours are unknown', async () => {
    const later = (await burndown('Later')).rows[0];
    expect(later).toMatchObject({ capacity_left_minutes: null, capacity_left_at_least_minutes: 1440, capacity_left_at_most_minutes: 1920 });
    const { rows } = await burndown('Unknown');
    expect(rows[0]).toMatchObject({ capacity_minutes: null, capacity_left_minutes: null, capacity_left_at_most_minutes: null });
  });

  it.each([
    ['Autumn', 'Capacity of the days after today: 56h. 10h40 of the remaining time do not fit into the capacity.'],
    ['Later', 'Capacity of the days after today: 32h to 40h. svc does not know whether the remaining time fits.'],
    ['Unknown', 'Capacity of the days after today: unknown.'],
  ])('compares the remaining time of the sprint %s with the capacity', async (sprint, line) => {
    const { stdout } = await here.svc(['sprints', 'burndown', sprint, '--capacity'], { terminal: 100, env: { NO_COLOR: '1' } });
    expect(stdout).toContain(`\n${line}\n`);
  });
});

it('svc sprints burndown reads no absences without --capacity', async () => {
  await rowsOf(['sprints', 'burndown', 'Autumn']);
  expect(asked()).not.toContain('/absences');
});
