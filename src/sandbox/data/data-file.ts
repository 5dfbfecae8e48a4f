import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The time that the sandbox waits for further changes before it saves its data, in milliseconds. */
const PAUSE = 200;

export type Keeper = ReturnType<typeof createKeeper>;

export function createKeeper(path: string, text: () => string) {
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  const save = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // The writes run one after the other, so an older text never replaces a newer text.
    last = last.catch(() => {}).then(() => writeAtomic(path, text()));
    return last;
  };
  return {
    /** Saves the state, and resolves when the data file contains this state. @throws Node’s error if the write fails. */
    save,
    changed: (): void => {
      // The sandbox ignores an error of a delayed write. The final save writes the whole state again, and its caller receives the error.
      timer ??= setTimeout(() => void save().catch(() => {}), PAUSE);
    },
  };
}

/**
 * Replaces a file. A reader sees the whole old text or the whole new text. The file mode is 0600, because the text contains tokens.
 * @throws Node’s error if the write fails.
 */
async function writeAtomic(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const temporary = join(directory, `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Locks a data file for this process, because two processes would overwrite each other’s data.
 * The lock is an exclusive transaction on an empty SQLite database next to the file. The operating system releases the lock at the end of
 * the process.
 * @returns a function that releases the lock.
 * @throws RangeError if another process has the lock.
 * @throws SQLite’s error if SQLite can’t create a lock at that path.
 */
export function lockFile(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(`${path}.lock`);
  try {
    // The lock writes nothing, so SQLite creates no further files.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    if (code === 5 || code === 6) throw new RangeError('another sandbox uses this file');
    throw error;
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
