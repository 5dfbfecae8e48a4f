import { type JsonObject, scalarText } from '../values/json.ts';
import { fieldValue } from './fields.ts';
import { createHeldWriter } from './held-rows.ts';
import { csvCell, tsvCell } from './spreadsheet.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/**
 * CSV (RFC 4180, but with `\n`), under a header of field names. Lists and objects are JSON in their cell; `--fields user.name` reaches inside.
 */
export async function createCsvWriter(options: WriterOptions): Promise<RecordWriter> {
  const { stringify } = await import('csv-stringify/sync');
  // Semicolons are quoted too: a spreadsheet of another locale splits cells there, and a formula behind one would be defused no more.
  return createSeparatedWriter(options, (cells) => stringify([cells.map(csvCell)], { quoted_match: /[;\t]/ }));
}

/** Tab-separated, without quoting: a tab or a line break in a value becomes a space. */
export function createTsvWriter(options: WriterOptions): RecordWriter {
  return createSeparatedWriter(options, (cells) => `${cells.map(tsvCell).join('\t')}\n`);
}

function createSeparatedWriter(options: WriterOptions, line: (cells: string[]) => string): RecordWriter {
  return createHeldWriter(
    options,
    (sample) => {
      const names = options.fields ?? namesIn(sample);
      if (names.length === 0) return undefined;
      const known = new Set(names);
      const dropped = new Set<string>();
      return {
        header: line([...names]),
        row(record) {
          if (options.fields === undefined) for (const name of Object.keys(record)) if (!known.has(name)) dropped.add(name);
          return line(names.map((name) => scalarText(fieldValue(record, name))));
        },
        dropped,
      };
    },
    // Named fields need no look at the records.
    options.fields === undefined ? undefined : 1,
  );
}

/** Every field of any of the records, in the order they first appear. */
function namesIn(records: readonly JsonObject[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}
