import type { JsonObject, JsonValue } from '../../values/json.ts';
import { type Entry, readEntry } from '../entry.ts';

/** A worklog with its budget, invoice and review (rules 4.8, 4.9). */
export interface CheckedEntry extends Entry {
  readonly budgetId: number | null | undefined;
  readonly exceededBudget: boolean | undefined;
  readonly rowId: number | null | undefined;
  readonly invoiceId: number | null | undefined;
  readonly reviewed: boolean | undefined;
}

/** Reads the detail view of a worklog for the checks. @throws UnavailableError for a record without a day or without minutes. */
export function readCheckedEntry(record: JsonObject): CheckedEntry {
  const { exceeded_budget: exceeded, reviewed_by: reviewer } = record;
  return {
    ...readEntry(record),
    budgetId: idIn(record['budget_id']),
    exceededBudget: typeof exceeded === 'boolean' ? exceeded : undefined,
    rowId: idIn(record['sales_invoice_row_id']),
    invoiceId: idIn(record['invoice_id']),
    reviewed: reviewer === undefined ? undefined : reviewer !== null,
  };
}

function idIn(value: JsonValue | undefined): number | null | undefined {
  return value === null || typeof value === 'number' ? value : undefined;
}

export function idsOf(entries: readonly Pick<Entry, 'id'>[]): number[] {
  return entries.flatMap(({ id }) => id ?? []).sort((one, other) => one - other);
}

export function minutesIn(entries: readonly Pick<Entry, 'minutes'>[]): number {
  return entries.reduce((sum, { minutes }) => sum + minutes, 0);
}

export function daysIn(entries: readonly Pick<Entry, 'date'>[]): { readonly date: string; readonly until: string } {
  const days = entries.map(({ date }) => date).sort();
  return { date: days[0] ?? '', until: days.at(-1) ?? '' };
}

export function isBilled({ rowId, invoiceId }: CheckedEntry): boolean {
  return rowId != null || invoiceId != null;
}
