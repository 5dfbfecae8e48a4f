import type { JsonObject } from '../values/json.ts';
import type { ComparedPage, ComparedRange, ComparedSince } from './compared-pages.ts';
import type { MadeChanges, MadeRows } from './made-rows.ts';
import type { TableShape } from './table-shape.ts';

/** The method by which svc checked that a table matches the service. */
export type KnownBy =
  /** svc read all records of the resource. */
  | 'read'
  /** svc requested every page of the table. For an unchanged page, the service can answer 304 without the records. */
  | 'pages'
  /**
   * svc read the changes and compared a slice of the pages. The service counts as many rows as the table has. Equal counts do not prove
   * equal rows.
   */
  | 'counts'
  /** svc read the changes and compared a slice of the pages. The row counts differ, or the service does not count. */
  | 'changes';

/** The time at which svc compared a table with the service, and the method. */
export interface TableChange {
  readonly path: string;
  /**
   * The time of the last check by the service’s clock, `YYYY-MM-DDTHH:MM:SSZ`. The table has every earlier update of a record that you can
   * see.
   */
  readonly as_of: string;
  /** The last time at which svc had compared every id. At this time, the table had all rows and no other rows. */
  readonly whole_at: string;
  readonly known_by: KnownBy;
}

export interface TableCheck extends TableChange {
  /** The time of this check by the service’s clock. Default: {@link TableChange.as_of}. */
  readonly seen_at?: string;
  /** The pages that svc compared in the check. Default: none. */
  readonly pages?: readonly ComparedPage[];
  /** The time of the oldest comparison. Set only if svc did not compare pages. */
  readonly verified_at?: string;
  /**
   * For child records: the verification time of the parents’ table, or null. Children that svc compared by pages can’t have a later
   * verification time.
   */
  readonly parents_verified_at?: string | null;
}

export interface TableState extends TableChange {
  readonly noun: string;
  readonly table: string;
  readonly rows: number;
  /** The time of the oldest comparison among all ids and values. Null if svc has never compared some ids. */
  readonly verified_at: string | null;
}

/** The number of records that svc wrote (`put`) and removed (`gone`). Unchanged records do not count. */
export interface Applied {
  readonly put: number;
  readonly gone: number;
}

/** An entry of the change log: a record that differs from the previous check. */
export interface Change {
  /** The position in the change log. Positions ascend, and svc never reuses a position. */
  readonly position: number;
  readonly noun: string;
  readonly id: number;
  /** The JSON of the record before the change, as sent by the service. Undefined if the record did not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The time of the check that found the change, by the service’s clock: `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly seen_at: string;
}

/** `before`: the number of rows created before a time. `undated`: the number of rows without a creation time. */
export interface MadeCounts {
  readonly before: number;
  readonly undated: number;
}

/** The state of a change log: its name and its bounds. */
export interface LogState {
  /** A random name of this database. A replacement database has another name, so name and position identify a change. */
  readonly mirror: string;
  /** The last position in the log. 0 if nothing has changed yet. */
  readonly last: number;
  /** The last position that svc deleted. 0 if svc has deleted no change. */
  readonly pruned: number;
}

export type RecordSource = AsyncIterable<JsonObject> | Iterable<JsonObject>;

/**
 * The local database or team database. Each resource is a table with the records that the account can see.
 *
 * Every change of a table is one transaction. Readers see the old state or the new state, even if svc ends during the change.
 *
 * `replace` and `update` log their changes in the same transaction, except for a new table. The log covers {@link LOG_DAYS} days.
 */
export interface LocalDatabase {
  states(): Promise<ReadonlyMap<string, TableState>>;
  /** Returns the first `limit` ids that are greater than `after` and at most `upto`, ascending. Empty if the table does not exist. */
  idsBetween(noun: string, after: number, upto: number, limit: number): Promise<readonly number[]>;
  /** Returns the range of ids that the compared pages cover. */
  compared(noun: string): Promise<ComparedRange>;
  /** Returns the compared page that covers the first id greater than `id`. */
  comparedAfter(noun: string, id: number): Promise<ComparedPage | undefined>;
  /** Describes the first compared pages, up to the first page that svc has not compared since a time. */
  comparedSince(noun: string, time: string): Promise<ComparedSince>;
  /** Removes the compared pages of a table, because the service refuses their URLs. */
  forgetCompared(noun: string): Promise<void>;
  /** Returns the ids of the rows whose value in a column is greater than `after` and at most `upto`. */
  idsWhere(noun: string, column: string, after: number, upto: number): Promise<readonly number[]>;
  /** Stores the ids of records that change or disappear, until svc has read their child records. */
  touch(noun: string, ids: readonly number[]): Promise<void>;
  /** Stores the ids of all records of a table, as {@link touch} does for some ids. */
  touchAll(noun: string): Promise<void>;
  /** Returns the first `limit` of the ids from {@link touch} that are greater than `after`, ascending. */
  touched(noun: string, after: number, limit: number): Promise<readonly number[]>;
  forgetTouched(noun: string): Promise<void>;
  /** Yields records in JSON, unchanged from the service, in the order of the given ids. Default: all records, in id order. */
  records(noun: string, ids?: readonly number[]): AsyncIterable<{ readonly id: number; readonly record: string }>;
  /** Returns the ids of rows whose `updated_at` is at or after a time. */
  idsSince(noun: string, timestamp: string): Promise<readonly number[]>;
  /** Returns the given ids that the table contains, ascending. */
  held(noun: string, ids: readonly number[]): Promise<readonly number[]>;
  /** Counts the rows whose `updated_at` is at or after a time. */
  countSince(noun: string, timestamp: string): Promise<number>;
  /** Counts the rows created before a time, and the rows without `created_at`. */
  countMade(noun: string, before: string): Promise<MadeCounts>;
  /** Returns the given rows of a table in id order. `made` is the `created_at`, or an empty string without `created_at`. */
  made(noun: string, ids: readonly number[]): Promise<readonly { readonly id: number; readonly made: string }[]>;
  /** Returns the rows that a table has after the given changes, by `created_at`. Close the result before you call this function again. */
  madeRows(noun: string, changes: MadeChanges): Promise<MadeRows>;
  /** Returns the latest `updated_at` of a table, and the number of rows without an `updated_at`. */
  lastChange(noun: string): Promise<{ readonly at: string | undefined; readonly unknown: number }>;
  /** Replaces all rows of a table with the given records. @throws DatabaseError for a record without an id. */
  replace(shape: TableShape, records: RecordSource, check: TableCheck): Promise<Applied>;
  /** Adds or replaces records by id, and removes the rows in `gone`. @throws DatabaseError for a record without an id. */
  update(shape: TableShape, records: RecordSource, gone: Iterable<number>, check: TableCheck): Promise<Applied>;
  /** Removes a table and its changes in the log. The log then shows no deletions, because the service did not delete the records. */
  drop(noun: string): Promise<void>;
  log(): Promise<LogState>;
  /**
   * Yields the changes after a position, oldest first. Includes changes that svc logs while you read.
   *
   * @throws DatabaseError if svc has already deleted some of these changes.
   */
  changes(after: number): AsyncIterable<Change>;
  /** Returns the last position before the changes that svc found at or after a time. */
  positionBefore(timestamp: string): Promise<number>;
  /** Stores a string for internal use of svc. `undefined` deletes the stored string. */
  keep(name: string, text: string | undefined): Promise<void>;
  stored(name: string): Promise<string | undefined>;
  /** Returns the views and columns that svc could not update, because database objects of other users need the old state. */
  heldBack(): Promise<HeldBack>;
  /** Detects a lost connection before svc spends a request. @throws UnavailableError */
  check(): void;
  close(): Promise<void>;
}

/** The views and columns that svc did not change, because database objects of other users need the old state. */
export interface HeldBack {
  /** The views of svc that no longer match their tables. */
  readonly views: readonly string[];
  readonly columns: readonly HeldColumn[];
}

/** A column that svc could not drop or change to another type. */
export interface HeldColumn {
  readonly table: string;
  readonly column: string;
  /** The views of other users that use the column. */
  readonly views: readonly string[];
}

/** svc keeps a change in the log for this many days, by the service’s clock. */
export const LOG_DAYS = 30;

/** The name under which a complete sync of a team database stores its start and its resources, in JSON. */
export const LAST_SYNC = 'last sync';

/** The user whose records a local database contains, and the organisation. */
export interface DatabaseOwner {
  readonly host: string;
  /** The id of the user. Undefined if the service does not show the id. */
  readonly user: number | undefined;
  /** The IANA time zone of the user, and of people without a time zone. Default: the zone that the database already has. */
  readonly timeZone?: string | undefined;
  /**
   * The function that svc calls before building a full-text index of stored records, with the number of the records. An older svc stored
   * these records. Returns a function that svc calls afterwards. Default: svc builds the index silently.
   */
  readonly announceIndex?: ((records: number) => () => void) | undefined;
  /** The account and the machine that write, such as `Ada on build7`. A team database shows this text to people who wait. */
  readonly by?: string | undefined;
}
