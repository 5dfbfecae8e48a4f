import type { JsonObject } from '../values/json.ts';
import type { CellKind } from './cell.ts';
import { trackMissing } from './fields.ts';
import type { Tone } from './styles.ts';

/**
 * Converts a list of records to text in constant memory. Call `begin`, then `row` for each record, then `end`. Some writers collect the
 * first rows to lay out the columns. If the list ends early, call `flush` instead of `end`. A JSON array then stays open, so that no
 * program treats it as complete.
 */
export interface RecordWriter {
  begin(): string;
  row(record: JsonObject): string;
  end(): string;
  flush(): string;
  /** The fields of `--fields` that no record has had so far. */
  readonly missing: readonly string[];
  /** The fields that first appeared after the header, and therefore have no column. */
  readonly dropped: readonly string[];
  readonly unseen?: readonly string[] | undefined;
}

export interface Column {
  readonly path: string;
  readonly header?: string;
  readonly kind?: CellKind;
  /**
   * True if the column shrinks only after all other columns. Default: true for kinds such as numbers and dates, and for keys such as
   * `ABC-12`.
   */
  readonly isUncut?: true;
  /** Returns the meaning of the value, which decides its colour. At a terminal, svc also adds the word `late` to a late value. */
  readonly tone?: (record: JsonObject) => Tone | undefined;
}

export interface WriterOptions {
  /** The fields to print, in order, with dots for inner fields. Default: all fields, or `columns` in a table. */
  readonly fields?: readonly string[] | undefined;
  /** The columns of a table. Default: the first eight fields that have a string, number or boolean in a record. */
  readonly columns?: readonly Column[] | undefined;
  readonly kinds?: Readonly<Record<string, CellKind>> | undefined;
  readonly color: boolean;
  /** True for a terminal: svc indents JSON, and escapes control characters. */
  readonly pretty: boolean;
  /** The width of the terminal in columns. Undefined without a terminal: svc then shortens nothing. */
  readonly width?: number | undefined;
  /** True for a screen reader: each record becomes a block of lines. */
  readonly blocks?: boolean;
  readonly raw?: boolean;
  readonly bom?: boolean;
  /** The IANA time zone for date-times in formats for people. Default: date-times stay as the service sent them. */
  readonly timeZone?: string | undefined;
  /** Returns true if the list is complete, so that a table at a terminal has totals. Undefined if svc does not know. */
  readonly isWhole?: (() => boolean) | undefined;
}

export interface Layout {
  readonly header: string;
  row(record: JsonObject): string;
  end?(): string;
  readonly dropped?: ReadonlySet<string>;
  readonly unseen?: readonly string[];
}

/** The most rows that a writer collects before it lays out columns. The largest page has this number of rows. */
const SAMPLE = 100;

/**
 * Creates a {@link RecordWriter} that collects the first rows, lays out the columns, and then streams.
 * @param layOut creates the layout from the collected rows. Returns undefined if the output is empty without rows.
 * @param sampleSize number of rows to collect. Default: 100.
 */
export function createHeldWriter(
  options: WriterOptions,
  layOut: (sample: readonly JsonObject[]) => Layout | undefined,
  sampleSize: number = SAMPLE,
): RecordWriter {
  const tracker = trackMissing(options.fields ?? []);
  let collected: JsonObject[] = [];
  let layout: Layout | undefined;

  function release(): string {
    if (layout !== undefined) return '';
    const rows = collected;
    layout = layOut(rows);
    collected = [];
    return layout === undefined ? '' : layout.header + rows.map((record) => layout?.row(record) ?? '').join('');
  }

  return {
    begin: () => '',
    row(record) {
      tracker.see(record);
      if (layout !== undefined) return layout.row(record);
      collected.push(record);
      return collected.length < sampleSize ? '' : release();
    },
    end: () => release() + (layout?.end?.() ?? ''),
    flush: () => (collected.length === 0 ? '' : release()),
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

export interface RowWriterParts {
  readonly begin?: string;
  row(record: JsonObject, index: number): string;
  end?(rows: number): string;
}

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
