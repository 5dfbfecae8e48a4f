import type { Styles } from './styles.ts';

/** A report, for tables, blocks for a screen reader, Markdown and HTML pages. Each renderer makes the texts safe for its medium. */
export interface Report {
  readonly title?: string;
  /** The part of the title that comes from the service, such as a project’s name. Default: none. */
  readonly nameInTitle?: string | undefined;
  readonly parts: readonly ReportPart[];
}

export type ReportPart = ReportTable | ReportNotes | ReportDrawing;

export type Medium = 'table' | 'spoken' | 'markdown' | 'page';

interface Part {
  readonly only?: readonly Medium[];
  readonly name?: string;
}

export interface ReportTable extends Part {
  readonly kind: 'table';
  readonly name: string;
  readonly levels: readonly string[];
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  readonly totals?: readonly ReportRow[];
  /** The number of columns before the bars, at a terminal. Default: no bars. */
  readonly barsAfter?: number;
  /** True for a table with many narrow columns. Gaps can then be one blank wide, and headings are not in capitals. */
  readonly isDense?: boolean;
}

export interface ReportColumn {
  readonly label: string;
  readonly align?: 'left';
  /** True if svc can leave the column out on a narrow terminal. svc prints blocks only if the remaining columns do not fit. */
  readonly mayGo?: true;
}

export interface ReportRow {
  readonly label: string;
  readonly depth?: number;
  /** The cells of the row. Empty if the row is a heading for the rows after it. */
  readonly cells: readonly ReportCell[];
  /** True to highlight a row of the totals, except for cells with {@link NOTHING}. */
  readonly isMarked?: boolean;
  readonly bar?: (width: number, styles: Styles) => string;
}

/** A cell of a report. Each string of `spoken` is a line for screen readers. The cell `·` has no such line. */
export type ReportCell = string | { readonly text: string; readonly spoken: string | readonly string[] };

export const NOTHING = '·';

export type ReportLine = string | { readonly text: string; readonly command: string };

export interface ReportNotes extends Part {
  readonly kind: 'notes';
  readonly heading?: string;
  readonly lines: readonly ReportLine[];
  readonly look?: 'marked' | 'faint';
}

/** A drawing. Another part of the report must have the same facts as text. */
export interface ReportDrawing extends Part {
  readonly kind: 'drawing';
  /**
   * Draws the part for a terminal. Returns undefined if the terminal is too narrow. The whole report then becomes blocks of lines.
   *
   * @param width width of the terminal in columns.
   */
  readonly text?: (width: number | undefined, styles: Styles) => string | undefined;
  readonly html?: () => string | Promise<string>;
}

export interface ReportOptions {
  readonly color: boolean;
  /** The width of the terminal in columns. Undefined if svc must not shorten anything. */
  readonly width: number | undefined;
}

export function partsFor({ parts }: Report, medium: Medium): readonly ReportPart[] {
  return parts.filter((part) => {
    if (part.only?.includes(medium) === false) return false;
    if (part.kind === 'table') return part.rows.length + (part.totals?.length ?? 0) > 0;
    return part.kind === 'notes' ? part.lines.length > 0 : (medium === 'table' ? part.text : medium === 'page' && part.html) !== undefined;
  });
}

/** The most rows of a table. With small tables, a browser lays out only the tables on the screen. */
const MOST_ROWS = 250;

/** Divides rows of texts into small tables. The first text of a row is the label of the row. */
export function textTables(name: string, [first = '', ...columns]: readonly string[], rows: readonly (readonly string[])[]): ReportTable[] {
  return Array.from({ length: Math.ceil(rows.length / MOST_ROWS) }, (_, at) => ({
    kind: 'table',
    name: at === 0 ? name : `${name}, from row ${at * MOST_ROWS + 1}`,
    levels: [first],
    columns: columns.map((label) => ({ label, align: 'left' })),
    rows: rows.slice(at * MOST_ROWS, (at + 1) * MOST_ROWS).map(([label = '', ...cells]) => ({ label, cells })),
  }));
}

export function headingOf(levels: readonly string[]): string {
  return levels.map((level, at) => (at === 0 ? level : level.toLowerCase())).join(', ');
}

export function textOf(of: ReportCell | ReportLine): string {
  return typeof of === 'string' ? of : of.text;
}
