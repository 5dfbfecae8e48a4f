import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../deps.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import type { Journal } from './journal.ts';
import { JournalError } from './journal-error.ts';
import { pruneEntries } from './prune-entries.ts';
import {
  findByKey,
  findEntry,
  findGroup,
  findHistory,
  findLast,
  findOpenChanges,
  findOutbox,
  findUnsettled,
  findWritesTo,
} from './read-entries.ts';
import { findRows, insertAdopted, markGone } from './row-store.ts';
import { createSender } from './sender.ts';
import { dropEntry, insertEntry, insertGroup, settleEntry, takeEntry } from './write-entries.ts';

export interface JournalOptions extends ConnectionOptions {
  readonly clock: Clock;
}

/**
 * Opens the journal at `path` ({@link accountPath}), or creates it: one SQLite file that only its owner can read. svc sets a damaged
 * journal aside, reports that, and creates another.
 *
 * @throws JournalError when there can be no journal there.
 */
export async function openJournal(path: string, options: JournalOptions): Promise<Journal> {
  /** Whole milliseconds, even from a clock with fractions: the columns take nothing else. */
  const now = () => Math.round(options.clock.now());
  const connection = await openConnection(path, options);
  const { DatabaseSync: Database } = await import('node:sqlite');
  const sender = createSender(Database, path);
  const { read, write } = connection;

  /** Every transaction first finds the dead senders. So none takes a dead svc's write for one that is being sent. */
  const change = <T>(durability: 'now' | 'soon', work: (database: DatabaseSync) => T): Promise<T> =>
    write(
      durability,
      (database) => {
        sender.reap(database);
        return work(database);
      },
      sender.ended,
    );

  /** Finds open entries, those of dead senders included. On a full disk svc cannot mark these, but it can read them. */
  async function findOpen<T>(find: (database: DatabaseSync, dead?: readonly number[]) => T): Promise<T> {
    try {
      return await change('soon', (database) => find(database));
    } catch (error) {
      if (!(error instanceof JournalError && error.fault === 'full')) throw error;
      return write('soon', (database) => find(database, sender.dead(database)));
    }
  }

  return {
    path,
    begin: (entry, as = 'sent', durability = 'now') =>
      change(durability, (database) => insertEntry(database, entry, now(), as === 'sent' ? sender.number() : undefined)),
    resend: (number) =>
      change('now', (database) => {
        const before = findEntry(database, number);
        return takeEntry(database, number, now(), sender.number()) ? before : undefined;
      }),
    // After a power cut the entry may be unconfirmed. The key of a successful write makes that harmless, so svc need not wait for the disk.
    // A write that did not run would be sent after all.
    settle: (number, settlement) =>
      change(settlement.outcome === 'refused' || settlement.outcome === 'dropped' ? 'now' : 'soon', (database) => {
        const isSettled = settleEntry(database, number, settlement, now());
        // Here, since nobody waits for it: the record is printed.
        pruneEntries(database, now());
        return isSettled;
      }),
    settleAll: (settled) =>
      change('soon', (database) => {
        for (const { number, settlement } of settled) settleEntry(database, number, settlement, now());
        pruneEntries(database, now());
      }),
    drop: (number) => change('now', (database) => dropEntry(database, number, now())),
    newGroup: (command) => change('soon', (database) => insertGroup(database, command, now())),

    entry: (number) => change('soon', (database) => findEntry(database, number)),
    entryByKey: (key) => change('soon', (database) => findByKey(database, key)),
    history: (query = {}) => change('soon', (database) => findHistory(database, query)),
    group: (number) => change('soon', (database) => findGroup(database, number)),
    last: () => read(findLast),
    outbox: () => change('soon', (database) => findOutbox(database, now())),
    unsettled: (request) => findOpen((database, dead) => findUnsettled(database, request, now(), dead)),
    openChanges: (path) => findOpen((database, dead) => findOpenChanges(database, path, dead)),

    rows: (collection, recordsAt = collection) => read((database) => findRows(database, collection, recordsAt)),
    adoptRows: (collection, rows) => change('now', (database) => insertAdopted(database, collection, rows)),
    forgetRows: (numbers) => change('now', (database) => markGone(database, numbers)),
    writesTo: (collection, record, recordId) => read((database) => findWritesTo(database, collection, record, recordId)),
    entriesByKey: (keys) => change('soon', (database) => keys.flatMap((key) => findByKey(database, key) ?? [])),

    close() {
      sender.close();
      connection.close();
    },
  };
}
