import { createHash } from 'node:crypto';
import type { Files } from '../../deps.ts';
import { SvcError } from '../../errors.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../values/json.ts';

/** The records of an NDJSON file of svc, one after the other. @throws SvcError for a line that holds none, and as `Files.readPlain`. */
export async function* readExportedRecords(files: Pick<Files, 'readPlain'>, path: string): AsyncGenerator<JsonObject> {
  for await (const { record } of readLines(files, path)) yield record;
}

/** A line of an NDJSON file, without its end. */
export interface Line {
  readonly text: string;
  readonly record: JsonObject;
}

/** The same, each with its line. */
export async function* readLines(files: Pick<Files, 'readPlain'>, path: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const piece of files.readPlain(path)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      number += 1;
      const record = recordIn(text);
      if (record === undefined) throw notOfSvc(path, number);
      yield { text, record };
    }
  }
  if (rest !== '') throw notOfSvc(path, number + 1);
}

function recordIn(line: string): JsonObject | undefined {
  try {
    const record = parseJson(line);
    return isJsonObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function notOfSvc(path: string, line: number): SvcError {
  return new SvcError(`Line ${line} of ${path} holds no record, so svc did not write that file.`, {
    hint: 'Remove the file, then export with --restart.',
  });
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
export async function fingerprint(files: Pick<Files, 'readPlain'>, path: string): Promise<Fingerprint> {
  const hash = createHash('sha256');
  let bytes = 0;
  let rows = 0;
  for await (const piece of files.readPlain(path)) {
    hash.update(piece);
    bytes += piece.byteLength;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) rows += 1;
  }
  return { bytes, rows, sha256: hash.digest('hex') };
}

const NEWLINE = 10;
