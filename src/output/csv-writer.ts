import { type JsonObject, scalarText } from '../values/json.ts';
import { quoteCell } from './csv-line.ts';
import { fieldValue } from './fields.ts';
import { createHeldWriter } from './held-rows.ts';
import { neutraliseText } from './neutralise.ts';
import { csvCell, tsvCell } from './spreadsheet.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/**
 * CSV (RFC 4180, but with `\n`), under a header of field names. Lists and objects are JSON in their cell; `--fields user.name` reaches inside.
 * The addresses of a record (rule 2.40), which no table is made for, are left out unless they are asked for.
 */
export function createCsvWriter(options: WriterOptions): RecordWriter {
  const { raw = false, bom = false, pretty } = options;
  // At a terminal only the apostrophe is left out: no terminal gets what it would obey.
  const textOf = raw ? (pretty ? neutraliseText : (text: string) => text) : csvCell;
  return createSeparatedWriter(options, {
    separator: ',',
    cellOf: (text) => quoteCell(textOf(text)),
    mark: bom ? BYTE_ORDER_MARK : '',
    without: 'links',
  });
}

/** Tab-separated, without quoting: a tab or a line break in a value becomes a space. */
export function createTsvWriter(options: WriterOptions): RecordWriter {
  return createSeparatedWriter(options, { separator: '\t', cellOf: tsvCell });
}

/** By it a spreadsheet knows UTF-8 (RFC 3629 §6). */
const BYTE_ORDER_MARK = '\ufeff';

interface Separated {
  readonly separator: string;
  readonly cellOf: (text: string) => string;
  /** What stands before the header. */
  readonly mark?: string;
  /** A field that has no column unless it is asked for. */
  readonly without?: string;
}

function createSeparatedWriter(options: WriterOptions, { separator, cellOf, mark = '', without }: Separated): RecordWriter {
  const cells: string[] = [];
  return createHeldWriter(
    options,
    (sample) => {
      const seen = options.fields ?? namesIn(sample);
      const names = options.fields ?? seen.filter((name) => name !== without);
      if (names.length === 0) return undefined;
      const known = new Set([...names, ...(without === undefined ? [] : [without])]);
      const dropped = new Set<string>();
      const arePlain = !names.some((name) => name.includes('.'));
      return {
        header: `${mark}${names.map(cellOf).join(separator)}\n`,
        row(record) {
          const keys = Object.keys(record);
          // As a rule a record has the very fields of those before it: then none needs to be looked for.
          const isUsual = arePlain && isSame(keys, seen);
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
