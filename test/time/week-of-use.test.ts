import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PinnedSandbox, signInAt } from './support.ts';

// What a person types in a week of use. It is Monday, 15 June 2026.

let here: PinnedSandbox;
beforeAll(async () => {
  here = await signInAt('2026-06-15T10:00:00Z');
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const bodies = () => here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
const sent = () => here.sandbox.requests.map(({ path }) => decodeURIComponent(path)).join('\n');
/** As a person at a terminal sees it. */
const see = (...argv: readonly string[]) => here.svc(argv, { terminal: 120, answers: [] });

describe('a date range in one flag', () => {
  it.each([
    [['worklogs', 'list', '--from', 'last-week'], '2026-06-08', '2026-06-14'],
    [['worklogs', 'list', '--from', 'last week'], '2026-06-08', '2026-06-14'],
    [['worklogs', 'list', '--from', '2026-Q1'], '2026-01-01', '2026-03-31'],
    [['worklogs', 'list', '--from', 'last-month', '--to', 'yesterday'], '2026-05-01', '2026-06-14'],
    [['worklogs', 'list', '--from', '1.6.2026', '--to', 'last-week'], '2026-06-01', '2026-06-14'],
    [['report', '--from', 'last-week'], '2026-06-08', '2026-06-14'],
    [['report', '--from', '01-06-2026', '--to', 'last-week'], '2026-06-01', '2026-06-14'],
  ])('sets the first and the last day for %j', async (argv, first, last) => {
    const { code, stderr } = await here.svc(argv);
    expect(code, stderr).toBe(0);
    expect(sent()).toContain(`filter[date][gte]=${first}&filter[date][lte]=${last}`);
  });

  it.each([
    ['worklogs', '--date'],
    ['events', '--before'],
  ])('makes svc exit 2 with %s list %s, which take one day', async (resource, flag) => {
    const { code, stderr } = await here.svc([resource, 'list', flag, 'last week']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`svc: ${flag}: "last week" is not a date.\n`)]);
    expect(sent()).toBe('');
  });

  it('sets the first and the last day of the absences that svc lists', async () => {
    await here.svc(['absences', 'list', '--from', 'this-week']);
    expect(sent()).toContain('filter[end][gte]=2026-06-14T22:00:00Z');
    expect(sent()).toContain('filter[start][lte]=2026-06-21T21:59:59Z');
  });
});

describe('svc worklogs add in daily use', () => {
  it.each([
    ['1,5h ABC-12', { minutes: 90, work_item_id: 12, date: '2026-06-15' }],
    ['1.5 h ABC-12', { minutes: 90, work_item_id: 12, date: '2026-06-15' }],
    ['45 min ABC-12 --date 31.05.2026', { minutes: 45, work_item_id: 12, date: '2026-05-31' }],
    ['1h ABC-12 --date 31-05-2026', { minutes: 60, work_item_id: 12, date: '2026-05-31' }],
  ])('sends the duration, the work item and the day of %s', async (words, body) => {
    const { code, stderr } = await here.svc(['worklogs', 'add', ...words.split(' '), '--no-check', '--no-context']);
    expect(code, stderr).toBe(0);
    expect(bodies()).toEqual([body]);
  });

  it.each(['0m', '0h ABC-12', '--minutes 0', '--minutes 0:00'])('refuses 0 minutes, also in a dry run, for %j', async (words) => {
    for (const more of [[], ['--dry-run']]) {
      const { code, stderr } = await here.svc(['worklogs', 'add', ...words.split(' '), ...more]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('An entry of 0 minutes logs nothing.\n')]);
    }
    expect(bodies()).toEqual([]);
  });

  it('ignores the work item of the branch in an alias with --no-context', async () => {
    const cwd = join(here.home, 'branch');
    await mkdir(join(cwd, '.git'), { recursive: true });
    await writeFile(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/feature/ABC-12-login\n');
    await here.svc(['alias', 'set', 'standup', 'worklogs add 15m "Stand-up" --no-context --no-check']);
    const { code, stderr } = await here.svc(['standup'], { cwd });
    expect(code, stderr).toBe(0);
    expect(bodies()).toEqual([{ minutes: 15, date: '2026-06-15', description: 'Stand-up' }]);
    here.sandbox.requests.length = 0;
    await here.svc(['worklogs', 'add', '15m', 'Stand-up', '--no-check'], { cwd });
    expect(bodies()).toEqual([{ minutes: 15, date: '2026-06-15', description: 'Stand-up', work_item_id: 12 }]);
  });
});

describe('the output of svc in daily use', () => {
  it('suggests the field for the name of a table column', async () => {
    const { stderr } = await here.svc(['work-items', 'list', '--json', 'key,title', '-L', '1']);
    expect(stderr).toContain('No record has: key. Did you mean issue_key?\n');
    const { stderr: capital } = await here.svc(['work-items', 'list', '--json', 'KEY,ASSIGNEE', '-L', '1']);
    expect(capital).toContain('No record has: KEY, ASSIGNEE. Did you mean issue_key, assignee_id?\n');
  });

  it('is the same for a help topic and its singular', async () => {
    expect((await here.svc(['help', 'date'])).stdout).toBe((await here.svc(['help', 'dates'])).stdout);
  });

  it('names the status before a transition, and the work item of a comment', async () => {
    await here.svc(['work-items', 'transition', 'ABC-12', '--to', 'In review']);
    const done = await see('work-items', 'transition', 'ABC-12', '--to', 'Done');
    expect(done.stdout).toMatch(/^ABC-12 .* is now Done \(was In review\)\n$/);
    const comment = await see('work-items', 'comments', 'create', 'ABC-12', '--body', 'Hi');
    expect(comment.stdout).toMatch(/^Created the comment on ABC-12 · #\d+\n$/);
  });

  it('shows the burndown of the active sprint by default', async () => {
    const { code, stderr } = await here.svc(['sprints', 'burndown', '--jq', 'map(.sprint) | unique']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Sprint: Sprint \d+ \(#\d+\)\n/)]);
    for (const sprint of here.sandbox.rows('sprints')) if (sprint['state'] === 'active') Object.assign(sprint, { state: 'completed' });
    const none = await here.svc(['sprints', 'burndown']);
    expect([none.code, none.stderr]).toEqual([2, 'svc: No sprint is active.\n  Name a sprint. To see all: svc sprints list\n']);
  });
});

describe('svc check in daily use', () => {
  it('counts days with missing hours, and suggests a key instead of a project on hold', async () => {
    const user = await here.addRecord('/users', {
      name: 'Checked',
      timezone: 'Europe/Amsterdam',
      working_hours: { monday: '08:00', tuesday: '08:00' },
    });
    await here.addRecord('/worklogs', { user_id: user, date: '2026-06-08', minutes: 300, project_id: 4 });
    await here.addRecord('/worklogs', { user_id: user, date: '2026-06-09', minutes: 60, work_item_id: 12, project_id: 1 });
    const { stdout } = await see('check', '2026-06-08..2026-06-09', '--users', String(user), '--no-color');
    expect(stdout).toContain('2 days with missing hours\n');
    expect(stdout).toContain(`svc worklogs add 3h ABC-12 --date 2026-06-08 --user ${user}\n`);
    expect(stdout).toContain('1 entry on "Data warehouse", which is on hold');
    expect(stdout).not.toMatch(/add \S+ (?:--project|--work-item|-p)/);
  });
});

describe('a status in the words of svc', () => {
  it.each([
    [['sales-invoices', 'list', '--status', 'pending approval'], 'filter[status]=pending_approval'],
    [['sales-invoices', 'list', '--status', 'Pending approval'], 'filter[status]=pending_approval'],
    [['sales-invoices', 'list', '--filter', 'status.in=draft,pending approval'], 'filter[status][in]=draft,pending_approval'],
    [['projects', 'list', '--status', 'on hold'], 'filter[status]=on-hold'],
    [['projects', 'list', '--status', 'on-hold'], 'filter[status]=on-hold'],
  ])('becomes the value of the service in the filter of %j', async (argv, filter) => {
    const { code, stderr } = await here.svc(argv);
    expect(code, stderr).toBe(0);
    expect(sent()).toContain(filter);
  });
});

describe('svc at a service with fewer features', () => {
  let other: PinnedSandbox;
  beforeAll(async () => {
    const interpretations = {
      absenceBounds: 'date-only',
      assumedIncludes: 'refused',
      hoursFilters: 'refused',
      otherFilters: 'refused',
    } as const;
    other = await signInAt('2026-06-15T10:00:00Z', { interpretations });
  });
  afterAll(() => other.remove());

  it.each([
    [['week'], 'filter worklogs by date'],
    [['worklogs', 'list', '--mine'], 'filter worklogs by user_id'],
    [['report', '--by', 'project', '--from', '2026-06-01'], 'ids instead of names'],
  ])('reports a missing filter or relation once in two runs (%j, %s)', async (argv, words) => {
    const says = async (now: number) => (await other.svc(argv, { terminal: 300, now })).stderr.includes(words);
    const tomorrow = other.now + 26 * 60 * 60_000;
    expect([await says(tomorrow), await says(tomorrow + 60_000)]).toEqual([true, false]);
  });

  it('shows ids at a terminal for people without names', async () => {
    const { stdout } = await other.svc(['absences', 'who', '2026-03-25'], { terminal: 120 });
    expect(stdout).toMatch(/^#4 +2026-03-25 /m);
    const { stdout: data } = await other.svc(['absences', 'who', '2026-03-25']);
    expect(JSON.parse(data).find((row: { user_id: number }) => row.user_id === 4)).toMatchObject({ user: null });
  });

  it('explains that the service accepts no half days', async () => {
    const { code, stderr } = await other.svc(['absences', 'add', 'friday', '--half', 'am']);
    expect([code, stderr]).toEqual([9, expect.stringContaining('The service takes whole days, so svc cannot add half a day.\n')]);
    expect(stderr).toContain('To add the whole day: svc absences add 2026-06-19\n');
  });
});

describe('names in an entry with --dry-run or --later', () => {
  it.each([
    [['--dry-run'], 'a dry run sends no request'],
    [['--later'], 'svc sends no request for names with --later'],
  ])('are not looked up, and lead to a notice, for %j', async (flags, why) => {
    const { code, stderr } = await here.svc(['worklogs', 'add', '1h', 'Aurora', 'planning', '--no-context', ...flags]);
    expect([code, bodies(), here.sandbox.requests.filter(({ path }) => path.includes('/projects'))], stderr).toEqual([0, [], []]);
    expect(stderr).toContain(`svc did not look up whether the text names a project or a work item: ${why}. To name one: --project or `);
    const named = await here.svc(['worklogs', 'add', '1h', 'planning', '--project', '1', '--no-context', ...flags]);
    expect(named.stderr).not.toContain('did not look up');
  });

  it('are looked up in the local database with --later --offline', async () => {
    expect((await here.svc(['sync', 'projects', 'work-items', 'users', '--no-children'])).code).toBe(0);
    here.sandbox.requests.length = 0;
    const { code, stdout, stderr } = await here.svc([
      'worklogs',
      'add',
      '1h',
      'Web',
      'shop',
      'Design',
      '--no-context',
      '--later',
      '--offline',
    ]);
    expect([code, here.sandbox.requests], stderr).toEqual([0, []]);
    expect(JSON.parse(stdout)).toMatchObject({ project_id: 2, description: 'Design' });
  });
});
