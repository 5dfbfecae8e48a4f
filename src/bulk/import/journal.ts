import { createHash } from 'node:crypto';
import type { Files } from '../../deps.ts';
import { UsageError } from '../../errors.ts';

/**
 * What an import has done, noted beside the file row by row, so that running it again after anything at all does the rest
 * and nothing twice. The journal and the idempotency keys guard each other: what ran before its note could be written has
 * a key that the service knows already (rule 6.12), and what was noted needs no key.
 */
export interface Journal {
  /** Whether an earlier run has done this row. */
  isDone(row: string): boolean;
  /** A key that is the same for the same row of the same import, whenever it is sent. */
  keyOf(row: string): string;
  /** The row is done. */
  note(row: string): Promise<void>;
  /** All rows are done: another content of this file is another import. */
  finish(): Promise<void>;
}

export interface JournalOptions {
  /** The imported file; `-` for standard input, whose journal is kept in `directory`. */
  readonly file: string;
  readonly directory: string;
  /** Host and collection: the same file may be imported elsewhere. */
  readonly subject: string;
  /** The file's text. */
  readonly content: string;
}

/**
 * Opens the journal of one import, or begins it.
 *
 * An import that was not finished goes on under its name even when the file has changed: rows are known by what they say,
 * so a row that was mended in place is a new one, and the others stay done. After a finished import the same text has
 * nothing left to do, and another text begins anew.
 *
 * @throws UsageError when it cannot be written: nothing has been sent then.
 */
export async function openJournal(files: Files, { file, directory, subject, content }: JournalOptions): Promise<Journal> {
  const about = digest(subject);
  const text = digest(subject, content);
  const path = file === '-' ? `${directory}/import/${text}.svc-journal` : `${file}.svc-journal`;
  const noted = (await files.readText(path)) ?? '';
  const before = readNotes(noted, about);
  const goesOn = before !== undefined && (before.finished === undefined || before.finished === text);
  const name = goesOn ? before.name : text;
  const done = goesOn ? before.done : new Set<string>();
  const write = (...words: string[]) => files.append(path, `${words.join(' ')}\n`);
  try {
    // A line that a crash cut off ends here, so that it spoils no other.
    if (noted !== '' && !noted.endsWith('\n')) await files.append(path, '\n');
    if (!goesOn) await write('begin', about, name);
  } catch (error) {
    throw new UsageError(`The journal ${path} cannot be written: ${error instanceof Error ? error.message : error}`, {
      hint: 'Copy the file to a directory that you may write to, and import it from there.',
    });
  }
  return {
    isDone: (row) => done.has(row),
    keyOf: (row) => `svc-import-${name}-${row}`,
    note: (row) => write('done', about, row),
    finish: () => write('finished', about, text),
  };
}

interface Notes {
  readonly name: string;
  readonly done: Set<string>;
  /** The digest of the text that was done wholly. */
  finished: string | undefined;
}

/** The newest import of a subject in a journal. A line that was cut off says nothing. */
function readNotes(text: string, about: string): Notes | undefined {
  let notes: Notes | undefined;
  for (const line of text.split('\n')) {
    const [what, subject, value] = line.split(' ');
    if (subject !== about || value?.length !== DIGEST_LENGTH) continue;
    if (what === 'begin') notes = { name: value, done: new Set(), finished: undefined };
    else if (what === 'done') notes?.done.add(value);
    else if (what === 'finished' && notes !== undefined) notes.finished = value;
  }
  return notes;
}

const DIGEST_LENGTH = 32;

/** A short name of texts that no other texts have. */
export function digest(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}

/**
 * A name for each row, made of what it says and of how many before it say the same: it stays when other rows are mended,
 * added or moved.
 */
export function nameRows(texts: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return digest(text, String(count));
  });
}
