import type { CsvError } from 'csv-parse/sync';
import { UsageError } from '../../errors.ts';
import { csvLine } from '../../output/csv-writer.ts';
import {
  assertNotTooDeep,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonIn,
  ownEntry,
  scalarText,
  stringifyJson,
} from '../../values/json.ts';
import { counted } from '../../values/text.ts';

/** A row of a file. Values from CSV are strings. The row leaves out empty cells, and columns whose names begin with `#`. */
export interface SourceRow {
  /** The number of the row’s line, from 1. In CSV, the last line of a row with several lines. In a JSON array, the position of the row. */
  readonly line: number;
  readonly values: JsonObject;
  /** The column names of the file by field, where the names differ. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The values that a dry run prints instead of `values`. */
  readonly shown?: JsonObject;
}

export interface Source {
  readonly format: 'csv' | 'json';
  readonly rows: readonly SourceRow[];
}

/**
 * Reads the rows of a file. The first character shows if the file is CSV, NDJSON or a JSON array. `readOther` returns undefined for these
 * formats.
 *
 * @throws UsageError for invalid content, and for a file with U+FFFD.
 */
export async function readRows(content: string, readOther?: (text: string) => readonly SourceRow[] | undefined): Promise<Source> {
  const text = content.replace(/^\uFEFF/, '');
  const other = readOther?.(text);
  const source = other === undefined ? await readKnown(text) : { format: 'json' as const, rows: other };
  refuseLost(source.rows);
  return source;
}

/** Refuses a file with U+FFFD, which another program wrote for an unreadable character. @throws UsageError that lists the lines. */
function refuseLost(rows: readonly SourceRow[]): void {
  const lines = rows.filter(({ values }) => stringifyJson(values).includes('\uFFFD')).map(({ line }) => line);
  if (lines.length === 0) return;
  throw new UsageError(`The file has characters that another program lost: they appear as \uFFFD. svc sent nothing.`, {
    hint: 'Save the file again in that program, as UTF-8.',
    details: { lines: lines.slice(0, 50).map((line) => `line ${line}: contains such a character.`) },
  });
}

async function readKnown(text: string): Promise<Source> {
  const first = text.trimStart()[0];
  const format = first === '[' || first === '{' ? 'json' : 'csv';
  const rows = first === '[' ? readArray(text) : first === '{' ? readLines(text) : await readCsv(text);
  const isField = ([name]: readonly [string, JsonValue]) => !name.startsWith('#');
  return { format, rows: rows.map(({ line, values }) => ({ line, values: Object.fromEntries(Object.entries(values).filter(isField)) })) };
}

function readArray(text: string): SourceRow[] {
  const value = parseLine(text, 1);
  if (value === undefined) throw new UsageError('Line 1 is not JSON.', { hint: HINT });
  if (!Array.isArray(value)) throw new UsageError('The file has no list of records.', { hint: HINT });
  return value.map((values: JsonValue, index) => {
    if (!isJsonObject(values)) throw new UsageError(`Row ${index + 1} is not an object.`, { hint: HINT });
    return { line: index + 1, values };
  });
}

function readLines(text: string): SourceRow[] {
  const bad: string[] = [];
  const rows = text.split('\n').flatMap((content, index): SourceRow[] => {
    if (content.trim() === '') return [];
    const line = index + 1;
    const value = parseLine(content, line);
    if (value !== undefined && isJsonObject(value)) return [{ line, values: value }];
    bad.push(`line ${line}: ${value === undefined ? 'not JSON' : 'not a JSON object'}.`);
    return [];
  });
  if (bad.length > 0) throw badLines(bad, 'no JSON object');
  return rows;
}

async function readCsv(text: string): Promise<SourceRow[]> {
  const { parse } = await import('csv-parse/sync');
  const delimiter = delimiterOf(text);
  let parsed: {
    record: Record<string, string>;
    info: { lines: number; error?: CsvError & { record: readonly string[]; columns: readonly object[] } };
  }[];
  try {
    parsed = parse(text, {
      columns: uniqueNames,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      relax_quotes: false,
      trim: true,
    }) as typeof parsed;
  } catch (error) {
    throw new UsageError(`svc cannot read this CSV: ${error instanceof Error ? error.message : error}`, { hint: HINT });
  }
  const uneven = parsed.flatMap(({ info: { lines, error } }) =>
    error === undefined ? [] : [`line ${lines}: ${counted(error.record.length, 'cell')}, and the header has ${error.columns.length}.`],
  );
  if (uneven.length > 0) throw badLines(uneven, 'a different number of cells than the header');
  return parsed.map(({ record, info }) => ({
    line: info.lines,
    values: Object.fromEntries(
      Object.entries(record)
        .filter(([, cell]) => cell !== '')
        // svc writes an apostrophe before a formula in CSV, and an import removes the apostrophe.
        .map(([name, cell]) => [name, /^'[\s;]*[=+\-@]/.test(cell) ? cell.slice(1) : cell]),
    ),
  }));
}

function badLines(lines: readonly string[], fault: string): UsageError {
  const subject = lines.length === 1 ? 'A line of the file has' : `${lines.length} lines of the file have`;
  return new UsageError(`${subject} ${fault}. svc sent nothing.`, { hint: HINT, details: { lines: lines.slice(0, 50) } });
}

const HINT = 'Use CSV with a header of field names, NDJSON (one JSON object per line), or a JSON array of objects.';

/** Finds the delimiter of a CSV file in its header. European spreadsheets often write semicolons. */
function delimiterOf(text: string): string {
  const header = text.split(/\r?\n/, 1)[0] ?? '';
  const count = (character: string) => header.split(character).length;
  return [',', ';', '\t'].reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best));
}

function uniqueNames(header: string[]): string[] {
  const names = header.map((name) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`The file has the column "${twice}" twice.`, { hint: 'Give each column a unique name.' });
  return names;
}

function parseLine(text: string, line: number): JsonValue | undefined {
  assertNotTooDeep(text, `Line ${line}`);
  return jsonIn(text);
}

/** Returns failed rows as the content of a file that you can fix and import again. The column `#error` has the error of each row. */
export function failedRowsText(rows: readonly { readonly values: JsonObject; readonly error: string }[], format: Source['format']): string {
  const remarked = rows.map(({ values, error }) => ({ ...values, '#error': error }));
  if (format === 'json') return remarked.map((row) => `${stringifyJson(row)}\n`).join('');
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values))), '#error'];
  const cells = (row: JsonObject) => columns.map((name) => scalarText(ownEntry(row, name)));
  return [columns, ...remarked.map(cells)].map(csvLine).join('');
}

/**
 * Decodes a file by its byte order mark. A file without a mark is UTF-8, or UTF-16 if the file has zero bytes. If the file is not valid
 * UTF-8, svc guesses Windows-1252 (`guessed`), which most spreadsheets of Western Europe write.
 *
 * @param encoding value of `--encoding`: any name of the WHATWG Encoding Standard. Takes precedence over the mark.
 * @throws UsageError for a workbook or an archive, an unknown name, and bytes that are invalid in the encoding.
 */
export function decodeFile(bytes: Uint8Array, encoding: string | undefined): { readonly text: string; readonly guessed?: string } {
  if (ARCHIVE.every((byte, index) => bytes[index] === byte)) {
    throw new UsageError('The file is a workbook or an archive, not text.', { hint: 'Save the sheet as CSV, in UTF-8.' });
  }
  const found = markOf(bytes);
  if (encoding !== undefined) return { text: decode(bytes, encoding) ?? refuse(encoding) };
  const name = found ?? zeroesOf(bytes) ?? 'utf-8';
  const text = decode(bytes, name);
  if (text !== undefined) return { text };
  // Windows-1252 leaves five byte values unused. A file with one of these bytes has another encoding.
  if (found !== undefined || name !== 'utf-8' || bytes.some((byte) => UNUSED.has(byte))) return refuse(name);
  return { text: decode(bytes, WESTERN) ?? refuse(name), guessed: 'Windows-1252' };
}

/** The first bytes of a ZIP file with content. An Excel workbook is a ZIP file. */
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04];

const WESTERN = 'windows-1252';

const UNUSED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

const SAMPLE = 4_096;

/** Recognises UTF-16 without a byte order mark. Each ASCII character has a zero byte in UTF-16 and none in UTF-8. */
function zeroesOf(bytes: Uint8Array): string | undefined {
  const zeroes = [0, 0];
  for (const [index, byte] of bytes.subarray(0, SAMPLE).entries()) if (byte === 0) zeroes[index % 2] = (zeroes[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeroes;
  if (even + odd === 0) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Decodes bytes. Returns undefined if the bytes are invalid in the encoding. @throws UsageError for an unknown encoding. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding.trim(), { fatal: true });
  } catch {
    throw new UsageError(`svc does not know the encoding "${encoding}".`, {
      hint: 'For example: utf-8, utf-16le, windows-1252, windows-1250, iso-8859-2, shift_jis.',
    });
  }
  try {
    const text = decoder.decode(bytes);
    return decoder.encoding === WESTERN
      ? text.replace(/[\u0080-\u009f]/g, (character) => WESTERN_80[character.charCodeAt(0) - 0x80] ?? '')
      : text;
  } catch {
    return undefined;
  }
}

/** The characters of Windows-1252 from 0x80 to 0x9F. Some versions of Node 22 decode these bytes as control characters of Latin-1. */
const WESTERN_80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function refuse(encoding: string): never {
  throw new UsageError(`The file is not valid ${encoding}.`, {
    hint: 'Give the encoding, such as --encoding windows-1252, or save the file as UTF-8.',
  });
}
