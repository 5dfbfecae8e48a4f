// The rows of a draft, and the lines about them: order, names, rounding, signs, and the amounts of the service.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunOptions } from '../../support/svc.ts';
import { type Books, changingAnswers, hiding, openBooks } from './support.ts';

let here: Books;
let gamma: number;
/** Projects at 95.50 an hour, at 60.00 an hour, and a credit of 95.50 an hour. */
let shop: number;
let barn: number;
let credit: number;

beforeAll(async () => {
  here = await openBooks({ personalToken: true });
  gamma = await here.addRecord('/customers', { name: 'Gamma' });
  shop = await here.addRecord('/projects', { name: 'Shop', customer_id: gamma, hourly_rate: '95.50' });
  barn = await here.addRecord('/projects', { name: 'Barn', customer_id: gamma, hourly_rate: '60.00' });
  credit = await here.addRecord('/projects', { name: 'Credit', customer_id: gamma });
  Object.assign(here.sandbox.rows('projects').find(({ id }) => id === credit) ?? {}, { hourly_rate: '-95.50' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const draft = (words: readonly string[], options: RunOptions = {}) =>
  here.svc(['billing', 'draft', '--customer', String(gamma), ...words], options);
async function rows(words: readonly string[], options: RunOptions = {}) {
  const { code, stdout, stderr } = await draft(words, options);
  expect(code, stderr).toBe(0);
  return { rows: JSON.parse(stdout) as Record<string, unknown>[], stderr };
}
const read = () => here.sandbox.requests.filter(({ method }) => method === 'GET').map(({ path }) => decodeURIComponent(path));

const NOTHING_SENT =
  'The documentation of the service does not show these fields of an invoice: customer_id.\n' +
  'svc sent nothing. To create the invoice, run the same command with --yes.\n';

describe('the rows of svc billing draft', () => {
  beforeAll(async () => {
    await here.log('2042-01-02', 50, { project_id: shop, user_id: 3 });
    await here.log('2042-01-02', 30, { project_id: barn, user_id: 1 });
    await here.log('2042-01-01', 15, { project_id: shop, user_id: 3 });
    await here.log('2042-01-03', 60, { project_id: barn, user_id: 1 });
  });

  it('are in the order of their first day, then of their names', async () => {
    const { rows: found, stderr } = await rows(['2042-01']);
    expect(found.map((row) => [row['name'], row['description'], row['billable_minutes']])).toEqual([
      ['Shop', '2042-01-01 to 2042-01-02', 65],
      ['Barn', '2042-01-02 to 2042-01-03', 90],
    ]);
    // 65 × 95.50 / 60 = 103.4583…, and 90.00.
    expect(stderr).toBe(
      'Gamma, 2042-01-01 to 2042-01-31: 4 entries, 2h35 on 2 rows, 193.46 without VAT.\n' +
        'Two decimals cannot express the hours of 1 row: svc bills one piece at its price. To avoid this: --round 15m\n' +
        NOTHING_SENT,
    );
    const later = await rows(['--from', '2042-01-02', '--to', '2042-01-31']);
    expect(later.rows.map((row) => row['name'])).toEqual(['Barn', 'Shop']);
  });

  it('show the logged time beside a rounded time', async () => {
    const { stderr } = await rows(['2042-01', '--round', '15m']);
    // 60 × 95.50 / 60, and 90.00.
    expect(stderr).toBe(`Gamma, 2042-01-01 to 2042-01-31: 4 entries, 2h30 (2h35 logged) on 2 rows, 185.50 without VAT.\n${NOTHING_SENT}`);
    const alike = await rows(['--from', '2042-01-03', '--to', '2042-01-31', '--round', '15m']);
    expect(alike.stderr).toContain('1 entry, 1h on 1 row, 60.00 without VAT.\n');
  });

  it('name all projects of a day, and read no work items', async () => {
    const { rows: found } = await rows(['2042-01', '--group', 'day', '--rate', '60']);
    expect(found.map((row) => [row['name'], row['description'], row['billable_minutes']])).toEqual([
      ['2042-01-01', 'Shop', 15],
      ['2042-01-02', 'Barn, Shop', 80],
      ['2042-01-03', 'Barn', 60],
    ]);
    expect(read().filter((path) => path.includes('include=') || path.includes('/work-items'))).toEqual([]);
    here.sandbox.requests.length = 0;
    await rows(['2042-01']);
    expect(read().filter((path) => path.includes('include=work_item'))).toHaveLength(1);
  });

  it('have the ids of people as names if the service refuses their names', async () => {
    here.sandbox.setFaults([{ path: '/users', status: 403, times: 9 }]);
    const { rows: found, stderr } = await rows(['2042-01', '--group', 'person', '--rate', '60']);
    expect(found.map((row) => [row['user_id'], row['name']])).toEqual([
      [3, 'User 3'],
      [1, 'User 1'],
    ]);
    expect(stderr).toContain('svc does not know the names of people: ');
  });

  it('leave out the price of all rows together if one row has no rate', async () => {
    await here.log('2042-02-01', 30, { project_id: barn, user_id: 1 });
    await here.log('2042-02-02', 30, { project_id: shop, user_id: 1 });
    const { stderr } = await rows(['2042-02'], { around: hiding('/projects', ['hourly_rate'], ({ id }) => id === barn) });
    expect(stderr).toBe(
      `Gamma, 2042-02-01 to 2042-02-28: 2 entries, 1h on 2 rows.\nsvc knows no rate for 1 row, and sets no price on these rows. Set a rate with --rate.\n${NOTHING_SENT}`,
    );
  });

  it.each([
    // 45 × -95.50 / 60 = -71.625, of which 21 % are -15.0423.
    [45, '21', '-71.63', '-15.04'],
    // 60 × -95.50 / 60, of which 9 % are -8.595.
    [60, '9', '-95.50', '-8.60'],
  ])('round %i minutes at a negative rate, and %s % VAT, away from zero', async (minutes, vat, amount, vatAmount) => {
    await here.log(`2042-03-${minutes === 45 ? '01' : '02'}`, minutes, { project_id: credit, user_id: 1 });
    const day = minutes === 45 ? '2042-03-01' : '2042-03-02';
    const { rows: found, stderr } = await rows(['--from', day, '--to', day, '--vat', vat]);
    expect(found).toMatchObject([{ hourly_rate: '-95.50', amount, vat_amount: vatAmount }]);
    expect(stderr).toContain(`on 1 row, ${amount} and ${vatAmount} VAT.\n`);
  });
});

describe('svc billing draft with another amount of the service', () => {
  /** Changes the amounts in the answers about rows of an invoice. */
  const answering = (amounts: object) =>
    changingAnswers('POST', (pathname, answer) => {
      if (pathname.endsWith('/rows')) Object.assign(answer.data ?? answer, amounts);
    });

  it.each([
    ['without VAT', '2042-04-01', { total_amount: '60.00', vat_amount: '12.60' }, undefined],
    ['with VAT', '2042-04-02', { total_amount: '72.60', vat_amount: '12.60' }, undefined],
    ['without a VAT amount', '2042-04-03', { total_amount: '60.00', vat_amount: null }, undefined],
    ['one cent higher', '2042-04-04', { total_amount: '60.01', vat_amount: null }, '60.01'],
    ['with other VAT', '2042-04-05', { total_amount: '72.61', vat_amount: '12.60' }, '72.61'],
  ])('reports an amount %s only if it differs', async (_, day, amounts, other) => {
    await here.log(day, 60, { project_id: barn, user_id: 1 });
    const { stderr } = await rows(['--from', day, '--to', day, '--yes', '--again'], { around: answering(amounts) });
    expect(stderr.includes('the service calculates')).toBe(other !== undefined);
    if (other !== undefined) expect(stderr).toContain(`Barn: the service calculates ${other}, and svc 60.00 without VAT.\n`);
  });
});
