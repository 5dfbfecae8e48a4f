import type { Cents } from '../values/amount.ts';
import { type HoursStyle, isExact } from '../values/hours.ts';

/** Hours for a customer, ready to be shown. Texts are as they came. */
export interface Sheet {
  readonly customer: string;
  /** Lines of the customer's address. */
  readonly address: readonly string[];
  /** The first day and the last: `YYYY-MM-DD`. */
  readonly first: string;
  readonly last: string;
  /** What the groups are, outermost first: `Project`. */
  readonly levels: readonly string[];
  readonly rows: readonly SheetRow[];
  readonly total: SheetFigures;
  readonly hours: HoursStyle;
  /** An hour's price; undefined: no amounts are shown. */
  readonly rate: Cents | undefined;
  /** Full sentences about how it was added up. */
  readonly notes: readonly string[];
}

/** What is shown of some lines together. */
export interface SheetFigures {
  readonly entries: number;
  readonly minutes: number;
  /** Minutes of them that are not billed. */
  readonly notBillable: number;
  readonly amount: Cents;
}

/** A row of a sheet; `depth` of a group is 0 for the outermost. */
export type SheetRow =
  | { readonly kind: 'group'; readonly depth: number; readonly label: string; readonly figures: SheetFigures }
  | {
      readonly kind: 'line';
      readonly date: string;
      readonly person: string;
      readonly text: string;
      /** Empty where there is none. */
      readonly workItem: string;
      readonly isNotBillable: boolean;
      readonly minutes: number;
      /** Undefined for what is not billed. */
      readonly amount: Cents | undefined;
    }
  | { readonly kind: 'sum'; readonly depth: number; readonly label: string; readonly figures: SheetFigures };

/** What a reader who adds up the figures has to know. */
export function sheetNotes({ hours, rows, rate, notes }: Sheet): readonly string[] {
  if (hours !== 'decimal' || rows.every((row) => row.kind !== 'line' || isExact(row.minutes))) return notes;
  const exact = rate === undefined ? 'Subtotals and totals' : 'Amounts, subtotals and totals';
  return [...notes, `Hours are rounded to two decimals, each by itself. ${exact} are those of the exact minutes.`];
}
