import { UsageError } from '../../errors.ts';
import { csvLine } from '../../output/csv-line.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, scalarText, stringifyJson } from '../../values/json.ts';
import { assertNotTooDeep } from '../../values/json-depth.ts';
import { ownEntry } from '../../values/own-entry.ts';

/**
 * A row of a file: where it stands, and what it says. CSV values are texts; empty cells are left out, and so are columns whose
 * name begins with `#`, which are remarks.
 */
export interface SourceRow {
  /** The line it begins on, from 1. */
  readonly line: number;
  readonly values: JsonObject;
  /** The file's own names of columns, for the fields that have another one. */
  readonly columns?: Readonly<Record<string, string>>;
  /** What a person sees of it in a dry run, instead of the values. */
  readonly shown?: JsonObject;
}

export interface Source {
  readonly format: 'csv' | 'json';
  readonly rows: readonly SourceRow[];
}

/**
 * Reads CSV, NDJSON or a JSON array, told apart by the first character.
 *
 * @param readOther Knows another kind of file: gives its rows, or undefined for what it does not know.
 * @throws UsageError naming the line.
 */
export async function readRows(content: string, readOther?: (text: string) => readonly SourceRow[] | undefined): Promise<Source> {
  const text = content.replace(/^\uFEFF/, '');
  const other = readOther?.(text);
  const source = other === undefined ? await readKnown(text) : { format: 'json' as const, rows: other };
  refuseLost(source.rows);
  return source;
}

/** A character that was lost on the way shows as U+FFFD, in the file or written as an escape; it is never sent on. */
function refuseLost(rows: readonly SourceRow[]): void {
  const lines = rows.filter(({ values }) => stringifyJson(values).includes('\uFFFD')).map(({ line }) => line);
  if (lines.length === 0) return;
  throw new UsageError(`A character was lost before the file came here: it shows as \uFFFD. Nothing was sent.`, {
    hint: 'Save it again from where it came, as UTF-8.',
    details: { lines: lines.slice(0, 50).map((line) => `line ${line}: has such a character.`) },
  });
}

async function readKnown(text: string): Promise<Source> {
  const first = text.trimStart()[0];
  const format = first === '[' || first === '{' ? 'json' : 'csv';
  const rows = first === '[' ? readArray(text) : first === '{' ? readLines(text) : await readCsv(text);
  return { format, rows: rows.map(({ line, values }) => ({ line, values: withoutRemarks(values) })) };
}

function withoutRemarks(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith('#')));
}

function readArray(text: string): SourceRow[] {
  const value = parseLine(text, 1);
  if (!Array.isArray(value)) throw new UsageError('The file holds no list of records.', { hint: HINT });
  return value.map((entry: JsonValue, index) => ({ line: index + 1, values: objectAt(entry, index + 1) }));
}

function readLines(text: string): SourceRow[] {
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ line: index + 1, values: objectAt(parseLine(line, index + 1), index + 1) }]));
}

async function readCsv(text: string): Promise<SourceRow[]> {
  const { parse } = await import('csv-parse/sync');
  const delimiter = delimiterOf(text);
  let parsed: { record: Record<string, string>; info: { lines: number } }[];
  try {
    parsed = parse(text, {
      columns: uniqueNames,
      delimiter,
      info: true,
      skip_empty_lines: true,
      relax_quotes: false,
      trim: true,
    }) as typeof parsed;
  } catch (error) {
    throw new UsageError(`This is no CSV that svc can read: ${error instanceof Error ? error.message : error}`, { hint: HINT });
  }
  return parsed.map(({ record, info }) => ({
    line: info.lines,
    values: Object.fromEntries(
      Object.entries(record)
        .filter(([, cell]) => cell !== '')
        .map(([name, cell]) => [name, undefused(cell)]),
    ),
  }));
}

const HINT = 'CSV with a line of field names, NDJSON (a JSON object a line), or a JSON array of objects.';

/** A spreadsheet in much of Europe writes semicolons; the header tells. */
function delimiterOf(text: string): string {
  const header = text.split(/\r?\n/, 1)[0] ?? '';
  const count = (character: string) => header.split(character).length;
  return [',', ';', '\t'].reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best));
}

function uniqueNames(header: string[]): string[] {
  const names = header.map((name) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`The column "${twice}" is there twice.`, { hint: 'Give each column a name of its own.' });
  return names;
}

/** svc's own CSV puts an apostrophe before a cell that a spreadsheet would run; reading it back takes it away. */
function undefused(cell: string): string {
  return /^'[\s;]*[=+\-@]/.test(cell) ? cell.slice(1) : cell;
}

function parseLine(text: string, line: number): JsonValue {
  assertNotTooDeep(text, `Line ${line}`);
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(`Line ${line} is not JSON.`, { hint: HINT });
  }
}

function objectAt(value: JsonValue, line: number): JsonObject {
  if (isJsonObject(value)) return value;
  throw new UsageError(`Row ${line} is no object of fields.`, { hint: HINT });
}

/** Rows as a file that can be mended and imported, each with what is wrong with it as a remark. */
export function failedRowsText(rows: readonly { readonly values: JsonObject; readonly error: string }[], format: Source['format']): string {
  const remarked = rows.map(({ values, error }) => ({ ...values, '#error': error }));
  if (format === 'json') return remarked.map((row) => `${stringifyJson(row)}\n`).join('');
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values))), '#error'];
  const cells = (row: JsonObject) => columns.map((name) => scalarText(ownEntry(row, name)));
  return [columns, ...remarked.map(cells)].map(csvLine).join('');
}
