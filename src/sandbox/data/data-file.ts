import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Changes within so many milliseconds are written together. */
const PAUSE = 200;

/** Keeps a text that changes in a file. */
export interface Keeper {
  /** Schedules a write of the changed text, shortly after. */
  changed(): void;
  /** Resolves when the file holds the present text. @throws Node's error when it cannot be written. */
  save(): Promise<void>;
}

/** @param text Makes the text as it is now. */
export function createKeeper(path: string, text: () => string): Keeper {
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  const save = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // One after the other: the file never goes back to an older text.
    last = last.catch(() => {}).then(() => writeAtomic(path, text()));
    return last;
  };
  return {
    save,
    changed: () => {
      // A failure shows again at the last save, which is the one that is waited for.
      timer ??= setTimeout(() => void save().catch(() => {}), PAUSE);
    },
  };
}

/** A reader sees the old text or the new, never a part. Mode 0600, for there are tokens in it. */
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
 * Takes a data file for this process: two that keep the same file would overwrite each other's data. It holds an exclusive
 * transaction on an empty database beside the file. The system ends that transaction with its process.
 *
 * @returns A function that releases the file.
 * @throws RangeError when another process has it; SQLite's error when there can be no lock at that path.
 */
export function lockFile(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(`${path}.lock`);
  try {
    // Nothing is ever written, so nothing more lies beside it.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    if (code === 5 || code === 6) throw new RangeError('another sandbox keeps its data there');
    throw error;
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
