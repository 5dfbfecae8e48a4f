import type { JsonObject } from '../../values/json.ts';
import { booleanIn, type Entry, idIn, idsOf, minutesIn, readEntry } from '../entry.ts';

/** A worklog with its budget, invoice and review (rules 4.8, 4.9). */
export interface CheckedEntry extends Entry {
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
    exceededBudget: booleanIn(exceeded),
    rowId: idIn(record['sales_invoice_row_id'], undefined),
    invoiceId: idIn(record['invoice_id'], undefined),
    reviewed: reviewer === undefined ? undefined : reviewer !== null,
  };
}

function daysIn(entries: readonly Pick<Entry, 'date'>[]): { readonly date: string; readonly until: string } {
  const days = entries.map(({ date }) => date).sort();
  return { date: days[0] ?? '', until: days.at(-1) ?? '' };
}

export function aboutWorklogs(userId: number | null | undefined, entries: readonly CheckedEntry[]) {
  return { userId: userId ?? null, ...daysIn(entries), minutes: minutesIn(entries), noun: 'worklogs', ids: idsOf(entries) } as const;
}

export function isBilled({ rowId, invoiceId }: CheckedEntry): boolean {
  return rowId != null || invoiceId != null;
}
