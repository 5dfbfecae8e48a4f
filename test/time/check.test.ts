// Hours of a month, checked: cases worked out by hand, in several zones, with part-timers, half days and nights in which clocks change.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/globals.ts';
import { parseInput } from '../../src/cli/parse.ts';
import { resolveCommand } from '../../src/cli/resolve.ts';
import { rootOf } from '../../src/commands/root.ts';
import { splitWords } from '../../src/values/command-line.ts';
import { countRounds } from '../support/rounds.ts';
import { type CheckedHours, checkedHours } from './checked-hours.ts';

const ROOT = rootOf(builtInCatalog());

let here: CheckedHours;
beforeAll(async () => {
  here = await checkedHours();
});
afterAll(() => here.remove());
afterEach(() => here.restore());

const run: CheckedHours['check'] = (...how) => here.check(...how);

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
    ['a night shift shortened by a change of the clocks', ['2027-03-20..2027-03-27', '--users', '5'], ['missing-hours 5 2027-03-20 60']],
    ['the week over New Year', ['2026-W53', '--users', '1,2'], ['hours-on-leave 1 2026-12-31 120']],
    ['today in another time zone', ['2027-03-31', '--users', '1,3,4'], ['future-date 4 2027-03-31 480']],
    ['a person who left', ['2027-03-29..2027-03-30', '--users', '7'], []],
    [
      'an invoice row with entries outside the range, and a row that bills no time',
      ['2027-02-01', '--users', '1'],
      ['missing-hours 1 2027-02-01 230', 'row-differs   10'],
    ],
    [
      'entries that are unbilled after 45 days',
      ['2027-02-03..2027-02-04'],
      ['missing-hours 1 2027-02-03 420', 'missing-hours 1 2027-02-04 420', 'not-billed 1 2027-02-04 60'],
    ],
  ])('prints exactly the findings that were worked out by hand for %s', async (_, words, expected) => {
    const { code, short, stderr } = await run(words);
    expect(short, stderr).toEqual(expected);
    expect(code).toBe(expected.length === 0 ? 0 : 1);
  });

  it('checks the team of a manager or of a branch', async () => {
    const whose = async (...words: string[]) =>
      [...new Set((await run(['2027-03-15..2027-03-19', ...words])).rows.map(({ user }) => user))].sort();
    expect(await whose('--manager', 'me')).toEqual(['Part Timer', 'Yoko']);
    expect(await whose('--branch', 'Amsterdam')).toEqual(['Part Timer']);
    expect(await whose()).toEqual(['Ada']);
    expect((await whose('--team')).length).toBe(5);
  });

  it('exits 3 for people who do not exist', async () => {
    expect(await run(['2027-03-01', '--users', '1,99'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('You cannot see these users: 99.'),
    });
    expect((await run(['2027-03-01', '--manager', '7'])).stderr).toContain('You cannot see any user with these flags.');
  });

  it('prints a problem as a sentence, and a valid command for every problem', async () => {
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

  it('adds --host to its commands when the organisation is not the default host', async () => {
    const env = { ...here.ownToken(), SVC_CONFIG_DIR: `${here.home}/elsewhere` };
    const { rows } = await run(['2027-03-01'], { env });
    expect(rows.map(({ command }) => command)).toEqual([`svc worklogs add 8h --date 2027-03-01 --host ${here.host}`]);
  });

  it('prints the problems by kind at a terminal, with their commands', async () => {
    const { stdout, stderr, code } = await here.svc(['check', '2027-03-01..2027-03-12', '--users', '2,3'], {
      terminal: 80,
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(1);
    expect(stdout).toContain('11 days with missing hours\n');
    expect(stdout).toContain(
      'Hours on leave, holidays and free days: 2\n  Tue 2027-03-09, Yoko: 8h logged on a day off (vacation)\n    svc worklogs list --user 3 --date 2027-03-09\n',
    );
    expect(stderr).toBe('svc: 13 findings.\n  Run the command of each finding, or fix the findings one by one at a terminal: --fix.\n');
    const clean = await here.svc(['check', '2026-12-28..2026-12-30'], { terminal: 80 });
    expect(clean).toMatchObject({
      code: 0,
      stdout: 'svc found no problems from 2026-12-28 to 2026-12-30, in 3 entries of 1 person.\n',
      stderr: '',
    });
  });

  it('checks the month that you name, or the current month', async () => {
    const days = async (...words: string[]) => [...new Set((await run(words)).rows.map(({ date }) => String(date).slice(0, 7)))];
    expect(await days()).toEqual(['2027-03']);
    expect(await days('--month', 'last')).toEqual(['2027-02', 'null']);
    expect(await days('--month', '2027-01')).toEqual(['2027-01']);
    expect(await days('last', 'month')).toEqual(['2027-02', 'null']);
  });

  it.each<[readonly string[], string]>([
    [['--month', 'soon'], '--month: "soon" is not a month.'],
    [['this', 'week', '--month', 'last'], '--month and "this week" are two date ranges.'],
    [['--fix'], '--fix asks questions, and there is no terminal here.'],
    [['2027-13'], 'is neither a day nor a date range.'],
  ])('refuses %j, and sends nothing', async (words, message) => {
    here.sandbox.requests.length = 0;
    const { code, stderr } = await run(words);
    expect([code, stderr, here.sandbox.requests]).toEqual([2, expect.stringContaining(message), []]);
  });

  it('needs two rounds of requests, the second for the project that entries name', async () => {
    const rounds = countRounds();
    await run(['2026-12-28..2026-12-30'], { around: rounds.through });
    const sent = rounds.sent.map((round) => round.map((line) => line.replace(/^GET \/api\/v2|\?.*$/g, '')).sort());
    expect(sent).toEqual([['/absences', '/absences', '/free-days', '/holidays', '/me', '/timers', '/worklogs'], ['/projects/1']]);
  });
});
