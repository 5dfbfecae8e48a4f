import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

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
