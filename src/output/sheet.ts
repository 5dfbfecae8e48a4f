import { formatHours, type HoursStyle, isExact } from '../values/duration.ts';
import { type Cents, formatAmount } from '../values/money.ts';
import type { Report } from './report.ts';

export interface Sheet {
  readonly customer: string;
  readonly address: readonly string[];
  readonly first: string;
  readonly last: string;
  readonly levels: readonly string[];
  readonly rows: readonly SheetRow[];
  readonly total: SheetFigures;
  readonly hours: HoursStyle;
  readonly rate: Cents | undefined;
  readonly notes: readonly string[];
}

export interface SheetFigures {
  readonly entries: number;
  readonly minutes: number;
  /** The time that is not billable, in minutes. */
  readonly notBillable: number;
  readonly amount: Cents;
}

/** A row of the sheet: a group, an entry or a sum. `depth` is 0 for the outermost group. */
export type SheetRow =
  | { readonly kind: 'group'; readonly depth: number; readonly label: string; readonly figures: SheetFigures }
  | {
      readonly kind: 'line';
      readonly date: string;
      readonly person: string;
      readonly text: string;
      readonly workItem: string;
      readonly isNotBillable: boolean;
      readonly minutes: number;
      readonly amount: Cents | undefined;
    }
  | { readonly kind: 'sum'; readonly depth: number; readonly label: string; readonly figures: SheetFigures };

/** Returns the notes under a sheet of hours. If svc rounds hours, adds a note for readers who add up the figures. */
export function sheetNotes({ hours, rows, rate, notes }: Sheet): readonly string[] {
  if (hours !== 'decimal' || rows.every((row) => row.kind !== 'line' || isExact(row.minutes))) return notes;
  const exact = rate === undefined ? 'Subtotals and totals' : 'Amounts, subtotals and totals';
  return [...notes, `Each number of hours is rounded to two decimals. ${exact} come from the exact minutes.`];
}

/** Creates a report with the sums of each group. Only an HTML page and formats for programs list the single entries. */
export function sheetReport(sheet: Sheet): Report {
  const { customer, first, last, rows, total, hours, rate } = sheet;
  const title = `Hours for ${customer}, ${first === last ? first : `${first} to ${last}`}`;
  if (rows.length === 0) return { title, parts: [{ kind: 'notes', lines: ['No hours were logged.'] }] };
  const cells = ({ entries, minutes, amount }: SheetFigures) => [
    String(entries),
    formatHours(minutes, hours),
    ...(rate === undefined ? [] : [formatAmount(amount)]),
  ];
  const groups = rows.flatMap((row) => (row.kind === 'group' ? [{ label: row.label, depth: row.depth, cells: cells(row.figures) }] : []));
  const part = {
    label: 'Including non-billable hours',
    cells: ['', formatHours(total.notBillable, hours), ...(rate === undefined ? [] : [''])],
  };
  return {
    title,
    parts: [
      {
        kind: 'table',
        name: 'Hours',
        levels: sheet.levels,
        columns: ['Entries', 'Hours', ...(rate === undefined ? [] : ['Amount'])].map((label) => ({ label })),
        rows: groups,
        totals: [{ label: 'Total', cells: cells(total) }, ...(total.notBillable === 0 ? [] : [part])],
      },
      {
        kind: 'notes',
        look: 'faint',
        lines: [...sheetNotes(sheet), 'To list each entry: --html <file> for a page, --output csv for a table.'],
      },
    ],
  };
}
