import { formatAmount } from '../values/amount.ts';
import { formatHours } from '../values/hours.ts';
import type { Report } from './report.ts';
import { type Sheet, type SheetFigures, sheetNotes } from './sheet.ts';

/** Hours for a customer in short: what each group comes to, and the whole. Entries are in the page and in the formats for programs. */
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
  const part = { label: 'Of which not billable', cells: ['', formatHours(total.notBillable, hours), ...(rate === undefined ? [] : [''])] };
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
        lines: [...sheetNotes(sheet), 'Each entry: --html <file> writes a page to send, --output csv a table.'],
      },
    ],
  };
}
