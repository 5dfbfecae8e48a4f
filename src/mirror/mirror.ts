import type { JsonObject } from '../values/json.ts';
import type { ComparedPage, ComparedRange } from './compared-pages.ts';
import type { MadeChanges, MadeRows } from './made-rows.ts';
import type { TableShape } from './table-shape.ts';

/** Methods by which svc knows that a table matches the service. */
export type KnownBy =
  /** svc read the whole table. */
  | 'read'
  /** svc requested every page, and the service answered for most that nothing changed. */
  | 'pages'
  /** svc read the changes and compared a part of the pages. The service counts as many rows as the table has, which proves nothing. */
  | 'counts'
  /** svc read the changes and compared a part of the pages. The count differs, or is unknown. */
  | 'changes';

/** When svc compared a table with the service, and by which method. */
export interface TableChange {
  /** Path of the resource, below the API. */
  readonly path: string;
  /** The service’s clock when svc last checked the table; every earlier change is in it. `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly as_of: string;
  /** The last time since which svc compared every id: at this time no row was missing and no row too many. */
  readonly whole_at: string;
  readonly known_by: KnownBy;
}

/** The outcome of one check of a table. */
export interface Look extends TableChange {
  /** The service’s clock at this check, if {@link TableChange.as_of} differs. */
  readonly seen_at?: string;
  /** The pages that this check compared. */
  readonly pages?: readonly ComparedPage[];
  /** The time since which svc compared every row, if not by pages. */
  readonly verified_at?: string;
  /** For child records: the time since which the table of their parents is verified, or null. By pages, they are verified at most since then. */
  readonly parents_verified_at?: string | null;
}

/** An existing table. */
export interface TableState extends TableChange {
  readonly noun: string;
  /** Name in SQL. */
  readonly table: string;
  readonly rows: number;
  /** The time since which svc compared every id and every value with the service; null before that. */
  readonly verified_at: string | null;
}

/** Numbers of the records that differ from before; unchanged records do not count. */
export interface Applied {
  readonly put: number;
  readonly gone: number;
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

/** Numbers of rows by `created_at`. */
export interface MadeCounts {
  readonly before: number;
  readonly undated: number;
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
  /** Returns the ids greater than the first bound, up to the second, ascending. */
  idsBetween(noun: string, after: number, upto: number): Promise<readonly number[]>;
  /** Returns how far the pages of a table were compared. */
  compared(noun: string): Promise<ComparedRange>;
  /** Returns the compared page with the first id greater than this one. */
  comparedAfter(noun: string, id: number): Promise<ComparedPage | undefined>;
  /** Forgets the pages of a table: the service no longer answers their addresses. */
  forgetCompared(noun: string): Promise<void>;
  /** Returns the ids of rows that have a value in a column. */
  idsWhere(noun: string, column: string, value: number): Promise<readonly number[]>;
  /** Returns records as the service sent them, as JSON, in the order of the given ids; without ids all records, in id order. */
  records(noun: string, ids?: readonly number[]): AsyncIterable<{ readonly id: number; readonly record: string }>;
  /** Returns the ids of rows whose `updated_at` is this time or later. */
  idsSince(noun: string, moment: string): Promise<readonly number[]>;
  /** Returns those of these ids that the table has, ascending. */
  held(noun: string, ids: readonly number[]): Promise<readonly number[]>;
  /** Counts the rows whose `updated_at` is this time or later. */
  countSince(noun: string, moment: string): Promise<number>;
  /** Counts the rows that were created before a time, and those without `created_at`. */
  countMade(noun: string, before: string): Promise<MadeCounts>;
  /** Returns these rows of a table, ascending by id, with `created_at`: empty if the row does not have it. */
  made(noun: string, ids: readonly number[]): Promise<readonly { readonly id: number; readonly made: string }[]>;
  /** Returns the rows of a table by `created_at`, with changes that are not written yet. Close them before you ask for others. */
  madeRows(noun: string, changes: MadeChanges): Promise<MadeRows>;
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
  /** Returns what svc could not update, because objects of someone else depend on it. */
  heldBack(): Promise<HeldBack>;
  close(): Promise<void>;
}

/** Views and columns that svc left as they were, because objects of someone else depend on them. */
export interface HeldBack {
  /** Views of svc that no longer fit their tables. */
  readonly views: readonly string[];
  readonly columns: readonly HeldColumn[];
}

/** A column that would be dropped, or get another type. */
export interface HeldColumn {
  readonly table: string;
  readonly column: string;
  /** The views of someone else that use it. */
  readonly views: readonly string[];
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
