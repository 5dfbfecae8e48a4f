import type { JsonObject } from '../values/json.ts';
import { trackMissing } from './fields.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** The parts in which the formats that hold nothing back differ. */
export interface RowWriterParts {
  readonly begin?: string;
  row(record: JsonObject, index: number): string;
  end?(rows: number): string;
}

/** A {@link RecordWriter} that writes each row as it comes. */
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
