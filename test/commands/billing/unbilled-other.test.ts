// The order, names, totals and notices of unbilled hours, each in a month of its own.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunOptions } from '../../support/svc.ts';
import { type Books, hiding, openBooks } from './support.ts';

let here: Books;
let alpha: number;
let beta: number;
/** Projects of Alpha at 60.00 an hour, and of Beta without a rate. */
let shop: number;
let care: number;

beforeAll(async () => {
  here = await openBooks();
  alpha = await here.addRecord('/customers', { name: 'Alpha' });
  beta = await here.addRecord('/customers', { name: 'Beta' });
  shop = await here.addRecord('/projects', { name: 'Shop', customer_id: alpha, hourly_rate: '60.00' });
  care = await here.addRecord('/projects', { name: 'Care', customer_id: beta });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const unbilled = (words: readonly string[], options: RunOptions = {}) => here.svc(['billing', 'unbilled', ...words], options);
async function rows(words: readonly string[], options: RunOptions = {}) {
  const { code, stdout, stderr } = await unbilled(words, options);
  expect(code, stderr).toBe(0);
  return { rows: JSON.parse(stdout) as Record<string, unknown>[], stderr };
}
async function table(words: readonly string[], options: RunOptions = {}) {
  const { code, stdout, stderr } = await unbilled(words, { terminal: 120, env: { NO_COLOR: '1' }, ...options });
  expect(code, stderr).toBe(0);
  return { lines: stdout.split('\n'), stderr };
}

describe('the rows of svc billing unbilled', () => {
  it('are in the order of unbilled hours, names and ids, unknown customers last', async () => {
    await here.log('2041-01-01', 500, { user_id: 1 });
    await here.log('2041-01-02', 30, { project_id: care, user_id: 1 });
    await here.log('2041-01-03', 30, { project_id: shop, user_id: 1 });
    const [one, other] = [await here.addRecord('/customers', { name: 'Twin' }), await here.addRecord('/customers', { name: 'Twin' })];
    for (const customer_id of [other, one])
      await here.log('2041-01-04', 40, { project_id: await here.addRecord('/projects', { name: 'Pair', customer_id }), user_id: 1 });
    const { rows: found } = await rows(['2041-01']);
    expect(found.map((row) => [row['customer_id'], row['customer'], row['minutes']])).toEqual([
      [one, 'Twin', 40],
      [other, 'Twin', 40],
      [alpha, 'Alpha', 30],
      [beta, 'Beta', 30],
      [null, 'unknown', 500],
    ]);
  });

  it('show the oldest open entry, and need a rate only for unbilled hours', async () => {
    here.mark(await here.log('2041-02-01', 20, { project_id: care, user_id: 1 }), { exceeded_budget: true });
    await here.log('2041-02-02', 15, { project_id: care, is_not_billable: true, user_id: 1 });
    here.mark(await here.log('2041-02-03', 15, { project_id: care, user_id: 1 }), { minutes: 0 });
    here.mark(await here.log('2041-02-01', 60, { project_id: shop, user_id: 1 }), { invoice_id: 1 });
    const { rows: found, stderr } = await rows(['2041-02']);
    expect(found).toMatchObject([
      { customer: 'Alpha', unbilled_minutes: 0, billed_minutes: 60, oldest_date: null, amount: '0.00', unpriced_minutes: 0 },
      { customer: 'Beta', unbilled_minutes: 0, over_budget_minutes: 20, oldest_date: '2041-02-01', amount: '0.00', unpriced_minutes: 0 },
    ]);
    expect(stderr).toBe('Hours from 2041-02-01 to 2041-02-28.\n');
    const { lines } = await table(['2041-02', '--customer', 'Alpha']);
    expect(lines[3]).toMatch(/^Alpha +0m +0\.00 +0m +0m +1h +0m +·$/);
  });

  it('show an id without a name, and are unknown for a hidden project', async () => {
    await here.log('2041-03-01', 30, { project_id: care, user_id: 1 });
    const noName = hiding('/customers', ['name']);
    expect((await table(['2041-03'], { around: noName })).lines[3]).toMatch(new RegExp(`^#${beta} +30m `));
    expect((await rows(['2041-03'], { around: noName })).rows).toMatchObject([{ customer_id: beta, customer: null }]);
    const noPerson = await rows(['2041-03', '--by', 'person'], { around: hiding('/worklogs', ['user_id']) });
    expect(noPerson.rows).toMatchObject([{ user_id: null, user: 'unknown' }]);
    const noProject = await rows(['2041-03', '--by', 'project'], { around: hiding('/worklogs', ['project_id']) });
    expect(noProject.rows).toMatchObject([{ project_id: null, project: 'unknown', customer_id: null, customer: 'unknown' }]);
    // Only a customer leaves out hours.
    expect(noProject.stderr).toBe('Hours from 2041-03-01 to 2041-03-31.\nsvc knows no rate for 30m. Set a rate with --rate.\n');
  });
});

describe('the totals of svc billing unbilled', () => {
  beforeAll(async () => {
    await here.log('2041-04-01', 30, { project_id: care, user_id: 1 });
    await here.log('2041-04-02', 90, { project_id: shop, user_id: 3 });
  });

  it('add up the amounts of all rows', async () => {
    const { lines, stderr } = await table(['2041-04', '--rate', '60']);
    expect(lines.slice(3, 7)).toEqual([
      expect.stringMatching(/^Alpha +1h30 +90\.00 +0m +0m +0m +0m +2041-04-02$/),
      expect.stringMatching(/^Beta +30m +30\.00 +0m +0m +0m +0m +2041-04-01$/),
      expect.stringMatching(/^─+$/),
      expect.stringMatching(/^Total +2h +120\.00 +0m +0m +0m +0m +2041-04-01$/),
    ]);
    expect(stderr).toBe('');
  });

  it('are unknown if the billing state of one row is unknown', async () => {
    const around = hiding('/worklogs', ['invoice_id'], (record) => record['project_id'] === care);
    const { lines, stderr } = await table(['2041-04', '--rate', '60'], { around });
    expect(lines.slice(3, 7)).toEqual([
      expect.stringMatching(/^Alpha +1h30 +90\.00 +0m +0m +0m +0m +2041-04-02$/),
      expect.stringMatching(/^Beta +unknown +unknown +unknown +unknown +unknown +30m +unknown$/),
      expect.stringMatching(/^─+$/),
      expect.stringMatching(/^Total +unknown +unknown +unknown +unknown +unknown +30m +unknown$/),
    ]);
    expect(stderr).toBe('The service does not show whether 30m are billable or on an invoice.\n');
  });
});

describe('the notices of svc billing unbilled', () => {
  it('are only about the given days, customer and rate', async () => {
    await here.log('2041-05-01', 30, { project_id: shop, user_id: 1 });
    for (const words of [
      ['2041-05', '--customer', String(alpha)],
      ['--from', '2041-05-01', '--to', '2041-05-31'],
      ['2041-05', '--by', 'person', '--project', String(shop)],
    ])
      expect((await rows(words)).stderr, words.join(' ')).toBe('Hours from 2041-05-01 to 2041-05-31.\n');
    expect((await table(['2041-05'])).stderr).toBe('');
  });

  it('say at a terminal that no hours were logged, without a table', async () => {
    const { lines } = await table(['2041-06']);
    expect(lines).toEqual(['Unbilled hours from 2041-06-01 to 2041-06-30, by customer', '', 'No hours were logged.', '']);
  });

  it('name what svc does not know without the permission for customers or projects', async () => {
    await here.log('2041-07-01', 30, { project_id: shop, user_id: 1 });
    here.sandbox.setFaults([{ path: '/customers', status: 403, times: 9 }]);
    const names = await rows(['2041-07']);
    expect(names.rows).toMatchObject([{ customer_id: alpha, customer: null, amount: '30.00' }]);
    expect(names.stderr).toContain('svc does not know the names of customers: ');
    here.sandbox.setFaults([{ path: '/projects', status: 403, times: 9 }]);
    const people = await rows(['2041-07', '--by', 'person']);
    expect(people.rows).toMatchObject([{ user_id: 1, minutes: 30, amount: null, unpriced_minutes: 30 }]);
    expect(people.stderr).toContain('svc does not know the names and rates of projects: ');
    expect((await unbilled(['2041-07'])).code).toBe(5);
    expect((await unbilled(['2041-07', '--by', 'person', '--customer', String(alpha)])).code).toBe(5);
  });

  it('name a customer without projects, for whom svc reads no hours', async () => {
    const { rows: found, stderr } = await rows(['2041-08', '--customer', '9999']);
    expect([found, stderr]).toEqual([[], 'Hours from 2041-08-01 to 2041-08-31.\nNo project is billed to customer 9999.\n']);
    expect(here.sandbox.requests.map(({ path }) => path).join()).not.toContain('worklogs');
  });
});
