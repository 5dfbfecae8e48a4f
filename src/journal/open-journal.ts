import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../deps.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import type { AdoptedRow, EntryQuery, JournalEntry, KnownRow, NewEntry, Resolution, ResolvedWrite, UnconfirmedWrite } from './entry.ts';
import {
  dropEntry,
  findByKey,
  findEntry,
  findGroup,
  findHistory,
  findLast,
  findOpenChanges,
  findOutbox,
  findUnconfirmed,
  findWritesTo,
  insertEntry,
  insertGroup,
  resolveEntry,
  takeEntry,
} from './entry-store.ts';
import { JournalError } from './journal-error.ts';
import { pruneEntries } from './prune-entries.ts';
import { findRows, insertRow, markDeleted } from './row-store.ts';
import { createSender } from './sender.ts';

/** One SQLite file that only its owner can read. svc sets a damaged journal aside, and creates another. @throws JournalError */
export async function openJournal(path: string, options: ConnectionOptions & { readonly clock: Clock }) {
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

    /** Once this resolves, the entry survives a power cut. With `soon` only a kill: enough where the caller would use the key again. */
    begin: (entry: NewEntry, as: 'sent' | 'waiting' = 'sent', durability: 'now' | 'soon' = 'now'): Promise<number> =>
      change(durability, (database) => insertEntry(database, entry, now(), as === 'sent' ? sender.number() : undefined)),
    /** Marks an entry as `sent`, and returns it as it was. Undefined when another svc resolved it, or is sending it now. */
    resend: (number: number): Promise<JournalEntry | undefined> =>
      change('now', (database) => {
        const before = findEntry(database, number);
        return takeEntry(database, number, now(), sender.number()) ? before : undefined;
      }),
    /**
     * False when the write has an outcome already, which stays. After a power cut the entry may be unconfirmed, which the key of a
     * successful write makes harmless. A write that did not run would be sent after all.
     */
    resolve: (number: number, resolution: Resolution): Promise<boolean> =>
      change(resolution.outcome === 'refused' || resolution.outcome === 'dropped' ? 'now' : 'soon', (database) => {
        const isResolved = resolveEntry(database, number, resolution, now());
        // Here, since nobody waits for it: the record is printed.
        pruneEntries(database, now());
        return isResolved;
      }),
    resolveAll: (resolved: readonly ResolvedWrite[]): Promise<void> =>
      change('soon', (database) => {
        for (const { number, resolution } of resolved) resolveEntry(database, number, resolution, now());
        pruneEntries(database, now());
      }),
    drop: (number: number): Promise<boolean> => change('now', (database) => dropEntry(database, number, now())),
    newGroup: (command: readonly string[]): Promise<number> => change('soon', (database) => insertGroup(database, command, now())),

    entry: (number: number): Promise<JournalEntry | undefined> => change('soon', (database) => findEntry(database, number)),
    entryByKey: (key: string): Promise<JournalEntry | undefined> => change('soon', (database) => findByKey(database, key)),
    entriesByKey: (keys: readonly string[]): Promise<JournalEntry[]> =>
      change('soon', (database) => keys.flatMap((key) => findByKey(database, key) ?? [])),
    history: (query: EntryQuery = {}): Promise<JournalEntry[]> => change('soon', (database) => findHistory(database, query)),
    group: (number: number): Promise<JournalEntry[]> => change('soon', (database) => findGroup(database, number)),
    /** The newest write that was done and changed something, is not undone, and undoes nothing itself. */
    last: (): Promise<JournalEntry | undefined> => read(findLast),
    /** The entries that wait or are unconfirmed, oldest first; without those that another living svc is sending. */
    outbox: (): Promise<UnconfirmedWrite[]> => change('soon', (database) => findOutbox(database, now())),
    /** The newest unconfirmed write of this request ({@link requestDigest}); not one that a living svc is sending. */
    unconfirmed: (request: string): Promise<UnconfirmedWrite | undefined> =>
      findOpen((database, dead) => findUnconfirmed(database, request, now(), dead)),
    /** The PATCHes of a record that wait or are unconfirmed; works on a full disk too. @param path With its query or without. */
    openChanges: (path: string): Promise<JournalEntry[]> => findOpen((database, dead) => findOpenChanges(database, path, dead)),

    /** Oldest first, without refused and dropped ones. @param recordsAt The collection of their records; default the same. */
    rows: (collection: string, recordsAt: string = collection): Promise<KnownRow[]> =>
      read((database) => findRows(database, collection, recordsAt)),
    adoptRows: (collection: string, rows: readonly AdoptedRow[]): Promise<void> =>
      change('now', (database) => {
        for (const row of rows) insertRow(database, collection, row);
      }),
    forgetRows: (numbers: readonly number[]): Promise<void> => change('now', (database) => markDeleted(database, numbers)),
    /** The successful writes to a record from this machine, oldest first: its create and its changes. Both paths are without a query. */
    writesTo: (collection: string, record: string, recordId: string): Promise<JournalEntry[]> =>
      read((database) => findWritesTo(database, collection, record, recordId)),

    /** Closes the file. Entries that this svc began and did not resolve are unconfirmed from then on. */
    close(): void {
      sender.close();
      connection.close();
    },
  };
}

/** Every function waits a little for another svc that writes to the journal. It rejects with a `JournalError` for an unusable one. */
export type Journal = Awaited<ReturnType<typeof openJournal>>;
