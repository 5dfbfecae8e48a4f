// The hours of another week, or day, once more.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { hiding } from '../commands/billing/support.ts';
import { type PinnedSandbox, signInAt } from './support.ts';
import { hurriedFrom } from './timing.ts';

let here: PinnedSandbox;
beforeAll(async () => {
  // The sandbox logs nothing three years ahead of its clock. The weeks 10 and 11 of 2036 begin on 3 and 10 March.
  here = await signInAt('2033-03-16T10:00:00Z');
  await here.addRecord('/worklogs', { date: '2036-03-03', minutes: 60, description: 'Plan', work_item_id: 12, is_not_billable: true });
  await here.addRecord('/worklogs', { date: '2036-03-03', minutes: 15, description: 'Stand-up', project_id: 3 });
  await here.addRecord('/worklogs', { date: '2036-03-03', minutes: 15, description: 'Stand-up', project_id: 3 });
  await here.addRecord('/worklogs', { date: '2036-03-04', minutes: 90, description: 'Review', project_id: 3, is_overtime: true });
  await here.addRecord('/worklogs', { date: '2036-03-07', minutes: 30, project_id: 3 });
  await here.addRecord('/worklogs', { date: '2036-03-03', minutes: 480, description: 'Of somebody else', user_id: 2 });
  await here.addRecord('/worklogs', { date: '2036-03-10', minutes: 15, description: ' Stand-up', project_id: 3 });
  await here.addRecord('/holidays', { name: 'Town fair', date: '2036-03-14' });
  // No entry of the Thursday before is left out.
  await here.addRecord('/holidays', { name: 'Eve of the fair', date: '2036-03-13' });
  await here.addRecord('/absences', { user_id: 1, type: 'vacation', start: '2033-03-15T08:00:00Z', end: '2033-03-16T16:00:00Z' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const copy = (...words: string[]) => here.svc(['worklogs', 'copy', ...words]);
const posted = () =>
  here.sandbox.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body) as JsonObject)
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

const WEEKS = ['--week', '2036-W10', '--to', '2036-W11'];

/** The fifteen minutes of which there is one already, the holiday and the overtime are not among them as they were. */
const WANTED = [
  { date: '2036-03-10', minutes: 15, description: 'Stand-up', project_id: 3 },
  { date: '2036-03-10', minutes: 60, description: 'Plan', project_id: 1, work_item_id: 12, is_not_billable: true },
  { date: '2036-03-11', minutes: 90, description: 'Review', project_id: 3 },
];

describe('svc worklogs copy', () => {
  it('shows the new entries, and logs nothing without a yes', async () => {
    const { code, stdout, stderr } = await copy(...WEEKS);
    expect(code, stderr).toBe(0);
    const project = { project: 'Mobile app 📱', project_id: 3, work_item: null, work_item_id: null };
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ date: '2036-03-10', minutes: 60, project: 'Aurora: billing and change', project_id: 1 },
        ...{ work_item: 'ABC-12 Show the deleted rows', work_item_id: 12, description: 'Plan' },
      },
      { date: '2036-03-10', minutes: 15, ...project, description: 'Stand-up' },
      { date: '2036-03-11', minutes: 90, ...project, description: 'Review' },
    ]);
    expect(stderr).toBe(
      [
        'Left out: 1 entry on Fri 2036-03-14, Town fair (holiday).',
        'Left out: 1 entry that you logged already.',
        'svc copies 1 entry of overtime as normal hours.',
        'svc sent nothing. To log 3 entries, 2h45 in all, run the same command with --yes.',
        '',
      ].join('\n'),
    );
    const table = await here.svc(['worklogs', 'copy', ...WEEKS], { terminal: 100, env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^DATE +MINUTES +PROJECT +WORK ITEM +DESCRIPTION\n2036-03-10 +1h +Aurora/);
    expect(posted()).toEqual([]);
  });

  it('shows the requests in a dry run', async () => {
    const { stdout } = await copy(...WEEKS, '--dry-run');
    expect((JSON.parse(stdout) as { readonly body: JsonObject }[]).map(({ body }) => body['minutes'])).toEqual([60, 15, 90]);
    expect(posted()).toEqual([]);
  });

  it('adds the entries to a plan without a question, and does not report the entries as logged', async () => {
    const plan = join(here.home, 'copy.plan');
    const { code, stderr } = await copy(...WEEKS, '--plan', plan);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('Logged');
    expect(posted()).toEqual([]);
    expect((await readFile(plan, 'utf8')).match(/2036-03-1/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('logs the entries after a yes, leaves out existing entries, and logs nothing at a repeat', async () => {
    const no = await here.svc(['worklogs', 'copy', ...WEEKS], { answers: [false] });
    expect(no.stderr).toContain('svc logged nothing.');
    expect(posted()).toEqual([]);
    const { code, stderr } = await here.svc(['worklogs', 'copy', ...WEEKS], { answers: [true] });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Logged: 1h30 on Tue 2036-03-11.');
    expect(posted()).toEqual(WANTED);
    here.sandbox.requests.length = 0;
    const again = await copy(...WEEKS, '--yes');
    expect(again).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(again.stderr).toContain('There is nothing left to copy.');
    expect(posted()).toEqual([]);
  });

  it('copies a day to another day, and a week to another week', async () => {
    expect((await copy('--day', '2036-03-07', '--to', '2036-05-05', '--yes')).stderr).toBe('Logged: 30m on Mon 2036-05-05.\n');
    expect(posted()).toEqual([{ date: '2036-05-05', minutes: 30, project_id: 3 }]);
    here.sandbox.requests.length = 0;
    await copy('--week', '2036-05-07', '--to', '2036-W20', '--yes');
    expect(posted()).toEqual([{ date: '2036-05-12', minutes: 30, project_id: 3 }]);
    here.sandbox.requests.length = 0;
    // Today is a day of leave.
    expect((await copy('--day', '2036-03-07', '--yes')).stderr).toContain(
      'Left out: 1 entry on Wed 2033-03-16, Absent until 17:00 (vacation, requested).',
    );
    expect((await copy('--day', '2036-06-04', '--yes')).stderr).toContain('There is nothing to copy.');
  });

  it('copies entries to a day without working hours', async () => {
    await here.addRecord('/worklogs', { date: '2036-06-07', minutes: 25, work_item_id: 12 });
    here.sandbox.requests.length = 0;
    expect((await copy('--day', '2036-06-07', '--to', '2036-06-14', '--yes')).stderr).toBe('Logged: 25m on Sat 2036-06-14.\n');
    // The copy has the same work item, so its project does not matter.
    const hidden = hiding('/worklogs', ['project_id', 'project']);
    const again = await here.svc(['worklogs', 'copy', '--day', '2036-06-07', '--to', '2036-06-14', '--yes'], { around: hidden });
    expect(again.stderr).toContain('Left out: 1 entry that you logged already.');
    const other = await here.svc(['worklogs', 'copy', '--day', '2036-03-07', '--to', '2036-06-14'], { around: hidden });
    expect(JSON.parse(other.stdout)).toMatchObject([{ project: 'unknown', project_id: null }]);
    expect(other.stderr).toContain('The service does not show these fields of each entry, so svc does not copy them: project_id.\n');
  });

  it('shows only the copy without an answer as unconfirmed after a failure', async () => {
    await here.addRecord('/worklogs', { date: '2036-06-23', minutes: 20, description: 'Early' });
    await here.addRecord('/worklogs', { date: '2036-06-24', minutes: 40, description: 'Late' });
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', skip: 1, times: 99, drop: 'before' }]);
    const failed = await here.svc(['worklogs', 'copy', '--week', '2036-06-23', '--to', '2036-06-30', '--yes'], hurriedFrom(here.now));
    here.sandbox.setFaults([]);
    expect([failed.code, failed.stderr]).toEqual([8, expect.stringContaining('Logged: 20m on Mon 2036-06-30.\n')]);
    const outbox = JSON.parse((await here.svc(['outbox'])).stdout) as readonly JsonObject[];
    expect(outbox.map(({ outcome, what }) => [outcome, what])).toEqual([['unknown', expect.stringContaining('minutes 40')]]);
    await here.svc(['outbox', 'send', '--yes']);
  });

  it.each([
    [[], 'svc needs the days to copy.'],
    [['--week', 'last', '--day', 'today'], 'You cannot use --week and --day together.'],
    [['--week', 'this'], '2033-03-14 would be copied onto itself.'],
    [['--day', 'today'], '2033-03-16 would be copied onto itself.'],
    [['--day', 'soon'], '"soon" is not a date.'],
  ])('refuses %j, and sends nothing', async (words, message) => {
    const { code, stderr } = await copy(...words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(here.sandbox.requests).toEqual([]);
  });
});
