import type { DatabaseSync } from 'node:sqlite';
import { tryLock } from './database-file.ts';

/**
 * Creates the sender of this svc process. The sender marks the entries that the process is sending. Each sender locks the lowest free
 * numbered lock file beside the journal. Its entries have that number. If nobody has the lock, the sender has ended, and its `sent` entries
 * become `unknown`. A process id could not identify a sender. Systems reuse process ids, and containers reuse these ids at once. svc takes
 * a lock only within a write transaction of the journal. A new sender first marks the entries of the earlier sender with the same number.
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
    /** Returns the number of this svc process. The first call takes a number, after `reap` in the same transaction. */
    number(): number {
      own ??= take();
      return own.number;
    },
    /**
     * Receives the end of a transaction. After a failed transaction, the sender releases a new number, because the entries of the earlier
     * sender are still unmarked.
     */
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
