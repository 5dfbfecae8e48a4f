import type { EntryQuery, JournalEntry, NewEntry, Settlement, Unsettled } from './entry.ts';
import type { ImportRow, KnownRow } from './import-row.ts';

/**
 * The writes of one account from this machine: recorded before svc sends them, resolved after. Every function waits a little for another
 * svc that is writing to the journal. It rejects with a `JournalError` when the journal cannot be read or written.
 */
export interface Journal {
  /** The file. */
  readonly path: string;

  /**
   * Records a write; once this resolves, the entry survives a power cut. Returns its number.
   *
   * @param as `waiting` keeps it for later; default `sent`.
   * @param durability `soon`: the entry survives a kill, not a power cut. That is enough for a write whose key the caller would use again.
   */
  begin(write: NewEntry, as?: 'sent' | 'waiting', durability?: 'now' | 'soon'): Promise<number>;
  /**
   * Takes an entry that waits or is unconfirmed, to send it (again) under its own key: from now on it is `sent`. Returns the entry as it
   * was. Undefined when there is nothing to send any more: another svc resolved it, or is sending it now.
   */
  resend(number: number): Promise<JournalEntry | undefined>;
  /** Records the outcome of a write; false when the write has an outcome already, which stays. */
  settle(number: number, settlement: Settlement): Promise<boolean>;
  /** Does the same for many at once: all of them or none. */
  settleAll(settled: readonly Settled[]): Promise<void>;
  /** Drops an entry that waits or is unconfirmed; false when there is no such entry. */
  drop(number: number): Promise<boolean>;
  /** A number for writes that belong together. */
  newGroup(command: readonly string[]): Promise<number>;

  entry(number: number): Promise<JournalEntry | undefined>;
  /** The newest entry under a key. */
  entryByKey(key: string): Promise<JournalEntry | undefined>;
  /** Newest first. */
  history(query?: EntryQuery): Promise<JournalEntry[]>;
  /** The entries of a bulk run, in the order of recording. */
  group(number: number): Promise<JournalEntry[]>;
  /** The newest write that was done, is not undone, and undoes nothing itself. */
  last(): Promise<JournalEntry | undefined>;
  /** The entries that wait or are unconfirmed, oldest first; without those that another living svc is sending. */
  outbox(): Promise<Unsettled[]>;
  /** The newest unconfirmed write of this request ({@link requestDigest}); not one that a living svc is sending. */
  unsettled(request: string): Promise<Unsettled | undefined>;
  /** The PATCHes of a record that wait or are unconfirmed; works on a full disk too. @param path With its query or without. */
  openChanges(path: string): Promise<JournalEntry[]>;

  /**
   * The rows that were imported into a collection, oldest first, without refused and dropped ones.
   *
   * @param recordsAt The collection of their records; default the same.
   */
  rows(collection: string, recordsAt?: string): Promise<KnownRow[]>;
  /** Records rows as logged that no write of an import has logged. */
  adoptRows(collection: string, rows: readonly AdoptedRow[]): Promise<void>;
  /** Records that the service has no record of these rows any more. */
  forgetRows(numbers: readonly number[]): Promise<void>;
  /** The successful writes to a record from this machine, oldest first: its create and its changes. Both paths are without a query. */
  writesTo(collection: string, record: string, recordId: string): Promise<JournalEntry[]>;
  /** The newest entry under each key, where there is one. */
  entriesByKey(keys: readonly string[]): Promise<JournalEntry[]>;

  /** Closes the file. Entries that this svc began and did not resolve are unconfirmed from then on. */
  close(): void;
}

/** A write, and its outcome. */
export interface Settled {
  readonly number: number;
  readonly settlement: Settlement;
}

/** A row that was logged in another way: before there was a journal, by hand, by a plan, or from another machine. */
export interface AdoptedRow extends ImportRow {
  readonly source: number;
  readonly recordId?: string | undefined;
  /** The write that logged it; the row has the state of that write. */
  readonly entry?: number | undefined;
  /** The number of the known row whose record has this content now. */
  readonly replaces?: number | undefined;
}
