import { createHash } from 'node:crypto';
import type { Files } from '../../deps.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../values/json.ts';

/** The records of an NDJSON file, one after the other. @throws SyntaxError for a line that holds none. */
export async function* readExportedRecords(files: Pick<Files, 'read'>, path: string): AsyncGenerator<JsonObject> {
  for await (const { record } of readLines(files, path)) yield record;
}

/** A line of an NDJSON file, without its end. */
export interface Line {
  readonly text: string;
  readonly record: JsonObject;
}

/** The same, each with its line. */
export async function* readLines(files: Pick<Files, 'read'>, path: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of files.read(path)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) yield { text, record: readRecord(text) };
  }
  if (rest !== '') throw new SyntaxError('The last line is cut off.');
}

function readRecord(line: string): JsonObject {
  const record = parseJson(line);
  if (!isJsonObject(record)) throw new SyntaxError('A line holds no record.');
  return record;
}

/** What a file is known by. */
export interface Fingerprint {
  readonly bytes: number;
  /** Lines, for a file that ends each of them. */
  readonly rows: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Reads a whole file, in constant memory. */
export async function fingerprint(files: Pick<Files, 'read'>, path: string): Promise<Fingerprint> {
  const hash = createHash('sha256');
  let bytes = 0;
  let rows = 0;
  for await (const piece of files.read(path)) {
    hash.update(piece);
    bytes += piece.byteLength;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) rows += 1;
  }
  return { bytes, rows, sha256: hash.digest('hex') };
}

const NEWLINE = 10;
