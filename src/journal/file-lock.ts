import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './journal-error.ts';
import { makeOwnerOnly } from './owner-only.ts';

/** A lock that is held until the holder closes it or dies. */
export interface HeldLock {
  close(): void;
}

/**
 * Takes the lock at `path` if it is free. The lock is an exclusive transaction on an empty SQLite database. The operating system ends it
 * with its holder, kill -9 included. Undefined when another process holds it.
 */
export function tryLock(Database: typeof DatabaseSync, path: string): HeldLock | undefined {
  makeOwnerOnly(path);
  const database = new Database(path);
  try {
    // svc never commits to this database. A journal beside it would change the directory, which the journal's next flush then has to write.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
