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

/** Opens the journal: one SQLite file that only its owner can read. svc replaces a damaged journal. @throws JournalError */
export async function openJournal(path: string, options: ConnectionOptions & { readonly clock: Clock }) {
  /** Returns the time in whole milliseconds, because the columns accept only integers. */
  const now = () => Math.round(options.clock.now());
  const connection = await openConnection(path, options);
  const { DatabaseSync: Database } = await import('node:sqlite');
  const sender = createSender(Database, path);
  const { read, write } = connection;

  /**
   * Runs a change in a transaction that first finds ended senders. svc therefore never treats the write of an ended process as being sent.
   */
  const change = <T>(durability: 'now' | 'soon', work: (database: DatabaseSync) => T): Promise<T> =>
    write(
      durability,
      (database) => {
        sender.reap(database);
        return work(database);
      },
      sender.ended,
    );

  /**
   * Finds open entries, including entries of ended senders. On a full disk, svc can read the entries of ended senders, but can’t mark these
   * entries as unconfirmed.
   */
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

    /** Records a write. The entry survives a power cut once the promise resolves. */
    begin: (entry: NewEntry, as: 'sent' | 'waiting' = 'sent'): Promise<number> =>
      change('now', (database) => insertEntry(database, entry, now(), as === 'sent' ? sender.number() : undefined)),
    /**
     * Marks an entry as `sent`, and returns the entry before this change. Returns undefined if the entry is resolved, or if a svc process
     * is sending the entry.
     */
    resend: (number: number): Promise<JournalEntry | undefined> =>
      change('now', (database) => {
        const before = findEntry(database, number);
        return takeEntry(database, number, now(), sender.number()) ? before : undefined;
      }),
    /**
     * Records the outcome of an entry that svc sent, or that is unconfirmed. For any other entry, returns false and changes nothing. A
     * power cut before `close` may undo this change: the entry of a successful write is then unconfirmed. The key of the write prevents a
     * second run. For a refused or dropped write, the change survives a power cut, because svc could otherwise send the write again.
     */
    resolve: (number: number, resolution: Resolution): Promise<boolean> =>
      change(resolution.outcome === 'refused' || resolution.outcome === 'dropped' ? 'now' : 'soon', (database) => {
        const isResolved = resolveEntry(database, number, resolution, now());
        // svc deletes old entries after a request, so that no request waits for the deletion.
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
    /** Returns the newest successful write that changed something. Leaves out undone writes, and writes that undo another write. */
    last: (): Promise<JournalEntry | undefined> => read(findLast),
    /** Returns the waiting and unconfirmed entries, oldest first. Leaves out entries that another running svc process is sending. */
    outbox: (): Promise<UnconfirmedWrite[]> => change('soon', (database) => findOutbox(database, now())),
    /**
     * Returns the newest unconfirmed write of a request ({@link requestDigest}). Leaves out a write that a running svc process is sending.
     */
    unconfirmed: (request: string): Promise<UnconfirmedWrite | undefined> =>
      findOpen((database, dead) => findUnconfirmed(database, request, now(), dead)),
    /**
     * Returns the waiting and unconfirmed PATCHes of a record. Also returns these entries on a full disk. @param path path with or without
     * its query.
     */
    openChanges: (path: string): Promise<JournalEntry[]> => findOpen((database, dead) => findOpenChanges(database, path, dead)),

    /**
     * Returns the known rows, oldest first. Leaves out refused and dropped rows. @param recordsAt path of the records’ resource. Default:
     * `collection`.
     */
    rows: (collection: string, recordsAt: string = collection): Promise<KnownRow[]> =>
      read((database) => findRows(database, collection, recordsAt)),
    adoptRows: (collection: string, rows: readonly AdoptedRow[]): Promise<void> =>
      change('now', (database) => {
        for (const row of rows) insertRow(database, collection, row);
      }),
    forgetRows: (numbers: readonly number[]): Promise<void> => change('now', (database) => markDeleted(database, numbers)),
    /**
     * Returns the successful writes to a record from this machine, oldest first: its create and its changes. @param collection path of the
     * create, without a query. @param record path of the record, without a query.
     */
    writesTo: (collection: string, record: string, recordId: string): Promise<JournalEntry[]> =>
      read((database) => findWritesTo(database, collection, record, recordId)),

    /** Closes the file. Unresolved entries of this svc process become unconfirmed. */
    close(): void {
      sender.close();
      connection.close();
    },
  };
}

/**
 * The open journal. Every asynchronous function waits for up to {@link ConnectionOptions.timeoutMs} while another svc process writes. The
 * function rejects with a `JournalError` if svc can’t use the journal.
 */
export type Journal = Awaited<ReturnType<typeof openJournal>>;
