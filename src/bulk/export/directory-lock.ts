import { lstat, mkdir, unlink } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../../errors.ts';
import { isBusy } from '../../journal/journal-error.ts';
import { makeOwnerOnly } from '../../journal/owner-only.ts';

/** Another svc has the lock. */
export class TakenError extends SvcError {}

/** What the holder of a lock does, and what else one may do meanwhile. */
interface LockWords {
  /** Default: it exports into the directory. */
  readonly does?: string;
  readonly instead: string;
}

const EXPORTING: LockWords = { instead: 'export into another directory' };

/**
 * Runs `work` while no other svc exports into a directory: two would each write its half of every file. The lock is a transaction on a small
 * SQLite database in there, which the operating system ends with its holder, kill -9 included. It is removed at the end.
 *
 * @param pid What others are told of the holder.
 * @throws TakenError naming the holder, when there is one.
 */
export async function withDirectoryLock<T>(
  directory: string,
  pid: number,
  work: () => Promise<T>,
  words: LockWords = EXPORTING,
): Promise<T> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  const path = `${directory}/.svc-export.lock`;
  const lock = await take(Database, path, directory, pid, words);
  try {
    return await work();
  } finally {
    // Before it is let go: whoever opened it meanwhile sees that it is not the file of this name.
    await unlink(path).catch(() => undefined);
    lock.close();
  }
}

/** What lets go of it, and comes back, so often is no other svc. */
const MOST_TURNS = 100;

async function take(Database: typeof DatabaseSync, path: string, directory: string, pid: number, words: LockWords): Promise<DatabaseSync> {
  for (let turn = 1; ; turn += 1) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    let inode: number | undefined;
    let database: DatabaseSync;
    try {
      makeOwnerOnly(path);
      inode = await inodeOf(path);
      database = new Database(path);
    } catch (error) {
      // Its last holder removed it, and the directory that was empty then, while this one was at it.
      if ((await inodeOf(path)) === undefined && turn < MOST_TURNS) continue;
      throw unusable(path, error);
    }
    try {
      database.exec('PRAGMA journal_mode = MEMORY');
      // Others may read whose it is, and not write.
      database.exec('BEGIN IMMEDIATE');
      if (publish(database, pid)) database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      const holder = isBusy(error) ? holderOf(database) : undefined;
      database.close();
      throw holder === undefined ? unusable(path, error) : taken(directory, holder, words);
    }
    if (inode !== undefined && (await inodeOf(path)) === inode) return database;
    // Its last holder removed it while this one opened it.
    database.close();
  }
}

/**
 * Writes whose the lock is, by whoever holds it alone: two that begin at once must not keep each other from it.
 *
 * @returns false where somebody reads just now: the lock is held on, and nameless.
 */
function publish(database: DatabaseSync, pid: number): boolean {
  try {
    database.exec(`PRAGMA user_version = ${Math.trunc(pid)}`);
    database.exec('COMMIT');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function holderOf(database: DatabaseSync): number {
  try {
    return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  } catch (error) {
    if (isBusy(error)) return 0;
    throw error;
  }
}

/** Undefined when it is gone. */
async function inodeOf(path: string): Promise<number | undefined> {
  return lstat(path).then(
    ({ ino }) => ino,
    () => undefined,
  );
}

function taken(directory: string, holder: number, { does, instead }: LockWords): TakenError {
  const whose = holder > 0 ? `Another svc (process ${holder})` : 'Another svc';
  return new TakenError(`${whose} ${does ?? `exports into ${directory}`}.`, { hint: `Wait until it is done, or ${instead}.` });
}

function unusable(path: string, cause: unknown): SvcError {
  return new SvcError(`The lock ${path} cannot be used: ${cause instanceof Error ? cause.message : cause}.`, {
    hint: 'The directory must be writable, on a disk that supports file locks.',
    cause,
  });
}
