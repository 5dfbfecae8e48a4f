import { existsSync, renameSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tryLock } from './file-lock.ts';
import { isBusy, isDamaged, JournalError } from './journal-error.ts';

/**
 * Moves a damaged journal away, with SQLite's files beside it; returns its new path. Undefined when the journal is whole: another svc has
 * created a new one there, which must stay.
 *
 * @throws JournalError `locked` while another svc is doing the same.
 */
export function setAside(Database: typeof DatabaseSync, path: string, now: number): string | undefined {
  const lock = tryLock(Database, `${path}.lock`);
  if (lock === undefined) throw new JournalError('locked', path);
  try {
    if (isWhole(Database, path)) return undefined;
    const target = `${path}.damaged-${now}`;
    for (const suffix of ['-wal', '-shm', '']) if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
    return target;
  } finally {
    lock.close();
  }
}

function isWhole(Database: typeof DatabaseSync, path: string): boolean {
  if (!existsSync(path)) return true;
  const database = new Database(path);
  try {
    return database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok';
  } catch (error) {
    if (isBusy(error)) return true;
    if (isDamaged(error)) return false;
    throw error;
  } finally {
    database.close();
  }
}
