import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { defaultInterpretations, type Interpretations } from '../../src/sandbox/interpretations.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { json } from '../support/http-server.ts';
import { startRecording } from '../support/recording.ts';
import { sent } from '../support/sent.ts';
import { type PinnedSandbox, screen, signInAt } from './support.ts';

let here: PinnedSandbox;
const id: Record<string, number> = {};

// At 95.05 an hour 20 minutes are 31.6833, so 31.68; 90 minutes are 142.575, so 142.58. Billable hours of Acme in May:
//   Site  20 + 20 + 20 = 1:00   31.68 * 3 = 95.04 (and not 95.05: the amounts that are shown add up)
//   App   90           = 1:30   142.58
//   together           = 2:30   237.62
// and 25 on Site that are not billable: 2:55 in all.
beforeAll(async () => {
  here = await signInAt('2026-06-19T10:00:00Z');
  const addRecord = async (name: string, path: string, body: JsonObject) => {
    id[name] = await here.addRecord(path, body);
  };
  await addRecord('Acme', '/customers', {
    name: 'Acme & Söhne',
    address: 'Main Street 1\n2nd floor',
    postal_code: '1015 BA',
    city: 'Amsterdam',
  });
  await addRecord('Other', '/customers', { name: 'Borealis' });
  await addRecord('Empty', '/customers', { name: 'Nothing Ltd' });
  await addRecord('Site', '/projects', { name: 'Site', customer_id: id['Acme'] ?? 0 });
  await addRecord('App', '/projects', { name: 'App', customer_id: id['Acme'] ?? 0 });
  await addRecord('Shop', '/projects', { name: 'Shop', customer_id: id['Other'] ?? 0 });
  await addRecord('W1', '/work-items', { title: 'Login', project_id: id['Site'] ?? 0 });
  for (const [date, minutes, project, description, more] of [
    ['2031-05-05', 20, 'Site', 'Fixed <b>login</b>\nand menu', { work_item_id: id['W1'] }],
    ['2031-05-05', 20, 'Site', 'Talk', { user_id: 2 }],
    ['2031-05-06', 20, 'Site', '=1+1', {}],
    ['2031-05-06', 90, 'App', '', {}],
    ['2031-05-07', 25, 'Site', 'Own mistake', { is_not_billable: true }],
    ['2031-05-07', 500, 'Shop', 'Somebody else’s', {}],
    ['2031-06-01', 45, 'Site', 'Later', {}],
  ] as const)
    await here.addRecord('/worklogs', { date, minutes, description, user_id: 1, project_id: id[project], ...more } as JsonObject);
});
afterAll(() => here.remove());
afterEach(() => turn({}));

/** Turns the sandbox to another reading of the documentation. */
function turn(interpretations: Partial<Interpretations>): void {
  Object.assign(here.sandbox.interpretations, defaultInterpretations(), interpretations);
}

const MAY = ['report', '2031-05', '--for', 'acme & söhne'];
const plain = { terminal: 80, env: { NO_COLOR: '1' } };

const sheet = async (...flags: readonly string[]) => {
  here.sandbox.requests.length = 0;
  const { code, stdout, stderr } = await here.svc([...MAY, ...flags]);
  expect(code, stderr).toBe(0);
  return { rows: JSON.parse(stdout) as JsonObject[], stderr };
};

describe('svc report --for a customer', () => {
  it('prints a record for each billable entry, by day, with amounts to the cent', async () => {
    const { rows, stderr } = await sheet('--rate', '95.05');
    expect(rows.map(({ date, description, minutes, hours, amount }) => [date, description, minutes, hours, amount])).toEqual([
      ['2031-05-05', 'Fixed <b>login</b>\nand menu', 20, '0:20', '31.68'],
      ['2031-05-05', 'Talk', 20, '0:20', '31.68'],
      ['2031-05-06', '=1+1', 20, '0:20', '31.68'],
      ['2031-05-06', '', 90, '1:30', '142.58'],
    ]);
    expect(rows[0]).toEqual({
      id: expect.any(Number),
      date: '2031-05-05',
      project_id: id['Site'],
      project: 'Site',
      user_id: 1,
      user: 'Sanne de Vries',
      work_item_id: id['W1'],
      work_item: 'Login',
      description: 'Fixed <b>login</b>\nand menu',
      minutes: 20,
      hours: '0:20',
      billable: true,
      amount: '31.68',
    });
    expect(stderr).toContain('Left out, because not billable: 1 entry (25m). To include these entries: --all');
  });

  it('reads the customer and the projects before the hours', async () => {
    await sheet();
    const [first, ...others] = sent(here.sandbox).map((line) => line.replace('/api/v2', ''));
    expect(first).toBe('GET /customers?per_page=100');
    expect(others.slice(0, 2).sort()).toEqual([
      `GET /customers/${id['Acme']}`,
      `GET /projects?filter[customer_id]=${id['Acme']}&view=detail&per_page=100`,
    ]);
    expect(others[2]).toMatch(
      /^GET \/worklogs\?filter\[date\]\[gte\]=2031-05-01&filter\[date\]\[lte\]=2031-05-31&filter\[project_id\]\[in\]=/,
    );
  });

  it('has the fields of the groups in --by, and includes non-billable entries with --all', async () => {
    const { rows, stderr } = await sheet('--all', '--by', 'customer,label,week', '--rate', '95.05', '--hours', 'decimal');
    expect(rows.map(({ customer, labels, week, hours, billable, amount }) => [customer, labels, week, hours, billable, amount])).toEqual([
      ['Acme & Söhne', [], '2031-W19', '0.33', true, '31.68'],
      ['Acme & Söhne', [], '2031-W19', '0.33', true, '31.68'],
      ['Acme & Söhne', [], '2031-W19', '0.33', true, '31.68'],
      ['Acme & Söhne', [], '2031-W19', '1.50', true, '142.58'],
      ['Acme & Söhne', [], '2031-W19', '0.42', false, null],
    ]);
    expect(stderr).not.toContain('Left out');
  });

  it('can be limited to a person or a project of the customer', async () => {
    expect((await sheet('--user', '2')).rows.map(({ minutes }) => minutes)).toEqual([20]);
    expect((await sheet('--project', 'App')).rows.map(({ minutes }) => minutes)).toEqual([90]);
  });

  it('prints that no hours were logged, and a notice, for a customer without projects', async () => {
    const { code, stdout, stderr } = await here.svc(['report', '2031-05', '--for', 'Nothing Ltd'], plain);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe('Hours for Nothing Ltd, 2031-05-01 to 2031-05-31\n\nNo hours were logged.\n');
    expect(stderr).toContain('You can see no project that is billed to Nothing Ltd.');
  });

  it('prints CSV without cells that a spreadsheet runs', async () => {
    const { stdout } = await here.svc([...MAY, '--fields', 'date,description,hours', '--hours', 'decimal', '-o', 'csv']);
    expect(stdout).toBe(
      `date,description,hours\n2031-05-05,"Fixed <b>login</b>\nand menu",0.33\n2031-05-05,Talk,0.33\n2031-05-06,'=1+1,0.33\n2031-05-06,,1.50\n`,
    );
  });
});

describe('svc report --for at a terminal', () => {
  it.each([
    ['sheet', [], {}],
    ['sheet-decimal', ['--all', '--rate', '95.05', '--hours', 'decimal', '--by', 'project,user'], {}],
    ['sheet-heard', ['--all', '--rate', '95.05'], { ACCESSIBLE: '1' }],
  ])('prints the sheet as in the golden file (%s)', async (name, flags, env) => {
    const { code, stdout, stderr } = await here.svc([...MAY, ...flags], { terminal: 80, env: { NO_COLOR: '1', ...env } });
    expect(code, stderr).toBe(0);
    await expect(screen(stdout)).toMatchFileSnapshot(`goldens/report-${name}.txt`);
  });
});

describe('the page for the customer', () => {
  const page = async (...flags: readonly string[]) => {
    const file = join(here.home, 'sheet.html');
    const { code, stdout, stderr } = await here.svc([...MAY, ...flags, '--html', file]);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe('');
    return readFile(file, 'utf8');
  };

  it('shows the letterhead, the customer, every entry and the totals, as in the golden file', async () => {
    const letterhead = 'Studio <Noord>\n  Herengracht 1 \nstudio@example.com';
    const set = await here.svc(['config', 'set', 'report-letterhead', letterhead]);
    expect(set.code, set.stderr).toBe(0);
    onTestFinished(async () => void (await here.svc(['config', 'unset', 'report-letterhead'])));
    const made = await page('--all', '--rate', '95.05', '--hours', 'decimal');
    await expect(made.replace(/<style>.*<\/style>/s, '<style></style>')).toMatchFileSnapshot('goldens/report-sheet-page.txt');
    expect(made).not.toMatch(/<script|<link|<img|src=|@import|url\((?!#)/i);
    expect(made).toContain('Fixed &lt;b&gt;login&lt;/b&gt;<br>and menu');
    // What a customer has nothing to do with.
    expect(made).not.toMatch(/svc|127\.0\.0\.1|Borealis|Somebody else/);
  });

  it('shows no amounts without a rate, and no letterhead without the setting', async () => {
    const made = await page('--project', 'App', '--hours', 'decimal');
    expect(made).toContain('<dt>Hours</dt><dd>1.50</dd>');
    expect(made.replace(/<style>.*<\/style>/s, '')).not.toMatch(/Amount|Rate an hour|letterhead|rounded/);
    expect(await page()).not.toContain('rounded');
    expect(await page('--hours', 'decimal')).toContain(
      'Each number of hours is rounded to two decimals. Subtotals and totals come from the exact minutes.',
    );
  });
});

describe('svc report --for with other interpretations (rules 18.23, 18.27)', () => {
  it.each([
    ['only the required fields in summaries', { summary: 'bare', falseInSummary: 'left-out' }],
    ['no ids in summaries', { summary: 'documented', worklogSummaryIds: 'never' }],
    ['no filters', { otherFilters: 'refused', hoursFilters: 'refused', summary: 'bare' }],
    [
      'only the date filter and no relations',
      {
        otherFilters: 'refused',
        hoursFilters: 'by-date',
        assumedIncludes: 'refused',
        refusalType: 'invalid-query-parameter',
        parameterMember: 'errors',
      },
    ],
    ['records outside data', { wrapSingleRecords: false }],
  ] as readonly (readonly [string, Partial<Interpretations>])[])('prints the same entries with %s', async (_, interpretations) => {
    turn(interpretations);
    const { rows } = await sheet('--all', '--rate', '95.05');
    expect(rows.map(({ project_id, minutes, billable, amount }) => [project_id, minutes, billable, amount])).toEqual([
      [id['Site'], 20, true, '31.68'],
      [id['Site'], 20, true, '31.68'],
      [id['Site'], 20, true, '31.68'],
      [id['App'], 90, true, '142.58'],
      [id['Site'], 25, false, null],
    ]);
  });

  /** A service with `count` projects of customer 5, each with an entry that shows what `more` adds. */
  const serving = async (count: number, more: (project: number) => JsonObject, project: (id: number) => JsonObject) => {
    const recording = await startRecording();
    onTestFinished(recording.remove);
    recording.server.fallback((request, response, socket) => {
      const query = new URL(request.url, 'http://x').searchParams;
      const ids = Array.from({ length: count }, (_, index) => index + 1);
      const refused = {
        type: 'https://x/unsupported-parameter',
        title: 'No',
        status: 400,
        detail: 'No.',
        parameter: 'filter[customer_id]',
      };
      const data = request.path.endsWith('/worklogs')
        ? [0, ...ids].map((one) => ({ id: one, date: '2031-05-05', minutes: 6, description: 'x', user_id: 1, ...more(one) }))
        : ids.map((one) => ({ id: one, name: `P${one}`, ...project(one) }));
      if (request.path.endsWith('/customers/5')) json(200, { data: { id: 5, name: 'Acme' } })(request, response, socket);
      else if (query.has('filter[customer_id]') && project(1)['refused'] === true) json(400, refused)(request, response, socket);
      else json(200, { data, meta: { page: {} }, links: { next: null } })(request, response, socket);
    });
    return recording;
  };

  it('includes entries with unknown billing, and reports their number', async () => {
    const { svc } = await serving(
      1,
      (one) => (one === 0 ? { is_not_billable: true } : {}),
      () => ({}),
    );
    const { code, stdout, stderr } = await svc(['report', '2031-05', '--for', '5', '--rate', '50']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 1, billable: null, project_id: null, project: 'unknown', amount: '5.00' }]);
    expect(stderr).toContain('svc includes 1 entry (6m), although the service does not show the billing.');
    expect(stderr).toContain('Left out, because not billable: 1 entry (6m).');
  });

  it('reads all hours for 101 projects (rule 16.3), and reports entries with a hidden project', async () => {
    const { svc, sent: asked } = await serving(
      101,
      (one) => (one === 1 ? {} : { project_id: one === 0 ? 999 : one }),
      () => ({}),
    );
    const { code, stdout, stderr } = await svc(['report', '2031-05', '--for', '5']);
    expect(code, stderr).toBe(0);
    // 101 projects: of their entries one does not show its project; the one of project 999 is somebody else's.
    expect((JSON.parse(stdout) as unknown[]).length).toBe(100);
    expect(stderr).toContain('Left out: 1 entry whose project the service does not show.');
    expect(asked().find((line) => line.includes('/worklogs'))).not.toContain('project_id');
  });

  it('exits 8 when no field shows the projects of a customer', async () => {
    const { svc } = await serving(
      1,
      () => ({}),
      () => ({ refused: true }),
    );
    const { code, stdout, stderr } = await svc(['report', '2031-05', '--for', '5']);
    expect(code).toBe(8);
    expect(stdout).toBe('');
    expect(stderr).toContain('The service does not show which customer a project is billed to.');
    expect(stderr).toContain('--project <name>');
  });
});

describe('a refusal of svc report --for', () => {
  it.each([
    [['--rate', '95'], '--rate needs --for.'],
    [['--hours', 'decimal'], '--hours needs --for.'],
    [['--all'], '--all needs --for.'],
    [['--for', '1', '--rate', '-1'], '-1 is below zero.'],
    [['--for', '1', '--rate', '1.234'], 'more than two decimals'],
    [['--for', '1', '--hours', 'roman'], 'Allowed: hh:mm, decimal.'],
  ])('gives the reason for the flags %j, and sends nothing', async (flags, words) => {
    here.sandbox.requests.length = 0;
    const { code, stderr } = await here.svc(['report', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(here.sandbox.requests).toEqual([]);
  });

  it.each([
    [['--for', 'Acne'], 2, '--for: '],
    [['--for', '99999'], 3, 'There is no customer 99999'],
    [['--for', 'Borealis', '--project', 'Site'], 2, 'is not billed to Borealis.'],
  ])('gives the reason for the records in %j', async (flags, exit, words) => {
    const { code, stderr } = await here.svc(['report', ...flags]);
    expect(code).toBe(exit);
    expect(stderr).toContain(words);
  });
});

it('svc config set refuses a letterhead of more than 12 lines', async () => {
  const { code, stderr } = await here.svc(['config', 'set', 'report-letterhead', 'line\n'.repeat(13)]);
  expect(code).toBe(2);
  expect(stderr).toContain('A letterhead has at most 12 lines; this letterhead has 13.');
});

it('svc report --for rounds each entry up before the price, and prints the rounding on the page', async () => {
  // 30 * 3 on Site and 90 on App at 95.05: 47.53 (47.525) three times, and 142.58.
  const { stdout } = await here.svc([...MAY, '--rate', '95.05', '--rounding', '30m']);
  const rows = JSON.parse(stdout) as { minutes: number; amount: string; rounding_minutes: number }[];
  expect(rows.map(({ minutes, amount, rounding_minutes }) => [minutes, amount, rounding_minutes])).toEqual([
    [30, '47.53', 30],
    [30, '47.53', 30],
    [30, '47.53', 30],
    [90, '142.58', 30],
  ]);
  const file = join(here.home, 'rounded.html');
  expect((await here.svc([...MAY, '--rate', '95.05', '--rounding', '30m', '--html', file])).code).toBe(0);
  expect(await readFile(file, 'utf8')).toContain('<small>Each entry is rounded up to a multiple of 30m.</small>');
});
