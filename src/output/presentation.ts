import type { OutputFormat } from './format.ts';

/** How a run prints what it has. Every command takes it from `Context.presentation`, and none decides it again. */
export interface Presentation {
  readonly format: OutputFormat;
  /**
   * A person gets names, words, and the layout that a report has for the format. A program gets records: any other format, `--jq`, and
   * `--fields`, whose fields are those of records also in a table.
   */
  readonly reader: 'person' | 'program';
  /** A person reads what is printed at a terminal, `--fields` or not: then a pager may show it, and a notice says that it is empty. */
  readonly isScreen: boolean;
  /** The same where nobody said how it should look: then a line says what was done, and a record is a detail view. */
  readonly isUnasked: boolean;
  /** A screen reader reads it out: blocks of lines stand for tables. */
  readonly isSpoken: boolean;
  readonly color: boolean;
  /** Columns of the terminal; undefined where stdout is none, and nothing is cut. */
  readonly width: number | undefined;
}
