import type { JsonObject } from '../values/json.ts';
import type { CellKind } from './cell.ts';
import type { Tone } from './styles.ts';

/**
 * Turns a list of records into text, a piece at a time, in constant memory: `begin`, then `row` for each, then `end`. What it returns is written
 * as it comes; some formats hold the first rows back to lay them out. Stopping half way: `flush`, and no `end`, so that a JSON array
 * stays open and no reader takes a part for the whole.
 */
export interface RecordWriter {
  begin(): string;
  row(record: JsonObject): string;
  end(): string;
  /** What is held back; `''` when nothing is. */
  flush(): string;
  /** Fields that were asked for and that no record has had so far. */
  readonly missing: readonly string[];
  /** Fields that later records had and that got no column, since the header was already written. */
  readonly dropped: readonly string[];
}

/** A column of a table. */
export interface Column {
  /** Dotted name of the field. */
  readonly path: string;
  /** Default: the path in capitals, its underscores as blanks. */
  readonly header?: string;
  readonly kind?: CellKind;
  /** What the value in a record means. What is late is marked with that word too, on a terminal. */
  readonly tone?: (record: JsonObject) => Tone | undefined;
}

export interface WriterOptions {
  /** Fields to show, dotted, in order. Default: all; for a table, `columns`. */
  readonly fields?: readonly string[] | undefined;
  /** The columns of a table. Default: what the first records have that is no list or object. */
  readonly columns?: readonly Column[] | undefined;
  /** Kinds of fields by path, for those that are no column. */
  readonly kinds?: Readonly<Record<string, CellKind>> | undefined;
  readonly color: boolean;
  /** For a person at a terminal: JSON is indented and its control characters escaped. */
  readonly pretty: boolean;
  /** Columns of the terminal; undefined where the output is no terminal, and nothing is cut. */
  readonly width?: number | undefined;
  /** A table becomes a block of lines for each record, for somebody who hears it. */
  readonly blocks?: boolean;
  /** CSV whose cells are as they came, also those that a spreadsheet would run. */
  readonly raw?: boolean;
  /** CSV that begins with a byte order mark. */
  readonly bom?: boolean;
  /** IANA zone in which a table shows date-times. Default: as the service sent them. */
  readonly timeZone?: string | undefined;
  /** Whether these are all rows there are, asked at the end: then a table on a terminal has totals. Default: nobody knows. */
  readonly isWhole?: (() => boolean) | undefined;
}
