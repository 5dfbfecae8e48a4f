import type { JsonObject } from '../values/json.ts';
import type { CellKind } from './cell.ts';
import { trackMissing } from './fields.ts';
import type { Tone } from './styles.ts';

/**
 * Converts a list of records to text in constant memory: `begin`, then `row` for each, then `end`. Some formats keep the first rows until
 * they know the columns. If the list ends early, call `flush` and not `end`: a JSON array then stays open, so no program takes a part for
 * the whole.
 */
export interface RecordWriter {
  begin(): string;
  row(record: JsonObject): string;
  end(): string;
  /** Returns the kept rows; `''` without any. */
  flush(): string;
  /** Named fields that no record has had so far. */
  readonly missing: readonly string[];
  /** Fields without a column, because later records brought them after the header. */
  readonly dropped: readonly string[];
  /** The headers of columns for which the terminal has no room; undefined without rows. */
  readonly unseen?: readonly string[] | undefined;
}

/** A column of a table. */
export interface Column {
  /** Dotted name of the field. */
  readonly path: string;
  /** The header (default: the path in capitals, with blanks). */
  readonly header?: string;
  readonly kind?: CellKind;
  /** The meaning of the value. At a terminal a late value also has that word. */
  readonly tone?: (record: JsonObject) => Tone | undefined;
}

export interface WriterOptions {
  /** Fields to show, dotted, in order. Default: all; for a table, `columns`. */
  readonly fields?: readonly string[] | undefined;
  /** The columns of a table. Default: what the first records have that is no list or object. */
  readonly columns?: readonly Column[] | undefined;
  /** Kinds of other fields, by path. */
  readonly kinds?: Readonly<Record<string, CellKind>> | undefined;
  readonly color: boolean;
  /** Whether JSON is indented and its control characters are escaped, for a terminal. */
  readonly pretty: boolean;
  /** Columns of the terminal; undefined without a terminal: nothing is cut. */
  readonly width?: number | undefined;
  /** Whether each record becomes a block of lines, for a screen reader. */
  readonly blocks?: boolean;
  /** Whether CSV cells stay as they are, formulas included. */
  readonly raw?: boolean;
  /** Whether CSV begins with a byte order mark. */
  readonly bom?: boolean;
  /** The IANA zone for date-times in a table (default: as the service sent them). */
  readonly timeZone?: string | undefined;
  /** Returns whether the list is complete, so that a table at a terminal has totals (default: unknown). */
  readonly isWhole?: (() => boolean) | undefined;
}

/** The layout of a format with columns, after the first rows. */
export interface Layout {
  readonly header: string;
  row(record: JsonObject): string;
  /** Returns the text below the last row. */
  end?(): string;
  /** Fields without a column. */
  readonly dropped?: ReadonlySet<string>;
  /** The headers of columns for which the terminal has no room. */
  readonly unseen?: readonly string[];
}

/** Rows of the largest page. */
const SAMPLE = 100;

/**
 * Creates a {@link RecordWriter} that keeps the first page of rows, lays out the columns, and then streams.
 *
 * @param layOut receives the kept rows; undefined if there is no output without rows.
 */
export function createHeldWriter(
  options: WriterOptions,
  layOut: (sample: readonly JsonObject[]) => Layout | undefined,
  sampleSize: number = SAMPLE,
): RecordWriter {
  const tracker = trackMissing(options.fields ?? []);
  let held: JsonObject[] = [];
  let layout: Layout | undefined;

  function release(): string {
    if (layout !== undefined) return '';
    const rows = held;
    layout = layOut(rows);
    held = [];
    return layout === undefined ? '' : layout.header + rows.map((record) => layout?.row(record) ?? '').join('');
  }

  return {
    begin: () => '',
    row(record) {
      tracker.see(record);
      if (layout !== undefined) return layout.row(record);
      held.push(record);
      return held.length < sampleSize ? '' : release();
    },
    end: () => release() + (layout?.end?.() ?? ''),
    flush: () => (held.length === 0 ? '' : release()),
    get missing() {
      return tracker.missing;
    },
    get dropped() {
      return [...(layout?.dropped ?? [])];
    },
    get unseen() {
      return layout?.unseen;
    },
  };
}

/** The parts of a format that streams from the first row. */
export interface RowWriterParts {
  readonly begin?: string;
  row(record: JsonObject, index: number): string;
  end?(rows: number): string;
}

/** Creates a {@link RecordWriter} that writes each row at once. */
export function createRowWriter(options: WriterOptions, parts: RowWriterParts): RecordWriter {
  const tracker = trackMissing(options.fields ?? []);
  let rows = 0;
  return {
    begin: () => parts.begin ?? '',
    row(record) {
      tracker.see(record);
      return parts.row(record, rows++);
    },
    end: () => parts.end?.(rows) ?? '',
    flush: () => '',
    get missing() {
      return tracker.missing;
    },
    dropped: [],
  };
}
