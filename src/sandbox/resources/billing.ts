import type { Database } from '../db.ts';
import type { Json, Row, Values } from '../json.ts';
import { type DefinedResource, defineServedResource, type ValidWrite } from './define.ts';
import {
  choice,
  count,
  day,
  flag,
  minutes,
  money,
  name,
  percent,
  position,
  readOnly,
  ref,
  requiredDay,
  requiredRef,
  tag,
  textField,
} from './fields.ts';

/** The permission to change an invoice without a new approval. Its name is assumed. */
const FINALISE = 'sales_invoices::finalise';

const external = {
  external_item_id: { ...textField, shown: 'detail' },
  external_vat_code: { ...textField, shown: 'detail' },
  external_cost_center: { ...textField, shown: 'detail' },
  external_gl_account: { ...textField, shown: 'detail' },
} as const;

export const billingResources: readonly DefinedResource[] = [
  defineServedResource('sales-invoices', {
    counted: true,
    softDelete: true,
    search: ['number', 'reference'],
    defaultSort: '-id',
    fields: {
      number: readOnly(tag),
      reference: textField,
      customer_id: requiredRef('customers'),
      project_id: ref('projects'),
      status: readOnly(choice(['draft', 'pending_approval', 'approved', 'sent', 'paid'])),
      invoice_date: day,
      due_date: day,
      total_amount: { type: 'money', compute: (row, { db }) => total(db, row.id) },
      rows_count: count('sales-invoice-rows', 'sales_invoice_id'),
    },
    many: { rows: { resource: 'sales-invoice-rows', by: 'sales_invoice_id' } },
    prepare: ({ kind, row, actor, now, db }) => {
      if (kind === 'update' && row !== undefined && !actor.may(FINALISE)) return { status: 'pending_approval' };
      if (kind !== 'create') return {};
      return { number: `${new Date(now).getUTCFullYear()}-${String(db.table('sales-invoices').rows.size + 1).padStart(4, '0')}` };
    },
  }),
  defineServedResource('sales-invoice-rows', {
    prefixes: ['sales_invoices'],
    nested: [{ parent: 'sales-invoices', segment: 'rows', by: 'sales_invoice_id', counted: true }],
    softDelete: true,
    search: ['name', 'description'],
    fields: {
      sales_invoice_id: requiredRef('sales-invoices'),
      subscription_item_id: ref('subscription-items'),
      budget_id: ref('budgets'),
      name,
      description: textField,
      quantity: { type: 'decimal', write: 'optional', default: '1.00' },
      unit_price: { ...money, nullable: false, default: '0.00' },
      hourly_rate: money,
      vat_rate: { ...percent, nullable: false, default: 21 },
      vat_amount: { type: 'money', default: '0.00' },
      total_amount: { type: 'money', default: '0.00', sort: true },
      billable_minutes: { ...minutes, filter: true },
      is_aggregated_price: flag,
      sort_order: { ...position, write: 'optional' },
      ...external,
    },
    prepare: prepareInvoiceRow,
    follow: billWorklogs,
  }),
  defineServedResource('invoices', {
    counted: true,
    search: ['number'],
    fields: {
      number: tag,
      project_id: requiredRef('projects'),
      date: requiredDay,
      amount: { ...money, nullable: false, default: '0.00' },
      is_paid: flag,
    },
  }),
  defineServedResource('customer-subscriptions', {
    counted: true,
    softDelete: true,
    fields: {
      customer_id: requiredRef('customers'),
      subscription_type_id: ref('subscription-types'),
      name,
      start_date: requiredDay,
      end_date: day,
      auto_renew: { ...flag, default: true },
      active: { ...flag, default: true },
      items_count: count('subscription-items', 'customer_subscription_id'),
    },
    many: { items: { resource: 'subscription-items', by: 'customer_subscription_id' } },
  }),
  defineServedResource('subscription-items', {
    prefixes: ['customer_subscriptions'],
    nested: [{ parent: 'customer-subscriptions', segment: 'items', by: 'customer_subscription_id', counted: true }],
    fields: {
      customer_subscription_id: requiredRef('customer-subscriptions'),
      subscription_product_id: ref('subscription-products'),
      name,
      quantity: { type: 'decimal', write: 'optional', default: '1.00' },
      unit_price: { ...money, nullable: false, default: '0.00' },
      vat_rate: { ...percent, nullable: false, default: 21 },
    },
  }),
  defineServedResource('subscription-types', {
    counted: true,
    fields: {
      name,
      interval: choice(['monthly', 'quarterly', 'yearly']),
      items_count: count('subscription-type-items', 'subscription_type_id'),
    },
    many: { items: { resource: 'subscription-type-items', by: 'subscription_type_id' } },
  }),
  defineServedResource('subscription-type-items', {
    prefixes: ['subscription_types'],
    nested: [{ parent: 'subscription-types', segment: 'items', by: 'subscription_type_id', counted: true }],
    fields: {
      subscription_type_id: requiredRef('subscription-types'),
      subscription_product_id: ref('subscription-products'),
      name,
      quantity: { type: 'decimal', write: 'optional', default: '1.00' },
    },
  }),
  defineServedResource('subscription-products', {
    counted: true,
    search: ['name'],
    fields: { name, unit_price: { ...money, nullable: false, default: '0.00' }, vat_rate: { ...percent, nullable: false, default: 21 } },
  }),
];

function cents(value: Json | undefined): number {
  return typeof value === 'string' ? Math.round(Number(value) * 100) : 0;
}

function total(db: Database, invoice: number): string {
  const rows = db.table('sales-invoice-rows').where('sales_invoice_id', invoice);
  const sum = rows.filter((row) => (row['deleted_at'] ?? null) === null).reduce((all, row) => all + cents(row['total_amount']), 0);
  return (sum / 100).toFixed(2);
}

/**
 * Calculates the amounts of an invoice row. If somebody deletes the row, makes its worklogs billable again instead. If the user lacks the
 * permission Finalise, the invoice returns to Pending approval (rules 5.15 to 5.17).
 */
function prepareInvoiceRow({ kind, values, row, actor, db }: ValidWrite): Values {
  const after = { ...row, ...values };
  const invoice = after['sales_invoice_id'];
  if (typeof invoice === 'number' && !actor.may(FINALISE)) db.table('sales-invoices').update(invoice, { status: 'pending_approval' });
  if (kind === 'delete') {
    if (row !== undefined) freeWorklogs(row, db);
    return {};
  }
  const net = (cents(after['quantity'] ?? '1.00') * cents(after['unit_price'] ?? '0.00')) / 100;
  const vat = Math.round((net * Number(after['vat_rate'] ?? 21)) / 100);
  return { vat_amount: (vat / 100).toFixed(2), total_amount: ((net + vat) / 100).toFixed(2) };
}

/**
 * Marks the worklogs that an invoice row bills: the billable worklogs of its budget that are not billed yet. A row with minutes and without
 * a budget bills such worklogs of the invoice’s project. The option `billedWorklogs` decides the fields.
 */
function billWorklogs(row: Row, { db, interpretations }: ValidWrite): void {
  if (interpretations.billedWorklogs === 'nothing') return;
  const worklogs = db.table('worklogs');
  const budget = row['budget_id'] ?? null;
  const project = db.table('sales-invoices').get(Number(row['sales_invoice_id']))?.['project_id'] ?? null;
  const minutes = row['billable_minutes'] ?? null;
  const candidates =
    budget !== null
      ? worklogs.where('budget_id', budget)
      : minutes !== null && project !== null
        ? worklogs.where('project_id', project)
        : [];
  const marks: Values = {
    ...(interpretations.billedWorklogs !== 'invoice' && { sales_invoice_row_id: row.id }),
    ...(interpretations.billedWorklogs !== 'row' && { invoice_id: row['sales_invoice_id'] ?? null }),
  };
  for (const worklog of candidates) {
    const isBilled = (worklog['sales_invoice_row_id'] ?? worklog['invoice_id'] ?? null) !== null;
    if (!isBilled && worklog['is_not_billable'] !== true) worklogs.update(worklog.id, marks);
  }
}

/** Makes worklogs billable again after somebody deletes their invoice row. Does not find a worklog that has only the invoice’s id. */
function freeWorklogs(row: Row, db: Database): void {
  const worklogs = db.table('worklogs');
  for (const { id } of worklogs.where('sales_invoice_row_id', row.id)) {
    worklogs.update(id, { sales_invoice_row_id: null, invoice_id: null });
  }
}
