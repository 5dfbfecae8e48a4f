import type { Styles } from './styles.ts';

/**
 * The content of a report, for all renderers: a table, blocks for a screen reader, Markdown, a page. Each renderer neutralises the texts.
 */
export interface Report {
  /** The title (default: none); pages need one. */
  readonly title?: string;
  readonly parts: readonly ReportPart[];
}

export type ReportPart = ReportTable | ReportNotes | ReportDrawing;

/** The media of reports. */
export type Medium = 'table' | 'spoken' | 'markdown' | 'page';

interface Part {
  /** The media that show the part (default: all). */
  readonly only?: readonly Medium[];
  /** Its heading in a page and in Markdown. */
  readonly name?: string;
}

export interface ReportTable extends Part {
  readonly kind: 'table';
  readonly name: string;
  /** The levels of rows, outermost first: `['Project', 'User']`. */
  readonly levels: readonly string[];
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** Rows below the line. */
  readonly totals?: readonly ReportRow[];
  /** The number of columns before the bars, at a terminal (default: no bars). */
  readonly barsAfter?: number;
  /** Whether the table has many narrow columns. Gaps may then be one blank, and labels are not in capitals. */
  readonly isDense?: boolean;
}

export interface ReportColumn {
  readonly label: string;
  /** Default: right, as numbers are. */
  readonly align?: 'left';
  /** Whether a narrow terminal leaves the column out before the table becomes blocks. */
  readonly mayGo?: true;
}

export interface ReportRow {
  readonly label: string;
  /** The level of the row (default: 0). */
  readonly depth?: number;
  /** The cells; none for a heading of the rows below it. */
  readonly cells: readonly ReportCell[];
  /** Whether to mark the cells other than {@link NOTHING}. */
  readonly isMarked?: boolean;
  readonly bar?: (width: number, styles: Styles) => string;
}

/** A text, and another for screen readers if they need one: a line for each string. They leave out `·`. */
export type ReportCell = string | { readonly text: string; readonly spoken: string | readonly string[] };

/** A cell without a value. */
export const NOTHING = '·';

/** A sentence, or a command and its purpose. */
export type ReportLine = string | { readonly text: string; readonly command: string };

export interface ReportNotes extends Part {
  readonly kind: 'notes';
  /** The line above the notes, with a colon at its end. */
  readonly heading?: string;
  readonly lines: readonly ReportLine[];
  readonly look?: 'marked' | 'faint';
}

/** A drawing; another part has the same facts as text. */
export interface ReportDrawing extends Part {
  readonly kind: 'drawing';
  /** @param width columns of the terminal. Undefined where it is too narrow: then all of the report is as it would be spoken. */
  readonly text?: (width: number | undefined, styles: Styles) => string | undefined;
  readonly html?: () => string | Drawn | Promise<string | Drawn>;
}

/** HTML, and its style in addition to that of every page. */
export interface Drawn {
  readonly html: string;
  readonly style: string;
}

export interface ReportOptions {
  readonly color: boolean;
  /** Columns of the terminal; undefined where nothing needs to be cut. */
  readonly width: number | undefined;
}

/** Returns the parts that a medium shows, without empty ones. */
export function partsFor({ parts }: Report, medium: Medium): readonly ReportPart[] {
  return parts.filter((part) => {
    if (part.only?.includes(medium) === false) return false;
    if (part.kind === 'table') return part.rows.length + (part.totals?.length ?? 0) > 0;
    return part.kind === 'notes' ? part.lines.length > 0 : (medium === 'table' ? part.text : medium === 'page' && part.html) !== undefined;
  });
}

/** `Project, work item`. */
export function headingOf(levels: readonly string[]): string {
  return levels.map((level, at) => (at === 0 ? level : level.toLowerCase())).join(', ');
}

/** Returns the visible text of a cell or a line. */
export function textOf(of: ReportCell | ReportLine): string {
  return typeof of === 'string' ? of : of.text;
}
