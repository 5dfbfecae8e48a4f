// What a check cannot know: what the service leaves open, what may not be seen, fields that are not shown. It says so, and finds nothing of it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import type { RunOptions } from '../support/svc.ts';
import { type CheckedHours, checkedHours } from './checked-hours.ts';

let here: CheckedHours;
beforeAll(async () => {
  here = await checkedHours();
});
afterAll(() => here.remove());
afterEach(() => here.restore());

const run: CheckedHours['check'] = (...how) => here.check(...how);

const WHOLE = ['2027-02-01..2027-03-31', '--team'];

describe('svc check with different interpretations', () => {
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
  ] as const)('finds the same problems with %j', async (interpretations) => {
    usual ??= (await run(['2027-03-01..2027-03-31', '--users', '1,3,4,6'])).rows;
    Object.assign(here.sandbox.interpretations, interpretations);
    const { rows, code } = await run(['2027-03-01..2027-03-31', '--users', '1,3,4,6']);
    // That a row's entries can be listed is assumed; no row is named here.
    expect(rows).toEqual(usual);
    expect(code).toBe(1);
  });

  it('finds a differing row when the service lists rows only under invoices', async () => {
    Object.assign(here.sandbox.interpretations, { topLevelChildren: false });
    expect((await run(['2027-02-01', '--users', '1'])).short).toContain('row-differs   10');
  });

  it('skips rows whose entries the service does not list', async () => {
    Object.assign(here.sandbox.interpretations, { otherFilters: 'refused' });
    const { rows, stderr } = await run(['2027-02-01', '--users', '1']);
    expect(rows.map(({ kind, not_judged: not }) => [kind, not])).toEqual([
      ['missing-hours', null],
      ['unknown', ['row-differs']],
    ]);
    expect(stderr).toContain('Not checked (row-differs): The service does not list the worklogs of a row');
  });

  it.each([
    // Leave on the 9th is sure where it ends with the midnight after; on the 10th nothing was logged, and it may be leave too.
    [
      { wholeDayEnd: 'next-midnight' },
      ['hours-on-leave 3 2027-03-09 480'],
      'svc does not know whether an absence includes its end, 2027-03-10',
    ],
  ] as const)('skips a last day that leave may include, with %j', async (interpretations, sure, message) => {
    Object.assign(here.sandbox.interpretations, interpretations);
    const { rows, short, code } = await run(['2027-03-09..2027-03-10', '--users', 'Yoko']);
    expect([short.slice(0, -1), rows.at(-1)?.['not_judged'], rows.at(-1)?.['message'], code]).toEqual([
      sure,
      ['missing-hours', 'hours-on-leave'],
      message,
      1,
    ]);
  });

  it.each([{ absenceBounds: 'date' }, { wholeDayEnd: 'same-date' }] as const)(
    'reads an absence that begins and ends on one day as that day, with %j',
    async (interpretations) => {
      Object.assign(here.sandbox.interpretations, interpretations);
      const { short, code } = await run(['2027-03-09..2027-03-10', '--users', 'Yoko']);
      expect([short, code]).toEqual([['missing-hours 3 2027-03-10 480', 'hours-on-leave 3 2027-03-09 480'], 1]);
    },
  );

  it.each(['null', 'text'] as const)('reports unchecked missing hours when working hours are %s, and exits 1', async (workingHours) => {
    Object.assign(here.sandbox.interpretations, { workingHours });
    const { rows, code, stderr } = await run(['2026-12-28..2026-12-31']);
    expect(rows.map(({ kind, not_judged: not, date }) => [kind, not, date])).toEqual([
      ['hours-on-leave', null, '2026-12-31'],
      ['unknown', ['missing-hours'], null],
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 finding, and 1 check that svc could not make.')]);
  });

  it('prints its interpretation of ambiguous working hours', async () => {
    Object.assign(here.sandbox.interpretations, { workingHours: 'one-time' });
    const { stderr } = await run(['2026-12-28..2026-12-30', '--users', '1,3']);
    expect(stderr).toContain('The working hours of Ada and 1 other are not clear. svc assumes Mon to Fri 8h.');
  });
});

describe('data that you have no permission to see', () => {
  it('is named with its permission, and makes the check exit 1', async () => {
    here.sandbox.setRole(1, 'employee');
    const { rows, code, stderr } = await run(WHOLE, { env: here.ownToken() });
    expect(code).toBe(1);
    const missing = rows.filter(({ kind }) => kind === 'missing-hours');
    expect(new Set(missing.map(({ user }) => user))).toEqual(new Set(['Ada']));
    expect(rows.filter(({ kind }) => kind === 'unknown').map(({ not_judged: not, message }) => [not, message])).toEqual([
      [['missing-hours', 'hours-on-leave'], expect.stringContaining('absences::manage')],
      [['row-differs'], expect.stringContaining('sales_invoices::read')],
    ]);
    expect(stderr).toMatch(/Not checked \(missing-hours, hours-on-leave\): .*absences::manage/);
    expect(stderr).toMatch(/Not checked \(row-differs\): .*sales_invoices::read/);
  });

  it('ends the check when the worklogs themselves are hidden', async () => {
    here.sandbox.setRole(1, 'contractor');
    const { code, stderr } = await run(['2027-03-01'], { env: here.ownToken() });
    expect([code, stderr]).toEqual([5, expect.stringContaining('hours::read')]);
  });

  it('prevents only the check of timers when the timers are hidden', async () => {
    here.sandbox.setFaults([{ method: 'GET', path: '/timers', status: 403, times: 9 }]);
    const { code, rows, stderr } = await run(['2026-12-28..2026-12-30']);
    expect([code, rows.map(({ not_judged: not }) => not)]).toEqual([1, [['timer-running']]]);
    expect(stderr).toContain('1 check that svc could not make.');
  });
});

it('svc check exits 0 without a finding when the organisation has no timers, holidays or free days', async () => {
  here.sandbox.setFaults(['/timers', '/holidays', '/free-days'].map((path) => ({ method: 'GET', path, status: 404, times: 9 })));
  const { code, rows } = await run(['2026-12-28..2026-12-30']);
  expect([code, rows]).toEqual([0, []]);
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

describe('hidden fields', () => {
  it.each<[readonly string[], readonly (readonly string[])[]]>([
    [
      ['sales_invoice_row_id', 'invoice_id'],
      [['not-billed'], ['row-differs']],
    ],
    [['sales_invoice_row_id'], [['not-billed'], ['row-differs']]],
    [['is_not_billable'], [['not-billed']]],
    [['budget_id', 'exceeded_budget'], [['over-budget']]],
    [['reviewed_by'], [['not-reviewed']]],
    [['project_id', 'project', 'work_item_id', 'work_item'], [['duplicate', 'no-project']]],
    [['is_overtime'], []],
  ])('lead to notices about the checks that need the fields, and to no findings (fields %j, checks %j)', async (fields, expected) => {
    const { rows, short } = await run(['2027-02-03..2027-02-04'], { around: hiding(...fields) });
    expect(rows.filter(({ kind }) => kind === 'unknown').map(({ not_judged: not }) => not)).toEqual(expected);
    const about = new Set(expected.flat());
    expect(short.filter((line) => about.has(line.split(' ')[0] ?? ''))).toEqual([]);
  });

  it('lead to a notice when entries do not show their users', async () => {
    const { rows } = await run(['2027-02-04', '--users', '1,2'], { around: hiding('user_id') });
    expect(rows.filter(({ kind }) => kind === 'unknown').map(({ message }) => message)).toContain(
      'The service does not show the users of all entries',
    );
  });

  it('lead to no missing hours and no duplicates on a day with entries of unknown users', async () => {
    // Ada and Yoko logged 480 each on the 31st, which is nobody knows whose; the day before neither did.
    const rows = here.sandbox.rows('worklogs').filter(({ date }) => date === '2027-03-31');
    const before = rows.map(({ description }) => description);
    for (const row of rows) Object.assign(row, { description: 'The same' });
    try {
      const words = ['2027-03-30..2027-03-31', '--users', '1,3'];
      const { rows: found, short } = await run(words, { around: hiding('user_id') });
      expect(short.filter((line) => !line.startsWith('unknown'))).toEqual([
        'missing-hours 1 2027-03-30 480',
        'missing-hours 3 2027-03-30 480',
      ]);
      expect(found.find(({ message }) => message === 'The service does not show the users of all entries')?.['not_judged']).toEqual([
        'missing-hours',
        'hours-on-leave',
        'impossible-day',
        'duplicate',
        'no-project',
      ]);
    } finally {
      for (const [index, row] of rows.entries()) Object.assign(row, { description: before[index] });
    }
  });
});
