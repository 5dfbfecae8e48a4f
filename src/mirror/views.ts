import { absenceDays } from './absence-days.ts';
import type { SqlDialect } from './sql-dialect.ts';
import type { TablesThere, TableThere } from './tables-there.ts';
import { hasAll, joining, showsField } from './view-parts.ts';

/** A question that has a name. */
export interface NamedView {
  readonly name: string;
  readonly select: string;
}

/** Every view there may be. */
export const VIEWS = ['hours', 'absence_days', 'budget_use'] as const;

const SELECTS: Readonly<Record<(typeof VIEWS)[number], (tables: TablesThere, dialect: SqlDialect) => string | undefined>> = {
  hours,
  absence_days: absenceDays,
  budget_use: budgetUse,
};

/**
 * The views that can be made of the tables there are, with the columns that can: of a table or column that is not there, nothing is said.
 * A collection's own table of that name comes before a view.
 */
export function viewsOf(tables: TablesThere, dialect: SqlDialect): readonly NamedView[] {
  const taken = new Set([...tables.values()].map(({ table }) => table.toLowerCase()));
  return VIEWS.flatMap((name) => {
    const select = taken.has(name) ? undefined : SELECTS[name](tables, dialect);
    return select === undefined ? [] : [{ name, select }];
  });
}

/** A row a worklog, with the names of what it is about, and how it stands towards an invoice. */
function hours(tables: TablesThere, dialect: SqlDialect): string | undefined {
  const worklogs = tables.get('worklogs');
  if (!hasAll(worklogs, 'id', 'date', 'minutes')) return undefined;
  const view = joining(tables, dialect, worklogs, 'w');
  view.join('projects', 'p', 'w', 'project_id');
  view.join('customers', 'c', 'p', 'customer_id');
  view.join('users', 'u', 'w', 'user_id');
  view.join('work-items', 'i', 'w', 'work_item_id');
  view.join('tasks', 't', 'w', 'task_id');
  view.join('budgets', 'b', 'w', 'budget_id');
  view.join('invoices', 'o', 'w', 'invoice_id');
  view.join('sales-invoice-rows', 'l', 'w', 'sales_invoice_row_id');
  view.join('sales-invoices', 's', 'l', 'sales_invoice_id');
  for (const column of ['id', 'date', 'minutes', 'description']) view.take('w', column);
  for (const [column, of, name] of NAMES) {
    view.take(column === 'customer_id' ? 'p' : 'w', column);
    view.take(of, name[0], name[1]);
  }
  for (const column of ['is_overtime', 'is_not_billable', 'exceeded_budget', 'invoice_id', 'sales_invoice_row_id']) view.take('w', column);
  view.take('l', 'sales_invoice_id');
  const numbers = ['s', 'o'].filter((alias) => view.has(alias, 'number')).map((alias) => `${alias}."number"`);
  if (numbers.length > 0) view.say('invoice', firstOf(numbers));
  const billing = billingOf(worklogs, dialect);
  if (billing !== undefined) view.say('billing', billing);
  return view.select();
}

/** What names a worklog's relations: the column with the id, the table, and its column and what the view calls it. */
const NAMES: readonly (readonly [column: string, alias: string, name: readonly [column: string, name: string]])[] = [
  ['project_id', 'p', ['name', 'project']],
  ['customer_id', 'c', ['name', 'customer']],
  ['user_id', 'u', ['name', 'person']],
  ['work_item_id', 'i', ['issue_key', 'work_item']],
  ['task_id', 't', ['name', 'task']],
  ['budget_id', 'b', ['name', 'budget']],
];

/** How an entry stands towards an invoice, in the words of `svc billing`: what a record does not show is not taken for none (rule 18.33). */
function billingOf(worklogs: TableThere, dialect: SqlDialect): string | undefined {
  if (!hasAll(worklogs, 'invoice_id', 'sales_invoice_row_id', 'is_not_billable', 'exceeded_budget')) return undefined;
  const invoiced = ['invoice_id', 'sales_invoice_row_id'];
  const shown = invoiced.map((field) => showsField(dialect, worklogs, 'w', field));
  return `CASE
    WHEN ${invoiced.map((field) => `NOT (${dialect.isNull('w', field)})`).join(' OR ')} THEN 'billed'
    WHEN w."is_not_billable" IS NULL OR NOT ${shown.join(' OR NOT ')} THEN 'unknown'
    WHEN w."is_not_billable" THEN 'not-billable'
    WHEN w."exceeded_budget" IS NULL THEN 'unknown'
    WHEN w."exceeded_budget" THEN 'over-budget'
    ELSE 'unbilled'
  END`;
}

/** A row a budget: what it holds, and what is spent of it, by the service's figure where it shows one, else by its worklogs. */
function budgetUse(tables: TablesThere, dialect: SqlDialect): string | undefined {
  const budgets = tables.get('budgets');
  if (!hasAll(budgets, 'id', 'name', 'budget')) return undefined;
  const worklogs = tables.get('worklogs');
  const view = joining(tables, dialect, budgets, 'b');
  view.join('projects', 'p', 'b', 'project_id');
  view.join('customers', 'c', 'p', 'customer_id');
  view.take('b', 'id', 'budget_id');
  view.take('b', 'name', 'budget');
  view.take('b', 'project_id');
  view.take('p', 'name', 'project');
  view.take('p', 'customer_id');
  view.take('c', 'name', 'customer');
  view.take('b', 'budget', 'budget_minutes');
  view.take('b', 'logged_minutes', 'shown_minutes');
  const figures = view.has('b', 'logged_minutes') ? ['b."logged_minutes"'] : [];
  if (hasAll(worklogs, 'budget_id', 'minutes')) {
    const summed = `(SELECT ${dialect.whole('COALESCE(sum(w."minutes"), 0)')} FROM ${dialect.table(worklogs.table)} AS w WHERE w."budget_id" = b."id")`;
    view.say('worklog_minutes', summed);
    figures.push(summed);
  }
  if (figures.length === 0) return view.select();
  const spent = firstOf(figures);
  view.say('spent_minutes', spent);
  view.say('left_minutes', `b."budget" - ${spent}`);
  view.say('percent', `CASE WHEN b."budget" > 0 THEN round(100.0 * ${spent} / b."budget", 1) END`);
  return view.select();
}

function firstOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? 'NULL') : `COALESCE(${expressions.join(', ')})`;
}
