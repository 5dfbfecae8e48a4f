import { lstat, mkdir, unlink } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError, TakenError } from '../../errors.ts';
import { makeOwnerOnly } from '../../journal/database-file.ts';
import { isBusy } from '../../journal/journal-error.ts';

interface LockWords {
  /** The work of the other svc process, as a verb phrase. Default: the process exports into the directory. */
  readonly does?: string;
  readonly instead: string;
}

const EXPORTING: LockWords = { instead: 'export into another directory' };

/**
 * Runs `work` while no other svc process writes to a directory. The lock is a transaction on a small SQLite database in the directory. The
 * operating system ends the transaction with the process, even after `kill -9`. At the end svc removes the lock file.
 *
 * @param pid process id that svc shows to other processes.
 * @throws TakenError while another svc has the lock, with the process id if known. SvcError if svc can’t use the lock file.
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
    // svc removes the file, and only then releases the lock. A process that already opened the file then sees the deletion.
    await unlink(path).catch(() => undefined);
    lock.close();
  }
}

const MOST_TURNS = 100;

async function take(Database: typeof DatabaseSync, path: string, directory: string, pid: number, words: LockWords): Promise<DatabaseSync> {
  for (let turn = 1; ; turn += 1) {
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
    } catch (error) {
      // Another svc process can remove the empty directory in the middle of this call.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && turn < MOST_TURNS) continue;
      throw error;
    }
    let inode: number | undefined;
    let database: DatabaseSync;
    try {
      makeOwnerOnly(path);
      inode = await inodeOf(path);
      database = new Database(path);
    } catch (error) {
      // Another svc process has removed the file or the empty directory.
      if ((await inodeOf(path)) === undefined && turn < MOST_TURNS) continue;
      throw unusable(path, error);
    }
    try {
      database.exec('PRAGMA journal_mode = MEMORY');
      // The open transaction is the lock. Other processes can still read the process id.
      database.exec('BEGIN IMMEDIATE');
      if (publish(database, pid)) database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      const holder = isBusy(error) ? holderOf(database) : undefined;
      database.close();
      if (holder === undefined) throw unusable(path, error);
      const whose = holder > 0 ? `Another svc (process ${holder})` : 'Another svc';
      throw new TakenError(`${whose} ${words.does ?? `exports into ${directory}`}.`, {
        hint: `Wait until the other process is done, or ${words.instead}.`,
      });
    }
    if (inode !== undefined && (await inodeOf(path)) === inode) return database;
    // Another svc process removed the file after this process had opened the file.
    database.close();
  }
}

/** Writes the process id into the lock. Returns false, without writing, if another process reads the lock at the same time. */
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

async function inodeOf(path: string): Promise<number | undefined> {
  return lstat(path).then(
    ({ ino }) => ino,
    () => undefined,
  );
}

function unusable(path: string, cause: unknown): SvcError {
  return new SvcError(`svc cannot use the lock ${path}: ${cause instanceof Error ? cause.message : cause}.`, {
    hint: 'The directory must be writable, on a disk that supports file locks.',
    cause,
  });
}
