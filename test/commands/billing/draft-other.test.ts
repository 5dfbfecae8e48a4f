// A draft of the same days as an earlier draft, with other fields.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Books, openBooks } from './support.ts';

let here: Books;
let customer: number;
beforeAll(async () => {
  here = await openBooks({ personalToken: true });
  customer = await here.addRecord('/customers', { name: 'Omega' });
  const project = await here.addRecord('/projects', { name: 'Bridge', customer_id: customer });
  await here.log('2032-04-01', 60, { project_id: project, user_id: 1 });
});
afterAll(() => here.remove());

const draft = (...words: string[]) => here.svc(['billing', 'draft', '2032-04', '--customer', String(customer), '--yes', ...words]);
const invoices = () => here.sandbox.rows('sales-invoices').filter((row) => row['customer_id'] === customer);

it('svc billing draft refuses a second invoice for the same days with another --date, except with --again', async () => {
  expect((await draft('--rate', '95')).code).toBe(0);
  const other = await draft('--rate', '95', '--date', '2032-05-01');
  expect(other.code, other.stderr).toBe(6);
  expect(other.stderr).toMatch(/You created invoice \d+ for these days from this machine, with other fields \(entry \d+\)\./);
  expect((await draft('--rate', '95')).stderr).toContain('has all of these rows');
  expect(invoices()).toHaveLength(1);
  expect((await draft('--rate', '95', '--date', '2032-05-01', '--again')).code).toBe(0);
});

it('svc billing draft shows the VAT rate that the service set on the rows, and refuses a negative --rate', async () => {
  const rows = JSON.parse((await draft('--rate', '95')).stdout);
  const made = here.sandbox.rows('sales-invoice-rows').find(({ id }) => id === rows[0].id);
  expect(rows[0]).toMatchObject({ vat_rate: made?.['vat_rate'] ?? null });
  expect((await draft('--rate=-95')).code).toBe(2);
});
