// Hours that no invoice bills. Each sum is calculated by hand, and hidden fields make a sum unknown.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { json, startHttpServer } from '../../support/http-server.ts';
import type { RunOptions } from '../../support/svc.ts';
import { type Books, hiding, openBooks } from './support.ts';

let here: Books;
let alpha: number;
let beta: number;
/** Projects of Alpha at 95.50 an hour, of Beta without a rate, and of no customer. */
let shop: number;
let care: number;
let own: number;

beforeAll(async () => {
  here = await openBooks();
  alpha = await here.addRecord('/customers', { name: 'Alpha' });
  beta = await here.addRecord('/customers', { name: 'Beta' });
  shop = await here.addRecord('/projects', { name: 'Shop', customer_id: alpha, hourly_rate: '95.50' });
  care = await here.addRecord('/projects', { name: 'Care', customer_id: beta });
  own = await here.addRecord('/projects', { name: 'Own' });
  const dear = await here.addRecord('/budgets', { project_id: shop, name: 'Dear', hourly_rate: '120.00' });
  const plain = await here.addRecord('/budgets', { project_id: shop, name: 'Plain' });
  await here.log('2030-04-01', 50, { project_id: shop, user_id: 1 });
  await here.log('2030-05-02', 20, { project_id: shop, user_id: 3 });
  await here.log('2030-05-03', 40, { project_id: shop, budget_id: dear, user_id: 1 });
  await here.log('2030-05-04', 30, { project_id: shop, budget_id: plain, user_id: 1 });
  await here.log('2030-05-04', 15, { project_id: shop, is_not_billable: true, user_id: 1 });
  here.mark(await here.log('2030-05-05', 25, { project_id: shop, user_id: 1 }), { exceeded_budget: true });
  here.mark(await here.log('2030-03-01', 60, { project_id: shop, user_id: 1 }), { invoice_id: 1 });
  here.mark(await here.log('2030-03-01', 35, { project_id: shop, user_id: 3 }), { sales_invoice_row_id: 1, is_not_billable: true });
  await here.log('2030-05-05', 90, { project_id: care, user_id: 3 });
  await here.log('2030-05-06', 10, { project_id: own, user_id: 3 });
  await here.log('2030-05-07', 5, { user_id: 3 });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const unbilled = (words: readonly string[], options: RunOptions = {}) => here.svc(['billing', 'unbilled', ...words], options);
async function rows(words: readonly string[], options: RunOptions = {}) {
  const { code, stdout, stderr } = await unbilled(words, options);
  expect(code, stderr).toBe(0);
  return { rows: JSON.parse(stdout) as Record<string, unknown>[], stderr };
}

const NOTHING = { over_budget_minutes: 0, not_billable_minutes: 0, billed_minutes: 0, unknown_minutes: 0 };

describe('svc billing unbilled', () => {
  it('sums hours by customer, and rounds each amount once', async () => {
    const { rows: found, stderr } = await rows(['2030']);
    expect(found).toEqual([
      {
        customer_id: alpha,
        customer: 'Alpha',
        minutes: 275,
        // 50 + 20 + 40 + 30
        unbilled_minutes: 140,
        over_budget_minutes: 25,
        not_billable_minutes: 15,
        // 60 + 35. The second entry is also not billable, which does not matter here.
        billed_minutes: 95,
        unknown_minutes: 0,
        entries: 8,
        oldest_date: '2030-04-01',
        // (50 + 20 + 30) × 95.50 / 60 = 159.1666…, and 40 × 120.00 / 60 = 80.00
        amount: '239.17',
        unpriced_minutes: 0,
      },
      {
        ...{ customer_id: beta, customer: 'Beta', minutes: 90, unbilled_minutes: 90, ...NOTHING, entries: 1 },
        ...{ oldest_date: '2030-05-05', amount: null, unpriced_minutes: 90 },
      },
      {
        ...{ customer_id: null, customer: null, minutes: 10, unbilled_minutes: 10, ...NOTHING, entries: 1 },
        ...{ oldest_date: '2030-05-06', amount: null, unpriced_minutes: 10 },
      },
      {
        ...{ customer_id: null, customer: 'unknown', minutes: 5, unbilled_minutes: 5, ...NOTHING, entries: 1 },
        ...{ oldest_date: '2030-05-07', amount: null, unpriced_minutes: 5 },
      },
    ]);
    expect(stderr).toContain('Hours from 2030-01-01 to 2030-12-31.\n');
    expect(stderr).toContain('5m are on no project, or the service does not show the customer.\n');
    expect(stderr).toContain('svc knows no rate for 1h45. Set a rate with --rate.\n');
    expect(here.sandbox.requests.map(({ path, units }) => [path.split('?')[0], units]).sort()).toEqual([
      ['/api/v2/budgets', 3],
      ['/api/v2/customers', 1],
      ['/api/v2/projects', 3],
      ['/api/v2/worklogs', 3],
    ]);
  });

  it('sums hours by project, and names the customer of each project', async () => {
    const { rows: found } = await rows(['2030', '--by', 'project']);
    expect(found.map((row) => [row['project_id'], row['project'], row['customer_id'], row['customer'], row['unbilled_minutes']])).toEqual([
      [shop, 'Shop', alpha, 'Alpha', 140],
      [care, 'Care', beta, 'Beta', 90],
      [own, 'Own', null, null, 10],
      [null, null, null, 'unknown', 5],
    ]);
  });

  it('sums hours by person at the rate of --rate', async () => {
    const { rows: found } = await rows(['2030', '--by', 'person', '--rate', '90']);
    expect(found.map((row) => [row['user_id'], row['user'], row['unbilled_minutes'], row['amount']])).toEqual([
      // 20 + 90 + 10 + 5 = 125 × 1.50; 50 + 40 + 30 = 120 × 1.50
      [3, 'Zoë Müller-Lüdenscheidt', 125, '187.50'],
      [1, 'Sanne de Vries', 120, '180.00'],
    ]);
    expect(here.sandbox.requests.map(({ path }) => path.split('?')[0])).not.toContain('/api/v2/budgets');
  });

  it('filters by date range, customer and project', async () => {
    const one = await rows(['--from', '2030-05-01', '--to', '2030-05-03', '--customer', 'Alpha']);
    expect(one.rows.map((row) => [row['customer'], row['unbilled_minutes']])).toEqual([['Alpha', 60]]);
    const other = await rows(['2030-05', '--project', 'Care']);
    expect(other.rows.map((row) => [row['customer'], row['minutes']])).toEqual([['Beta', 90]]);
    const both = await rows(['2030', '--customer', String(beta), '--project', String(shop)]);
    expect(both.rows).toEqual([]);
    // From the first of April, two months before the current month.
    const none = await rows(['--customer', 'Alpha']);
    expect(none.rows).toEqual([]);
    expect(none.stderr).toContain('Hours from 2025-04-01 to 2025-06-18.\nTo include earlier hours: --from <date>\n');
    const nobody = await unbilled(['2030', '--customer', '9999']);
    expect(nobody).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(nobody.stderr).toContain('No project is billed to customer 9999.');
  });

  it('prints a table at a terminal', async () => {
    const { stdout } = await unbilled(['2030'], { terminal: 120, env: { NO_COLOR: '1' } });
    expect(stdout).toBe(
      [
        'Unbilled hours from 2030-01-01 to 2030-12-31, by customer',
        '',
        'CUSTOMER     UNBILLED   AMOUNT  OVER BUDGET  NOT BILLABLE  BILLED  UNKNOWN  OLDEST',
        'Alpha            2h20   239.17          25m           15m    1h35       0m  2030-04-01',
        'Beta             1h30  unknown           0m            0m      0m       0m  2030-05-05',
        'No customer       10m  unknown           0m            0m      0m       0m  2030-05-06',
        'unknown            5m  unknown           0m            0m      0m       0m  2030-05-07',
        '──────────────────────────────────────────────────────────────────────────────────────',
        'Total            4h05  unknown          25m           15m    1h35       0m  2030-04-01',
        '',
      ].join('\n'),
    );
  });

  it.each(['invoice_id', 'sales_invoice_row_id', 'is_not_billable', 'exceeded_budget'])(
    'shows the sums as unknown when the service hides %s (rule 18.33)',
    async (field) => {
      const { rows: found, stderr } = await rows(['2030-05', '--customer', 'Beta'], { around: hiding('/worklogs', [field]) });
      expect(found).toMatchObject([
        { minutes: 90, unbilled_minutes: null, over_budget_minutes: null, not_billable_minutes: null, billed_minutes: null },
      ]);
      expect(found).toMatchObject([{ unknown_minutes: 90, oldest_date: null, amount: null, unpriced_minutes: null, entries: 1 }]);
      expect(stderr).toContain('The service does not show whether 1h30 are billable or on an invoice.');
      const table = await unbilled(['2030-05', '--customer', 'Beta', '-o', 'table'], { around: hiding('/worklogs', [field]) });
      expect(table.stdout).toMatch(/^Beta +unknown +unknown +unknown +unknown +unknown +1h30 +unknown$/m);
    },
  );

  it('shows unknown or empty values when the service hides customers, project names or budgets', async () => {
    const hidden = await rows(['2030-05'], { around: hiding('/projects', ['customer_id']) });
    expect(hidden.rows.map(({ customer, minutes }) => [customer, minutes])).toEqual([['unknown', 235]]);
    const project = await rows(['2030', '--by', 'project'], { around: hiding('/projects', ['customer_id', 'name']) });
    expect(project.rows[0]).toMatchObject({ project_id: shop, project: null, customer_id: null, customer: 'unknown' });
    const budget = await rows(['2030-05', '--customer', 'Alpha'], { around: hiding('/worklogs', ['budget_id']) });
    expect(budget.rows).toMatchObject([{ unbilled_minutes: 90, amount: null, unpriced_minutes: 90 }]);
  });

  it('reads without a filter that the service refuses, and reports the filter (rule 18.27)', async () => {
    const before = { ...here.sandbox.interpretations };
    Object.assign(here.sandbox.interpretations, {
      hoursFilters: 'refused',
      otherFilters: 'refused',
      summary: 'bare',
      wrapSingleRecords: false,
    });
    try {
      const { rows: found, stderr } = await rows(['2030', '--customer', 'Alpha']);
      expect(found).toMatchObject([{ customer: 'Alpha', minutes: 275, unbilled_minutes: 140, amount: '239.17' }]);
      expect(stderr).toContain('The service does not filter worklogs by date');
      const hidden = await unbilled(['2030', '--customer', 'Alpha'], { around: hiding('/projects', ['customer_id']) });
      expect(hidden.code).toBe(9);
    } finally {
      Object.assign(here.sandbox.interpretations, before);
    }
  });

  it('exits 5 and names the permission when the service refuses hours, but continues without budgets', async () => {
    const token = here.sandbox.createToken({ name: 'Of somebody', userId: 9, scopes: ['read'] }).value;
    const env = { SVC_HOST: here.host, SVC_TOKEN: token };
    const before = here.sandbox.rows('users').find(({ id }) => id === 9)?.['role'];
    here.sandbox.setRole(9, 'contractor');
    const refused = await unbilled(['2030'], { env });
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('hours::read');
    here.sandbox.setRole(9, String(before));
    here.sandbox.setFaults([{ path: '/budgets', status: 403 }]);
    const without = await unbilled(['2030']);
    here.sandbox.setFaults([]);
    expect([without.code, without.stderr]).toEqual([0, expect.stringContaining('svc does not know the rates of budgets: ')]);
  });

  it.each([
    [['last', 'month', '--from', '2030-01-01'], 'There are two date ranges: last month, and --from.'],
    [['--from', '2030-02-01', '--to', '2030-01-01'], '2030-02-01 is after 2030-01-01.'],
    [['soon'], '"soon" is neither a day nor a date range.'],
    [['--by', 'mood'], '--by'],
    [['--rate', '9,50'], '--rate'],
  ])('refuses the arguments %j, and sends no request', async (words, message) => {
    const { code, stderr } = await unbilled(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(here.sandbox.requests).toEqual([]);
  });

  it('reads thousands of entries for three rate-limit units per hundred entries, plus ten units (rules 8.3, 15.17)', async () => {
    const range = ['--from', '2000-01-01', '--to', '2030-12-31', '--by', 'person'];
    const all = here.sandbox.rows('worklogs');
    expect(all.length).toBeGreaterThan(3_000);
    const { rows: found, stderr } = await rows(range);
    expect(stderr).not.toContain('svc reads');
    const sum = (name: string) => found.reduce((total, row) => total + Number(row[name]), 0);
    expect(sum('entries')).toBe(all.length);
    expect(sum('minutes')).toBe(all.reduce((total, { minutes }) => total + Number(minutes), 0));
    expect(sum('not_billable_minutes')).toBe(
      all
        .filter((row) => row['is_not_billable'] === true && row['sales_invoice_row_id'] === null)
        .reduce((total, { minutes }) => total + Number(minutes), 0),
    );
    const pages = here.sandbox.requests.filter(({ path }) => path.startsWith('/api/v2/worklogs?') && !path.includes('with_total'));
    expect(pages.map(({ units }) => units)).toEqual(Array.from({ length: Math.ceil(all.length / 100) }, () => 3));
    // Projects, budgets, users, and the count.
    expect(
      here.sandbox.requests
        .filter((request) => !pages.includes(request))
        .map(({ units }) => units)
        .sort(),
    ).toEqual([1, 3, 3, 3]);
    // With --quiet nobody reads the count.
    here.sandbox.requests.length = 0;
    await unbilled([...range, '--quiet']);
    expect(here.sandbox.requests.filter(({ path }) => path.includes('with_total'))).toEqual([]);
  });

  it('prints the expected time of the command when the rate limit is nearly used up', async () => {
    const server = await startHttpServer();
    const limits = { ratelimit: 'limit=600, remaining=30, reset=20', 'ratelimit-policy': '600;w=60' };
    const page = (data: readonly unknown[], next: string | null, total: number | null = null) => ({
      data,
      meta: { page: { total } },
      links: { next },
    });
    const entry = { id: 1, date: '2030-05-05', minutes: 10, project_id: null, budget_id: null, user_id: 1, is_not_billable: false };
    const entries = Array.from({ length: 100 }, () => ({ ...entry, invoice_id: null, sales_invoice_row_id: null, exceeded_budget: false }));
    const told = Promise.withResolvers<void>();
    server.fallback((request, response, socket) => {
      const answer = (body: unknown) => json(200, body, limits)(request, response, socket);
      if (request.path !== '/api/v2/worklogs') return answer(page([], null));
      if (request.query.get('with_total') === '1') return answer(page([], null, 50_000));
      if (request.query.get('cursor') === null) return answer(page(entries, `${server.origin}/api/v2/worklogs?cursor=2`));
      void told.promise.then(() => answer(page([], null)));
    });
    const { code, stderr } = await unbilled(['2030'], {
      env: { SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc' },
      onStderr: (text) => {
        if (text.includes('svc reads')) told.resolve();
      },
    });
    expect(code, stderr).toBe(0);
    // 499 further pages at 3 units are 1497 units. 30 are left now, 600 after 20 s, and 600 a minute later.
    expect(stderr).toContain('svc reads 50000 worklogs, for 1497 rate-limit units. With the rate limit, this takes about 2 min.');
    await server.close();
  });
});
