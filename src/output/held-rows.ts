import type { JsonObject } from '../values/json.ts';
import { trackMissing } from './fields.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** What the formats with columns do once the first rows are known. */
export interface Layout {
  readonly header: string;
  row(record: JsonObject): string;
  /** What stands below the last row. */
  end?(): string;
  /** Fields of records that got no column. */
  readonly dropped?: ReadonlySet<string>;
}

/** As many rows as the service sends on its largest page. */
const SAMPLE = 100;

/**
 * A {@link RecordWriter} that holds the first page of rows back, lays the columns out from them, and streams from then on.
 *
 * @param layOut is given the held rows, perhaps none; undefined when there is nothing to say without rows.
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
  };
}
