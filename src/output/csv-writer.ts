import { type JsonObject, scalarText } from '../values/json.ts';
import { fieldValue } from './fields.ts';
import { neutraliseLine, neutraliseText } from './neutralise.ts';
import { createHeldWriter, type RecordWriter, type WriterOptions } from './writer.ts';

/**
 * Creates a writer for CSV (RFC 4180, but with `\n`). Lists and objects become JSON. The writer leaves out `links` unless `--fields` names
 * the field.
 */
export function createCsvWriter(options: WriterOptions): RecordWriter {
  const { raw = false, bom = false, pretty } = options;
  // svc never sends control characters to a terminal, even with --raw.
  const textOf = raw ? (pretty ? neutraliseText : (text: string) => text) : csvCell;
  return createSeparatedWriter(options, {
    separator: ',',
    cellOf: (text) => quoteCell(textOf(text)),
    mark: bom ? BYTE_ORDER_MARK : '',
    without: 'links',
  });
}

export function createTsvWriter(options: WriterOptions): RecordWriter {
  return createSeparatedWriter(options, { separator: '\t', cellOf: tsvCell });
}

/** The mark by which spreadsheets recognise UTF-8 (RFC 3629 §6). */
const BYTE_ORDER_MARK = '\ufeff';

interface Separated {
  readonly separator: string;
  readonly cellOf: (text: string) => string;
  readonly mark?: string;
  readonly without?: string;
}

function createSeparatedWriter(options: WriterOptions, { separator, cellOf, mark = '', without }: Separated): RecordWriter {
  const cells: string[] = [];
  return createHeldWriter(
    options,
    (sample) => {
      const seen = options.fields ?? (sample.length === 0 ? knownNames(options) : namesIn(sample));
      const names = options.fields ?? seen.filter((name) => name !== without);
      if (names.length === 0) return undefined;
      const known = new Set([...names, ...(without === undefined ? [] : [without])]);
      const dropped = new Set<string>();
      const arePlain = !names.some((name) => name.includes('.'));
      return {
        header: `${mark}${names.map(cellOf).join(separator)}\n`,
        row(record) {
          const keys = Object.keys(record);
          // Most records have the same fields in the same order, so svc first tests for these fields.
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
    // If `--fields` names the columns, the writer only needs the first record.
    options.fields === undefined ? undefined : 1,
  );
}

function namesIn(records: readonly JsonObject[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function knownNames({ kinds = {}, columns = [] }: WriterOptions): string[] {
  return [...new Set([...Object.keys(kinds), ...columns.map(({ path }) => path)])];
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false;
  return true;
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\n`;
}

/**
 * Quotes a cell if necessary. Semicolons and tabs need quotes too. Spreadsheets of other locales would split the cell at these characters,
 * and could run the second part as a formula.
 */
export function quoteCell(cell: string): string {
  return SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const SPECIAL = /[",;\t\r\n]/;

export function csvCell(text: string): string {
  return HARMLESS.test(text) ? text : defuse(neutraliseText(text));
}

export function tsvCell(text: string): string {
  return HARMLESS.test(text) ? text : defuse(neutraliseLine(text));
}

/**
 * Puts an apostrophe before a formula, so that a spreadsheet does not run it (OWASP, “CSV Injection”). A formula begins with a tab, `=`,
 * `+`, `-`, `@` or a full-width form of one of these signs. Blanks or semicolons may come first. Numbers stay unchanged.
 */
export function defuse(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

const FORMULA = /^(?:\t|[\s;]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Matches printable ASCII that can’t be a formula, so that most texts need only one check. */
const HARMLESS = /^[!-*,./-:<>?A-~][ -~]*$/;
