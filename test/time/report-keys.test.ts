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
/** Ids of what is planted. */
const id: Record<string, number> = {};

// Far from everything the sandbox comes with. In minutes, of which the last is not billable:
//   Acme: Site 60 (W1, budget Care) + 45 (W2), App 20; Borealis: Shop 30 (W3); nobody: Inner 15, no project 5; 175 in all.
beforeAll(async () => {
  here = await signInAt('2026-06-19T10:00:00Z');
  const addRecord = async (name: string, path: string, body: JsonObject) => {
    id[name] = await here.addRecord(path, body);
  };
  await addRecord('Acme', '/customers', { name: 'Acme' });
  await addRecord('Borealis', '/customers', { name: 'Borealis' });
  await addRecord('Site', '/projects', { name: 'Site', customer_id: id['Acme'] ?? 0 });
  await addRecord('App', '/projects', { name: 'App', customer_id: id['Acme'] ?? 0 });
  await addRecord('Shop', '/projects', { name: 'Shop', customer_id: id['Borealis'] ?? 0 });
  await addRecord('Inner', '/projects', { name: 'Inner' });
  await addRecord('Care', '/budgets', { name: 'Care', project_id: id['Site'] ?? 0, budget: 600 });
  await addRecord('Sprint', '/sprints', { name: 'Launch' });
  await addRecord('urgent', '/labels', { name: 'urgent!' });
  await addRecord('bug', '/labels', { name: 'bug' });
  const [sprint, bug, urgent] = [id['Sprint'] ?? 0, id['bug'] ?? 0, id['urgent'] ?? 0];
  await addRecord('W1', '/work-items', { title: 'Login', project_id: id['Site'] ?? 0, sprint_id: sprint, label_ids: [urgent, bug] });
  await addRecord('W2', '/work-items', { title: 'Menu', project_id: id['Site'] ?? 0, label_ids: [bug] });
  await addRecord('W3', '/work-items', { title: 'Cart', project_id: id['Shop'] ?? 0, sprint_id: sprint });
  for (const [minutes, more] of [
    [60, { project_id: id['Site'], work_item_id: id['W1'], budget_id: id['Care'] }],
    [45, { project_id: id['Site'], work_item_id: id['W2'], user_id: 2 }],
    [20, { project_id: id['App'] }],
    [30, { project_id: id['Shop'], work_item_id: id['W3'] }],
    [15, { project_id: id['Inner'] }],
    [5, { is_not_billable: true }],
  ] as const)
    await here.addRecord('/worklogs', { date: '2031-04-07', minutes, user_id: 1, ...more } as JsonObject);
});
afterAll(() => here.remove());
afterEach(() => turn({}));

/** Turns the sandbox to another reading of the documentation. */
function turn(interpretations: Partial<Interpretations>): void {
  Object.assign(here.sandbox.interpretations, defaultInterpretations(), interpretations);
}

const DAY = '2031-04-07';

const report = async (...flags: readonly string[]) => {
  here.sandbox.requests.length = 0;
  const { code, stdout, stderr } = await here.svc(['report', DAY, ...flags]);
  expect(code, stderr).toBe(0);
  return { rows: JSON.parse(stdout) as JsonObject[], stderr };
};

const columns = (rows: readonly JsonObject[], ...names: readonly string[]) => rows.map((row) => names.map((name) => row[name]));

describe('svc report --by', () => {
  it('adds up hours by customer, with three requests', async () => {
    const { rows, stderr } = await report('--by', 'customer');
    expect(columns(rows, 'customer_id', 'customer', 'minutes', 'entries')).toEqual([
      [id['Acme'], 'Acme', 60 + 45 + 20, 3],
      [id['Borealis'], 'Borealis', 30, 1],
      [null, null, 15 + 5, 2],
    ]);
    expect(rows[2]).toMatchObject({ billable_minutes: 15, not_billable_minutes: 5 });
    expect(stderr).toBe('');
    expect(sent(here.sandbox).sort()).toEqual([
      'GET /api/v2/customers?per_page=100',
      'GET /api/v2/projects?view=detail&per_page=100',
      `GET /api/v2/worklogs?filter[date][gte]=${DAY}&filter[date][lte]=${DAY}&view=detail&per_page=100`,
    ]);
  });

  it('adds up hours by budget, with one request', async () => {
    const { rows } = await report('--by', 'budgets');
    expect(columns(rows, 'budget_id', 'budget', 'minutes')).toEqual([
      [null, null, 45 + 20 + 30 + 15 + 5],
      [id['Care'], 'Care', 60],
    ]);
    expect(sent(here.sandbox)).toEqual([
      `GET /api/v2/worklogs?filter[date][gte]=${DAY}&filter[date][lte]=${DAY}&view=detail&include=budget&per_page=100`,
    ]);
  });

  it('adds up hours by sprint from the work items, and remembers refused lists', async () => {
    const { rows } = await report('--by', 'sprint');
    expect(columns(rows, 'sprint_id', 'sprint', 'minutes')).toEqual([
      [id['Sprint'], 'Launch', 60 + 30],
      [null, null, 45 + 20 + 15 + 5],
    ]);
    const [, ...asked] = sent(here.sandbox);
    // The sandbox refuses a list of ids; then each is read by itself.
    expect(asked[0]).toMatch(/^GET \/api\/v2\/work-items\?filter\[id\]\[in\]=[\d,]+&view=detail&include=sprint&per_page=100$/);
    expect(asked.slice(1).sort()).toEqual(
      [id['W1'], id['W2'], id['W3']].map((item) => `GET /api/v2/work-items/${item}?view=detail&include=sprint`).sort(),
    );
    await report('--by', 'sprint');
    expect(sent(here.sandbox).slice(1).sort()).toEqual(asked.slice(1).sort());
  });

  it('adds up hours by each combination of labels, so that no minute counts twice', async () => {
    const { rows } = await report('--by', 'label');
    expect(columns(rows, 'label_ids', 'labels', 'minutes')).toEqual([
      [[], [], 20 + 30 + 15 + 5],
      [[id['bug'], id['urgent']], ['bug', 'urgent!'], 60],
      [[id['bug']], ['bug'], 45],
    ]);
    expect(sent(here.sandbox).at(-1)).toMatch(/\/work-items\/\d+\?include=labels$/);
  });

  it('adds up hours by customer and user for the value Customers,person', async () => {
    const { rows } = await report('--by', 'Customers,person');
    expect(columns(rows, 'customer', 'user_id', 'minutes')).toEqual([
      ['Acme', 1, 60 + 20],
      ['Acme', 2, 45],
      ['Borealis', 1, 30],
      [null, 1, 15 + 5],
    ]);
  });

  it('adds up hours by sprint and label, with one request for both', async () => {
    const { rows } = await report('--by', 'sprint,label,project');
    expect(columns(rows, 'sprint', 'labels', 'project', 'minutes')).toEqual([
      ['Launch', ['bug', 'urgent!'], 'Site', 60],
      ['Launch', [], 'Shop', 30],
      [null, ['bug'], 'Site', 45],
      [null, [], 'App', 20],
      [null, [], 'Inner', 15],
      [null, [], null, 5],
    ]);
    expect(sent(here.sandbox).filter((line) => !line.includes('filter[id]'))).toHaveLength(1 + 3);
    expect(sent(here.sandbox).at(-1)).toMatch(/\?view=detail&include=sprint,labels$/);
  });

  it('prints the sums at a terminal, as CSV, and as lines for a screen reader', async () => {
    const plain = { terminal: 80, env: { NO_COLOR: '1' } };
    const shown = await here.svc(['report', DAY, '--by', 'customer,label'], plain);
    const heard = await here.svc(['report', DAY, '--by', 'customer,label'], { terminal: 80, env: { NO_COLOR: '1', ACCESSIBLE: '1' } });
    await expect(screen(shown.stdout)).toMatchFileSnapshot('goldens/report-customer-label.txt');
    await expect(screen(heard.stdout)).toMatchFileSnapshot('goldens/report-customer-label-heard.txt');
    const csv = await here.svc(['report', DAY, '--by', 'label', '--fields', 'label_ids,labels,minutes', '-o', 'csv']);
    expect(csv.stdout).toBe(
      `label_ids,labels,minutes\n[],[],70\n"[${id['bug']},${id['urgent']}]","[""bug"",""urgent!""]",60\n[${id['bug']}],"[""bug""]",45\n`,
    );
  });
});

describe('svc report (rules 18.23, 18.27)', () => {
  const INTERPRETATION_SETS: readonly (readonly [string, Partial<Interpretations>])[] = [
    ['only the required fields in summaries', { summary: 'bare', falseInSummary: 'left-out' }],
    ['only the documented relations', { assumedIncludes: 'refused', summary: 'documented' }],
    ['no filters', { otherFilters: 'refused', hoursFilters: 'refused' }],
    [
      'no filters, no relations and other member names',
      {
        otherFilters: 'refused',
        hoursFilters: 'by-date',
        assumedIncludes: 'refused',
        refusalType: 'invalid-query-parameter',
        parameterMember: 'errors',
      },
    ],
  ];
  it.each(INTERPRETATION_SETS)('adds up the same minutes with %s', async (_, interpretations) => {
    turn(interpretations);
    const named = interpretations.assumedIncludes !== 'refused';
    expect(columns((await report('--by', 'customer')).rows, 'customer', 'minutes')).toEqual([
      ['Acme', 125],
      ['Borealis', 30],
      [null, 20],
    ]);
    expect(columns((await report('--by', 'budget')).rows, 'budget', 'minutes')).toEqual([
      [null, 115],
      [named ? 'Care' : `Budget ${id['Care']}`, 60],
    ]);
    expect(columns((await report('--by', 'sprint,label')).rows, 'sprint', 'labels', 'minutes')).toEqual([
      ['Launch', ['bug', 'urgent!'], 60],
      ['Launch', [], 30],
      [null, ['bug'], 45],
      [null, [], 40],
    ]);
  });

  it('requests 25 work items at a time for labels, and 100 for sprints (rules 8.4, 16.3)', async () => {
    const { svc, server, sent: asked, remove } = await startRecording();
    onTestFinished(remove);
    const count = 230;
    server.fallback((request, response, socket) => {
      const query = new URL(request.url, 'http://x').searchParams;
      const wanted = query.get('filter[id][in]')?.split(',').map(Number) ?? [];
      const entries = Array.from({ length: count }, (_, index) => ({
        ...{ id: index + 1, date: DAY, minutes: 2, description: '', work_item_id: index + 1 },
      }));
      // Odd ones are bugs.
      const items = wanted.map((item) => ({ id: item, sprint_id: 7, labels: item % 2 === 1 ? [{ id: 3, name: 'bug' }] : [] }));
      const data = request.path.endsWith('/worklogs') ? entries : items;
      json(200, { data, meta: { page: {} }, links: { next: null } })(request, response, socket);
    });
    const labels = await svc(['report', DAY, '--by', 'label']);
    expect(labels.code, labels.stderr).toBe(0);
    expect(columns(JSON.parse(labels.stdout) as JsonObject[], 'labels', 'minutes')).toEqual([
      [[], 115 * 2],
      [['bug'], 115 * 2],
    ]);
    const lists = asked().filter((line) => line.includes('/work-items'));
    // 230 = 9 * 25 + 5
    expect(lists.map((line) => line.split(',').length)).toEqual([...Array<number>(9).fill(25), 5]);
    const sprints = await svc(['report', DAY, '--by', 'sprint']);
    expect(columns(JSON.parse(sprints.stdout) as JsonObject[], 'sprint_id', 'sprint', 'minutes')).toEqual([[7, 'Sprint 7', 460]]);
    expect(asked().filter((line) => line.includes('/work-items'))).toHaveLength(3);
  });

  it('requests all work items when lists of ids are refused and single requests cost more', async () => {
    const { svc, server, sent: asked, remove } = await startRecording();
    onTestFinished(remove);
    server.fallback((request, response, socket) => {
      const query = new URL(request.url, 'http://x').searchParams;
      const refused = {
        type: 'https://x/unsupported-parameter',
        title: 'No',
        status: 400,
        detail: 'No filter[id].',
        parameter: 'filter[id][in]',
      };
      const some = Array.from({ length: 101 }, (_, index) => index + 1);
      const data = request.path.endsWith('/worklogs')
        ? some.map((item) => ({ id: item, date: DAY, minutes: 1, description: '', work_item_id: item }))
        : some.map((item) => ({ id: item, sprint: item === 1 ? null : { id: 7, name: 'Launch' } }));
      if (query.has('filter[id][in]')) json(400, refused)(request, response, socket);
      else json(200, { data, meta: { page: {} }, links: { next: null } })(request, response, socket);
    });
    const { stdout } = await svc(['report', DAY, '--by', 'sprint']);
    expect(columns(JSON.parse(stdout) as JsonObject[], 'sprint', 'minutes')).toEqual([
      ['Launch', 100],
      [null, 1],
    ]);
    expect(asked().at(-1)).toBe('GET /work-items?view=detail&include=sprint&per_page=100');
  });
});

describe('svc report --by description', () => {
  const TEXTS_DAY = '2031-04-09';
  const COMPOSED = 'Caf\u00e9';
  const SAME_DAY = [
    [60, COMPOSED],
    [30, ' Cafe\u0301\n'],
    [20, 'caf\u00e9'],
    [10, ''],
    [15, '  '],
    [8, 'No description'],
    [5, 'unknown'],
    [2, '=SUM(A1)\tx'],
  ] as const;
  const SUMS = [
    [COMPOSED, 90, 2],
    [null, 25, 2],
    ['caf\u00e9', 20, 1],
    ['No description', 8, 1],
    ['unknown', 5, 1],
    ['=SUM(A1)\tx', 2, 1],
  ];
  const byText = (flags: readonly string[], options = {}) => here.svc(['report', TEXTS_DAY, '--by', 'description', ...flags], options);
  beforeAll(async () => {
    for (const [minutes, description] of SAME_DAY) await here.addRecord('/worklogs', { date: TEXTS_DAY, minutes, description, user_id: 1 });
  });

  it.each([
    ['the default', {}],
    ['bare summaries', { summary: 'bare', falseInSummary: 'left-out' }],
    ['no filters and relations', { otherFilters: 'refused', hoursFilters: 'refused', assumedIncludes: 'refused' }],
  ] as const)(
    'adds up texts that differ only in Unicode form or outer spaces, and separates letter cases (interpretations: %s)',
    async (_, interpretations) => {
      turn(interpretations);
      const { stdout, stderr, code } = await byText([]);
      expect(code, stderr).toBe(0);
      expect(columns(JSON.parse(stdout) as JsonObject[], 'description', 'minutes', 'entries')).toEqual(SUMS);
      const nested = JSON.parse((await byText(['--by', 'user,description'])).stdout) as JsonObject[];
      expect(columns(nested, 'user_id', 'description', 'minutes')).toEqual(SUMS.map(([text, minutes]) => [1, text, minutes]));
    },
  );

  it('names the row without a text “No description”, except in CSV', async () => {
    const plain = { NO_COLOR: '1' };
    const { stdout: table } = await byText([], { terminal: 80, env: plain });
    expect(table).toMatch(/^DESCRIPTION +TIME/m);
    expect(table).toMatch(/^No description +25m/m);
    expect(table).toMatch(/^"No description" +8m/m);
    expect((await byText([], { terminal: 80, env: { ...plain, ACCESSIBLE: '1' } })).stdout).toMatch(
      /^Description: No description\nTime: 25m$/m,
    );
    expect((await byText(['-o', 'md'])).stdout).toMatch(/^\| No description \| 25m \|/m);
    expect((await byText(['-o', 'csv', '--fields', 'description,minutes'])).stdout).toBe(
      `description,minutes\n${COMPOSED},90\n,25\ncaf\u00e9,20\nNo description,8\nunknown,5\n"'=SUM(A1)\tx",2\n`,
    );
    const file = join(here.home, 'texts.html');
    expect((await byText(['--html', file])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('<th scope="row"><bdi>No description</bdi></th>');
  });

  it('exits 8 for entries that do not show their text', async () => {
    const { svc, server, remove } = await startRecording();
    onTestFinished(remove);
    const entry = { id: 4, date: DAY, minutes: 60, project_id: null };
    server.fallback(json(200, { data: [entry], meta: { page: {} }, links: { next: null } }));
    const { code, stdout, stderr } = await svc(['report', DAY, '--by', 'description']);
    expect([code, stdout]).toEqual([8, '']);
    expect(stderr).toContain('The service shows the description of entry 4 not at all.');
    expect((await svc(['report', DAY, '--by', 'project'])).code).toBe(0);
  });
});

describe('a part of the report that you cannot see', () => {
  it.each([
    ['customer', '/projects', 'svc continues without customers:', { customer_id: null, customer: 'unknown' }],
    ['sprint', '/work-items*', 'svc continues without sprints:', { sprint_id: null, sprint: 'unknown' }],
    ['label', '/work-items*', 'svc continues without labels:', { label_ids: null, labels: null }],
  ])('is unknown in a report by %s, with a notice', async (by, path, words, unknown) => {
    here.sandbox.setFaults([{ path, status: 403, times: 9 }]);
    onTestFinished(() => here.sandbox.setFaults([]));
    const { rows, stderr } = await report('--by', by);
    expect(stderr).toContain(words);
    expect(rows[0]).toMatchObject(unknown);
    expect(rows.reduce((sum, { minutes }) => sum + Number(minutes), 0)).toBe(175);
  });

  it('can be the names of customers, which svc replaces with ids', async () => {
    here.sandbox.setFaults([{ path: '/customers', status: 403 }]);
    const { rows, stderr } = await report('--by', 'customer');
    expect(columns(rows, 'customer_id', 'customer', 'minutes')[0]).toEqual([id['Acme'], `Customer ${id['Acme']}`, 125]);
    expect(stderr).toContain('svc leaves out the names of customers:');
  });

  it('can be the customer of a project, shown as “unknown”', async () => {
    const { svc, server, remove } = await startRecording();
    onTestFinished(remove);
    server.fallback((request, response, socket) => {
      const entry = { id: 1, date: DAY, minutes: 25, description: '', project_id: 4, is_not_billable: false, is_overtime: false };
      const data = request.path.endsWith('/worklogs') ? [entry] : [{ id: 4, name: 'Site' }];
      json(200, { data, meta: { page: {} }, links: { next: null } })(request, response, socket);
    });
    const { code, stdout, stderr } = await svc(['report', DAY, '--by', 'customer']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('The service does not show which customer a project is billed to.');
    expect(JSON.parse(stdout)).toMatchObject([{ customer_id: null, customer: 'unknown', minutes: 25 }]);
  });
});

it('svc report does not merge groups with the same name', async () => {
  const { svc, server, remove } = await startRecording();
  onTestFinished(remove);
  const entry = (id: number, minutes: number) => ({ id, date: DAY, minutes, budget_id: id, budget: { id, name: 'Build' } });
  server.fallback(json(200, { data: [entry(4, 60), entry(5, 30)], meta: { page: {} }, links: { next: null } }));
  const table = await svc(['report', DAY, '--by', 'budget'], { terminal: 80 });
  expect(table.stdout).toMatch(/Build \(#4\) +1h .*\n.*Build \(#5\) +30m/);
  expect(JSON.parse((await svc(['report', DAY, '--by', 'budget'])).stdout)).toMatchObject([
    { budget_id: 4, budget: 'Build' },
    { budget_id: 5, budget: 'Build' },
  ]);
});

describe('the arguments of svc report', () => {
  // It is Friday 19 June 2026.
  it.each([
    [['last month'], '2026-05-01', '2026-05-31'],
    [['last', 'month'], '2026-05-01', '2026-05-31'],
    [['2026-10'], '2026-10-01', '2026-10-31'],
    [['2026-Q3'], '2026-07-01', '2026-09-30'],
    [['last', 'week'], '2026-06-08', '2026-06-14'],
    [['week'], '2026-06-15', '2026-06-21'],
    [['month'], '2026-06-01', '2026-06-30'],
    [['quarter'], '2026-04-01', '2026-06-30'],
    [['next', 'year'], '2027-01-01', '2027-12-31'],
    [['2026-05-04..friday'], '2026-05-04', '2026-05-08'],
    [[], '2026-06-01', '2026-06-19'],
    [['--from', '2026-05-05', '--to', '2026-05-06'], '2026-05-05', '2026-05-06'],
  ])('in %j set the days from %s to %s', async (words, first, last) => {
    here.sandbox.requests.length = 0;
    const { code, stderr } = await here.svc(['report', ...words, '--by', 'day']);
    expect(code, stderr).toBe(0);
    expect(sent(here.sandbox).find((line) => line.includes('/worklogs'))).toContain(`filter[date][gte]=${first}&filter[date][lte]=${last}`);
  });

  it.each([
    [['last month', '--from', '2026-05-01'], 'There are two date ranges: last month, and --from.'],
    [['2026-10', '--to', 'today'], 'There are two date ranges: 2026-10, and --to.'],
    [['lust month'], '"lust month" is neither a day nor a date range.'],
    [['--by', 'costumer'], 'Did you mean customer?'],
    [['--by', 'person,user'], 'the same name twice'],
  ])('are refused before any request for %j', async (words, message) => {
    here.sandbox.requests.length = 0;
    const { code, stderr } = await here.svc(['report', ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(here.sandbox.requests).toEqual([]);
  });
});
