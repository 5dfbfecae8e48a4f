// How much of budgets is spent, at which rate, and when they end: reckoned by hand.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { htmlRows } from '../support/html-rows.ts';
import { type HttpServer, json, startHttpServer } from '../support/http-server.ts';
import { pageBody } from '../support/page-body.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

/** Wednesday of 2026-W03: the four full weeks before it begin on 15, 22 and 29 December and 5 January. */
const NOW = '2026-01-14T10:00:00Z';
const DAY = { start: '09:00', end: '17:00' };
const FOUR_DAYS = { monday: DAY, tuesday: DAY, wednesday: DAY, thursday: DAY };

let here: PinnedSandbox;
let project: number;
let ada: number;
const ids: Record<string, number> = {};

/** Budgets with what they hold, and what is logged on them by day. */
const BUDGETS: Readonly<Record<string, readonly [budget: number, logged: Readonly<Record<string, number>>]>> = {
  Steady: [
    3600,
    // Before the four weeks; W51; nothing in W52; both sides of New Year in W01; W02; this week.
    { '2025-11-03': 600, '2025-12-15': 240, '2025-12-31': 120, '2026-01-01': 60, '2026-01-11': 180, '2026-01-12': 300 },
  ],
  Young: [1000, { '2025-12-30': 100, '2026-01-07': 50 }],
  Fresh: [600, { '2026-01-13': 30 }],
  Empty: [600, {}],
  Over: [300, { '2025-12-01': 200, '2025-12-10': 100, '2025-12-16': 60 }],
  'Used up': [100, { '2025-10-01': 100 }],
  Nothing: [0, { '2026-01-05': 10 }],
};

beforeAll(async () => {
  here = await signInAt(NOW);
  project = await here.addRecord('/projects', { name: 'Harbour' });
  ada = await here.addRecord('/users', { name: 'Ada Four', timezone: 'Europe/Amsterdam', working_hours: FOUR_DAYS });
  for (const [name, [budget, logged]] of Object.entries(BUDGETS)) {
    const id = await here.addRecord('/budgets', { project_id: project, name, budget });
    ids[name] = id;
    for (const [date, minutes] of Object.entries(logged))
      await here.addRecord('/worklogs', { project_id: project, budget_id: id, user_id: ada, date, minutes });
  }
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

function ends(date: string | null) {
  return { projected_earliest: date, projected_latest: date };
}

const asked = () => here.sandbox.requests.map(({ method, path }) => `${method} ${decodeURIComponent(path).replace('/api/v2', '')}`);
const burn = (...argv: string[]) => here.svc(['budgets', 'burn', ...argv]);
const rowsOf = async (...argv: string[]) => {
  const { code, stdout, stderr } = await burn(...argv);
  expect(code, stderr).toBe(0);
  return { rows: new Map((JSON.parse(stdout) as JsonObject[]).map((row) => [String(row['name']), row])), stderr };
};

// Ada works 480 minutes from Monday to Thursday. From 15 December to 11 January that is 16 days, without Christmas and New Year, which are
// Thursdays: 14 days. The two weeks from 29 December on have 8 days, without New Year: 7 days. No such day until 26 April is a day off.
const FORECAST = {
  // W51 240, W52 0, W01 120 + 60, W02 180: 600 in four weeks, 150 a week, and 600 in 14 days. 2100 left are 49 days: Thursday 15 January, and
  // twelve weeks.
  Steady: {
    summed_minutes: 1500,
    weekly_minutes: 150,
    weeks: 4,
    ...ends('2026-04-09'),
    over_since: null,
    people: [expect.objectContaining({ user: 'Ada Four', minutes: 600, capacity_minutes: 14 * 480 })],
  },
  // First entry in W01, so two full weeks: 150 in two, 75 a week, and 150 in 7 days. 850 left are 39⅔ days: 15 January, nine weeks, and three
  // days.
  Young: { summed_minutes: 150, weekly_minutes: 75, weeks: 2, ...ends('2026-03-25'), over_since: null },
  // No full week yet.
  Fresh: { summed_minutes: 30, weekly_minutes: null, weeks: null, ...ends(null), over_since: null, people: [] },
  Empty: { summed_minutes: 0, weekly_minutes: 0, weeks: 4, ...ends(null), over_since: null },
  // 200, 300 (not over yet), 360. W51 60: 15 a week.
  Over: { summed_minutes: 360, weekly_minutes: 15, weeks: 4, ...ends(null), over_since: '2025-12-16' },
  'Used up': { summed_minutes: 100, weekly_minutes: 0, weeks: 4, ...ends(null), over_since: null },
  // 10 in one week, W02.
  Nothing: { summed_minutes: 10, weekly_minutes: 10, weeks: 1, ...ends(null), over_since: '2026-01-05' },
};

describe('svc budgets burn', () => {
  it('shows the spent hours that the service reports, with one request', async () => {
    const { rows, stderr } = await rowsOf('--project', String(project));
    expect(stderr).toBe('');
    expect(asked()).toEqual([`GET /budgets?filter[project_id]=${project}&view=detail&include=project&per_page=100`]);
    expect([...rows.keys()]).toEqual(['Empty', 'Fresh', 'Nothing', 'Over', 'Steady', 'Used up', 'Young']);
    // 600 + 240 + 120 + 60 + 180 + 300 = 1500 of 3600.
    expect(rows.get('Steady')).toEqual({
      id: ids['Steady'],
      name: 'Steady',
      project_id: project,
      project: 'Harbour',
      budget_minutes: 3600,
      spent_minutes: 1500,
      left_minutes: 2100,
      percent: 41.7,
      state: 'under',
      over_minutes: 0,
    });
    expect(rows.get('Over')).toMatchObject({ spent_minutes: 360, left_minutes: -60, percent: 120, state: 'over', over_minutes: 60 });
    expect(rows.get('Used up')).toMatchObject({ left_minutes: 0, percent: 100, state: 'under', over_minutes: 0 });
    expect(rows.get('Nothing')).toMatchObject({ budget_minutes: 0, percent: null, state: 'over', over_minutes: 10 });
  });

  it('--forecast reads worklogs, people and leave for all budgets together', async () => {
    const { rows, stderr } = await rowsOf('--project', String(project), '--forecast');
    expect(stderr).toBe('');
    expect(asked()[1]).toMatch(/^GET \/worklogs\?filter\[budget_id\]\[in\]=[\d,]+&view=detail&per_page=100$/);
    expect(asked().slice(2).toSorted()).toEqual([
      expect.stringMatching(
        `^GET /absences\\?filter\\[user_id\\]\\[in\\]=${ada}&filter\\[start\\]\\[lte\\]=2028-01-16T11:59:59Z&filter\\[end\\]\\[gte\\]=2025-12-14T10:00:00Z`,
      ),
      expect.stringMatching(`^GET /absences\\?filter\\[user_id\\]\\[in\\]=${ada}&.*&filter\\[end\\]\\[null\\]=true`),
      expect.stringMatching('^GET /free-days\\?'),
      expect.stringMatching('^GET /holidays\\?'),
      // The service refuses the first of these filters.
      `GET /users?filter[id][in]=${ada}&view=detail&per_page=100`,
      'GET /users?view=detail&per_page=100',
    ]);
    for (const [name, expected] of Object.entries(FORECAST)) expect(rows.get(name), name).toMatchObject(expected);
  });

  it('accepts budgets by id or by name, and refuses ambiguous and unknown budgets', async () => {
    const { rows } = await rowsOf(String(ids['Young']), '--forecast');
    expect([...rows.keys()]).toEqual(['Young']);
    expect(rows.get('Young')).toMatchObject(FORECAST.Young);
    expect(asked().slice(0, 2)).toEqual([
      `GET /budgets/${ids['Young']}?include=project`,
      `GET /worklogs?filter[budget_id]=${ids['Young']}&view=detail&per_page=100`,
    ]);
    expect([...(await rowsOf('steady', 'Harbour: Young')).rows.keys()]).toEqual(['Steady', 'Young']);
    const many = await burn('Build');
    expect(many.code).toBe(2);
    expect(many.stderr).toContain('"Build" names 8 budgets.');
    expect(many.stderr).toContain('Web shop: Build (#3)');
    const none = await burn('99999');
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('There is no budget 99999 that you can see.')]);
    expect((await burn('Nope')).code).toBe(3);
  });

  it.each([
    ['80 columns', ['--project', 'Harbour', '--forecast'], 80, {}],
    ['one budget, with its weeks', ['Steady', '--forecast'], 80, {}],
    ['an overrun budget', ['Over', '--forecast'], 80, {}],
    ['40 columns', ['--project', 'Harbour', '--forecast'], 40, {}],
    ['for a screen reader', ['Over', '--forecast'], 80, { ACCESSIBLE: '1' }],
  ] as const)('prints a terminal table as in the golden file (%s)', async (name, argv, terminal, env) => {
    const { code, stdout, stderr } = await here.svc(['budgets', 'burn', ...argv], { terminal, env: { NO_COLOR: '1', ...env } });
    expect(code, stderr).toBe(0);
    await expect(stdout).toMatchFileSnapshot(`goldens/burn-${name.replaceAll(/[^a-z0-9]+/gi, '-')}.txt`);
    if (!('ACCESSIBLE' in env)) for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(terminal);
  });
});

describe('svc budgets burn with hidden fields', () => {
  let server: HttpServer;
  afterAll(() => server.close());
  const page = (data: readonly object[]) => ({ data, meta: { page: {} }, links: { next: null } });
  const rowsFrom = async (budgets: readonly object[], worklogs: readonly object[] | number, ...argv: string[]) => {
    server = await startHttpServer();
    server.fallback((request, response, socket) => {
      if (!request.path.endsWith('/worklogs'))
        return json(200, page(request.path.endsWith('/budgets') ? budgets : []))(request, response, socket);
      if (typeof worklogs !== 'number') return json(200, page(worklogs))(request, response, socket);
      const type = `${server.origin}/problems/insufficient-permission`;
      return json(worklogs, { type, title: 'Forbidden', status: worklogs, detail: 'Not allowed.' })(request, response, socket);
    });
    const env = { SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc', TZ: 'Europe/Amsterdam' };
    const { code, stdout, stderr } = await here.svc(['budgets', 'burn', ...argv], { env });
    expect(code, stderr).toBe(0);
    const sent = server.requests.map(({ path }) => path.split('/').at(-1));
    return { rows: JSON.parse(stdout) as JsonObject[], stderr, sent };
  };
  const at = (budget_id: number | undefined, date: string, minutes: number) => ({ id: 1, budget_id, date, minutes });

  it('adds up worklogs when a budget hides its logged hours', async () => {
    const { rows, stderr } = await rowsFrom(
      [{ id: 4, name: 'Build', project_id: 2, budget: 100 }],
      [at(4, '2026-01-05', 70), at(4, '2026-01-06', 40)],
    );
    expect(rows).toMatchObject([{ spent_minutes: 110, left_minutes: -10, over_minutes: 10, project_id: 2, project: null }]);
    expect(stderr).not.toContain('add up');
  });

  it('uses the service’s figure when sums differ, and shows no rate without all worklogs', async () => {
    const build = { id: 4, name: 'Build', project: { id: 2, name: 'Shop' }, budget: 1000, logged_minutes: 500 };
    // The other budget has 20 more worklogs than the service counts: all of them are known.
    const care = { id: 5, name: 'Care', project: { id: 2, name: 'Shop' }, budget: 1000, logged_minutes: 60 };
    const { rows, stderr } = await rowsFrom([build, care], [at(4, '2026-01-05', 70), at(5, '2026-01-05', 80)], '--forecast');
    expect(rows).toMatchObject([
      { spent_minutes: 500, summed_minutes: 70, weekly_minutes: null, ...ends(null) },
      // The worklogs do not show their user, so nobody knows the working hours behind the rate.
      {
        spent_minutes: 60,
        summed_minutes: 80,
        weekly_minutes: 80,
        ...ends(null),
        people: [{ user_id: null, minutes: 80, capacity_minutes: null }],
      },
    ]);
    expect(stderr).toContain(
      'Shop: Build: the service reports 8h20, and the worklogs add up to 1h10. svc uses the first figure. You have no permission to read some worklogs',
    );
    expect(stderr).toContain('Shop: Care: the service reports 1h, and the worklogs add up to 1h20. svc uses the first figure.\n');
  });

  it('shows spent hours, but no rate and no end, without permission for hours', async () => {
    const { rows, stderr } = await rowsFrom([{ id: 4, name: 'Build', budget: 1000, logged_minutes: 500 }], 403, '--forecast');
    expect(rows).toMatchObject([{ spent_minutes: 500, summed_minutes: null, weekly_minutes: null, ...ends(null), over_since: null }]);
    expect(stderr).toContain('svc reads no worklogs: ');
    expect(stderr).toContain('hours::read');
    const off = await rowsFrom([{ id: 4, name: 'Build', budget: 1000, logged_minutes: 500 }], 404, '--forecast');
    expect(off.rows).toMatchObject([{ spent_minutes: 500, summed_minutes: null }]);
  });

  it('shows unknown figures when no field gives them', async () => {
    const { rows, stderr } = await rowsFrom(
      [
        { id: 4, name: 'Build' },
        { id: 5, name: 'Open', budget: null, logged_minutes: 30 },
      ],
      403,
    );
    expect(rows).toMatchObject([
      { budget_minutes: null, spent_minutes: null, left_minutes: null, percent: null, state: null, over_minutes: null },
      { budget_minutes: null, spent_minutes: 30, left_minutes: null, percent: null, state: null, over_minutes: null },
    ]);
    expect(stderr).toContain('The service does not show how much time 1 budget has.');
    expect(stderr).toContain('The spent hours of 1 budget are unknown');
  });

  it('shows unknown sums when worklogs hide budgets, and reads no worklogs without budgets', async () => {
    const two = [
      { id: 4, name: 'Build', budget: 100, logged_minutes: 10 },
      { id: 5, name: 'Care', budget: 100, logged_minutes: 0 },
    ];
    const { rows, stderr } = await rowsFrom(two, [at(undefined, '2026-01-05', 10)], '--forecast');
    expect(rows).toMatchObject([
      { summed_minutes: null, weekly_minutes: null },
      { summed_minutes: null, weekly_minutes: null },
    ]);
    expect(stderr).toContain('The service does not show the budget of a worklog');
    const none = await rowsFrom([], [], '--forecast');
    expect(none.rows).toEqual([]);
    expect(none.stderr).toContain('There are no budgets.');
    expect(none.sent).not.toContain('worklogs');
  });
});

describe('svc budgets burn --html', () => {
  it('writes a page with a chart and a table for each budget with worklogs', async () => {
    const file = join(here.home, 'burn.html');
    const { code, stdout, stderr } = await burn('--project', String(project), '--html', file);
    expect([code, stdout], stderr).toEqual([0, '']);
    const page = await readFile(file, 'utf8');
    expect(page).not.toContain('<script');
    await expect(pageBody(page, here.host)).toMatchFileSnapshot('goldens/burn-page.txt');
    expect(page.match(/<svg class="chart" role="img" aria-label="[^"]+">/g)).toHaveLength(6);
    // The table of all budgets, and a table below each chart.
    expect(page.match(/<table/g)).toHaveLength(7);
    expect(page).toContain('Harbour: Steady: 25h of 60h, 41.7% used, 2h30 a week, ends on 2026-04-09');
    // Eleven weeks, from that of 3 November to this one, the empty ones too.
    expect(htmlRows(page)).toContainEqual(['2025-W52', '–', '14h']);
    // One project needs no heading. With several projects, budgets are below their project.
    expect(page).not.toContain('<tr class="depth');
    expect((await burn('--html', file)).code).toBe(0);
    const rows = [
      ...(await readFile(file, 'utf8')).matchAll(/<tr class="(depth\d)"><th scope="row"(?: colspan="\d+")?>(?:<bdi>)?([\w ]+)/g),
    ];
    const levels = new Map(rows.map(([, level, name]) => [name, level]));
    expect([levels.get('Harbour'), levels.get('Steady')]).toEqual(['depth0', 'depth1']);
    expect(page).toContain('<p>Harbour: Over is over by 1h, since <time>2025-12-16</time>.</p>');
  });
});

// Last, since what was refused is not asked for again.
describe('svc budgets burn at a service that accepts fewer parameters', () => {
  it.each([
    ['no filter by budget or project', { hoursFilters: 'refused', otherFilters: 'refused' }],
    ['no includes and bare summaries', { assumedIncludes: 'refused', summary: 'bare', refusalType: 'invalid-query-parameter' }],
    ['all of these limits', { hoursFilters: 'refused', otherFilters: 'refused', assumedIncludes: 'refused', summary: 'bare' }],
  ] as const)('prints the same figures with %s (rules 18.23, 18.27)', async (_, interpretations) => {
    const before = { ...here.sandbox.interpretations };
    Object.assign(here.sandbox.interpretations, interpretations);
    try {
      const { rows, stderr } = await rowsOf('--project', String(project), '--forecast');
      expect(rows.size).toBe(7);
      for (const [name, expected] of Object.entries(FORECAST))
        expect(rows.get(name), name).toMatchObject({ id: ids[name], project_id: project, ...expected });
      if ('hoursFilters' in interpretations) expect(stderr).toContain('The service does not filter worklogs by budget_id');
    } finally {
      Object.assign(here.sandbox.interpretations, before);
    }
  });
});
