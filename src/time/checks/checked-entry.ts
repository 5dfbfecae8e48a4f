import type { JsonObject } from '../../values/json.ts';
import { rangeOf } from '../date-range.ts';
import { booleanIn, idIn, idsOf, minutesIn, readEntry } from '../entry.ts';

/** A worklog with its budget, invoice and review (rules 4.8, 4.9). */
export type CheckedEntry = Readonly<ReturnType<typeof readCheckedEntry>>;

/** Reads the detail view of a worklog for the checks. @throws UnavailableError for a record without a day or without minutes. */
export function readCheckedEntry(record: JsonObject) {
  const { exceeded_budget: exceeded, reviewed_by: reviewer } = record;
  return {
    ...readEntry(record),
    exceededBudget: booleanIn(exceeded),
    rowId: idIn(record['sales_invoice_row_id'], undefined),
    invoiceId: idIn(record['invoice_id'], undefined),
    reviewed: reviewer === undefined ? undefined : reviewer !== null,
  };
}

export function aboutWorklogs(userId: number | null | undefined, entries: readonly CheckedEntry[]) {
  const { first: date, last: until } = rangeOf(entries.map((entry) => entry.date));
  return { userId: userId ?? null, date, until, minutes: minutesIn(entries), noun: 'worklogs', ids: idsOf(entries) } as const;
}

export function isBilled({ rowId, invoiceId }: CheckedEntry): boolean {
  return rowId != null || invoiceId != null;
}
