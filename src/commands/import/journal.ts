import { createHash } from 'node:crypto';
import type { Files } from '../../deps.ts';

/** Which rows of a file are done, kept beside the file, so that another run leaves them out. */
export interface Journal {
  /** Lines that an earlier run has done. */
  readonly done: ReadonlySet<number>;
  /** A key that is the same for the same row of the same file, whenever it is sent: the service does it once. */
  keyOf(line: number): string;
  note(line: number): Promise<void>;
}

export interface JournalOptions {
  /** The imported file; `-` for standard input, whose journal is kept in `directory`. */
  readonly file: string;
  readonly directory: string;
  /** Host and noun: the same file may be imported elsewhere. */
  readonly subject: string;
  /** The file's text: another text is another import. */
  readonly content: string;
}

/** Opens the journal of one import. A last line that a crash cut off counts as not done; its key makes that safe. */
export async function openJournal(files: Files, { file, directory, subject, content }: JournalOptions): Promise<Journal> {
  const id = createHash('sha256').update(subject).update('\0').update(content).digest('hex').slice(0, 32);
  const path = file === '-' ? `${directory}/import/${id}.journal` : `${file}.svc-journal`;
  const done = new Set<number>();
  for (const entry of ((await files.readText(path)) ?? '').split('\n').slice(0, -1)) {
    const [run, line] = entry.split(' ');
    if (run === id && line !== undefined) done.add(Number(line));
  }
  return {
    done,
    keyOf: (line) => `svc-import-${id}-${line}`,
    note: (line) => files.append(path, `${id} ${line}\n`),
  };
}
