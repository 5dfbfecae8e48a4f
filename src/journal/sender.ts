import type { DatabaseSync } from 'node:sqlite';
import { tryLock } from './database-file.ts';

/**
 * Each svc that sends holds a numbered lock beside the journal, the lowest that is free; its entries carry that number. An entry that is
 * `sent` under a lock that nobody holds has lost its sender: it is `unknown`. Process ids would not do: they are used again, in containers
 * at once. svc takes locks only within the journal's own write transaction. A new holder of a number first marks the entries of the last
 * one.
 */
export function createSender(Database: typeof DatabaseSync, journal: string) {
  let own: { readonly number: number; readonly lock: DatabaseSync; isCommitted: boolean } | undefined;
  const pathOf = (number: number) => `${journal}.sender-${number}`;

  function isAlive(number: number): boolean {
    if (number === own?.number) return true;
    const lock = tryLock(Database, pathOf(number));
    lock?.close();
    return lock === undefined;
  }

  function dead(database: DatabaseSync): number[] {
    const senders = database.prepare(`SELECT DISTINCT sender FROM entries WHERE outcome = 'sent'`).all();
    return senders.map(({ sender }) => Number(sender)).filter((number) => !isAlive(number));
  }

  function take(): NonNullable<typeof own> {
    for (let number = 1; ; number++) {
      const lock = tryLock(Database, pathOf(number));
      if (lock !== undefined) return { number, lock, isCommitted: false };
    }
  }

  function close(): void {
    own?.lock.close();
    own = undefined;
  }

  return {
    /** The number of this svc; taken at the first call, after `reap` in the same transaction. */
    number(): number {
      own ??= take();
      return own.number;
    },
    /** Ends a transaction. A number that was taken in a failed one is free again: the entries of its last holder are not marked. */
    ended(committed: boolean): void {
      if (committed && own !== undefined) own.isCommitted = true;
      else if (own?.isCommitted === false) close();
    },
    reap(database: DatabaseSync): void {
      for (const number of dead(database))
        database.prepare(`UPDATE entries SET outcome = 'unknown' WHERE outcome = 'sent' AND sender = ?`).run(number);
    },
    dead,
    close,
  };
}
