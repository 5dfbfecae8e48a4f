import { createHash } from 'node:crypto';
import type { Files } from '../../deps.ts';
import { SvcError } from '../../errors.ts';
import { type JsonObject, jsonObjectIn, scalarText } from '../../values/json.ts';

/** Reports that a file of an export has content that svc did not write. svc cannot resume the export with this file. */
export class DamagedFileError extends SvcError {}

export function damagedFile(path: string): SvcError {
  return new DamagedFileError(`${path} has changed since svc wrote it.`, {
    hint: 'Another program changed the file, or the disk failed. Export again with --restart.',
  });
}

const MOST_CHARACTERS = 64 * 1024 * 1024;

/**
 * Yields the records of an exported file.
 *
 * @throws DamagedFileError for a line that is not a record, and the errors of `Files.readPlain`.
 */
export async function* readExportedRecords(files: Pick<Files, 'readPlain'>, path: string): AsyncGenerator<JsonObject> {
  for await (const { record } of readLines(files, path)) yield record;
}

interface Line {
  readonly text: string;
  readonly record: JsonObject;
}

async function* readLines(files: Pick<Files, 'readPlain'>, path: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 1;
  const damaged = () =>
    new DamagedFileError(`Line ${number} of ${path} is not a record, so svc did not write this content.`, {
      hint: 'Remove the file, then export with --restart.',
    });
  for await (const piece of files.readPlain(path)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      const record = jsonObjectIn(text);
      if (record === undefined) throw damaged();
      number += 1;
      yield { text, record };
    }
    if (rest.length > MOST_CHARACTERS) throw damaged();
  }
  if (rest !== '') throw damaged();
}

export async function fingerprint(files: Pick<Files, 'readPlain'>, path: string) {
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

const BATCH = 500;

export class DisorderedError extends Error {
  override readonly name = 'DisorderedError';
}

interface Source {
  readonly path: string;
  readonly lines: AsyncGenerator<Line>;
  line: Line | undefined;
  /** The id of the current line. Infinity after the last line. */
  id: number;
}

/**
 * Merges several files of records into one file. Each file must be in ascending order of id. If several files contain the same record, the
 * first of these files takes precedence. Only one line of each file, and up to 500 merged lines, are in memory.
 *
 * @param onRecord receives each record that svc writes.
 * @throws DisorderedError if the ids of a file do not ascend. Two exports then possibly wrote to the file at once. DamagedFileError for a
 * line that is not a record.
 */
export async function mergeById(
  files: Files,
  paths: readonly string[],
  target: string,
  onRecord: (record: JsonObject) => void = () => undefined,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  await files.truncate(target, 0);
  const sources = paths.map((path): Source => ({ path, lines: readLines(files, path), line: undefined, id: Number.NEGATIVE_INFINITY }));
  try {
    for (const source of sources) await advance(source);
    const sum = { rows: 0, bytes: 0 };
    let texts: string[] = [];
    const flush = async () => {
      const text = texts.join('');
      texts = [];
      sum.bytes += Buffer.byteLength(text);
      if (text !== '') await files.append(target, text);
    };
    for (let last = Number.NEGATIVE_INFINITY; ; ) {
      const least = sources.reduce((found, each) => (each.id < found.id ? each : found));
      if (least.line === undefined) break;
      if (least.id > last) {
        texts.push(`${least.line.text}\n`);
        sum.rows += 1;
        onRecord(least.line.record);
      }
      last = least.id;
      if (texts.length === BATCH) await flush();
      await advance(least);
    }
    await flush();
    return sum;
  } finally {
    // Closes the files that a failure left open.
    for (const { lines } of sources) await lines.return(undefined);
  }
}

async function advance(source: Source): Promise<void> {
  const next = await source.lines.next();
  const id = next.done ? Number.POSITIVE_INFINITY : Number(scalarText(next.value.record['id']));
  if (!(id > source.id)) throw new DisorderedError(`${source.path}: ${id} after ${source.id}`);
  source.line = next.done ? undefined : next.value;
  source.id = id;
}
