import type { DraftGroup, DraftRow } from '../../time/draft-rows.ts';
import { formatAmount } from '../../values/amount.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';

/** Whom a draft is for, and what its rows are about. */
export interface DraftOf {
  readonly customer: number;
  readonly customerName: string | undefined;
  readonly group: DraftGroup;
  readonly vatRate: number | undefined;
}

/** What is sent of a row. What an entry says stays out of it: that may not be meant for customers. */
export function rowBody({ name, description, quantity, unitPrice, minutes }: DraftRow, vatRate: number | undefined): JsonObject {
  return {
    name,
    description,
    ...(quantity !== undefined && { quantity }),
    ...(unitPrice !== undefined && { unit_price: formatAmount(unitPrice) }),
    ...(vatRate !== undefined && { vat_rate: vatRate }),
    billable_minutes: minutes,
  };
}

/** A row as svc shows it; `invoice` and `made` once they are there. */
export function rowRecord(
  row: DraftRow,
  { customer, customerName, group, vatRate }: DraftOf,
  invoice: number | undefined,
  made: JsonObject | undefined,
): JsonObject {
  const amount = (cents: bigint | undefined): JsonValue => (cents === undefined ? null : formatAmount(cents));
  return {
    invoice_id: invoice ?? null,
    id: made?.['id'] ?? null,
    customer_id: customer,
    customer: customerName ?? null,
    ...aboutOf(row, group),
    name: row.name,
    description: row.description,
    logged_minutes: row.logged,
    billable_minutes: row.minutes,
    quantity: row.quantity ?? null,
    hourly_rate: amount(row.rate),
    unit_price: amount(row.unitPrice),
    // The service may put VAT on a row by itself.
    vat_rate: made?.['vat_rate'] ?? vatRate ?? null,
    amount: amount(row.amount),
    vat_amount: made?.['vat_amount'] ?? amount(row.vat),
    worklog_ids: row.entryIds,
  };
}

function aboutOf({ of }: DraftRow, group: DraftGroup): JsonObject {
  if (group === 'day') return { date: of.date };
  if (group === 'person') return { user_id: of.userId ?? null };
  return { project_id: of.projectId ?? null, work_item_id: of.workItemId ?? null };
}

export const ROW_COLUMNS = [
  { path: 'name' },
  { path: 'description' },
  { path: 'billable_minutes', header: 'TIME', kind: 'duration' },
  { path: 'quantity', kind: 'decimal' },
  { path: 'unit_price', kind: 'money' },
  { path: 'amount', kind: 'money' },
  { path: 'vat_amount', header: 'VAT', kind: 'money' },
] as const;
