// What was found, mended question by question at a terminal.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/values/json.ts';
import type { RunOptions } from '../support/svc.ts';
import { organisation, week } from './organisation.ts';
import type { PinnedSandbox } from './support.ts';

const entry = (id: number, date: string, minutes: number, more: JsonObject = {}): JsonObject => ({
  id,
  user_id: 1,
  date,
  minutes,
  description: `Work ${id}`,
  project_id: 1,
  work_item_id: null,
  budget_id: null,
  is_overtime: false,
  is_not_billable: true,
  exceeded_budget: false,
  reviewed_by: null,
  invoice_id: null,
  sales_invoice_row_id: null,
  ...more,
});

let here: PinnedSandbox;
/** Friday 6 March 2026; of that week Tuesday is short, Wednesday has the same twice, Thursday one entry on nothing, and one lies ahead. */
beforeEach(async () => {
  here = await organisation('2026-03-06T18:00:00Z', {
    users: [
      { id: 1, name: 'Ada', role: 'admin', timezone: 'Europe/Amsterdam', working_hours: week('09:00', '17:00'), is_active: true },
      { id: 2, name: 'Bo', role: 'employee', timezone: 'Europe/Amsterdam', working_hours: week('09:00', '10:00'), is_active: true },
    ],
    projects: [
      { id: 1, name: 'Web shop', status: 'active', end_date: null },
      { id: 2, name: 'Intranet', status: 'active', end_date: null },
    ],
    holidays: [{ id: 1, name: 'Fair', date: '2026-03-06' }],
    worklogs: [
      entry(1, '2026-03-02', 480),
      entry(2, '2026-03-03', 300),
      entry(3, '2026-03-04', 240, { description: 'Review' }),
      entry(4, '2026-03-04', 240, { description: 'Review' }),
      entry(5, '2026-03-05', 420),
      entry(6, '2026-03-05', 60, { project_id: null }),
      entry(7, '2026-04-02', 30),
      entry(8, '2026-03-05', 0),
    ],
    timers: [{ id: 1, user_id: 1, started_at: '2026-03-05T08:00:00Z', description: '' }],
  });
});
afterEach(() => here.remove());

const RANGE = '2026-03-02..2026-03-06';
const fix = async (answers: NonNullable<RunOptions['answers']>, ...words: readonly string[]) => {
  here.sandbox.requests.length = 0;
  return here.svc(['check', RANGE, '--fix', ...words], { answers, env: { NO_COLOR: '1' } });
};
const writes = () =>
  here.sandbox.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => [method, path.replace('/api/v2', ''), body === '' ? null : (JSON.parse(body) as JsonObject)]);

const LOG = ['Log hours on that day', 'No work item', '3h', 'Planning', true] as const;

describe('svc check --fix', () => {
  it('logs, changes, deletes and moves entries, each after a yes, and leaves findings without a fix', async () => {
    const { code, stdout, stderr } = await fix([
      ...LOG,
      ...['Change the duration', '15m', true],
      ...['Delete 4, keep 3', true],
      ...['Choose a project', 'Intranet', true],
      // One that lies ahead too is asked for again.
      ...['Change the day', '2026-05-02', '2026-03-04', true],
    ] as NonNullable<RunOptions['answers']>);
    expect(stderr).toContain(
      '? 1 of 6: Tue 2026-03-03: 3h missing of 8h. What now?\n  Log hours on that day\n  Skip this finding\n  Stop fixing\n',
    );
    expect(stderr).toContain('The same with your answers: svc worklogs add --date 2026-03-03 --minutes 3h --description Planning\n');
    expect(stderr).toContain('Add: 3h on Tue 2026-03-03, "Planning"\n? Apply this fix?\nDone.\n');
    expect(stderr).toContain('2 of 6: Thu 2026-03-05: 0m "Work 8" is shorter than a minute. What now?\n');
    expect(stderr).toContain('Delete 4: 4h on Wed 2026-03-04, project:1, "Review"\n');
    expect(stderr).toContain('Change 6: of - → project:2\n');
    expect(stderr).toContain('2026-05-02 is in the future too. Use a day up to today.');
    expect(stderr).toContain('5 of 6: Thu 2026-03-05: A timer has been running since that day, for 34h');
    expect(stderr).toContain('Fix it yourself: svc timers stop 1 --at <time>\n');
    expect(writes()).toEqual([
      ['POST', '/worklogs', { date: '2026-03-03', minutes: 180, description: 'Planning' }],
      ['PATCH', '/worklogs/8', { minutes: 15 }],
      ['DELETE', '/worklogs/4', null],
      ['PATCH', '/worklogs/6', { work_item_id: null, project_id: 2 }],
      ['PATCH', '/worklogs/7', { date: '2026-03-04' }],
    ]);
    expect([code, stdout]).toEqual([1, '']);
    // What was mended is not found again; what an answer left, or made, is.
    expect(stderr).toContain('svc: 3 findings.\n');
    const again = JSON.parse((await here.svc(['check', RANGE])).stdout) as JsonObject[];
    expect(again.map(({ kind, ids }) => [kind, ids])).toEqual([
      ['missing-hours', [3, 7]],
      ['no-project', [9]],
      ['timer-running', [1]],
    ]);
  });

  it('keeps the billed entry of two duplicates, and deletes no entry when both are billed', async () => {
    const row = (id: number) => here.sandbox.rows('worklogs').find((one) => one.id === id) ?? {};
    Object.assign(row(4), { invoice_id: 9 });
    expect((await fix(['Skip this finding', 'Skip this finding', 'Delete 3, keep 4', true, 'Stop fixing'])).code).toBe(1);
    expect(writes()).toEqual([['DELETE', '/worklogs/3', null]]);
    Object.assign(row(5), { minutes: 60, invoice_id: 9 });
    Object.assign(row(6), { description: 'Work 5', project_id: 1, sales_invoice_row_id: 1 });
    const { stderr } = await fix(['Skip this finding', 'Skip this finding', 'Skip this finding', 'Skip this finding', 'Stop fixing']);
    expect(stderr).toContain('1h "Work 5" exists twice');
    expect(stderr).toContain('Fix it yourself: svc worklogs list --user 1 --date 2026-03-05\n');
    expect(writes()).toEqual([]);
  });

  it('changes nothing after a no or a stop', async () => {
    const { code, stderr } = await fix(['Skip this finding', 'Change the duration', '15m', false, 'Stop fixing']);
    expect([code, writes()]).toEqual([1, []]);
    expect(stderr).toContain('svc: 6 findings.');
  });

  it('continues without overwriting the change of another person', async () => {
    const changed = async () => {
      await here.svc(['worklogs', 'update', '8', '--minutes', '5']);
      here.sandbox.requests.length = 0;
      return '15m';
    };
    const { stderr } = await fix(['Skip this finding', 'Change the duration', changed, 'Delete 4, keep 3', true, 'Stop fixing']);
    expect(stderr).toContain('Somebody changed entry 8 while you were editing');
    expect(writes()).toEqual([['DELETE', '/worklogs/4', null]]);
  });

  it('reports that a delete needs a personal access token, and continues', async () => {
    await here.svc(['token', 'remove', '--yes']);
    const { stderr, code } = await fix(['Skip this finding', 'Skip this finding', 'Delete 4, keep 3', 'Stop fixing']);
    expect([code, writes()]).toEqual([1, []]);
    expect(stderr).toMatch(/personal (access )?token/);
  });

  it('ends at Ctrl-C, and keeps the finished fixes', async () => {
    const cancelled = async (): Promise<string> => {
      throw new InterruptedError('Interrupted.');
    };
    const { code } = await fix([...LOG, cancelled]);
    expect([code, writes().length]).toEqual([130, 1]);
  });

  it('logs nothing for another person, and asks no question when there is no problem', async () => {
    const { code, stderr } = await fix([], '--users', '2');
    expect([code, writes()]).toEqual([1, []]);
    expect(stderr).toContain('Fix it yourself: svc worklogs add 1h --date 2026-03-02 --user 2\n');
    const clean = await here.svc(['check', '2026-03-02', '--fix'], { answers: [], terminal: 80 });
    expect(clean).toMatchObject({ code: 0, stdout: expect.stringContaining('svc found no problems') });
  });

  it('cannot be used with --dry-run', async () => {
    const { code, stderr } = await fix([], '--dry-run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--fix asks before each fix, so --dry-run is not possible.')]);
  });
});

it('svc check finds a budget of zero minutes that its first entry exceeds', async () => {
  const id = await here.addRecord('/budgets', { name: 'Nothing', project_id: 1, budget: 0 });
  await here.svc(['api', '-X', 'PATCH', '/worklogs/1', '--input', '-'], { stdin: JSON.stringify({ budget_id: id }) });
  const rows = JSON.parse((await here.svc(['check', '2026-03-02'])).stdout) as JsonObject[];
  expect(rows).toMatchObject([{ kind: 'over-budget', minutes: 480, message: 'Budget "Nothing": 8h logged of 0m' }]);
});

it('svc check treats entries as different when their budgets differ, or when only one is billable', async () => {
  const kinds = async (of: JsonObject) => {
    Object.assign(here.sandbox.rows('worklogs').find(({ id }) => id === 4) ?? {}, of);
    const { stdout } = await here.svc(['check', '2026-03-04']);
    return (JSON.parse(stdout) as JsonObject[]).filter(({ kind }) => kind === 'duplicate').map(({ ids }) => ids);
  };
  expect(await kinds({})).toEqual([[3, 4]]);
  expect(await kinds({ budget_id: 5 })).toEqual([]);
  expect(await kinds({ budget_id: null, is_not_billable: false })).toEqual([]);
});
