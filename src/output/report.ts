import type { Styles } from './styles.ts';

/**
 * What a report shows a person, once for all that show it: a table, lines to hear, Markdown, a page. Its texts are as they came; whatever
 * renders it makes them harmless.
 */
export interface Report {
  /** Default: none; a page has one. */
  readonly title?: string;
  readonly parts: readonly ReportPart[];
}

export type ReportPart = ReportTable | ReportNotes | ReportDrawing;

/** What shows a report. */
export type Medium = 'table' | 'spoken' | 'markdown' | 'page';

interface Part {
  /** What alone shows it. Default: all. */
  readonly only?: readonly Medium[];
  /** Its heading in a page and in Markdown. */
  readonly name?: string;
}

export interface ReportTable extends Part {
  readonly kind: 'table';
  readonly name: string;
  /** What the rows are, outermost first: `['Project', 'User']`. */
  readonly levels: readonly string[];
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** What stands below the line. */
  readonly totals?: readonly ReportRow[];
  /** The column behind which a terminal has the bars of the rows. Default: there are none. */
  readonly barsAfter?: number;
  /** Many narrow columns: where names need the room, a single blank stands between them; their labels are no capitals. */
  readonly isDense?: boolean;
}

export interface ReportColumn {
  readonly label: string;
  /** Default: right, as numbers are. */
  readonly align?: 'left';
}

export interface ReportRow {
  readonly label: string;
  /** How many levels it is below the outermost. Default: 0. */
  readonly depth?: number;
  /** None: the heading of the rows below it. */
  readonly cells: readonly ReportCell[];
  /** Something is wrong where it is not {@link NOTHING}. */
  readonly isMarked?: boolean;
  readonly bar?: (width: number, styles: Styles) => string;
}

/** A text; with `spoken` where somebody who hears it needs another, or a line for each of several: `·` is left out. */
export type ReportCell = string | { readonly text: string; readonly spoken: string | readonly string[] };

/** A cell that has nothing to show. */
export const NOTHING = '·';

/** A sentence; or what a command helps with, and the command. */
export type ReportLine = string | { readonly text: string; readonly command: string };

export interface ReportNotes extends Part {
  readonly kind: 'notes';
  /** The line above them, which ends in a colon. */
  readonly heading?: string;
  readonly lines: readonly ReportLine[];
  readonly look?: 'marked' | 'faint';
}

/** What only eyes can use; what it says stands in another part too. */
export interface ReportDrawing extends Part {
  readonly kind: 'drawing';
  /** @param width columns of the terminal. Undefined where it is too narrow: then all of the report is as it would be spoken. */
  readonly text?: (width: number | undefined, styles: Styles) => string | undefined;
  readonly html?: () => string | Drawn | Promise<string | Drawn>;
}

/** HTML, and the style that it needs after that of every page. */
export interface Drawn {
  readonly html: string;
  readonly style: string;
}

export interface ReportOptions {
  readonly color: boolean;
  /** Columns of the terminal; undefined where nothing needs to be cut. */
  readonly width: number | undefined;
}

/** The parts that a medium shows, without those that have nothing. */
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

/** A cell as it is seen, and what a line says beside its command. */
export function textOf(of: ReportCell | ReportLine): string {
  return typeof of === 'string' ? of : of.text;
}
