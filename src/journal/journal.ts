import type { EntryQuery, JournalEntry, NewEntry, Settlement, Unsettled } from './entry.ts';
import type { ImportRow, KnownRow } from './import-row.ts';

/**
 * What one account wrote from this machine: noted before it is sent, settled after. Every function waits a little for another
 * svc that is writing to it, and rejects with a `JournalError` when it cannot be read or written.
 */
export interface Journal {
  /** The file. */
  readonly path: string;

  /**
   * Notes a write; once this resolves it survives a power cut. Gives its number.
   *
   * @param as `waiting` keeps it for later; default `sent`.
   * @param durability `soon`: it survives a kill alone, which does for a write whose key the caller would give again.
   */
  begin(write: NewEntry, as?: 'sent' | 'waiting', durability?: 'now' | 'soon'): Promise<number>;
  /**
   * Takes an entry that waits, or whose outcome is unknown, to send it (again) under its own key: from now on it is `sent`. Gives it
   * as it was; undefined when there is nothing to send any more: somebody settled it meanwhile, or is sending it now.
   */
  resend(number: number): Promise<JournalEntry | undefined>;
  /** Says what became of a write; false when it was settled before, which nothing changes. */
  settle(number: number, settlement: Settlement): Promise<boolean>;
  /** The same for many at once: all of them or none. */
  settleAll(settled: readonly Settled[]): Promise<void>;
  /** Gives up an entry that waits, or whose outcome is unknown; false when there is no such entry. */
  drop(number: number): Promise<boolean>;
  /** A number for writes that belong together. */
  newGroup(command: readonly string[]): Promise<number>;

  entry(number: number): Promise<JournalEntry | undefined>;
  /** The newest entry under a key. */
  entryByKey(key: string): Promise<JournalEntry | undefined>;
  /** Newest first. */
  history(query?: EntryQuery): Promise<JournalEntry[]>;
  /** The entries of a bulk run, in the order they were noted. */
  group(number: number): Promise<JournalEntry[]>;
  /** The newest write that was done, is not taken back, and takes nothing back itself. */
  last(): Promise<JournalEntry | undefined>;
  /** What waits and what has an unknown outcome, oldest first. What another living svc is sending is not among it. */
  outbox(): Promise<Unsettled[]>;
  /** The newest write of this request ({@link requestDigest}) whose outcome is unknown; not one that a living svc is sending. */
  unsettled(request: string): Promise<Unsettled | undefined>;
  /** The PATCHes of a record that wait or whose outcome is unknown, found on a full disk too. @param path with its query or without. */
  openChanges(path: string): Promise<JournalEntry[]>;

  /**
   * The rows that were imported into a collection, oldest first; what was refused or dropped is not among them.
   *
   * @param recordsAt the collection under which their records are reached; default the same.
   */
  rows(collection: string, recordsAt?: string): Promise<KnownRow[]>;
  /** Notes rows as logged that no write of an import has logged. */
  adoptRows(collection: string, rows: readonly AdoptedRow[]): Promise<void>;
  /** Notes that the service has no record of these rows any more. */
  forgetRows(numbers: readonly number[]): Promise<void>;
  /** What was written to a record from here and done, oldest first: its create, and the changes of it. Both paths are without a query. */
  writesTo(collection: string, record: string, recordId: string): Promise<JournalEntry[]>;
  /** Under each key its newest entry, where there is one. */
  entriesByKey(keys: readonly string[]): Promise<JournalEntry[]>;

  /** Lets go of the file. What was begun and not settled is unknown from then on. */
  close(): void;
}

/** A write, and what became of it. */
export interface Settled {
  readonly number: number;
  readonly settlement: Settlement;
}

/** A row that was logged in another way: before there was a journal, by hand, by a plan, or from another machine. */
export interface AdoptedRow extends ImportRow {
  readonly source: number;
  readonly recordId?: string | undefined;
  /** The write that did it; the row stands as that does. */
  readonly entry?: number | undefined;
  /** The number of the known row whose record says this now. */
  readonly replaces?: number | undefined;
}
