import { absenceDays } from './absence-days.ts';
import type { ExistingTable, ExistingTables } from './existing-tables.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { hasAll, type Joining, joining, missingColumn, noView, type ViewIndex, type ViewParts } from './view-parts.ts';

export interface NamedView {
  readonly name: string;
  readonly select: string;
  readonly index?: ViewIndex | undefined;
}

export const VIEWS = ['hours', 'absence_days', 'budget_use'] as const;

const PARTS: Readonly<Record<(typeof VIEWS)[number], (tables: ExistingTables, dialect: SqlDialect) => ViewParts>> = {
  hours,
  absence_days: absenceDays,
  budget_use: budgetUse,
};

/**
 * Returns the views that the existing tables allow, with the columns that exist. If a resource’s table has the name of a view, svc leaves
 * out the view.
 */
export function viewsOf(tables: ExistingTables, dialect: SqlDialect): readonly NamedView[] {
  return partsOf(tables, dialect).flatMap(({ name, select, index }) => (select === undefined ? [] : [{ name, select, index }]));
}

/** Returns the columns that each view lacks, with the missing table column. An empty name means the whole view. */
export function lacksOf(tables: ExistingTables, dialect: SqlDialect): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(partsOf(tables, dialect).map(({ name, lacks }) => [name, lacks]));
}

function partsOf(tables: ExistingTables, dialect: SqlDialect): readonly (ViewParts & Pick<NamedView, 'name'>)[] {
  const taken = new Set([...tables.values()].map(({ table }) => table.toLowerCase()));
  return VIEWS.flatMap((name) => (taken.has(name) ? [] : [{ name, ...PARTS[name](tables, dialect) }]));
}

/** Selects one row per worklog, with the names of its relations and its billing state. */
function hours(tables: ExistingTables, dialect: SqlDialect): ViewParts {
  const worklogs = tables.get('worklogs');
  if (!hasAll(worklogs, 'id', 'date', 'minutes')) return noView(missingColumn(tables, 'worklogs', 'id', 'date', 'minutes') ?? 'worklogs');
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
  else view.lack('invoice', missingColumn(tables, 'sales-invoices', 'number') ?? 'worklogs.sales_invoice_row_id');
  const billing = billingOf(view, worklogs, dialect);
  if (billing !== undefined) view.say('billing', billing);
  else view.lack('billing', missingColumn(tables, 'worklogs', ...BILLING) ?? 'worklogs');
  return view.end();
}

/** The related names of a worklog. Each entry has the column with the id, the table’s alias, the name’s column, and the view’s column. */
const NAMES: readonly (readonly [column: string, alias: string, name: readonly [column: string, name: string]])[] = [
  ['project_id', 'p', ['name', 'project']],
  ['customer_id', 'c', ['name', 'customer']],
  ['user_id', 'u', ['name', 'person']],
  ['work_item_id', 'i', ['issue_key', 'work_item']],
  ['task_id', 't', ['name', 'task']],
  ['budget_id', 'b', ['name', 'budget']],
];

/** Returns the id field of a worklog for a column of names in the view `hours`. Undefined for any other column, such as `customer`. */
export function fieldBehindName(shown: string): { readonly column: string; readonly label: string } | undefined {
  const found = NAMES.find(([column, , [, name]]) => name === shown && column !== 'customer_id');
  return found && { column: found[0], label: found[2][0] };
}

/** The fields of a worklog that determine its billing state. */
const BILLING = ['invoice_id', 'sales_invoice_row_id', 'is_not_billable', 'exceeded_budget'] as const;

/**
 * Returns SQL for the billing state of a worklog, as in `svc billing`. If a record lacks a needed field, the state is unknown (rule 18.33).
 * Undefined if the table lacks a needed column.
 */
function billingOf(view: Joining, worklogs: ExistingTable, dialect: SqlDialect): string | undefined {
  if (!hasAll(worklogs, ...BILLING)) return undefined;
  const invoiced = ['invoice_id', 'sales_invoice_row_id'];
  return `CASE
    WHEN ${invoiced.map((field) => `NOT (${dialect.isNull('w', field)})`).join(' OR ')} THEN 'billed'
    WHEN w."is_not_billable" IS NULL OR ${view.lacksFields('w', invoiced)} THEN 'unknown'
    WHEN w."is_not_billable" THEN 'not-billable'
    WHEN w."exceeded_budget" IS NULL THEN 'unknown'
    WHEN w."exceeded_budget" THEN 'over-budget'
    ELSE 'unbilled'
  END`;
}

/** Selects one row per budget, with its size and the time spent. The service’s own figure takes precedence over the sum of the worklogs. */
function budgetUse(tables: ExistingTables, dialect: SqlDialect): ViewParts {
  const budgets = tables.get('budgets');
  if (!hasAll(budgets, 'id', 'name', 'budget')) return noView(missingColumn(tables, 'budgets', 'id', 'name', 'budget') ?? 'budgets');
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
  } else view.lack('worklog_minutes', missingColumn(tables, 'worklogs', 'budget_id', 'minutes') ?? 'worklogs');
  if (figures.length === 0) {
    for (const name of ['spent_minutes', 'left_minutes', 'percent']) view.lack(name, `${budgets.table}.logged_minutes`);
    return view.end();
  }
  const spent = firstOf(figures);
  view.say('spent_minutes', spent);
  view.say('left_minutes', `b."budget" - ${spent}`);
  view.say('percent', `CASE WHEN b."budget" > 0 THEN round(100.0 * ${spent} / b."budget", 1) END`);
  return view.end();
}

function firstOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? 'NULL') : `COALESCE(${expressions.join(', ')})`;
}
