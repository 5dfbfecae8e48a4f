import { type ReadingUnnamed, readUnnamed } from '../../config/guarded.ts';
import { type JsonObject, stringifyJson } from '../../values/json.ts';
import { digest, notesPath, readNotes } from '../run-notes.ts';

/**
 * What svc noted beside an imported file before the account's journal knew rows: read once more and taken over, and removed when
 * all of the file is done. It is never written.
 */
export interface OldJournal {
  readonly path: string;
  /** Whether it has the row of this line as done. */
  isDone(line: number): boolean;
  /**
   * The key under which an import that did not come to its end may have sent the row of this line; undefined where there is none such.
   */
  keyOf(line: number): string | undefined;
  /** How many rows it has as done that the file has no longer, or not in this form. */
  readonly others: number;
}

export interface OldJournalOptions {
  /** The imported file; `-` for standard input. */
  readonly file: string;
  /** Where those of standard input are. */
  readonly directory: string;
  /** Host and collection. */
  readonly subject: string;
  /** The file's text, and its rows. */
  readonly content: string;
  readonly rows: readonly { readonly line: number; readonly values: JsonObject }[];
}

/** In bytes: some hundred thousand rows. */
const LARGEST = 32 * 1024 * 1024;

/** Undefined where there is none about this collection, or others may have changed it. @throws UsageError as {@link readUnnamed}. */
export async function readOldJournal(
  reading: ReadingUnnamed,
  { file, directory, subject, content, rows }: OldJournalOptions,
): Promise<OldJournal | undefined> {
  const path = file === '-' ? notesPath(directory, digest(subject, content)) : `${file}.svc-journal`;
  const runs = readNotes((await readUnnamed(reading, path, LARGEST)) ?? '', digest(subject));
  const [last] = runs;
  if (last === undefined) return undefined;
  const names = namesOf(rows);
  const done = new Set(runs.flatMap((run) => [...run.done]));
  return {
    path,
    isDone: (line) => done.has(names.get(line) ?? ''),
    keyOf: (line) => (last.finished === undefined ? `svc-import-${last.name}-${names.get(line) ?? ''}` : undefined),
    others: done.size - [...names.values()].filter((name) => done.has(name)).length,
  };
}

/** The name of the row of each line there: what it says, and how many before it say the same. */
function namesOf(rows: OldJournalOptions['rows']): ReadonlyMap<number, string> {
  const seen = new Map<string, number>();
  return new Map(
    rows.map(({ line, values }) => {
      const text = stringifyJson(values);
      const count = (seen.get(text) ?? 0) + 1;
      seen.set(text, count);
      return [line, digest(text, String(count))];
    }),
  );
}
