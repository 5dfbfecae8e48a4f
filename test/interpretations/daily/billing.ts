import type { Row } from '../../../src/sandbox/start.ts';
import { attempt, type Judge } from '../judge.ts';
import type { Place } from '../place.ts';
import type { OptionName } from '../table.ts';
import { type Days, loggedIn } from '../truth.ts';
import { type Daily, HOURS } from './daily.ts';

/** Two weeks in which everybody has logged hours, and days on which nobody has. */
const RANGE: Days = { first: '2025-05-05', last: '2025-05-18' };
const WRITES: readonly OptionName[] = ['wrapSingleRecords', 'idempotencyKey', 'billedWorklogs', 'keyMember', 'otherFilters'];

/** Tests of billing: each figure equals the rows or is null, and an invoice contains exactly the intended hours. */
export const billing: readonly Daily[] = [
  {
    name: 'billing unbilled, by customer',
    matters: [...HOURS, 'otherFilters', 'pages', 'cursorBindsTotal'],
    run: (place) =>
      attempt(place, ['billing', 'unbilled', '--from', RANGE.first, '--to', RANGE.last], {
        judge: (judge) => unbilled(judge, place, loggedIn(place.rows('worklogs'), RANGE)),
      }),
  },
  {
    name: 'billing unbilled, of a customer that is invoiced',
    matters: [...HOURS, 'otherFilters', 'billedWorklogs'],
    async run(place) {
      const of = { user_id: 1, project_id: 4 };
      const { id: budget } = await place.addRecord('budgets', { project_id: 4, name: 'Oracle' });
      await place.addRecord('worklogs', { ...of, date: '2029-05-07', minutes: 35, budget_id: budget });
      await place.addRecord('worklogs', { ...of, date: '2029-05-08', minutes: 50, is_not_billable: true });
      await place.addRecord('worklogs', { ...of, date: '2029-05-09', minutes: 25 });
      const customer = place.rows('projects').find(({ id }) => id === 4)?.['customer_id'];
      const invoice = await place.addRecord('sales-invoices', { customer_id: customer });
      await place.addRecord('sales-invoice-rows', { sales_invoice_id: invoice.id, name: 'Oracle', budget_id: budget });
      return attempt(place, ['billing', 'unbilled', '2029-05', '--customer', String(customer)], {
        judge: (judge) => unbilled(judge, place, loggedIn(place.rows('worklogs'), { first: '2029-05-01', last: '2029-05-31' })),
      });
    },
  },
  {
    name: 'billing draft --yes',
    matters: [...HOURS, ...WRITES],
    async run(place) {
      const { id: customer } = await place.addRecord('customers', { name: 'Oracle' });
      const { id: project } = await place.addRecord('projects', { name: 'Oracle', customer_id: customer, hourly_rate: '80.00' });
      const of = { user_id: place.person.id, project_id: project, date: '2029-06-07' };
      await place.addRecord('worklogs', { ...of, minutes: 35 });
      await place.addRecord('worklogs', { ...of, minutes: 52 });
      await place.addRecord('worklogs', { ...of, minutes: 40, is_not_billable: true });
      const argv = ['billing', 'draft', '2029-06', '--customer', String(customer), '--round', '15m', '--vat', '21', '--yes'];
      return attempt(place, argv, {
        // The service alone decides which entries are billed.
        byService: ({ resource }) => resource === 'worklogs',
        judge(judge) {
          const made = (resource: string) => judge.changes.flatMap((change) => (change.resource === resource ? (change.after ?? []) : []));
          const [invoice] = made('sales-invoices');
          judge.same('changed', judge.changes.map(({ resource }) => resource).sort(), ['sales-invoice-rows', 'sales-invoices']);
          judge.same('whose', invoice?.['customer_id'], customer);
          // The sum 35 + 52 is 87, rounded to the quarter 90. An hour and a half at 80.00 is 120.00, and with 21 % VAT 145.20.
          const fields = ['sales_invoice_id', 'billable_minutes', 'quantity', 'unit_price', 'vat_rate', 'total_amount', 'budget_id'];
          judge.same(
            'rows',
            made('sales-invoice-rows').map((row) => fields.map((name) => row[name])),
            [[invoice?.id, 90, '1.50', '80.00', 21, '145.20', null]],
          );
          judge.same('amount printed', judge.json()[0].amount, '120.00');
        },
      });
    },
  },
];

/** Checks the minutes of every customer by billing state. An entry without a row and without an invoice is unbilled. */
function unbilled(judge: Judge, place: Place, rows: readonly Row[]): void {
  const whose = new Map(place.rows('projects').map((project) => [project.id as unknown, project['customer_id'] ?? null]));
  const printed = judge.json() as readonly Readonly<Record<string, unknown>>[];
  const isBilled = (row: Row) => (row['invoice_id'] ?? null) !== null || (row['sales_invoice_row_id'] ?? null) !== null;
  const sum = (some: readonly Row[]) => some.reduce((total, { minutes }) => total + Number(minutes), 0);
  const groups = Map.groupBy(rows, (row) => whose.get(row['project_id']) ?? null);
  judge.same('changes', judge.changes, []);
  judge.same('customers', printed.map((group) => group['customer_id']).sort(), [...groups.keys()].sort());
  for (const group of printed) {
    const own = groups.get(group['customer_id'] as number) ?? [];
    const free = own.filter((row) => !isBilled(row));
    const billable = free.filter((row) => row['is_not_billable'] !== true);
    judge.same('minutes', group['minutes'], sum(own));
    judge.figure('billed', group['billed_minutes'], sum(own.filter(isBilled)));
    judge.figure('not billable', group['not_billable_minutes'], sum(free) - sum(billable));
    judge.figure('over budget', group['over_budget_minutes'], sum(billable.filter((row) => row['exceeded_budget'] === true)));
    judge.figure('unbilled', group['unbilled_minutes'], sum(billable.filter((row) => row['exceeded_budget'] !== true)));
    judge.same('entries', group['entries'], own.length);
  }
}
