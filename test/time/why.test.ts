// The steps of each figure, written out by hand.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { textWidth } from '../../src/output/text-width.ts';
import { type PinnedSandbox, screen, signInAt } from './support.ts';

interface Step {
  readonly kind: string;
  readonly resource: string | null;
  readonly id: number | null;
  readonly date: string | null;
  readonly minutes: number | null;
  readonly amount?: string | null;
}

let here: PinnedSandbox;
/** Works from Monday to Thursday, eight hours in Berlin. */
let ada: number;
let sick: number;
let again: number;
let fair: number;
let late: number;
let bridge: number;
let long: number;
let short: number;
let shop: number;
let free: number;

beforeAll(async () => {
  here = await signInAt('2026-10-22T10:00:00Z');
  const day = { start: '09:00', end: '17:00' };
  ada = await here.addRecord('/users', {
    name: 'Ada Byron',
    timezone: 'Europe/Berlin',
    working_hours: { monday: day, tuesday: day, wednesday: day, thursday: day, friday: null, saturday: null, sunday: null },
  });
  const customer = await here.addRecord('/customers', { name: 'Alpha' });
  shop = await here.addRecord('/projects', { name: 'Shop', customer_id: customer, hourly_rate: '95.50' });
  fair = await here.addRecord('/holidays', { name: 'Town fair', date: '2026-10-19' });
  late = await here.addRecord('/holidays', { name: 'Late fair', date: '2026-11-02' });
  bridge = await here.addRecord('/free-days', { name: 'Bridge', date: '2026-11-02', user_id: ada });
  // In Berlin: Tuesday 13:00 to 15:00, and 14:00 to 16:00. The hour in both counts once.
  sick = await here.addRecord('/absences', { user_id: ada, type: 'sick', start: '2026-10-20T11:00:00Z', end: '2026-10-20T13:00:00Z' });
  again = await here.addRecord('/absences', { user_id: ada, type: 'special', start: '2026-10-20T12:00:00Z', end: '2026-10-20T14:00:00Z' });
  const log = (date: string, minutes: number, more = {}) =>
    here.addRecord('/worklogs', { user_id: ada, date, minutes, project_id: shop, description: `On ${date}`, ...more });
  short = await log('2026-10-20', 50);
  long = await log('2026-10-21', 500);
  free = await log('2026-10-23', 20, { is_not_billable: true });
});
afterAll(() => here.remove());

async function explained(...words: string[]) {
  const { code, stdout, stderr } = await here.svc(words);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

const brief = (steps: readonly Step[]) => steps.map(({ kind, id, minutes }) => [kind, id, minutes]);

describe('svc week --why', () => {
  it.each([
    [
      '2026-10-19',
      0,
      () => [
        ['working-hours', ada, 480],
        ['holiday', fair, -480],
      ],
    ],
    [
      '2026-10-20',
      250,
      () => [
        ['working-hours', ada, 480],
        ['absence', sick, -120],
        ['absence', again, -60],
        ['worklog', short, -50],
      ],
    ],
    [
      '2026-10-21',
      0,
      () => [
        ['working-hours', ada, 480],
        ['worklog', long, -500],
        ['above-target', null, 20],
      ],
    ],
    [
      '2026-10-23',
      0,
      () => [
        ['working-hours', ada, 0],
        ['worklog', free, -20],
        ['above-target', null, 20],
      ],
    ],
    ['2026-10-24', 0, () => [['nothing', null, 0]]],
    [
      '2026-10-26',
      0,
      () => [
        ['working-hours', ada, 480],
        ['later-day', null, -480],
      ],
    ],
    // A public holiday and a free day: the working time counts once.
    [
      '2026-11-02',
      0,
      () => [
        ['working-hours', ada, 480],
        ['holiday', late, -480],
        ['free-day', bridge, 0],
      ],
    ],
  ] as const)('explains the missing time of %s: %i minutes', async (date, minutes, steps) => {
    const record = await explained('week', '--why', date, '--user', String(ada));
    expect(record).toMatchObject({ user_id: ada, date, figure: 'gap_minutes', minutes });
    expect(brief(record.steps)).toEqual(steps());
    const resources: Record<string, string> = {
      ...{ 'working-hours': 'users', holiday: 'holidays', 'free-day': 'free-days', absence: 'absences', worklog: 'worklogs' },
    };
    expect(record.steps.map(({ resource }: Step) => resource)).toEqual(steps().map(([kind]) => resources[String(kind)] ?? null));
  });

  it('names the rule and the record of a step, with the address of the record', async () => {
    const { steps } = await explained('week', '--why', '2026-10-20', '--user', String(ada));
    expect(steps[1]).toEqual({
      ...{ kind: 'absence', rule: '18.34', reason: 'Absent: sick, requested', date: '2026-10-20', minutes: -120 },
      ...{ resource: 'absences', id: sick, name: 'sick, requested', link: `${here.sandbox.baseUrl}/absences/${sick}` },
    });
  });

  it('links to your own record at an address that needs no permission', async () => {
    const { steps } = await explained('week', '--why', '2026-10-21');
    expect(steps[0]).toMatchObject({ kind: 'working-hours', link: expect.stringMatching(/\/api\/v2\/me$/) });
  });

  it('has an unknown step, and an unknown figure, when leave is hidden', async () => {
    here.sandbox.setFaults([{ path: '/absences', status: 403, times: 9 }]);
    onTestFinished(() => here.sandbox.setFaults([]));
    const record = await explained('week', '--why', '2026-10-20', '--user', String(ada));
    expect(record.minutes).toBeNull();
    expect(brief(record.steps)).toEqual([
      ['working-hours', ada, 480],
      ['worklog', short, -50],
      ['hidden-leave', null, null],
    ]);
  });

  it('has an unknown step when svc cannot read the working hours', async () => {
    here.sandbox.interpretations.workingHours = 'text';
    onTestFinished(() => {
      here.sandbox.interpretations.workingHours = 'start-end';
    });
    const record = await explained('week', '--why', '2026-10-20', '--user', String(ada));
    expect([record.minutes, ...brief(record.steps)]).toEqual([null, ['unknown-hours', ada, null], ['worklog', short, -50]]);
  });

  it('explains the week of a person in a team, by a part of the name', async () => {
    const record = await explained('week', '2026-10-20', '--team', '--why', 'byron');
    expect(record).toMatchObject({ user: 'Ada Byron', from: '2026-10-19', figure: 'gap_minutes', minutes: 250 + 480 });
    expect(record.steps.map(({ date }: Step) => date)).toEqual([...record.steps].map(({ date }: Step) => date).sort());
  });

  it('explains the same balance as svc week --balance prints, without future days', async () => {
    const words = ['week', '--balance', '--from', '2026-10-19', '--to', '2026-10-31', '--user', String(ada)];
    const record = await explained(...words, '--why');
    expect(record).toMatchObject({ figure: 'balance_minutes', minutes: 550 - 300 - 480 - 480 });
    expect(record.steps.map(({ kind }: Step) => kind)).not.toContain('later-day');
    const [row] = await explained('week', '--balance', '--team', '--users', String(ada), '--from', '2026-10-19', '--to', '2026-10-31');
    expect(record.minutes).toBe(row.balance_minutes);
  });

  it.each([80, 50])('prints a table that fits %i columns, with commands that show the records of the steps', async (terminal) => {
    const words = ['week', '--why', '2026-10-20', '--user', String(ada)];
    const { stdout } = await here.svc(words, { terminal, env: { NO_COLOR: '1' } });
    for (const line of stdout.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(terminal);
    await expect(screen(stdout)).toMatchFileSnapshot(`goldens/week-why-${terminal}.txt`);
    const commands = [...stdout.matchAll(/svc \S+ get \d+/g)].map(([command]) => command.split(' ').slice(1));
    expect(commands.map(([noun]) => noun)).toEqual(['users', 'absences', 'worklogs']);
    for (const command of commands) expect((await here.svc(command)).code).toBe(0);
  });

  it.each([
    [['week', '--why'], '--why needs a day.'],
    [['week', 'last', '--why', 'monday'], '--why already names the day.'],
    [['week', '--balance', '--why', 'monday'], '--why takes no value with --balance.'],
    [['week', '--why', 'soon'], '--why: "soon" is not a date'],
    [['week', '--team', '--why'], '--why: the table has '],
    [['week', '--team', '--why', 'Adda Byron'], '--why: no row has the name "Adda Byron".'],
  ])('exits 2 for %j', async (words, message) => {
    const { code, stdout, stderr } = await here.svc(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

it('svc report exits 2 for --why with --for', async () => {
  const { code, stderr } = await here.svc(['report', '2026-10', '--why', 'x', '--for', 'Alpha']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('You cannot use --why and --for together.')]);
});

it('svc report --why lists the entries of a row, and the minutes that rounding adds to each entry', async () => {
  const words = ['report', '2026-10', '--by', 'user,project', '--rounding', '15m', '--why'];
  const record = await explained(...words, 'ada byron, shop');
  expect(record).toMatchObject({ user_id: ada, project_id: shop, figure: 'minutes', minutes: 60 + 510 + 30 });
  expect(brief(record.steps)).toEqual([
    ...[
      ['worklog', short, 50],
      ['entry-flag', short, 10],
    ],
    ...[
      ['worklog', long, 500],
      ['entry-flag', long, 10],
    ],
    ...[
      ['worklog', free, 20],
      ['entry-flag', free, 10],
    ],
  ]);
  expect(record.steps[1].reason).toBe('Each entry is rounded up to a multiple of 15m');
});

it('svc billing unbilled --why prices each entry, and rounds the amount once', async () => {
  const record = await explained('billing', 'unbilled', '2026-10', '--why', 'Alpha');
  // 50 and 500 minutes at 95.50 are 79.5833… and 795.8333…; together 875.4166….
  expect(record).toMatchObject({ customer: 'Alpha', figure: 'unbilled_minutes', minutes: 550, amount: '875.42' });
  expect(record.steps.map(({ kind, id, minutes, amount }: Step) => [kind, id, minutes, amount])).toEqual([
    ['unbilled', short, 50, '79.58'],
    ['unbilled', long, 500, '795.83'],
    ['not-billable', free, 0, '0.00'],
    ['cents', null, 0, '0.01'],
  ]);
});

it('svc billing unbilled --why has an unknown amount without a rate', async () => {
  await here.addRecord('/worklogs', {
    user_id: ada,
    date: '2027-03-01',
    minutes: 30,
    project_id: await here.addRecord('/projects', { name: 'Own' }),
  });
  const record = await explained('billing', 'unbilled', '2027-03', '--by', 'project', '--why', 'Own');
  expect([record.minutes, record.amount, record.steps[0].amount]).toEqual([30, null, null]);
});

it('svc absences used --why lists the absences in each figure', async () => {
  const figures = await explained('absences', 'used', '2026-10', '--user', String(ada), '--why');
  expect(
    figures.map(({ figure, minutes, steps }: { figure: string; minutes: number; steps: Step[] }) => [figure, minutes, brief(steps)]),
  ).toEqual([
    ['taken_minutes', 0, [['nothing', null, 0]]],
    ['to_come_minutes', 0, [['nothing', null, 0]]],
    [
      'requested_minutes',
      180,
      [
        ['absence', sick, 120],
        ['absence', again, 60],
      ],
    ],
  ]);
});

it('svc week --why prints a row for each step in CSV', async () => {
  const { stdout } = await here.svc(['week', '--why', '2026-10-21', '--user', String(ada), '-o', 'csv', '--fields', 'figure,kind,minutes']);
  expect(stdout).toBe('figure,kind,minutes\ngap_minutes,working-hours,480\ngap_minutes,worklog,-500\ngap_minutes,above-target,20\n');
});
