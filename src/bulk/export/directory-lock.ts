import { lstat, mkdir, unlink } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../../errors.ts';
import { makeOwnerOnly } from '../../journal/database-file.ts';
import { isBusy } from '../../journal/journal-error.ts';

/** Another svc has the lock. */
export class TakenError extends SvcError {}

/** Texts for the error of a taken lock. */
interface LockWords {
  /** The task of the other svc (default: it exports into the directory). */
  readonly does?: string;
  readonly instead: string;
}

const EXPORTING: LockWords = { instead: 'export into another directory' };

/**
 * Runs `work` while no other svc writes into a directory. The lock is a transaction on a small SQLite database in the directory. The
 * operating system ends it with its process, kill -9 included. The file is removed at the end.
 *
 * @param pid the process id that others report.
 * @throws TakenError with the process id of the other svc.
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
    // Removed first: another svc that has opened the file sees that it has no name any more.
    await unlink(path).catch(() => undefined);
    lock.close();
  }
}

/** The most attempts. */
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
      // Another svc has just removed the file, or the empty directory.
      if ((await inodeOf(path)) === undefined && turn < MOST_TURNS) continue;
      throw unusable(path, error);
    }
    try {
      database.exec('PRAGMA journal_mode = MEMORY');
      // Other processes may read the process id, and not write.
      database.exec('BEGIN IMMEDIATE');
      if (publish(database, pid)) database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      const holder = isBusy(error) ? holderOf(database) : undefined;
      database.close();
      throw holder === undefined ? unusable(path, error) : taken(directory, holder, words);
    }
    if (inode !== undefined && (await inodeOf(path)) === inode) return database;
    // Another svc has just removed the file.
    database.close();
  }
}

/** Writes the process id into the lock. Returns false if another process reads it at this moment: the lock then stays without an id. */
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

/** Returns the inode number; undefined without the file. */
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
  return new SvcError(`svc cannot use the lock ${path}: ${cause instanceof Error ? cause.message : cause}.`, {
    hint: 'The directory must be writable, on a disk that supports file locks.',
    cause,
  });
}
