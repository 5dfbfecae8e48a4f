import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** Wrong input exits 2 before any request, and svc prints what is allowed. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

async function wrong(argv: readonly string[]): Promise<string> {
  const result = await here.svc(argv);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(here.sandbox.requests).toEqual([]);
  return result.stderr;
}

describe('an unknown command, resource or flag, or a wrong number of arguments,', () => {
  it.each([
    [['worlogs', 'list'], '"svc" has no command or resource "worlogs".', 'Did you mean: svc worklogs'],
    [['worklog', 'lst'], '"svc worklogs" has no command "lst".', 'Did you mean: svc worklogs list'],
    [['logn'], '"svc" has no command or resource "logn".', 'Did you mean: svc login'],
    [['auth', 'stats'], '"svc auth" has no command "stats".', 'Did you mean: svc auth status'],
    [['xyzzy'], '"svc" has no command or resource "xyzzy".', 'See the commands: svc --help'],
    [['worklogs', 'list', '--limt', '3'], 'Unknown option --limt for "svc worklogs list".', 'Did you mean --limit?'],
    [['--jqq', '.', 'me'], 'Unknown option --jqq for "svc".', 'Did you mean --jq?'],
    [['me', '--ouput=json'], 'Unknown option --ouput for "svc me".', 'Did you mean --output?'],
    [
      ['worklogs', 'list', '--since', 'monday'],
      'Unknown option --since for "svc worklogs list".\n  See: svc',
      'See: svc worklogs list --help',
    ],
    [['worklogs', 'list', '--mine=yes'], '--mine takes no value.', 'See: svc worklogs list --help'],
    [['--offline=true', 'week'], '--offline takes no value.', 'See: svc week --help'],
    [['me', 'again'], 'Too many arguments for "svc me".', 'Quote texts that have spaces. A value needs its flag.'],
    [['worklogs', 'get'], '"svc worklogs get" needs <id>.', 'See: svc worklogs get --help'],
    [['me', '--host'], '--host needs a value', 'See: svc me --help'],
  ])('is refused with a hint in %j', async (argv, message, hint) => {
    const stderr = await wrong(argv);
    expect(stderr).toMatch(/^svc: .*\n {2}.*\n$/);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });
});

describe('an invalid value', () => {
  it.each([
    [['worklogs', 'add', '--minutes', 'abc'], '--minutes: "abc" is not a duration.', 'Write minutes (90, 90m) or hours'],
    [['worklogs', 'add', '--minutes', '90', '--date', '2025-02-30'], '--date: "2025-02-30"', 'Write 2025-03-31, today, a weekday'],
    [
      ['absences', 'list', '--filter', 'nosuch=1'],
      'the service does not filter absences by "nosuch".',
      'Allowed: start, end, manager_id, user_id',
    ],
    [['absences', 'list', '--filter', 'start.lt=2025-01-01'], 'start.lt', '.gte, .lte'],
    [['absences', 'list', '--filter', 'user_id=0'], '--filter user_id', ''],
    [['absences', 'list', '--filter', 'user_id'], '"user_id" has no "=".', 'Write <field>=<value>'],
    [['absences', 'list', '--year', '25'], '--year: "25" is not a year.', 'four digits'],
    [['absences', 'list', '--search', 'x'], '--search', ''],
    [['worklogs', 'list', '--page', '2'], '--page', ''],
    [['projects', 'list', '--page', '1001'], '--page: a page number is 1 to 1000.', ''],
    [['projects', 'list', '--page', '2', '--cursor', 'x'], '--page and --cursor', ''],
    [['projects', 'list', '--per-page', '101'], '--per-page: a page has 1 to 100 rows', ''],
    [['projects', 'list', '--limit', '0'], '--limit: "0" is not', ''],
    [['projects', 'list', '--view', 'full'], '--view: "full" is not an allowed value.', 'Allowed: summary, detail.'],
    [['worklogs', 'get', 'twelve'], '"twelve" is no worklog', ''],
    [['worklogs', 'get', '1', '../me'], '"../me" is no worklog', ''],
    [['worklogs', 'get', 'abc_1'], '"abc_1" is no', ''],
    [['worklogs', 'update', '1'], 'There is nothing to change.', 'svc worklogs update --help'],
    [['worklogs', 'update', '1', '--minutes', '5', '--if-match', '"x"', '--if-unchanged'], '--if-match and --if-unchanged', ''],
    [['worklogs', 'add', '--minutes', '5', '-F', 'novalue'], '-F: ', ''],
    [['worklogs', 'add', '--data', '{'], '--data', ''],
    [['worklogs', 'add', '--minutes', '5', '--idempotency-key', ''], '--idempotency-key', ''],
    [['me', '--timeout', 'soon'], '--timeout: "soon" is not a time', 'Write 30s, 5m, 1h'],
    [['me', '--max-wait', '-1'], '--max-wait', ''],
    [['me', '--host', 'two words'], '"two words" is not a host name.', 'acme.example.com'],
    [['me', '-o', 'xml'], '--output: "xml" is not an allowed value.', 'Allowed: table, md, json'],
    [['me', '--fields', ',id'], '--fields: a name is empty.', ''],
    [['me', '--jq', '}'], '--jq: error', 'jqlang.org'],
  ])('is refused with a hint in %j', async (argv, message, hint) => {
    const stderr = await wrong(argv);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr).toMatch(/^svc: .+\n {2}.+\n/);
  });
});
