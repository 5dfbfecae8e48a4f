import type { JsonObject } from '../values/json.ts';
import type { TableShape } from './table-shape.ts';

/** How it is known that a table has what the service has. */
export type KnownBy =
  /** All of it was read. */
  | 'read'
  /** Every page was asked for, and most were told to be as before. */
  | 'pages'
  /** What changed was read, and there are as many rows as the service counts. */
  | 'counts'
  /** What changed was read. What was deleted, and what may be seen again, is not known since {@link TableState.whole_at}. */
  | 'changes';

/** When a table was true, and how that is known. */
export interface TableChange {
  /** Of the collection, below the API. */
  readonly path: string;
  /** The service's clock at the last look: what changed before it is here. `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly as_of: string;
  /** The last moment of which it is known that no row is missing, and none too many. */
  readonly whole_at: string;
  readonly known_by: KnownBy;
}

/** What a look at a table says of it. */
export interface Look extends TableChange {
  /** The service's clock at this look, where {@link TableChange.as_of} is another. */
  readonly seen_at?: string;
}

/** A table that there is. */
export interface TableState extends TableChange {
  readonly noun: string;
  /** Its name in SQL. */
  readonly table: string;
  readonly rows: number;
}

/** Ids of what was other than before; what is as it was is in neither. */
export interface Applied {
  readonly put: readonly number[];
  readonly gone: readonly number[];
}

/** A record that was other than at the look before, as the log has it. */
export interface Change {
  /** Its place in the log of its mirror: ascending, and never given twice. */
  readonly position: number;
  readonly noun: string;
  /** Of the record. */
  readonly id: number;
  /** The record as the service sent it, as JSON; undefined where it was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The service's clock at the look that found it, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly seen_at: string;
}

/** What a mirror has of its log. */
export interface LogState {
  /** A random word for this mirror: one that takes its place has another, so that with a position it names a change for good. */
  readonly mirror: string;
  /** The last position that was given; 0 where nothing has changed. */
  readonly last: number;
  /** The last position that is no longer held; 0 where all of them are. */
  readonly pruned: number;
}

export type RecordSource = AsyncIterable<JsonObject> | Iterable<JsonObject>;

/**
 * An account's copy of what the service lets it see: a table a collection. Every change of a table is one transaction, so that whoever looks,
 * and whatever ends svc, there is the old state of it or the new one.
 *
 * What `replace` and `update` change is logged in the same transaction, but for a table that was not there before: that is no change, but
 * a beginning. The log holds {@link LOG_DAYS} days.
 */
export interface Mirror {
  /** The tables there are, by noun. */
  states(): Promise<ReadonlyMap<string, TableState>>;
  /** The ids of a table, ascending; none where there is no such table. */
  ids(noun: string): Promise<readonly number[]>;
  /** The ids of rows that have a value in a column. */
  idsWhere(noun: string, column: string, value: number): Promise<readonly number[]>;
  /** Records as the service sent them, as JSON, by id; all of them in the order of their ids where no ids are given. */
  records(noun: string, ids?: readonly number[]): AsyncIterable<{ readonly id: number; readonly record: string }>;
  /** The ids of rows that changed at this moment or later, as far as they say. */
  idsSince(noun: string, moment: string): Promise<readonly number[]>;
  /** The rows of a table, ascending by id, and when each was made: empty where it does not say. */
  made(noun: string): Promise<readonly { readonly id: number; readonly made: string }[]>;
  /** The last `updated_at` of a table, and how many of its rows have none. */
  lastChange(noun: string): Promise<{ readonly at: string | undefined; readonly unknown: number }>;
  /** Makes these all that a table holds. @throws MirrorError for a record without an id. */
  replace(shape: TableShape, records: RecordSource, look: Look): Promise<Applied>;
  /** Puts records over those with their ids, and takes others out. @throws MirrorError for a record without an id. */
  update(shape: TableShape, records: RecordSource, gone: Iterable<number>, look: Look): Promise<Applied>;
  /** Takes a table out as if it had never been read, with what the log holds of it: nothing of that is a change of the service's. */
  drop(noun: string): Promise<void>;
  log(): Promise<LogState>;
  /**
   * What was logged after a position, oldest first. What is logged meanwhile comes too.
   *
   * @throws MirrorError where some of it is no longer held.
   */
  changes(after: number): AsyncIterable<Change>;
  /** The position after which there is everything that was seen at this moment or later. */
  positionBefore(moment: string): Promise<number>;
  /** Keeps a text of svc's own beside the tables; undefined forgets it. */
  keep(name: string, text: string | undefined): Promise<void>;
  kept(name: string): Promise<string | undefined>;
  /** Views that are as they were, and not as their tables are, since something of another's stands on them. */
  staleViews(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Changes are held for so many days of the service's clock. */
export const LOG_DAYS = 30;

/** Whose sight a mirror holds. */
export interface Whose {
  readonly host: string;
  /** Undefined where the service would not say. */
  readonly user: number | undefined;
  /** IANA zone: their days, and those of people whose record names no zone. Not given: as it was. */
  readonly timeZone?: string | undefined;
}
