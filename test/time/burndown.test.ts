// A sprint by day, hours against estimations: reckoned by hand.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { htmlRows } from '../support/html-rows.ts';
import { json, startHttpServer } from '../support/http-server.ts';
import { pageBody } from '../support/page-body.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

/** A Thursday, the eleventh day of the sprint over New Year. */
const NOW = '2026-01-08T10:00:00Z';

let here: PinnedSandbox;
let turn: number;
let spent: number;
let bare: number;

beforeAll(async () => {
  here = await signInAt(NOW);
  const item = async (sprint_id: number | null, title: string, estimation: number | null) =>
    here.addRecord('/work-items', { project_id: 1, title, estimation, sprint_id });
  const log = async (work_item_id: number, date: string, minutes: number) => here.addRecord('/worklogs', { work_item_id, date, minutes });
  turn = await here.addRecord('/sprints', { name: 'Turn of the year', start_date: '2025-12-29', end_date: '2026-01-11' });
  const [one, two, three, other] = [
    await item(turn, 'One', 600),
    await item(turn, 'Two', 480),
    await item(turn, 'Three', null),
    await item(null, 'Of no sprint', 999),
  ];
  // The day before, and an item that is not in it, are no part of it.
  await log(one, '2025-12-28', 60);
  await log(one, '2025-12-29', 120);
  await log(two, '2025-12-31', 200);
  await log(three, '2026-01-02', 30);
  await log(other, '2026-01-05', 500);
  await log(one, '2026-01-08', 90);
  spent = await here.addRecord('/sprints', { name: 'Spent', start_date: '2026-01-05', end_date: '2026-01-09' });
  const small = await item(spent, 'Small', 60);
  await log(small, '2026-01-06', 100);
  // Ahead of today.
  await log(small, '2026-01-09', 10);
  bare = await here.addRecord('/sprints', { name: 'Bare' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const burndown = (...argv: string[]) => here.svc(['sprints', 'burndown', ...argv]);
const daysOf = async (...argv: string[]) => {
  const { code, stdout, stderr } = await burndown(...argv);
  expect(code, stderr).toBe(0);
  return { days: JSON.parse(stdout) as JsonObject[], stderr };
};
const figures = ({ date, logged_minutes, total_minutes, remaining_minutes, ideal_minutes }: JsonObject) => [
  date,
  logged_minutes,
  total_minutes,
  remaining_minutes,
  ideal_minutes,
];

/** 600 + 480 = 1080 in two of three items; of the ideal line a fourteenth a day, 77.14. */
const TURN = [
  ['2025-12-29', 120, 120, 960, 1003],
  ['2025-12-30', 0, 120, 960, 926],
  ['2025-12-31', 200, 320, 760, 849],
  ['2026-01-01', 0, 320, 760, 771],
  ['2026-01-02', 30, 350, 730, 694],
  ['2026-01-03', 0, 350, 730, 617],
  ['2026-01-04', 0, 350, 730, 540],
  ['2026-01-05', 0, 350, 730, 463],
  ['2026-01-06', 0, 350, 730, 386],
  ['2026-01-07', 0, 350, 730, 309],
  ['2026-01-08', 90, 440, 640, 231],
  // Yet to come.
  ['2026-01-09', null, null, null, 154],
  ['2026-01-10', null, null, null, 77],
  ['2026-01-11', null, null, null, 0],
];

describe('svc sprints burndown', () => {
  it('compares the logged hours of the sprint’s work items with their estimations, day by day', async () => {
    const { days, stderr } = await daysOf(String(turn));
    expect(days.map(figures)).toEqual(TURN);
    expect(days[0]).toMatchObject({ sprint_id: turn, sprint: 'Turn of the year', estimated_minutes: 1080 });
    expect(stderr).toMatch(/^Not estimated: 1 work item \(ABC-\d+\), with 30m that count as logged\.\n$/);
    const sent = here.sandbox.requests.map(({ path }) => decodeURIComponent(path).replace('/api/v2', ''));
    expect(sent.toSorted()).toEqual([
      `/sprints/${turn}`,
      `/work-items?filter[sprint_id]=${turn}&view=detail&per_page=100`,
      expect.stringMatching(
        /^\/worklogs\?filter\[date\]\[gte\]=2025-12-29&filter\[date\]\[lte\]=2026-01-11&filter\[work_item_id\]\[in\]=\d+,\d+,\d+&per_page=100$/,
      ),
    ]);
  });

  it('accepts a name, shows values below zero, and counts future hours', async () => {
    const { days, stderr } = await daysOf('spent');
    expect(days.map(figures)).toEqual([
      ['2026-01-05', 0, 0, 60, 48],
      ['2026-01-06', 100, 100, -40, 36],
      ['2026-01-07', 0, 100, -40, 24],
      ['2026-01-08', 0, 100, -40, 12],
      ['2026-01-09', 10, 110, -50, 0],
    ]);
    expect(stderr).toBe(`Sprint: Spent (#${spent})\n`);
  });

  it('names the flags for a sprint without days, and accepts the flags', async () => {
    const none = await burndown(String(bare));
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('svc does not know the days of "Bare": the service shows no start_date and end_date.');
    expect(none.stderr).toContain('Set the days: --from 2026-06-01 --to 2026-06-14');
    const { days, stderr } = await daysOf(String(bare), '--from', '2026-01-07', '--to', 'today');
    expect(days.map(figures)).toEqual([
      ['2026-01-07', 0, 0, 0, 0],
      ['2026-01-08', 0, 0, 0, 0],
    ]);
    expect(stderr).toContain('The sprint has no work items that you can see.');
    const back = await burndown(String(turn), '--from', '2026-02-01');
    expect([back.code, back.stderr]).toEqual([2, expect.stringContaining('2026-02-01 is after 2026-01-11.')]);
    const gone = await burndown('99999');
    expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining('There is no sprint 99999.')]);
    expect((await burndown('Nope')).code).toBe(3);
  });

  it.each([
    ['no filters', { hoursFilters: 'refused', otherFilters: 'refused' }],
    ['only filters by day', { hoursFilters: 'by-date', otherFilters: 'refused', summary: 'bare' }],
    ['bare summaries', { summary: 'bare', refusalType: 'invalid-query-parameter', otherFilters: 'refused' }],
  ] as const)('prints the same burndown with %s (rules 18.23, 18.27)', async (_, interpretations) => {
    const before = { ...here.sandbox.interpretations };
    Object.assign(here.sandbox.interpretations, interpretations);
    try {
      expect((await daysOf(String(turn))).days.map(figures)).toEqual(TURN);
    } finally {
      Object.assign(here.sandbox.interpretations, before);
    }
  });

  it.each([
    // A day needs one to five columns, beside a scale of five columns.
    [110, '2026-01-28', 31 * 3],
    [80, '2026-01-28', 31 * 2],
    [67, '2026-01-28', 31 * 2],
    [60, '2026-01-28', 31],
    [60, '2026-03-28', 55],
  ])('draws in %i columns the days until %s, or only the last of these days', async (terminal, to, width) => {
    const days = ['--from', '2025-12-29', '--to', to];
    const { stdout } = await here.svc(['sprints', 'burndown', String(turn), ...days], { terminal, env: { NO_COLOR: '1' } });
    expect(/└(─+)\n/.exec(stdout)?.[1]?.length).toBe(width);
    await expect(stdout.slice(0, stdout.indexOf('DAY '))).toMatchFileSnapshot(`goldens/burndown-${terminal}-${to}.txt`);
  });

  it.each([
    ['80 columns', 'Turn of the year', 80, {}],
    ['below zero', 'Spent', 80, {}],
    ['for a screen reader', 'Spent', 80, { ACCESSIBLE: '1' }],
  ] as const)('prints a terminal chart as in the golden file (%s)', async (name, sprint, terminal, env) => {
    const { code, stdout, stderr } = await here.svc(['sprints', 'burndown', sprint], { terminal, env: { NO_COLOR: '1', ...env } });
    expect(code, stderr).toBe(0);
    await expect(stdout).toMatchFileSnapshot(`goldens/burndown-${name.replaceAll(' ', '-')}.txt`);
  });
});

describe('svc sprints burndown with hidden fields', () => {
  const from = async (items: readonly object[], worklogs: readonly object[] | number, sprint: object) => {
    const server = await startHttpServer();
    const page = (data: readonly object[]) => ({ data, meta: { page: {} }, links: { next: null } });
    server.fallback((request, response, socket) => {
      const { path } = request;
      if (path.endsWith('/sprints/7')) return json(200, { id: 7, name: 'Seven', ...sprint })(request, response, socket);
      if (path.endsWith('/work-items')) return json(200, page(items))(request, response, socket);
      if (path.endsWith('/worklogs') && typeof worklogs === 'number') {
        const type = `${server.origin}/problems/insufficient-permission`;
        return json(worklogs, { type, title: 'Forbidden', status: worklogs, detail: 'Not allowed.' })(request, response, socket);
      }
      return json(200, page(path.endsWith('/worklogs') ? (worklogs as object[]) : []))(request, response, socket);
    });
    const env = { SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc' };
    const result = await here.svc(['sprints', 'burndown', '7'], { env });
    await server.close();
    return { ...result, asked: server.requests.find(({ path }) => path.endsWith('/worklogs'))?.query };
  };
  // In Amsterdam the second moment is the sixth already.
  const DAYS = { start_date: '2026-01-05', end_date: '2026-01-05T23:30:00Z' };

  it('prints unknown remaining hours when an estimation is hidden', async () => {
    const items = [
      { id: 1, issue_key: 'ABC-1' },
      { id: 2, estimation: 60 },
    ];
    const { code, stdout, stderr } = await from(items, [{ id: 1, date: '2026-01-05', minutes: 30, work_item_id: 2 }], DAYS);
    expect(code, stderr).toBe(0);
    expect((JSON.parse(stdout) as JsonObject[]).map(figures)).toEqual([
      ['2026-01-05', 30, 30, null, null],
      ['2026-01-06', 0, 30, null, null],
    ]);
    expect(stderr).toContain('The service does not show the estimation of 1 work item (ABC-1), so svc does not know the remaining time.');
  });

  it('names the field that shows no day, and the missing permission', async () => {
    const open = await from([], [], { start_date: '2026-01-05', end_date: 'soon' });
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('the service shows no end_date.')]);
    expect(open.stderr).toContain('Set the days: --to 2026-06-14');
    const shut = await from([{ id: 2, estimation: 60 }], 403, DAYS);
    expect([shut.code, shut.stdout]).toEqual([5, '']);
    expect(shut.stderr).toContain('hours::read');
  });

  it('reads all hours of the days for 101 work items (rule 16.3)', async () => {
    const items = Array.from({ length: 101 }, (_, index) => ({ id: index + 1, estimation: 10 }));
    const worklogs = [
      { id: 1, date: '2026-01-05', minutes: 30, work_item_id: 101 },
      { id: 2, date: '2026-01-05', minutes: 50, work_item_id: 102 },
      { id: 3, date: '2026-01-05', minutes: 50, work_item_id: null },
    ];
    const { code, stdout, stderr, asked } = await from(items, worklogs, DAYS);
    expect(code, stderr).toBe(0);
    expect((JSON.parse(stdout) as JsonObject[])[0]).toMatchObject({ logged_minutes: 30, remaining_minutes: 980 });
    expect([...(asked?.keys() ?? [])]).toEqual(['filter[date][gte]', 'filter[date][lte]', 'per_page']);
  });
});

describe('svc sprints burndown --html', () => {
  it('writes a page with a chart and its table', async () => {
    const file = join(here.home, 'sprint.html');
    const { code, stdout, stderr } = await burndown(String(turn), '--html', file);
    expect([code, stdout], stderr).toEqual([0, '']);
    const page = await readFile(file, 'utf8');
    expect(page).not.toContain('<script');
    await expect(pageBody(page, here.host)).toMatchFileSnapshot('goldens/burndown-page.txt');
    expect(page).toContain('Estimated: 18h in 2 of 3 work items, 7h20 logged, 10h40 remaining.');
    expect(page).toContain('<title>Wed 2025-12-31: 3h20 logged, 12h40 remaining</title>');
    expect(htmlRows(page)).toContainEqual(['Thu 2026-01-08', '1h30', '7h20', '10h40', '3h51']);
  });
});
