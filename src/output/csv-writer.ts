import { type JsonObject, scalarText } from '../values/json.ts';
import { quoteCell } from './csv-line.ts';
import { fieldValue } from './fields.ts';
import { createHeldWriter } from './held-rows.ts';
import { csvCell, tsvCell } from './spreadsheet.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/**
 * CSV (RFC 4180, but with `\n`), under a header of field names. Lists and objects are JSON in their cell; `--fields user.name` reaches inside.
 */
export function createCsvWriter(options: WriterOptions): RecordWriter {
  return createSeparatedWriter(options, ',', (text) => quoteCell(csvCell(text)));
}

/** Tab-separated, without quoting: a tab or a line break in a value becomes a space. */
export function createTsvWriter(options: WriterOptions): RecordWriter {
  return createSeparatedWriter(options, '\t', tsvCell);
}

function createSeparatedWriter(options: WriterOptions, separator: string, cellOf: (text: string) => string): RecordWriter {
  const cells: string[] = [];
  return createHeldWriter(
    options,
    (sample) => {
      const names = options.fields ?? namesIn(sample);
      if (names.length === 0) return undefined;
      const known = new Set(names);
      const dropped = new Set<string>();
      const arePlain = !names.some((name) => name.includes('.'));
      return {
        header: `${names.map(cellOf).join(separator)}\n`,
        row(record) {
          const keys = Object.keys(record);
          // As a rule a record has the very fields of those before it: then none needs to be looked for.
          const isUsual = arePlain && isSame(keys, names);
          if (!isUsual && options.fields === undefined) for (const name of keys) if (!known.has(name)) dropped.add(name);
          for (let at = 0; at < names.length; at += 1) {
            const name = names[at] ?? '';
            const value = isUsual ? record[name] : fieldValue(record, name);
            cells[at] = typeof value === 'number' || typeof value === 'boolean' ? String(value) : cellOf(scalarText(value));
          }
          return `${cells.join(separator)}\n`;
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

function isSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false;
  return true;
}
