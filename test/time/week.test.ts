import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { textWidth } from '../../src/output/text-width.ts';
import { pageBody } from '../support/page-body.ts';
import { type PinnedSandbox, screen, signInAt } from './support.ts';

let here: PinnedSandbox;
beforeAll(async () => {
  here = await signInAt('2026-06-05T10:00:00Z');
});
afterAll(() => here.remove());

describe('svc week', () => {
  it.each([
    ['terminal-80', { terminal: 80 }],
    ['terminal-140', { terminal: 140 }],
    ['no-color', { terminal: 80, env: { NO_COLOR: '1' } }],
    ['piped', {}],
  ] as const)('prints the week as in the golden file (%s)', async (name, options) => {
    const result = await here.svc(['week'], options);
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr).toBe('');
    await expect(screen(result.stdout)).toMatchFileSnapshot(`goldens/week-${name}.txt`);
  });

  it('accepts “last week” as “last”', async () => {
    const { stdout } = await here.svc(['week', 'last']);
    for (const words of [['last', 'week'], ['last week'], ['last-week']]) expect((await here.svc(['week', ...words])).stdout).toBe(stdout);
  });

  it('fits 80 columns with long names', async () => {
    const { stdout } = await here.svc(['week', '2026-05-13'], { terminal: 80, env: { NO_COLOR: '1' } });
    const lines = stdout.split('\n');
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80);
  });

  it('escapes control characters in the name of a project', async () => {
    const project = await here.addRecord('/projects', { name: 'Bad \u001b[2J name' });
    await here.addRecord('/worklogs', { date: '2026-03-04', minutes: 60, project_id: project, user_id: 1 });
    const { stdout } = await here.svc(['week', '2026-03-04'], { terminal: 100, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('Bad ␛[2J name');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('svc week, recalculated by hand,', () => {
  // Berlin; the clocks go back on Sunday 25 October 2026 at 03:00, so that night has an hour more.
  let user: number;
  beforeAll(async () => {
    user = await here.addRecord('/users', {
      name: 'Part Timer',
      timezone: 'Europe/Berlin',
      working_hours: {
        monday: { start: '09:00', end: '17:00' },
        tuesday: { start: '09:00', end: '13:00' },
        wednesday: null,
        thursday: { start: '09:00', end: '17:00' },
        friday: { start: '09:00', end: '15:30' },
        saturday: { start: '22:00', end: '06:00' },
        sunday: null,
      },
    });
    const item = 12;
    await here.addRecord('/holidays', { name: 'Town fair', date: '2026-10-19' });
    await here.addRecord('/free-days', { name: 'For somebody else', date: '2026-10-20', user_id: 1 });
    // Thursday from 13:00 in Berlin (11:00 UTC, summer time still), and one that was turned down.
    await here.addRecord('/absences', { user_id: user, type: 'sick', start: '2026-10-22T11:00:00Z', end: '2026-10-22T15:00:00Z' });
    await here.addRecord('/worklogs', { user_id: user, date: '2026-10-20', minutes: 150, work_item_id: item });
    await here.addRecord('/worklogs', { user_id: user, date: '2026-10-22', minutes: 240, work_item_id: item });
    await here.addRecord('/worklogs', { user_id: user, date: '2026-10-23', minutes: 60 });
  });

  it('shows only a bound of the gap when leave is hidden', async () => {
    here.sandbox.setFaults([{ path: '/absences', status: 403, times: 9 }]);
    onTestFinished(() => here.sandbox.setFaults([]));
    const words = ['week', '2026-W43', '--user', String(user)];
    const now = Date.parse('2026-10-26T08:00:00Z');
    const [, tuesday] = JSON.parse((await here.svc(words, { now })).stdout) as Record<string, unknown>[];
    expect(tuesday).toMatchObject({ away_minutes: null, target_minutes: null, gap_minutes: null, gap_at_most_minutes: 90, fill: null });
    expect(tuesday).toMatchObject({ absences_known: false, working_minutes: 240 });
    const { stdout } = await here.svc(words, { now, terminal: 120, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('Missing, at most');
    expect(stdout).not.toContain('svc worklogs add');
  });

  it('subtracts holidays and absences, and counts the repeated hour of a clock change', async () => {
    const { code, stdout, stderr } = await here.svc(['week', '2026-W43', '--user', String(user)], {
      now: Date.parse('2026-10-26T08:00:00Z'),
    });
    expect(code, stderr).toBe(0);
    const days = JSON.parse(stdout) as Record<string, unknown>[];
    expect(
      days.map((day) => [
        day['weekday'],
        day['working_minutes'],
        day['away_minutes'],
        day['target_minutes'],
        day['logged_minutes'],
        day['gap_minutes'],
      ]),
    ).toEqual([
      ['Mon', 480, 480, 0, 0, 0],
      ['Tue', 240, 0, 240, 150, 90],
      ['Wed', 0, 0, 0, 0, 0],
      ['Thu', 480, 240, 240, 240, 0],
      ['Fri', 390, 0, 390, 60, 330],
      ['Sat', 540, 0, 540, 0, 540],
      ['Sun', 0, 0, 0, 0, 0],
    ]);
    expect(days[3]?.['absences']).toEqual([{ label: 'sick, requested', from: '13:00', to: '17:00' }]);
    expect(days[1]?.['fill']).toBe(`svc worklogs add 1h30 ABC-12 --date 2026-10-20 --user ${user}`);
  });

  it('shows no gap on future days in the user’s time zone', async () => {
    // 23:30 UTC on Thursday is Friday in Berlin already.
    const { stdout } = await here.svc(['week', '2026-10-23', '--user', String(user)], { now: Date.parse('2026-10-22T23:30:00Z') });
    const gaps = (JSON.parse(stdout) as { readonly gap_minutes: number }[]).map((day) => day.gap_minutes);
    expect(gaps).toEqual([0, 90, 0, 0, 330, 0, 0]);
  });

  it('prints the week at a terminal as in the golden file', async () => {
    const { stdout } = await here.svc(['week', '2026-10-23', '--user', String(user)], {
      terminal: 90,
      now: Date.parse('2026-10-26T08:00:00Z'),
      env: { NO_COLOR: '1' },
    });
    await expect(stdout.replaceAll(`--user ${user}`, '--user N')).toMatchFileSnapshot('goldens/week-by-hand.txt');
  });

  it('writes the week as a page as in the golden file', async () => {
    const file = join(here.home, 'week.html');
    const now = Date.parse('2026-10-26T08:00:00Z');
    const { code, stdout, stderr } = await here.svc(['week', '2026-10-23', '--user', String(user), '--html', file], { now });
    expect([code, stdout], stderr).toEqual([0, '']);
    const body = pageBody(await readFile(file, 'utf8'), here.host).replaceAll(`--user ${user}`, '--user N');
    await expect(body).toMatchFileSnapshot('goldens/week-page.txt');
  });

  it('counts no absence that ends just before the week or begins just after', async () => {
    // In Amsterdam: Sunday 12:00 to 23:30, and the Monday after from 00:30 on. Either is within the days somewhere on earth.
    await here.addRecord('/absences', { user_id: 1, type: 'sick', start: '2027-03-07T11:00:00Z', end: '2027-03-07T22:30:00Z' });
    await here.addRecord('/absences', { user_id: 1, type: 'sick', start: '2027-03-14T23:30:00Z', end: '2027-03-15T11:00:00Z' });
    const { stdout, stderr } = await here.svc(['week', '2027-03-08', '--jq', 'map(.absences) | flatten']);
    expect([stdout, stderr]).toEqual(['[]\n', '']);
    const before = await here.svc(['week', '2027-03-01', '--jq', '.[6].absences[0].to']);
    expect(before.stdout).toBe('23:30\n');
  });

  it('reads absences with calendar dates to the end of their last day', async () => {
    here.sandbox.interpretations.absenceBounds = 'date';
    try {
      const { stdout } = await here.svc(['week', '2026-10-23', '--user', String(user)]);
      const thursday = (JSON.parse(stdout) as { readonly away_minutes: number }[])[3];
      expect(thursday?.away_minutes).toBe(480);
    } finally {
      here.sandbox.interpretations.absenceBounds = 'date-time';
    }
  });
});

it.each([
  ['-1w', '2026-05-25'],
  ['+1w', '2026-06-08'],
  ['-5d', '2026-05-25'],
  ['last', '2026-05-25'],
  ['monday', '2026-06-01'],
  ['2026-W01', '2025-12-29'],
])('svc week %s begins on %s', async (word, monday) => {
  const { code, stdout, stderr } = await here.svc(['week', word]);
  expect(code, stderr).toBe(0);
  expect((JSON.parse(stdout) as { readonly date: string }[])[0]?.date).toBe(monday);
});

describe('the requests of svc week', () => {
  it('are six: your record, hours, holidays, free days, and two for absences', async () => {
    here.sandbox.requests.length = 0;
    await here.svc(['week']);
    const range = 'filter[date][gte]=2026-06-01&filter[date][lte]=2026-06-07';
    // Absences of these days wherever on earth they are: where the user is comes with the record that is asked for at the same time.
    expect(here.sandbox.requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`.replace('/api/v2', '')).sort()).toEqual([
      'GET /absences?filter[user_id]=1&filter[start][lte]=2026-06-08T11:59:59Z&filter[end][gte]=2026-05-31T10:00:00Z&view=detail&per_page=100',
      'GET /absences?filter[user_id]=1&filter[start][lte]=2026-06-08T11:59:59Z&filter[end][null]=true&view=detail&per_page=100',
      `GET /free-days?${range}&view=detail&per_page=100`,
      `GET /holidays?${range}&per_page=100`,
      'GET /me',
      `GET /worklogs?${range}&filter[user_id]=1&include=project,work_item&per_page=100`,
    ]);
  });

  it('can be refused for hidden absences, and svc then continues with a notice', async () => {
    const { code, stdout, stderr } = await here.svc(['week', '--user', '4'], {
      env: { SVC_TOKEN: here.sandbox.tokens[4]?.value ?? '', SVC_HOST: here.host },
    });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^svc continues without absences: /);
    expect(JSON.parse(stdout)).toHaveLength(7);
  });

  it('return no working hours of some people, so svc reports the reason and accepts --target', async () => {
    const without = await here.svc(['week', '--user', '12']);
    expect(without.stderr).toContain('has no working hours');
    expect(JSON.parse(without.stdout)[0]).toMatchObject({ target_minutes: null, gap_minutes: null, fill: null });
    const given = await here.svc(['week', '2026-03-04', '--user', '12', '--target', '7h30']);
    expect(JSON.parse(given.stdout)[0]).toMatchObject({ working_minutes: 450 });
  });

  it.each([
    [['week', '2026-W54'], 'no such week'],
    [['week', 'soon'], 'is not a date'],
    [['week', '--target', '16h'], 'at most 15h'],
    [['week', '--user', '0'], 'is not a user'],
  ])('are not sent for %j, which svc refuses', async (argv, words) => {
    here.sandbox.requests.length = 0;
    const { code, stderr } = await here.svc(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(here.sandbox.requests).toEqual([]);
  });
});
