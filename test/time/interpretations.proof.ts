import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { json } from '../support/http-server.ts';
import { startRecording } from '../support/recording.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

/** What the documentation leaves open, read in ways that leave out most of what svc would like to know. */
const INTERPRETATION_SETS: readonly (readonly [string, Partial<Interpretations>])[] = [
  ['the default interpretations', {}],
  ['only the required fields in summaries', { summary: 'documented' }],
  ['bare summaries', { summary: 'bare', falseInSummary: 'null' }],
  ['omitted false values', { falseInSummary: 'left-out' }],
  ['no ids in summaries', { worklogSummaryIds: 'never', me: 'documented' }],
  ['no relations', { assumedIncludes: 'refused', summary: 'documented' }],
  ['only the date filter', { hoursFilters: 'by-date', refusalType: 'invalid-query-parameter' }],
  [
    'only the date filter and no relations',
    { hoursFilters: 'refused', assumedIncludes: 'refused', summary: 'bare', parameterMember: 'errors' },
  ],
];

/** A sandbox of the test's own, on a Friday. */
async function friday(interpretations: Partial<Interpretations>): Promise<PinnedSandbox> {
  const here = await signInAt('2026-06-05T10:00:00Z', { interpretations });
  onTestFinished(() => here.remove());
  return here;
}

describe.each(INTERPRETATION_SETS)('svc with %s (rules 18.23, 18.25, 18.27)', (_, interpretations) => {
  it('shows billable hours, other hours and overtime of each project in svc report', async () => {
    const here = await friday(interpretations);
    for (const entry of [
      { date: '2031-01-06', minutes: 120, project_id: 1, user_id: 2 },
      { date: '2031-01-07', minutes: 60, project_id: 1, user_id: 2, is_not_billable: true },
      { date: '2031-01-07', minutes: 30, user_id: 2, is_overtime: true },
      { date: '2031-01-07', minutes: 500, user_id: 1 },
    ])
      await here.addRecord('/worklogs', entry);
    const { code, stdout, stderr } = await here.svc(['report', '--from', '2031-01-01', '--to', '2031-01-31', '--user', '2']);
    expect(code, stderr).toBe(0);
    const rows = JSON.parse(stdout) as JsonObject[];
    expect(rows).toMatchObject([
      { project_id: 1, minutes: 180, billable_minutes: 120, not_billable_minutes: 60, overtime_minutes: 0, billable_unknown_minutes: 0 },
      { project_id: null, project: null, minutes: 30, billable_minutes: 30, not_billable_minutes: 0, overtime_minutes: 30 },
    ]);
    expect(rows).toHaveLength(2);
  });

  it('shows your own hours of a day by project in svc week', async () => {
    const here = await friday(interpretations);
    await here.addRecord('/worklogs', { date: '2031-01-06', minutes: 120, project_id: 1, user_id: 1 });
    await here.addRecord('/worklogs', { date: '2031-01-06', minutes: 60, user_id: 1 });
    await here.addRecord('/worklogs', { date: '2031-01-06', minutes: 500, user_id: 2 });
    const { code, stdout, stderr } = await here.svc(['week', '2031-01-06']);
    expect(code, stderr).toBe(0);
    const [monday] = JSON.parse(stdout) as JsonObject[];
    expect(monday).toMatchObject({
      logged_minutes: 180,
      entries: [
        { project_id: 1, work_item_id: null, minutes: 120 },
        { project_id: null, project: 'No project', work_item_id: null, minutes: 60 },
      ],
    });
  });
});

it.each([
  ['the default interpretations', {}],
  ['only the required fields in summaries', { summary: 'documented', me: 'documented' }],
  ['bare summaries', { summary: 'bare', falseInSummary: 'left-out' }],
] as const)('svc worklogs add --like last copies the fields of your own last entry with %s (rule 18.23)', async (_, interpretations) => {
  const here = await friday(interpretations);
  await here.addRecord('/worklogs', {
    date: '2026-06-04',
    minutes: 45,
    project_id: 2,
    user_id: 1,
    description: 'Call',
    is_not_billable: true,
  });
  await here.addRecord('/worklogs', { date: '2026-06-04', minutes: 500, project_id: 1, user_id: 2 });
  here.sandbox.requests.length = 0;
  const { code, stdout, stderr } = await here.svc(['worklogs', 'add', '--like', 'last', '--no-check', '--no-context']);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ minutes: 45, project_id: 2, user_id: 1, description: 'Call', is_not_billable: true });
  expect(here.sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

describe('a service with few fields of hours (rule 18.23)', () => {
  /** Three entries, of which one shows everything. */
  const ENTRIES = [
    { id: 1, date: '2031-01-06', minutes: 120, description: 'A', work_item_id: null, is_overtime: false },
    { id: 2, date: '2031-01-06', minutes: 60, description: 'B', work_item_id: null },
    {
      id: 3,
      date: '2031-01-07',
      minutes: 30,
      description: 'C',
      work_item_id: null,
      project_id: 4,
      is_not_billable: true,
      is_overtime: true,
    },
  ];
  const silent = async () => {
    const here = await startRecording();
    onTestFinished(() => here.remove());
    here.server.fallback((request, response, socket) => {
      const isEntry = request.path.endsWith('/worklogs/1');
      const page = { data: request.path.endsWith('/worklogs') ? ENTRIES : [], meta: { page: {} }, links: { next: null } };
      const one = {
        data: isEntry ? ENTRIES[0] : { id: 7, name: 'Ada', timezone: 'Europe/Amsterdam', working_hours: 'nine to five, mostly' },
      };
      json(200, isEntry || request.path.endsWith('/me') || request.method === 'POST' ? one : page)(request, response, socket);
    });
    return here;
  };
  const RANGE = ['--from', '2031-01-01', '--to', '2031-01-31'];

  it('leads to null in JSON and empty cells in CSV for unknown values', async () => {
    const here = await silent();
    const { code, stdout, stderr } = await here.svc(['report', ...RANGE]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        project_id: null,
        project: 'unknown',
        minutes: 180,
        billable_minutes: null,
        not_billable_minutes: null,
        billable_unknown_minutes: 180,
        overtime_minutes: null,
        overtime_unknown_minutes: 60,
        entries: 2,
        share: 85.7,
      },
      {
        project_id: 4,
        project: 'Project 4',
        minutes: 30,
        billable_minutes: 0,
        not_billable_minutes: 30,
        billable_unknown_minutes: 0,
        overtime_minutes: 30,
        overtime_unknown_minutes: 0,
        entries: 1,
        share: 14.3,
      },
    ]);
    const csv = await here.svc(['report', ...RANGE, '--output', 'csv']);
    expect(csv.stdout.split('\n')[1]).toBe(',unknown,180,,,180,,60,2,85.7');
  });

  it('makes svc report print unknown billable hours and overtime, also in HTML', async () => {
    const here = await silent();
    const { stdout } = await here.svc(['report', ...RANGE], { terminal: 100, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/Unknown project +3h +85\.7% +▒+ +unknown +unknown +unknown/);
    expect(stdout).toMatch(/Project 4 +30m +14\.3% +░+ +· +30m +30m/);
    expect(stdout).toMatch(/Total +3h30 +100\.0% +unknown +unknown +unknown/);
    expect(stdout).toContain('▒ unknown');
    expect(stdout).toContain('0m are billable, and 30m are not billable. The service does not show whether another 3h are\nbillable.');
    expect(stdout).toContain('30m are overtime. The service does not show whether another 1h are overtime.');
    const file = join(here.home, 'report.html');
    await here.svc(['report', ...RANGE, '--html', file]);
    const page = await readFile(file, 'utf8');
    expect(page).toContain('<dt>Billable</dt><dd>unknown</dd>');
    expect(page).toContain('<dt>Overtime</dt><dd>unknown</dd>');
    expect(page).toContain('2031-01-06: 0m billable, 0m not billable, 3h unknown');
    expect(page).toContain('<td data-label="Billable" class="none">unknown</td>');
  });

  it('makes --like copy the visible fields, and name the hidden fields', async () => {
    const here = await silent();
    const { code, stderr } = await here.svc(['worklogs', 'add', '--like', '1', '--no-check', '--no-context', '--date', '2031-01-08']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(
      'The service does not show these fields of entry 1, so svc does not copy them: project_id, budget_id, task_id, is_not_billable.',
    );
    expect(JSON.parse(here.server.requests.at(-1)?.body ?? '')).toEqual({ date: '2031-01-08', minutes: 120, description: 'A' });
  });

  it('makes --like read the project id from a record inside the entry', async () => {
    const here = await silent();
    const entry = { id: 1, minutes: 15, description: 'A', project: { id: 4, name: 'Web shop' }, work_item: null };
    here.server.fallback(json(200, { data: entry }));
    const { code, stderr } = await here.svc(['worklogs', 'add', '--like', '1', '--no-check', '--no-context', '--date', '2031-01-08']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('these fields of entry 1, so svc does not copy them: work_item_id, budget_id, task_id, is_not_billable.');
    expect(JSON.parse(here.server.requests.at(-1)?.body ?? '')).toMatchObject({ minutes: 15, project_id: 4 });
  });

  it('makes svc week quote unreadable working hours, and print no gap (rule 18.24)', async () => {
    const here = await silent();
    const { code, stdout, stderr } = await here.svc(['week', '2031-01-06']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('svc cannot read the working hours of Ada: "nine to five, mostly"');
    expect(stderr).toContain('Set the working hours with --target.');
    const [monday] = JSON.parse(stdout) as JsonObject[];
    expect(monday).toMatchObject({ logged_minutes: 180, target_minutes: null, gap_minutes: null, away_minutes: null, fill: null });
    expect(monday?.['entries']).toEqual([{ project_id: null, project: 'unknown', work_item_id: null, work_item: null, minutes: 180 }]);
  });

  it('makes a report exit 8 for an entry without minutes', async () => {
    const here = await silent();
    here.server.fallback((request, response, socket) => {
      const page = { data: [{ id: 9, date: '2031-01-06' }], meta: { page: {} }, links: { next: null } };
      json(200, request.path.endsWith('/me') ? { data: { id: 7 } } : page)(request, response, socket);
    });
    const { code, stdout, stderr } = await here.svc(['report', ...RANGE]);
    expect(code).toBe(8);
    expect(stdout).toBe('');
    expect(stderr).toContain('The service shows the minutes of entry 9 not at all.');
  });
});

describe('working hours of a person (rule 18.24)', () => {
  it.each([
    ['start-end', 480, ''],
    ['from-to', 480, ''],
    ['per-day', 480, 'as Mon to Fri 8h'],
    ['one-time', 480, 'as Mon to Fri 8h'],
    ['list', 480, 'as Mon to Fri 8h'],
    ['minutes', 480, 'as Mon to Fri 8h'],
    ['null', null, 'has no working hours'],
    ['text', null, 'svc cannot read the working hours of Sanne de Vries'],
  ] as const)('in the form %s give the target in minutes: %s', async (workingHours, target, told) => {
    const here = await friday({ workingHours });
    const { code, stdout, stderr } = await here.svc(['week', '2026-06-01']);
    expect(code, stderr).toBe(0);
    const days = JSON.parse(stdout) as JsonObject[];
    expect(days[1]).toMatchObject({ working_minutes: target, target_minutes: target });
    if (told === '') expect(stderr).toBe('');
    else expect(stderr).toContain(told);
    expect((await here.svc(['week', '2026-06-01', '--target', '6h'])).stderr).toBe('');
  });
});
