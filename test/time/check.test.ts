// Hours of a month, checked: cases worked out by hand, in several zones, with part-timers, half days and nights in which clocks change.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_OPTIONS } from '../../src/cli/globals.ts';
import { parseInput } from '../../src/cli/parse.ts';
import { resolveCommand } from '../../src/cli/resolve.ts';
import { ROOT } from '../../src/commands/root.ts';
import { KNOBS } from '../../src/sandbox/knobs.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { splitWords } from '../../src/values/split-words.ts';
import { countRounds } from '../support/rounds.ts';
import type { RunOptions } from '../support/svc.ts';
import { organisation, week } from './organisation.ts';
import type { Still } from './support.ts';

/** Wednesday 31 March 2027 in Amsterdam and Tokyo, still Tuesday in St. John’s. */
const MOMENT = '2027-03-30T22:30:00Z';

let last = 0;
const worklog = (user: number, date: string, minutes: number, more: JsonObject = {}): JsonObject => {
  last += 1;
  return {
    id: last,
    user_id: user,
    date,
    minutes,
    description: `Work ${last}`,
    project_id: 1,
    work_item_id: null,
    budget_id: null,
    is_overtime: false,
    is_not_billable: true,
    exceeded_budget: false,
    reviewed_by: 1,
    invoice_id: null,
    sales_invoice_row_id: null,
    ...more,
  };
};
const person = (id: number, name: string, timezone: string, hours: JsonObject | null, more: JsonObject = {}): JsonObject => ({
  id,
  name,
  role: id === 1 ? 'admin' : 'employee',
  timezone,
  working_hours: hours,
  is_active: true,
  ...more,
});
const PART_TIME: JsonObject = {
  monday: { start: '09:00', end: '17:00' },
  tuesday: { start: '09:00', end: '13:00' },
  wednesday: null,
  thursday: null,
  friday: [
    { start: '08:00', end: '12:00' },
    { start: '13:00', end: '17:00' },
  ],
  saturday: null,
  sunday: null,
};
const NIGHT: JsonObject = { saturday: { start: '22:00', end: '06:00' } };

let here: Still;
beforeAll(async () => {
  here = await organisation(MOMENT, {
    users: [
      person(1, 'Ada', 'Europe/Amsterdam', week('09:00', '17:00')),
      person(2, 'Part Timer', 'Europe/Amsterdam', PART_TIME, { manager_id: 1, company_branch_id: 1 }),
      person(3, 'Yoko', 'Asia/Tokyo', week('10:00', '18:00'), { manager_id: 1 }),
      person(4, 'Mia', 'America/St_Johns', week('09:00', '17:00')),
      person(5, 'Night', 'Europe/Amsterdam', NIGHT),
      person(6, 'Silent', 'Europe/Amsterdam', null),
      person(7, 'Gone', 'Europe/Amsterdam', week('09:00', '17:00'), { is_active: false }),
    ],
    'company-branches': [{ id: 1, name: 'Amsterdam' }],
    projects: [{ id: 1, name: 'Web "shop"', status: 'active', end_date: null }],
    holidays: [{ id: 1, name: 'New Year', date: '2027-01-01' }],
    'free-days': [{ id: 1, name: 'Bridge', date: '2026-12-31', user_id: 1 }],
    absences: [
      // Friday from 12:30, in the middle of the break; Monday until 13:00; a whole Tuesday in Tokyo.
      { id: 1, user_id: 2, type: 'special', status: 'approved', start: '2027-03-12T11:30:00Z', end: '2027-03-12T22:59:59Z' },
      { id: 2, user_id: 2, type: 'sick', status: 'approved', start: '2027-03-07T23:00:00Z', end: '2027-03-08T12:00:00Z' },
      {
        id: 3,
        user_id: 3,
        type: 'vacation',
        status: 'approved',
        start: '2027-03-08T15:00:00Z',
        end: '2027-03-09T14:59:59Z',
        last_whole_day: '2027-03-09',
      },
    ],
    'sales-invoices': [{ id: 1, status: 'sent' }],
    'sales-invoice-rows': [
      { id: 1, sales_invoice_id: 1, name: 'Work', billable_minutes: 500 },
      { id: 2, sales_invoice_id: 1, name: 'Licence', billable_minutes: null },
    ],
    worklogs: [
      // Part-time: 40 of 240 minutes missing on Tuesday, 240 of 480 on Friday; Wednesday is free, and nobody's leave.
      worklog(2, '2027-03-01', 480),
      worklog(2, '2027-03-02', 200),
      worklog(2, '2027-03-03', 60),
      worklog(2, '2027-03-05', 240),
      // Leave until 13:00 of a day from 9 to 17 leaves 240, of which 200; from 12:30 of 8 to 12 and 13 to 17 leaves 240, of 300.
      worklog(2, '2027-03-08', 200),
      worklog(2, '2027-03-09', 240),
      worklog(2, '2027-03-12', 300),
      // Tokyo, the day of leave and the day before.
      worklog(3, '2027-03-08', 480),
      worklog(3, '2027-03-09', 480),
      // 23 and 25 hours of Amsterdam.
      worklog(1, '2027-03-28', 23 * 60 + 30),
      worklog(4, '2027-03-28', 23 * 60 + 30),
      worklog(1, '2026-10-25', 24 * 60 + 30),
      worklog(5, '2026-10-25', 25 * 60 + 30),
      // From 22 to 6 o'clock is 8 hours, and 7 in the night of the 28th.
      worklog(5, '2027-03-20', 420),
      worklog(5, '2027-03-27', 420),
      // The week over New Year: Monday to Wednesday full, hours on a free day, Friday a holiday.
      ...['2026-12-28', '2026-12-29', '2026-12-30'].map((date) => worklog(1, date, 480)),
      worklog(1, '2026-12-31', 120),
      worklog(2, '2026-12-28', 480),
      worklog(2, '2026-12-29', 240),
      // The 31st is today or yesterday's tomorrow.
      worklog(1, '2027-03-31', 480),
      worklog(3, '2027-03-31', 480),
      worklog(4, '2027-03-31', 480),
      worklog(4, '2027-03-30', 480),
      worklog(6, '2027-03-29', 60),
      // 250 of the row's 500 minutes are in this month.
      worklog(1, '2027-02-01', 250, { is_not_billable: false, sales_invoice_row_id: 1 }),
      worklog(1, '2027-02-02', 240, { is_not_billable: false, sales_invoice_row_id: 1 }),
      worklog(1, '2027-02-03', 60, { is_not_billable: false, sales_invoice_row_id: 2 }),
      worklog(1, '2027-02-04', 60, { is_not_billable: false }),
    ],
  });
});
afterAll(() => here.remove());
afterEach(() => {
  Object.assign(here.sandbox.knobs, Object.fromEntries(Object.entries(KNOBS).map(([name, [usual]]) => [name, usual])));
  here.sandbox.setRole(1, 'admin');
  here.sandbox.setFaults([]);
});

/** A token of the person’s own, which works without Manage API tokens. */
const ownToken = () => ({ SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' });

const run = async (words: readonly string[], options: RunOptions = {}) => {
  const result = await here.svc(['check', ...words], options);
  const rows = result.stdout.startsWith('[') ? (JSON.parse(result.stdout) as JsonObject[]) : [];
  return { ...result, rows, short: rows.map(({ kind, user_id, date, minutes }) => [kind, user_id, date, minutes].join(' ')) };
};

describe('svc check', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'part-timers',
      ['2027-03-01..2027-03-05', '--users', 'Part Timer'],
      ['missing-hours 2 2027-03-02 40', 'missing-hours 2 2027-03-05 240'],
    ],
    ['half days', ['2027-W10', '--users', '2'], ['missing-hours 2 2027-03-08 40', 'hours-on-leave 2 2027-03-12 60']],
    ['leave in another zone', ['2027-03-08..2027-03-09', '--users', 'Yoko'], ['hours-on-leave 3 2027-03-09 480']],
    ['a day of 23 hours', ['2027-03-28', '--users', '1,4'], ['impossible-day 1 2027-03-28 1410']],
    ['a day of 25 hours', ['2026-10-25', '--users', 'me,Night'], ['impossible-day 5 2026-10-25 1530']],
    ['a shift over the night that is shorter', ['2027-03-20..2027-03-27', '--users', '5'], ['missing-hours 5 2027-03-20 60']],
    ['the week over New Year', ['2026-W53', '--users', '1,2'], ['hours-on-leave 1 2026-12-31 120']],
    ['today, wherever that is', ['2027-03-31', '--users', '1,3,4'], ['future-date 4 2027-03-31 480']],
    ['nobody who left', ['2027-03-29..2027-03-30', '--users', '7'], []],
    [
      'a row by all of its entries, and one that bills no time not at all',
      ['2027-02-01', '--users', '1'],
      ['missing-hours 1 2027-02-01 230', 'row-differs   10'],
    ],
    [
      'what is not billed after 45 days',
      ['2027-02-03..2027-02-04'],
      ['missing-hours 1 2027-02-03 420', 'missing-hours 1 2027-02-04 420', 'not-billed 1 2027-02-04 60'],
    ],
  ])('%s', async (_, words, expected) => {
    const { code, short, stderr } = await run(words);
    expect(short, stderr).toEqual(expected);
    expect(code).toBe(expected.length === 0 ? 0 : 1);
  });

  it('takes a team by its manager, or by its branch', async () => {
    const whose = async (...words: string[]) =>
      [...new Set((await run(['2027-03-15..2027-03-19', ...words])).rows.map(({ user }) => user))].sort();
    expect(await whose('--manager', 'me')).toEqual(['Part Timer', 'Yoko']);
    expect(await whose('--branch', 'Amsterdam')).toEqual(['Part Timer']);
    expect(await whose()).toEqual(['Ada']);
    expect((await whose('--team')).length).toBe(5);
  });

  it('knows nobody who is not there', async () => {
    expect(await run(['2027-03-01', '--users', '1,99'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('User 99 is not among the people whom you may see.'),
    });
    expect((await run(['2027-03-01', '--manager', '7'])).stderr).toContain('There is nobody in that team whom you may see.');
  });

  it('says what is wrong in words, and the command that is there', async () => {
    const { rows } = await run(['2027-03-01..2027-03-31', '--team']);
    expect(rows.find(({ user, date }) => user === 'Part Timer' && date === '2027-03-12')).toEqual({
      kind: 'hours-on-leave',
      not_judged: null,
      user_id: 2,
      user: 'Part Timer',
      date: '2027-03-12',
      minutes: 60,
      records: 'worklogs',
      ids: [7],
      message: '5h logged, with leave for all but 4h (special)',
      command: 'svc worklogs list --user 2 --date 2027-03-12',
    });
    for (const { command, kind } of rows) {
      if (kind === 'unknown') continue;
      const [, ...argv] = splitWords(String(command));
      const { path, spec, args } = await resolveCommand(ROOT, argv, GLOBAL_OPTIONS);
      expect(() => parseInput(spec, path, GLOBAL_OPTIONS, args)).not.toThrow();
    }
  });

  it('names the organisation in its commands where another would be meant', async () => {
    const env = { ...ownToken(), SVC_CONFIG_DIR: `${here.home}/elsewhere` };
    const { rows } = await run(['2027-03-01'], { env });
    expect(rows.map(({ command }) => command)).toEqual([`svc worklogs add 8h --date 2027-03-01 --host ${here.host}`]);
  });

  it('draws a list for a person, by kind, with the commands', async () => {
    const { stdout, stderr, code } = await here.svc(['check', '2027-03-01..2027-03-12', '--users', '2,3'], {
      terminal: 80,
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(1);
    expect(stdout).toContain('Missing hours: 11\n');
    expect(stdout).toContain(
      'Hours on leave, holidays and free days: 2\n  Tue 2027-03-09, Yoko: 8h logged on a day off (vacation)\n    svc worklogs list --user 3 --date 2027-03-09\n',
    );
    expect(stderr).toBe('svc: 13 findings.\n  Each has the command that mends or shows it; --fix goes through them at a terminal.\n');
    const clean = await here.svc(['check', '2026-12-28..2026-12-30'], { terminal: 80 });
    expect(clean).toMatchObject({
      code: 0,
      stdout: 'Nothing was found from 2026-12-28 to 2026-12-30, in 3 entries of 1 person.\n',
      stderr: '',
    });
  });

  it('reads the month that is meant', async () => {
    const days = async (...words: string[]) => [...new Set((await run(words)).rows.map(({ date }) => String(date).slice(0, 7)))];
    expect(await days()).toEqual(['2027-03']);
    expect(await days('--month', 'last')).toEqual(['2027-02', 'null']);
    expect(await days('--month', '2027-01')).toEqual(['2027-01']);
    expect(await days('last', 'month')).toEqual(['2027-02', 'null']);
  });

  it.each<[readonly string[], string]>([
    [['--month', 'soon'], '--month: "soon" is no month.'],
    [['this', 'week', '--month', 'last'], '--month and "this week" are two spans.'],
    [['--fix'], '--fix asks, and needs a terminal.'],
    [['2027-13'], 'is neither a day nor a span of days.'],
  ])('refuses %j before anything is asked', async (words, message) => {
    here.sandbox.requests.length = 0;
    const { code, stderr } = await run(words);
    expect([code, stderr, here.sandbox.requests]).toEqual([2, expect.stringContaining(message), []]);
  });

  it('asks in two rounds, and for nothing that no entry names', async () => {
    const rounds = countRounds();
    await run(['2026-12-28..2026-12-30'], { around: rounds.through });
    const sent = rounds.sent.map((round) => round.map((line) => line.replace(/^GET \/api\/v2|\?.*$/g, '')).sort());
    expect(sent).toEqual([['/absences', '/absences', '/free-days', '/holidays', '/me', '/timers', '/worklogs'], ['/projects/1']]);
  });
});

const WHOLE = ['2027-02-01..2027-03-31', '--team'];

describe('what the service leaves open', () => {
  let usual: readonly JsonObject[] | undefined;
  it.each([
    { summary: 'bare' },
    { summary: 'all', falseInSummary: 'null' },
    { falseInSummary: 'left-out' },
    { otherFilters: 'refused', assumedIncludes: 'refused', assumedSorts: 'refused' },
    { hoursFilters: 'by-date' },
    { booleans: 'digits' },
    { wrapSingleRecords: false, topLevelChildren: false },
    { workingHours: 'from-to' },
    { refusalType: 'unsupported-parameter', hoursFilters: 'refused' },
  ] as const)('changes nothing: %j', async (knobs) => {
    usual ??= (await run(['2027-03-01..2027-03-31', '--users', '1,3,4,6'])).rows;
    Object.assign(here.sandbox.knobs, knobs);
    const { rows, code } = await run(['2027-03-01..2027-03-31', '--users', '1,3,4,6']);
    // That a row's entries can be listed is assumed; no row is named here.
    expect(rows).toEqual(usual);
    expect(code).toBe(1);
  });

  it('reads a row by itself where rows are listed below their invoice only', async () => {
    Object.assign(here.sandbox.knobs, { topLevelChildren: false });
    expect((await run(['2027-02-01', '--users', '1'])).short).toContain('row-differs   10');
  });

  it('does not judge rows whose entries cannot be listed', async () => {
    Object.assign(here.sandbox.knobs, { otherFilters: 'refused' });
    const { rows, stderr } = await run(['2027-02-01', '--users', '1']);
    expect(rows.map(({ kind, not_judged: not }) => [kind, not])).toEqual([
      ['missing-hours', null],
      ['unknown', ['row-differs']],
    ]);
    expect(stderr).toContain('Not judged (row-differs): The service does not list the worklogs of a row');
  });

  it.each([
    // Leave on the 9th is sure where it ends with the midnight after; on the 10th nothing was logged, and it may be leave too.
    [
      { wholeDayEnd: 'next-midnight' },
      ['hours-on-leave 3 2027-03-09 480'],
      'An absence ends with 2027-03-10, and whether that day is one of it is not known',
    ],
    [
      { absenceBounds: 'date' },
      ['missing-hours 3 2027-03-10 480'],
      'An absence ends with 2027-03-09, and whether that day is one of it is not known',
    ],
    // It begins and ends with the same moment, so that nothing is known of these days.
    [{ wholeDayEnd: 'same-date' }, [], 'svc cannot read from when to when 1 absence is'],
  ] as const)('does not judge a day of which leave leaves open whether it is one of it: %j', async (knobs, sure, message) => {
    Object.assign(here.sandbox.knobs, knobs);
    const { rows, short, code } = await run(['2027-03-09..2027-03-10', '--users', 'Yoko']);
    expect([short.slice(0, -1), rows.at(-1)?.['not_judged'], rows.at(-1)?.['message'], code]).toEqual([
      sure,
      ['missing-hours', 'hours-on-leave'],
      message,
      1,
    ]);
  });

  it.each(['null', 'text'] as const)('knows of nothing missing where working hours are %s, and is not clean', async (workingHours) => {
    Object.assign(here.sandbox.knobs, { workingHours });
    const { rows, code, stderr } = await run(['2026-12-28..2026-12-31']);
    expect(rows.map(({ kind, not_judged: not, date }) => [kind, not, date])).toEqual([
      ['hours-on-leave', null, '2026-12-31'],
      ['unknown', ['missing-hours'], null],
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 finding, and 1 thing that could not be judged.')]);
  });

  it('says how it reads hours that could be meant otherwise', async () => {
    Object.assign(here.sandbox.knobs, { workingHours: 'one-time' });
    const { stderr } = await run(['2026-12-28..2026-12-30', '--users', '1,3']);
    expect(stderr).toContain('The working hours of Ada and 1 other could be meant otherwise. They are read as Mon to Fri 8h.');
  });
});

describe('what may not be seen', () => {
  it('is named with its permission, and is not clean', async () => {
    here.sandbox.setRole(1, 'employee');
    const { rows, code, stderr } = await run(WHOLE, { env: ownToken() });
    expect(code).toBe(1);
    const missing = rows.filter(({ kind }) => kind === 'missing-hours');
    expect(new Set(missing.map(({ user }) => user))).toEqual(new Set(['Ada']));
    expect(rows.filter(({ kind }) => kind === 'unknown').map(({ not_judged: not, message }) => [not, message])).toEqual([
      [['missing-hours', 'hours-on-leave'], expect.stringContaining('absences::manage')],
      [['row-differs'], expect.stringContaining('sales_invoices::read')],
    ]);
    expect(stderr).toMatch(/Not judged \(missing-hours, hours-on-leave\): .*absences::manage/);
    expect(stderr).toMatch(/Not judged \(row-differs\): .*sales_invoices::read/);
  });

  it('ends the check where it is the worklogs themselves', async () => {
    here.sandbox.setRole(1, 'contractor');
    const { code, stderr } = await run(['2027-03-01'], { env: ownToken() });
    expect([code, stderr]).toEqual([5, expect.stringContaining('hours::read')]);
  });

  it('is no finding where the organisation has no such thing', async () => {
    here.sandbox.setFaults(['/timers', '/holidays', '/free-days'].map((path) => ({ method: 'GET', path, status: 404, times: 9 })));
    const { code, rows } = await run(['2026-12-28..2026-12-30']);
    expect([code, rows]).toEqual([0, []]);
  });

  it('timers alone are not judged', async () => {
    here.sandbox.setFaults([{ method: 'GET', path: '/timers', status: 403, times: 9 }]);
    const { code, rows, stderr } = await run(['2026-12-28..2026-12-30']);
    expect([code, rows.map(({ not_judged: not }) => not)]).toEqual([1, [['timer-running']]]);
    expect(stderr).toContain('1 thing that could not be judged.');
  });
});

/** The service shows worklogs without some fields. */
function hiding(...fields: readonly string[]): NonNullable<RunOptions['around']> {
  return (deps) => ({
    ...deps,
    network: {
      warm: (origin, timeout) => deps.network.warm(origin, timeout),
      close: () => deps.network.close(),
      async request(request) {
        const response = await deps.network.request(request);
        if (!request.url.includes('/worklogs')) return response;
        const page = JSON.parse(await response.text()) as { readonly data: Record<string, unknown>[] };
        for (const row of page.data) for (const field of fields) delete row[field];
        const bytes = Buffer.from(JSON.stringify(page));
        const body = (async function* () {
          yield bytes;
        })();
        return { ...response, body, bytes: async () => bytes, text: async () => bytes.toString(), discard: async () => undefined };
      },
    },
  });
}

describe('fields that are not shown', () => {
  it.each<[readonly string[], readonly (readonly string[])[]]>([
    [
      ['sales_invoice_row_id', 'invoice_id'],
      [['not-billed'], ['row-differs']],
    ],
    [['sales_invoice_row_id'], [['not-billed'], ['row-differs']]],
    [['is_not_billable'], [['not-billed']]],
    [['budget_id', 'exceeded_budget'], [['over-budget']]],
    [['reviewed_by'], [['not-reviewed']]],
    [['project_id', 'work_item_id'], [['duplicate', 'no-project']]],
    [['is_overtime'], []],
  ])('%j: nothing is found of them, and that is told', async (fields, expected) => {
    const { rows, short } = await run(['2027-02-03..2027-02-04'], { around: hiding(...fields) });
    expect(rows.filter(({ kind }) => kind === 'unknown').map(({ not_judged: not }) => not)).toEqual(expected);
    const about = new Set(expected.flat());
    expect(short.filter((line) => about.has(line.split(' ')[0] ?? ''))).toEqual([]);
  });

  it('whose they are', async () => {
    const { rows } = await run(['2027-02-04', '--users', '1,2'], { around: hiding('user_id') });
    expect(rows.filter(({ kind }) => kind === 'unknown').map(({ message }) => message)).toContain(
      'The service does not show whose each entry is',
    );
  });
});
