import { describe, expect, it, onTestFinished } from 'vitest';
import { textWidth } from '../../src/output/text-width.ts';
import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { sent } from '../support/sent.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

/** A sandbox of the test's own, on a Friday, with an entry of somebody else today besides one's own. */
async function friday(interpretations: Partial<Interpretations> = {}): Promise<PinnedSandbox> {
  const here = await signInAt('2026-06-05T10:00:00Z', { interpretations });
  onTestFinished(() => here.remove());
  await here.addRecord('/worklogs', { date: '2026-06-05', minutes: 45, user_id: 2 });
  here.sandbox.requests.length = 0;
  return here;
}

async function statusOf(here: PinnedSandbox, env: Readonly<Record<string, string>> = {}): Promise<JsonObject> {
  here.sandbox.requests.length = 0;
  const { code, stdout, stderr } = await here.svc(['status'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(here.sandbox.requests.length).toBeLessThanOrEqual(6);
  expect(here.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  return JSON.parse(stdout) as JsonObject;
}

describe('svc status', () => {
  it('shows the same hours of today as svc week, timers and open work items, with six requests', async () => {
    const here = await friday();
    const now = await statusOf(here);
    expect(sent(here.sandbox)).toHaveLength(6);
    expect(now).toMatchObject({
      date: '2026-06-05',
      timezone: 'Europe/Amsterdam',
      user_id: 1,
      user: 'Sanne de Vries',
      working_minutes: 480,
      away_minutes: 0,
      target_minutes: 480,
      timers: [{ id: 1, project_id: 1, work_item_id: 12, work_item: 'ABC-12 Show the deleted rows', minutes: 60 }],
      outbox: { waiting: 0, unknown: 0 },
      not_known: [],
    });
    const week = JSON.parse((await here.svc(['week'])).stdout) as JsonObject[];
    const [today] = week.filter(({ date }) => date === '2026-06-05');
    expect(now['logged_minutes']).toBe(today?.['logged_minutes']);
    expect(now['missing_minutes']).toBe(today?.['gap_minutes']);
    const items = now['work_items'] as JsonObject[];
    expect(items.length).toBeGreaterThan(3);
    for (const { workflow_status: status, in_progress: doing, due_date: due } of items) {
      expect(['Done', 'Closed']).not.toContain(status);
      expect(doing === true || (typeof due === 'string' && due <= '2026-06-12')).toBe(true);
    }
    expect(items.find(({ issue_key: key }) => key === 'INT-5')).toMatchObject({
      workflow_status_id: 3,
      workflow_status: 'In review',
      overdue: true,
    });
  });

  it('counts and lists your own absence', async () => {
    const here = await friday();
    await here.addRecord('/absences', { user_id: 1, type: 'vacation', start: '2026-06-05T11:00:00Z', end: '2026-06-05T22:00:00Z' });
    const now = await statusOf(here);
    // From 13:00 to 17:00 of a day from 9 to 17.
    expect(now).toMatchObject({ working_minutes: 480, away_minutes: 240, target_minutes: 240 });
    expect(now['away']).toContainEqual({
      user_id: 1,
      user: 'Sanne de Vries',
      type: 'vacation, requested',
      from: '2026-06-05',
      to: '2026-06-05',
      running: false,
      today: true,
    });
  });

  it('shows no target when an absence possibly includes today', async () => {
    const here = await friday({ wholeDayEnd: 'same-date' });
    await here.addRecord('/absences', { user_id: 1, type: 'vacation', start: '2026-06-03T22:00:00Z', end: '2026-06-04T22:00:00Z' });
    const now = await statusOf(here);
    expect(now).toMatchObject({ target_minutes: null, missing_minutes: null });
    expect(now['away']).toContainEqual(expect.objectContaining({ user_id: 1, today: null }));
  });

  it('fits 80 columns and 24 lines, including names', async () => {
    const here = await friday();
    const { code, stdout, stderr } = await here.svc(['status'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(24);
    for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^Fri 2026-06-05 · Sanne de Vries · Europe\/Amsterdam\n\nToday {4}\S+ of 8h/);
    expect(stdout).toContain('Running  1h  ABC-12 Show the deleted rows, "Running"');
    expect(stdout).toMatch(/^Yours {4}INT-5 +In review +was due Mon 2025-07-28 +\S/m);
    expect(stdout).toContain('There is 1 more: svc work-items list --assignee me\n');
    expect(stdout).toMatch(/^Away {5}Mike .* parental +with no end yet$/m);
    expect(stdout).toContain('Outbox   The outbox is empty.\n');
  });

  it('prints the same work items in each width from 64 to 74 as in the golden file', async () => {
    const here = await friday();
    const shown: string[] = [];
    for (let terminal = 64; terminal <= 74; terminal += 1) {
      const { stdout } = await here.svc(['status'], { terminal, env: { NO_COLOR: '1' } });
      shown.push(`${terminal}\n${stdout.slice(stdout.indexOf('Yours'), stdout.indexOf('Outbox'))}`);
    }
    await expect(shown.join('')).toMatchFileSnapshot('goldens/status-widths.txt');
  });

  it('prints a notice on a day without working hours', async () => {
    const here = await signInAt('2026-06-07T10:00:00Z');
    onTestFinished(() => here.remove());
    const { stdout } = await here.svc(['status'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('Today    0m logged on a day without working hours');
  });

  it('reports that you have more work items than svc reads, and shows no work item', async () => {
    const here = await friday();
    for (let count = 0; count < 101; count += 1)
      await here.addRecord('/work-items', { project_id: 1, title: `Item ${count}`, assignee_id: 1 });
    const now = await statusOf(here);
    expect(now['work_items']).toBe(null);
    expect(JSON.stringify(now['not_known'])).toContain('You have more than 100 work items; see svc work-items list --mine.');
  });

  it('counts the waiting writes in the outbox', async () => {
    const here = await friday();
    for (const minutes of ['15', '20']) await here.svc(['worklogs', 'add', '--minutes', minutes, '--later']);
    const { stdout } = await here.svc(['status'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('Outbox   2 writes wait: svc outbox\n');
    expect((await statusOf(here))['outbox']).toEqual({ waiting: 2, unknown: 0 });
  });

  it('shows the outbox when your hours and timers are hidden', async () => {
    const here = await friday();
    await fetch(here.sandbox.controlUrl, { method: 'POST', body: JSON.stringify({ roles: { 1: 'contractor' } }) });
    const env = { NO_COLOR: '1', SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '', SVC_HOST: here.host };
    const now = await statusOf(here, env);
    expect(now).toMatchObject({ logged_minutes: null, missing_minutes: null, timers: null, outbox: { waiting: 0, unknown: 0 } });
    const { code, stdout } = await here.svc(['status'], { terminal: 80, env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Running {2}Not known: \S/m);
  });

  it('exits 4 when you are signed out', async () => {
    const here = await friday();
    await here.svc(['logout']);
    expect((await here.svc(['status'])).code).toBe(4);
  });
});

describe.each<[string, Partial<Interpretations>]>([
  ['no relations', { assumedIncludes: 'refused', summary: 'bare' }],
  ['booleans in digits', { booleans: 'digits' }],
  ['filters by day alone', { hoursFilters: 'by-date', worklogSummaryIds: 'never' }],
  [
    'another member for the name of the parameter',
    { assumedIncludes: 'refused', parameterMember: 'errors', refusalType: 'unsupported-parameter' },
  ],
])('svc status with %s (rules 18.6, 18.16, 18.23, 18.27)', (_, interpretations) => {
  it('shows every figure from the second run', async () => {
    const here = await friday(interpretations);
    const whole = await statusOf(await friday());
    const first = await statusOf(here);
    expect(first['not_known']).not.toEqual([]);
    const second = await statusOf(here);
    expect(second['not_known']).toEqual([]);
    for (const name of ['logged_minutes', 'target_minutes', 'missing_minutes']) expect(second[name], name).toBe(whole[name]);
    const ids = (now: JsonObject, name: string) => (now[name] as JsonObject[]).map(({ id, user_id: user }) => id ?? user).sort();
    for (const name of ['timers', 'away']) expect(ids(second, name), name).toEqual(ids(whole, name));
  });
});

it('svc status uses stored names when records come without names', async () => {
  const here = await friday({ assumedIncludes: 'refused' });
  await statusOf(here);
  expect((await statusOf(here))['away']).toContainEqual(expect.objectContaining({ user_id: 9, user: null }));
  for (const noun of ['users', 'workflow-statuses']) await here.svc(['__complete', '--ask', noun]);
  const now = await statusOf(here);
  expect(now['away']).toContainEqual(expect.objectContaining({ user_id: 9, user: 'María José García Pérez' }));
  expect(now['work_items']).toContainEqual(
    expect.objectContaining({ issue_key: 'INT-10', workflow_status: 'In progress', in_progress: true }),
  );
  expect(now['work_items']).not.toContainEqual(expect.objectContaining({ workflow_status: 'Done' }));
});

describe.each<[string, Partial<Interpretations>, member: string]>([
  ['no filter for hours', { hoursFilters: 'refused' }, 'logged_minutes'],
  ['no filter for work items', { otherFilters: 'refused' }, 'work_items'],
  ['unreadable working hours', { workingHours: 'text' }, 'target_minutes'],
  ['no working hours', { workingHours: 'null' }, 'target_minutes'],
])('svc status with %s (rules 18.24, 18.27)', (_, interpretations, member) => {
  it('prints null for the unknown figure, with the reason', async () => {
    const here = await friday(interpretations);
    await statusOf(here);
    const now = await statusOf(here);
    expect(now[member]).toBeNull();
    expect(now['not_known']).toContainEqual({ what: member, why: expect.stringMatching(/\S/) });
    expect(now['away']).not.toBeNull();
  });
});
