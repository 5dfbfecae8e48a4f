import type { Files } from '../../deps.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { type Line, readLines } from './lines.ts';

/** Lines that are written at once. */
const BATCH = 500;

/** A file whose records are not in the order of their ids, each once: it can't be merged. */
export class DisorderedError extends Error {
  override readonly name = 'DisorderedError';
}

interface Source {
  readonly path: string;
  readonly lines: AsyncGenerator<Line>;
  line: Line | undefined;
  /** Of that line; infinite after the last. */
  id: number;
}

/**
 * Merges files of records, each in the order of their ids, into one in that order. Where several have a record, that of the first of them
 * counts. None is held in memory.
 *
 * @param onRecord Called for each record that is written.
 * @throws DisorderedError where a file is not in order, though it is as svc left it: two exports may have written it at once.
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
    // Where a file is not in order, none is read to its end.
    for (const { lines } of sources) await lines.return(undefined);
  }
}

async function advance(source: Source): Promise<void> {
  const next = await source.lines.next();
  const id = next.done ? Number.POSITIVE_INFINITY : Number(scalarText(next.value.record['id'] ?? null));
  if (!(id > source.id)) throw new DisorderedError(`${source.path}: ${id} after ${source.id}`);
  source.line = next.done ? undefined : next.value;
  source.id = id;
}
