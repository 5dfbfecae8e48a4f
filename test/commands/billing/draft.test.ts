// The invoice of unbilled hours. Minutes and cents are calculated by hand, and no invoice is created twice.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NetworkError } from '../../../src/errors.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { splitWords } from '../../../src/values/command-line.ts';
import { runKillable } from '../../support/run-killable.ts';
import type { RunOptions } from '../../support/svc.ts';
import { type Books, hiding, logApril, openBooks } from './support.ts';

let here: Books;
let alpha: number;
/** A project at 95.50 an hour, with a budget at 120.00. */
let shop: number;
let dear: number;
let other: number;
let item: number;

beforeAll(async () => {
  here = await openBooks({ personalToken: true });
  alpha = await here.addRecord('/customers', { name: 'Alpha' });
  shop = await here.addRecord('/projects', { name: 'Shop', customer_id: alpha, hourly_rate: '95.50', key_prefix: 'SHP' });
  other = await here.addRecord('/projects', { name: 'Elsewhere', customer_id: alpha });
  dear = await here.addRecord('/budgets', { project_id: shop, name: 'Dear', hourly_rate: '120.00' });
  item = await here.addRecord('/work-items', { title: 'Basket', project_id: shop });
  await logApril(here, { shop, dear, item });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const draft = (words: readonly string[], options: RunOptions = {}) =>
  here.svc(['billing', 'draft', '--customer', 'Alpha', ...words], options);
const posted = () => here.sandbox.requests.filter(({ method }) => method === 'POST');
const invoices = () => here.sandbox.rows('sales-invoices').filter((row) => row['customer_id'] === alpha && row['deleted_at'] == null);
const rowsOf = (invoice: unknown) =>
  here.sandbox.rows('sales-invoice-rows').filter((row) => row['sales_invoice_id'] === invoice && row['deleted_at'] == null);
async function rows(words: readonly string[], options: RunOptions = {}) {
  const { code, stdout, stderr } = await draft(words, options);
  expect(code, stderr).toBe(0);
  return { rows: JSON.parse(stdout) as Record<string, unknown>[], stderr };
}
/** Logs entries for two rows, of 60 and 30 minutes, in a month of their own. */
async function twoRows(month: string): Promise<void> {
  await here.log(`${month}-02`, 60, { work_item_id: item, user_id: 1 });
  await here.log(`${month}-03`, 30, { project_id: shop, user_id: 1 });
  here.sandbox.requests.length = 0;
}

describe('svc billing draft', () => {
  it('shows a row per work item and rate, exact to the cent, and creates nothing without --yes', async () => {
    const { rows: found, stderr } = await rows(['2030-04', '--vat', '21']);
    const alphas = { invoice_id: null, id: null, customer_id: alpha, customer: 'Alpha', project_id: shop, vat_rate: 21 };
    expect(found.map(({ worklog_ids: ids, ...row }) => ({ ...row, entries: (ids as number[]).length }))).toEqual([
      {
        ...alphas,
        ...{ work_item_id: item, name: expect.stringMatching(/^SHP-\d+ Basket$/), description: '2030-04-01 to 2030-04-03' },
        // 70 minutes have no exact decimal hours: 70 × 95.50 / 60 = 111.4166…, of which 21 % are 23.3982.
        ...{ logged_minutes: 70, billable_minutes: 70, quantity: '1', hourly_rate: '95.50', unit_price: '111.42' },
        ...{ amount: '111.42', vat_amount: '23.40', entries: 2 },
      },
      {
        ...alphas,
        ...{ work_item_id: null, name: 'Shop', description: '2030-04-02' },
        // 0.75 × 95.50 = 71.625, of which 21 % of 71.63 are 15.0423.
        ...{ logged_minutes: 45, billable_minutes: 45, quantity: '0.75', hourly_rate: '95.50', unit_price: '95.50' },
        ...{ amount: '71.63', vat_amount: '15.04', entries: 1 },
      },
      {
        ...alphas,
        ...{ work_item_id: null, name: 'Shop', description: '2030-04-03' },
        ...{ logged_minutes: 15, billable_minutes: 15, quantity: '0.25', hourly_rate: '120.00', unit_price: '120.00' },
        ...{ amount: '30.00', vat_amount: '6.30', entries: 1 },
      },
    ]);
    expect(stderr).toContain(
      'Left out: 10m not billable, 25m over the budget (--over-budget bills these hours), 1h on an invoice already.\n',
    );
    // 111.42 + 71.63 + 30.00, and 23.40 + 15.04 + 6.30
    expect(stderr).toContain('Alpha, 2030-04-01 to 2030-04-30: 4 entries, 2h10 on 3 rows, 213.05 and 44.74 VAT.\n');
    expect(stderr).toContain(
      'Two decimals cannot express the hours of 1 row: svc bills one piece at its price. To avoid this: --round 15m\n',
    );
    expect(stderr).toContain('The documentation of the service does not show these fields of an invoice: customer_id.\n');
    expect(stderr).toContain('svc sent nothing. To create the invoice, run the same command with --yes.\n');
    expect(posted()).toEqual([]);
  });

  it.each([
    // 70 → 75, 45 stays, 15 stays
    ['15m', [75, 45, 15], ['119.38', '71.63', '30.00']],
    // 70 → 80 and 45 → 40 are nearest; 15 → 20
    ['20m', [80, 40, 20], ['127.33', '63.67', '40.00']],
    // Ties go up: 70 → 60, 45 → 60, 15 → 30
    ['30m', [60, 60, 30], ['95.50', '95.50', '60.00']],
    // 15 minutes are less than half of the step, so the row is left out.
    ['1h', [60, 60], ['95.50', '95.50']],
  ])('rounds the minutes of each row with --round %s', async (step, minutes, amounts) => {
    const { rows: found, stderr } = await rows(['2030-04', '--round', step]);
    expect(found.map((row) => row['billable_minutes'])).toEqual(minutes);
    expect(found.map((row) => row['amount'])).toEqual(amounts);
    expect(found.map((row) => row['logged_minutes'])).toEqual([70, 45, 15].slice(0, minutes.length));
    expect(stderr.includes('Left out: Shop, because 15m rounds to zero.')).toBe(minutes.length === 2);
  });

  it('groups rows by day or person at --rate, and includes hours over budget with --over-budget', async () => {
    const days = await rows(['2030-04', '--group', 'day', '--rate', '60', '--over-budget']);
    expect(days.rows.map((row) => [row['date'], row['name'], row['description'], row['billable_minutes'], row['amount']])).toEqual([
      ['2030-04-01', '2030-04-01', 'Shop', 50, '50.00'],
      ['2030-04-02', '2030-04-02', 'Shop', 45, '45.00'],
      ['2030-04-03', '2030-04-03', 'Shop', 35, '35.00'],
      ['2030-04-04', '2030-04-04', 'Shop', 25, '25.00'],
    ]);
    const people = await rows(['2030-04', '--group', 'person', '--rate', '60']);
    expect(people.rows.map((row) => [row['user_id'], row['name'], row['billable_minutes']])).toEqual([
      [1, 'Sanne de Vries', 65],
      [3, 'Zoë Müller-Lüdenscheidt', 65],
    ]);
    expect(people.stderr).not.toContain('knows no rate');
  });

  it('shows no price for rows without a known rate', async () => {
    await here.log('2031-01-02', 20, { project_id: other, user_id: 1 });
    await here.log('2031-01-03', 30, { project_id: shop, budget_id: dear, user_id: 1 });
    const { rows: found, stderr } = await rows(['2031-01'], { around: hiding('/budgets', ['id']) });
    const nothing = { hourly_rate: null, unit_price: null, amount: null, vat_amount: null };
    expect(found).toMatchObject([
      { name: 'Elsewhere', billable_minutes: 20, quantity: null, ...nothing },
      { name: 'Shop', billable_minutes: 30, quantity: '0.5', ...nothing },
    ]);
    expect(stderr).toContain('svc knows no rate for 2 rows, and sets no price on these rows. Set a rate with --rate.');
    expect(stderr).toContain('2 entries, 50m on 2 rows.\n');
  });

  it('leaves out hours when the service does not show their invoice (rule 18.33)', async () => {
    const { rows: found, stderr } = await rows(['2030-04'], { around: hiding('/worklogs', ['invoice_id']) });
    expect(found).toEqual([]);
    // All hours except one that is not billed any more: 70 + 45 + 15 + 10 + 25 + 60.
    expect(stderr).toContain('Left out: 3h45. The service does not show whether these hours are billable or on an invoice.\n');
    expect(stderr).toContain('Alpha has nothing to bill from 2030-04-01 to 2030-04-30.\n');
  });

  it('leaves out entries with a hidden project, and prints the number of these entries', async () => {
    const { rows: found, stderr } = await rows(['2030-04'], { around: hiding('/worklogs', ['project_id']) });
    expect(found).toEqual([]);
    // The service itself left out the eighth entry, which belongs to another customer.
    expect(stderr).toContain('Left out: 7 entries whose project the service does not show.\n');
    const unbilled = ['billing', 'unbilled', '2030-04', '--customer', 'Alpha'];
    const sums = await here.svc(unbilled, { around: hiding('/worklogs', ['project_id']) });
    expect(sums.stderr).toContain('Left out: 7 entries whose project the service does not show.\n');
  });

  it('shows every request in a dry run', async () => {
    const { rows: found } = await rows(['2030-04', '--round', '30m', '--date', '2030-05-01', '-f', 'reference=PO 7', '--dry-run']);
    expect(found.map(({ method, body }) => [method, body])).toMatchObject([
      ['POST', { customer_id: alpha, invoice_date: '2030-05-01', reference: 'PO 7' }],
      ['POST', { description: '2030-04-01 to 2030-04-03', quantity: '1', unit_price: '95.50', billable_minutes: 60 }],
      ['POST', { name: 'Shop', quantity: '1', unit_price: '95.50', billable_minutes: 60 }],
      ['POST', { name: 'Shop', quantity: '0.5', unit_price: '120.00', billable_minutes: 30 }],
    ]);
    expect(String(found[1]?.['url'])).toMatch(/\/sales-invoices\/<id of the invoice>\/rows$/);
    expect(posted()).toEqual([]);
  });

  it('creates the invoice and its rows after a yes, and no second invoice in a second run', async () => {
    await twoRows('2031-02');
    const no = await draft(['2031-02'], { answers: [false], terminal: 120 });
    expect(no.code).toBe(1);
    expect(posted()).toEqual([]);
    const { code, stdout, stderr } = await draft(['2031-02', '--vat', '9'], { answers: [true], terminal: 120, env: { NO_COLOR: '1' } });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /^NAME +DESCRIPTION +TIME +QUANTITY +UNIT PRICE +AMOUNT +VAT\nSHP-\d+ Basket +2031-02-02 +1h +1 +95.50 +95.50 +8.60\n/,
    );
    // 95.50 and 47.75; 9 % of them 8.595 and 4.2975.
    expect(stdout).toContain('143.25  12.90\n');
    expect(posted().map(({ body }) => JSON.parse(body))).toEqual([
      { customer_id: alpha },
      {
        name: expect.stringContaining('Basket'),
        ...{ description: '2031-02-02', quantity: '1', unit_price: '95.50', vat_rate: 9, billable_minutes: 60 },
      },
      { name: 'Shop', description: '2031-02-03', quantity: '0.5', unit_price: '95.50', vat_rate: 9, billable_minutes: 30 },
    ]);
    const [invoice] = invoices();
    expect(stderr).toContain(`Invoice ${invoice?.id} (${invoice?.['number']}) has 2 rows.\n`);
    expect(stderr).toContain('The invoice covers 2 entries. The service does not document when they count as billed.');
    expect(stderr).not.toContain('approval');

    here.sandbox.requests.length = 0;
    const again = await rows(['2031-02', '--vat', '9', '--yes']);
    expect(again.stderr).toContain(`svc created invoice ${invoice?.id} for these days earlier. The invoice has all of these rows.\n`);
    expect(again.rows.map((row) => [row['invoice_id'], row['id']])).toEqual(rowsOf(invoice?.id).map(({ id }) => [invoice?.id, id]));
    expect(posted()).toEqual([]);
    // All rows differ, then only one: half an hour becomes 40 minutes.
    for (const other of [
      ['--group', 'day'],
      ['--vat', '9', '--round', '20m'],
    ]) {
      const others = await draft(['2031-02', ...other, '--yes']);
      expect(others.code).toBe(6);
      expect(others.stderr).toContain(
        `You created invoice ${invoice?.id} for these days from this machine. Its rows differ from the rows that svc would create now.`,
      );
      expect(posted()).toEqual([]);
    }
    await rows(['2031-02', '--group', 'day', '--yes', '--again']);
    expect(invoices().length).toBe(2);
    // svc creates an invoice again that was deleted since.
    for (const { id } of invoices()) await here.svc(['sales-invoices', 'delete', String(id), '--yes']);
    await rows(['2031-02', '--vat', '9', '--yes']);
    expect(invoices().map(({ id }) => rowsOf(id).length)).toEqual([2]);
  });

  it('prints commands for missing rows after a failure, and creates missing rows in the next run', async () => {
    const before = invoices().length;
    await twoRows('2031-03');
    await here.log('2031-03-04', 20, { project_id: shop, budget_id: dear, user_id: 1 });
    here.sandbox.setFaults([{ method: 'POST', path: /\/rows$/, skip: 1, times: 1, status: 422 }]);
    const stopped = await draft(['2031-03', '--yes']);
    expect(stopped.code).toBe(9);
    expect(stopped.stdout).toBe('');
    const invoice = invoices().at(-1)?.id;
    expect(stopped.stderr).toContain(`Invoice ${invoice} has 1 of 3 rows. To create the missing rows yourself:\n`);
    expect(stopped.stderr).toContain(`Run the same command again: svc finds invoice ${invoice}, and creates the missing rows.`);
    const byHand = stopped.stderr.split('\n').filter((line) => line.includes('svc sales-invoices rows create'));
    expect(byHand.map((line) => line.trim())).toEqual([
      `- svc sales-invoices rows create ${invoice} --name Shop --description 2031-03-03 --quantity 0.5 --unit-price 95.50 --billable-minutes 30m`,
      `- svc sales-invoices rows create ${invoice} --name Shop --description 2031-03-04 --quantity 1 --unit-price 40.00 --billable-minutes 20m`,
    ]);
    const made = await here.svc(splitWords(byHand[1]?.trim() ?? '').slice(2));
    expect(made.code, made.stderr).toBe(0);
    const shown = await rows(['2031-03']);
    expect(shown.stderr).toContain(`svc created invoice ${invoice} for these days earlier. The invoice lacks 1 of these 3 rows.\n`);
    here.sandbox.requests.length = 0;
    await rows(['2031-03', '--yes']);
    expect(posted().map(({ path }) => path)).toEqual([`/api/v2/sales-invoices/${invoice}/rows`]);
    expect(invoices().length).toBe(before + 1);
    expect(
      rowsOf(invoice)
        .map((row) => row['billable_minutes'])
        .sort(),
    ).toEqual([20, 30, 60]);
  });

  it.each([
    ['the invoice', '/sales-invoices', 4],
    ['a row of the invoice', /\/rows$/, 5],
  ])('creates one invoice in two runs when the answer about %s was lost (rule 6.12)', async (_, path, month) => {
    const before = invoices().length;
    const days = `2031-0${month}`;
    await twoRows(days);
    here.sandbox.setFaults([{ method: 'POST', path, drop: 'after', times: Number.POSITIVE_INFINITY }]);
    const clock = { ...systemClock, now: () => here.now, sleep: async () => undefined };
    const lost = await draft([days, '--yes'], { around: (deps) => ({ ...deps, clock }) });
    expect(lost.code).toBe(8);
    here.sandbox.setFaults([]);
    await rows([days, '--yes']);
    expect(invoices().length).toBe(before + 1);
    expect(rowsOf(invoices().at(-1)?.id).map((row) => row['billable_minutes'])).toEqual([60, 30]);
    expect((await here.svc(['outbox', '-o', 'json'])).stdout).toBe('[]\n');
  });

  it('exits 6 and creates no second invoice when the Idempotency-Key of an unconfirmed invoice has expired (rule 18.29)', async () => {
    await twoRows('2031-11');
    const before = invoices().length;
    here.sandbox.setFaults([{ method: 'POST', path: '/sales-invoices', drop: 'after', times: Number.POSITIVE_INFINITY }]);
    const clock = { ...systemClock, now: () => here.now, sleep: async () => undefined };
    expect((await draft(['2031-11', '--yes'], { around: (deps) => ({ ...deps, clock }) })).code).toBe(8);
    here.sandbox.setFaults([]);
    const late = { now: here.now + 25 * 3_600_000 };
    const { code, stderr } = await draft(['2031-11', '--yes'], late);
    expect(code).toBe(6);
    expect(stderr).toMatch(/svc sent an invoice for these days on 2025-06-18, and received no answer \(entry \d+\)\.\n/);
    const [, number = ''] = /svc outbox drop (\d+)/.exec(stderr) ?? [];
    expect((await here.svc(['outbox', 'drop', number], late)).code).toBe(0);
    expect(invoices().length).toBe(before + 1);
  });

  it('creates one invoice when you run the command again after each of several kills', async () => {
    await twoRows('2031-06');
    const before = invoices().length;
    let runs = 0;
    // Kills svc at a later step each time, until a run finishes. The service keeps what it has done.
    for (let killAt = 3; killAt < 400; killAt += 17) {
      const result = await runKillable(killAt, (around) => draft(['2031-06', '--yes'], { around }));
      runs += 1;
      expect(invoices().length - before).toBeLessThan(2);
      if (result?.code === 0) break;
    }
    expect(runs).toBeGreaterThan(2);
    expect(rowsOf(invoices().at(-1)?.id).map((row) => row['billable_minutes'])).toEqual([60, 30]);
  });

  it('stores the invoice in the outbox without a connection, and creates the rows after svc outbox send', async () => {
    await twoRows('2031-10');
    const before = invoices().length;
    expect((await here.svc(['config', 'set', 'outbox', 'offline'])).code).toBe(0);
    const kept = await draft(['2031-10', '--yes'], {
      around: (deps) => ({
        ...deps,
        network: {
          ...deps.network,
          request: async (request) => {
            if (request.method === 'POST') throw new NetworkError('There is no connection.', { ran: 'no', kind: 'refused' });
            return deps.network.request(request);
          },
        },
        clock: { ...systemClock, now: () => here.now, sleep: async () => undefined },
      }),
    });
    await here.svc(['config', 'unset', 'outbox']);
    expect(kept.code).toBe(1);
    expect(kept.stderr).toContain('The invoice has no id yet, so svc cannot create its rows.');
    expect(invoices().length).toBe(before);
    expect((await here.svc(['outbox', 'send', '--yes'])).code).toBe(0);
    const { stderr } = await rows(['2031-10', '--yes']);
    expect(stderr).toContain('lacks 2 of these 2 rows');
    expect(
      invoices()
        .slice(before)
        .map(({ id }) => rowsOf(id).length),
    ).toEqual([2]);
  });

  it('resumes an invoice after the service has marked its entries as billed', async () => {
    await twoRows('2031-07');
    Object.assign(here.sandbox.interpretations, { billedWorklogs: 'both' });
    try {
      const words = ['2031-07', '--yes', '-F', `project_id=${shop}`];
      here.sandbox.setFaults([{ method: 'POST', path: /\/rows$/, skip: 1, times: 1, status: 422 }]);
      expect((await draft(words)).code).toBe(9);
      const { rows: found } = await rows(words);
      expect(found.map((row) => row['billable_minutes'])).toEqual([60, 30]);
      expect(rowsOf(invoices().at(-1)?.id).length).toBe(2);
      // This invoice bills the entries.
      const after = await here.svc(['billing', 'unbilled', '2031-07', '--customer', 'Alpha']);
      expect(JSON.parse(after.stdout)).toMatchObject([{ unbilled_minutes: 0, billed_minutes: 90 }]);
      expect((await draft([...words, '--again'])).stderr).toContain('Left out: 1h30 on an invoice already.');
    } finally {
      Object.assign(here.sandbox.interpretations, { billedWorklogs: 'nothing' });
    }
  });

  it('prints that the invoice waits for approval, and exits 5 without the permission (rule 5.15)', async () => {
    await twoRows('2031-08');
    const token = here.sandbox.createToken({ name: 'Of somebody', userId: 9, scopes: ['read', 'write'] }).value;
    const env = { SVC_HOST: here.host, SVC_TOKEN: token };
    here.sandbox.setRole(9, 'employee');
    const refused = await draft(['2031-08', '--yes'], { env });
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('sales_invoices::create');
    here.sandbox.setRole(9, 'manager');
    const { stderr } = await rows(['2031-08', '--yes'], { env });
    expect(stderr).toContain('The invoice waits for approval (pending approval)');
  });

  it('creates an invoice with two rows once at a service without filters, includes and wrapped records', async () => {
    await twoRows('2031-09');
    const before = { ...here.sandbox.interpretations };
    const others = {
      hoursFilters: 'refused',
      otherFilters: 'refused',
      assumedIncludes: 'refused',
      summary: 'bare',
      wrapSingleRecords: false,
    };
    Object.assign(here.sandbox.interpretations, others);
    try {
      const { rows: found } = await rows(['2031-09', '--yes']);
      expect(found.map((row) => row['name'])).toEqual([expect.stringMatching(/^SHP-\d+ Basket$/), 'Shop']);
      expect(rowsOf(invoices().at(-1)?.id).length).toBe(2);
      expect((await rows(['2031-09', '--yes'])).stderr).toContain('has all of these rows');
    } finally {
      Object.assign(here.sandbox.interpretations, before);
    }
  });

  it.each([
    [['2030-04', '--plan', 'p'], 'svc cannot plan a draft'],
    [[], 'The draft needs the last day of the hours.'],
    [['--from', '2030-01-01'], 'The draft needs the last day of the hours.'],
    [['2030-04', '--round', '0'], 'A step is from 1m'],
    [['2030-04', '--vat', '21.5'], '--vat'],
    [['2030-04', '--group', 'mood'], '--group'],
  ])('refuses the arguments %j, and sends no request', async (words, message) => {
    const { code, stderr } = await draft(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(here.sandbox.requests).toEqual([]);
  });

  it('refuses a missing or unknown customer, and a project of another customer', async () => {
    expect((await here.svc(['billing', 'draft', '2030-04'])).stderr).toContain('The draft needs a customer.');
    expect((await here.svc(['billing', 'draft', '2030-04', '--customer', '9999'])).code).toBe(3);
    const gamma = await here.addRecord('/customers', { name: 'Gamma' });
    here.sandbox.requests.length = 0;
    const nothing = await here.svc(['billing', 'draft', '2030-04', '--customer', String(gamma)]);
    expect(nothing).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(nothing.stderr).toBe('Gamma has nothing to bill from 2030-04-01 to 2030-04-30.\n');
    expect(here.sandbox.requests.map(({ path }) => path).join()).not.toContain('worklogs');
    const project = await draft(['2030-04', '--project', '1']);
    expect(project).toMatchObject({ code: 2 });
    expect(project.stderr).toContain(`Project 1 is not billed to customer ${alpha}.`);
  });
});
