import { createHash } from 'node:crypto';
import type { Files } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { pathIn } from '../values/path-in.ts';

/**
 * What a run over the ids on standard input has done, noted id by id in a file of the cache, so that the same command with the same
 * ids does the rest. The journal of the account would not do: what it has done before may well be wanted once more.
 */
export interface RunNotes {
  /** Whether an earlier run has done this one. */
  isDone(name: string): boolean;
  /** It is done. */
  note(name: string): Promise<void>;
  /** All are done. */
  finish(): Promise<void>;
}

export interface RunNotesOptions {
  readonly directory: string;
  /** Host, collection and what is written. */
  readonly subject: string;
  /** The text on standard input. */
  readonly content: string;
}

/**
 * Opens the notes of one run, or begins them. After a finished run the same text has nothing left to do.
 *
 * @throws UsageError when they cannot be written: nothing has been sent then.
 */
export async function openRunNotes(files: Files, { directory, subject, content }: RunNotesOptions): Promise<RunNotes> {
  const about = digest(subject);
  const text = digest(subject, content);
  const path = notesPath(directory, text);
  const noted = (await files.readText(path)) ?? '';
  const [before] = readNotes(noted, about);
  const done = before?.done ?? new Set();
  const write = (...words: string[]) => files.append(path, `${words.join(' ')}\n`);
  try {
    // A line that a crash cut off ends here, so that it spoils no other.
    if (noted !== '' && !noted.endsWith('\n')) await files.append(path, '\n');
    if (before === undefined) await write('begin', about, text);
  } catch (error) {
    throw new UsageError(`What is done cannot be noted in ${path}: ${error instanceof Error ? error.message : error}`, {
      hint: 'Make that directory writable.',
    });
  }
  return {
    isDone: (name) => done.has(name),
    note: (name) => write('done', about, name),
    finish: () => write('finished', about, text),
  };
}

/** Where the notes of a text from standard input are. */
export function notesPath(directory: string, text: string): string {
  return pathIn(directory, 'import', `${text}.svc-journal`);
}

/** One run, as it was noted. */
export interface Notes {
  readonly name: string;
  readonly done: ReadonlySet<string>;
  /** The digest of the text that was done wholly. */
  readonly finished: string | undefined;
}

/** The runs about a subject, the newest first. A line that was cut off says nothing. */
export function readNotes(text: string, about: string): Notes[] {
  const runs: { name: string; done: Set<string>; finished: string | undefined }[] = [];
  for (const line of text.split('\n')) {
    const [what, subject, value] = line.split(' ');
    if (subject !== about || value?.length !== DIGEST_LENGTH) continue;
    if (what === 'begin') runs.unshift({ name: value, done: new Set(), finished: undefined });
    else if (what === 'done') runs[0]?.done.add(value);
    else if (what === 'finished' && runs[0] !== undefined) runs[0].finished = value;
  }
  return runs;
}

const DIGEST_LENGTH = 32;

/** A short name of texts that no other texts have. */
export function digest(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}
