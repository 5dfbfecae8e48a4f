import type { JsonObject } from '../values/json.ts';
import type { TableShape } from './table-shape.ts';

/** Methods by which svc knows that a table matches the service. */
export type KnownBy =
  /** svc read the whole table. */
  | 'read'
  /** svc requested every page, and the service answered for most that nothing changed. */
  | 'pages'
  /** svc read the changes, and the service counts as many rows as the table has. */
  | 'counts'
  /** svc read the changes. Deleted records, and records that became visible again, are unknown since {@link TableState.whole_at}. */
  | 'changes';

/** When svc compared a table with the service, and by which method. */
export interface TableChange {
  /** Path of the resource, below the API. */
  readonly path: string;
  /** The service’s clock when svc last checked the table; every earlier change is in it. `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly as_of: string;
  /** The last time at which no row was missing and no row too many. */
  readonly whole_at: string;
  readonly known_by: KnownBy;
}

/** The outcome of one check of a table. */
export interface Look extends TableChange {
  /** The service’s clock at this check, if {@link TableChange.as_of} differs. */
  readonly seen_at?: string;
}

/** An existing table. */
export interface TableState extends TableChange {
  readonly noun: string;
  /** Name in SQL. */
  readonly table: string;
  readonly rows: number;
}

/** Ids of the records that differ from before; unchanged records are in neither list. */
export interface Applied {
  readonly put: readonly number[];
  readonly gone: readonly number[];
}

/** A record that differs from the previous check, as the log has it. */
export interface Change {
  /** Position in the log of this database: ascending, and never used twice. */
  readonly position: number;
  readonly noun: string;
  /** Id of the record. */
  readonly id: number;
  /** The record as the service sent it, as JSON; undefined if it did not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The service’s clock at the check that found the change, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly seen_at: string;
}

/** The name and the bounds of a change log. */
export interface LogState {
  /** A random name of this database. A database that replaces it has another name, so name and position identify a change for good. */
  readonly mirror: string;
  /** The last position in use; 0 if nothing has changed. */
  readonly last: number;
  /** The last position that was deleted; 0 if none was. */
  readonly pruned: number;
}

export type RecordSource = AsyncIterable<JsonObject> | Iterable<JsonObject>;

/**
 * The local or team database: a table for each resource, with the records that the account may see.
 *
 * Every change of a table is one transaction: readers see the old state or the new state, even if svc ends in between.
 *
 * `replace` and `update` log their changes in the same transaction, except for a new table. The log covers {@link LOG_DAYS} days.
 */
export interface Mirror {
  /** Returns the existing tables, by resource. */
  states(): Promise<ReadonlyMap<string, TableState>>;
  /** Returns the ids of a table, ascending; none if the table does not exist. */
  ids(noun: string): Promise<readonly number[]>;
  /** Returns the ids of rows that have a value in a column. */
  idsWhere(noun: string, column: string, value: number): Promise<readonly number[]>;
  /** Returns records as the service sent them, as JSON, in the order of the given ids; without ids all records, in id order. */
  records(noun: string, ids?: readonly number[]): AsyncIterable<{ readonly id: number; readonly record: string }>;
  /** Returns the ids of rows whose `updated_at` is this time or later. */
  idsSince(noun: string, moment: string): Promise<readonly number[]>;
  /** Returns the rows of a table, ascending by id, with `created_at`: empty if the row does not have it. */
  made(noun: string): Promise<readonly { readonly id: number; readonly made: string }[]>;
  /** Returns the last `updated_at` of a table, and how many of its rows have none. */
  lastChange(noun: string): Promise<{ readonly at: string | undefined; readonly unknown: number }>;
  /** Replaces all rows of a table with these records. @throws MirrorError for a record without an id. */
  replace(shape: TableShape, records: RecordSource, look: Look): Promise<Applied>;
  /** Writes records over those with the same ids, and removes others. @throws MirrorError for a record without an id. */
  update(shape: TableShape, records: RecordSource, gone: Iterable<number>, look: Look): Promise<Applied>;
  /** Removes a table as if svc had never read it, with its changes in the log: the service did not delete these records. */
  drop(noun: string): Promise<void>;
  log(): Promise<LogState>;
  /**
   * Returns the changes after a position, oldest first. Changes that are logged while you read come too.
   *
   * @throws MirrorError if some of them were deleted.
   */
  changes(after: number): AsyncIterable<Change>;
  /** Returns the position after which every change was seen at this time or later. */
  positionBefore(moment: string): Promise<number>;
  /** Stores a text of svc’s own beside the tables; undefined deletes it. */
  keep(name: string, text: string | undefined): Promise<void>;
  kept(name: string): Promise<string | undefined>;
  /** Returns the views that no longer fit their tables, because objects of someone else depend on them. */
  staleViews(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Days of the service’s clock for which svc keeps changes. */
export const LOG_DAYS = 30;

/** The user whose records a local database has. */
export interface Whose {
  readonly host: string;
  /** Undefined if the service did not say. */
  readonly user: number | undefined;
  /** IANA zone of the user, and of people whose record names none. Undefined: keep the stored zone. */
  readonly timeZone?: string | undefined;
}
