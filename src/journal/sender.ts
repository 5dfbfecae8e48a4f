import type { DatabaseSync } from 'node:sqlite';
import { type HeldLock, tryLock } from './file-lock.ts';

/**
 * Tells writes that a living svc is sending from those whose sender died.
 *
 * Each svc that sends holds a numbered lock beside the journal, the lowest that is free, and its entries carry that number. An
 * entry that is `sent` under a lock that nobody holds has lost its sender: it is `unknown`. Process ids would not do: they come
 * back, in containers at once, and a dead sender that looks alive would have its hours logged twice.
 *
 * Locks are taken, and looked at, only within the journal's own write transaction. So whoever takes over a number marks what
 * its last holder left before anybody can take it for the new holder's.
 */
export interface Sender {
  /** The number of this svc; taken at the first call, and again after {@link failed}. */
  number(database: DatabaseSync): number;
  /** The transaction in which the number was taken is committed. */
  committed(): void;
  /** It failed: what the last holder left is not marked, so the number is given back. */
  failed(): void;
  /** Marks as `unknown` what dead senders left. */
  reap(database: DatabaseSync): void;
  close(): void;
}

export function createSender(Database: typeof DatabaseSync, journal: string): Sender {
  let own: { readonly number: number; readonly lock: HeldLock; isCommitted: boolean } | undefined;
  const pathOf = (number: number) => `${journal}.sender-${number}`;

  function isAlive(number: number): boolean {
    if (number === own?.number) return true;
    const lock = tryLock(Database, pathOf(number));
    lock?.close();
    return lock === undefined;
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
    number(database) {
      own ??= take();
      // Nothing of this svc is there before its first commit.
      if (!own.isCommitted) forsake(database, own.number);
      return own.number;
    },
    committed() {
      if (own !== undefined) own.isCommitted = true;
    },
    failed() {
      if (own?.isCommitted === false) close();
    },
    reap(database) {
      const senders = database.prepare(`SELECT DISTINCT sender FROM entries WHERE outcome = 'sent'`).all();
      for (const { sender } of senders) if (!isAlive(Number(sender))) forsake(database, Number(sender));
    },
    close,
  };
}

function forsake(database: DatabaseSync, sender: number): void {
  database.prepare(`UPDATE entries SET outcome = 'unknown' WHERE outcome = 'sent' AND sender = ?`).run(sender);
}
