import type { JsonObject } from '../values/json.ts';

export interface ImportRow {
  /** The digest of the whole row, independent of the file’s name and order. Identical rows have the same digest. */
  readonly digest: string;
  /** The digest of the row’s day, text and person. A correction of the row keeps these parts. */
  readonly likeness: string;
  /** The digest of the row’s day, text, person and project. Rows with the same `twin` differ only in other fields, such as the minutes. */
  readonly twin: string;
  readonly day?: string | undefined;
}

export interface KnownRow extends ImportRow {
  readonly number: number;
  readonly source: number;
  /** The number of the entry that logged the row. Undefined if no entry logged the row, or if svc deleted the entry. */
  readonly entry: number | undefined;
  readonly key: string | undefined;
  /** The number of the known row that this row corrects. */
  readonly replaces: number | undefined;
  readonly recordId: string | undefined;
  /**
   * The state of the row:
   * - `there`: logged.
   * - `unconfirmed`: in the outbox, or sent without a known result.
   * - `undone`: logged, and later undone or deleted.
   * - `past`: corrected by a later row. Such a row counts only for the keys of equal rows.
   */
  readonly state: 'there' | 'unconfirmed' | 'undone' | 'past';
}

/**
 * The state of a write:
 * - `waiting`: stored for later. svc has sent nothing.
 * - `sent`: svc is sending the write or printing the answer. If svc ends, the next change to the journal makes the entry `unknown`.
 * - `unknown`: unconfirmed. svc sent the write, but has recorded no clear answer.
 * - `done`, `refused`: the service ran or refused the write.
 * - `dropped`: the write certainly did not run, or a person discarded the write.
 */
export type Outcome = 'waiting' | 'sent' | 'unknown' | 'done' | 'refused' | 'dropped';

/**
 * A write, as svc records the write before sending the first byte. The entry contains no token, and no headers except Idempotency-Key and
 * If-Match.
 */
export interface NewEntry {
  /** The method in capital letters, such as `POST`. */
  readonly method: string;
  /** The path relative to the API, with the query: `/worklogs?view=detail`. For an upload address, the path has no query. */
  readonly path: string;
  /** The exact bytes of the body, or a digest and the size if svc reads the body while sending. Undefined without a body. */
  readonly body?: Uint8Array | undefined;
  /** True for a file or a body larger than 1 MiB: the journal stores only a digest of the request. svc can’t send such a body again. */
  readonly bodyWithheld?: boolean | undefined;
  /**
   * The unique name of this write. A POST sends the name as its Idempotency-Key (rule 6.10). Other methods do not send a name that svc
   * chose.
   */
  readonly key: string;
  /** The value of the If-Match header (rule 6.8). Absent if the write has no such header. */
  readonly etagSeen?: string | undefined;
  readonly command: readonly string[];
  /** The resource of the record, such as `worklogs`. Undefined if the command does not know the resource (`svc api`). */
  readonly noun?: string | undefined;
  readonly group?: number | undefined;
  /** The fields that an update or a transition overwrites, or the whole deleted record. Undefined if svc did not read these values. */
  readonly before?: JsonObject | undefined;
  /** The path of the created record’s resource, such as `/subtasks`. Undefined if the POST goes to that path. */
  readonly collection?: string | undefined;
  readonly undoes?: number | undefined;
  /** The names of the people who made and approved the plan of the write. Undefined without a plan, or for an unknown name. */
  readonly plannedBy?: string | undefined;
  readonly approvedBy?: string | undefined;
  readonly row?: NewRow | undefined;
}

export interface NewRow extends ImportRow {
  /** The number that identifies the file of this row, in all its versions; see {@link Comparison.source}. */
  readonly source: number;
  readonly replaces?: number | undefined;
}

export interface JournalEntry extends Omit<NewEntry, 'row'> {
  /** The number of the entry. Numbers ascend within a journal file, and svc never reuses a number of the file. */
  readonly number: number;
  /** The time at which svc recorded the entry: milliseconds since 1970 by this machine’s clock. */
  readonly at: number;
  /** The time of the first attempt to send the write. The service can’t know the key before this time. Undefined while the write waits. */
  readonly sentAt: number | undefined;
  readonly settledAt: number | undefined;
  readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly recordId: string | undefined;
  readonly etagLeft: string | undefined;
  readonly request: string;
  readonly undoneBy: number | undefined;
}

export type Resolution =
  | {
      readonly outcome: 'done';
      readonly status: number;
      readonly recordId?: string | undefined;
      readonly etagLeft?: string | undefined;
    }
  | { readonly outcome: 'refused' | 'unknown'; readonly status?: number | undefined }
  | { readonly outcome: 'waiting' | 'dropped' };

export interface UnconfirmedWrite {
  readonly entry: JournalEntry;
  /**
   * The milliseconds since the first attempt. For a waiting write, the milliseconds since svc recorded the write. Negative if this
   * machine’s clock was set back.
   */
  readonly ageMs: number;
  /**
   * True if svc first sent the write more than a day ago, or if the age is unknown. The key may have expired, so find the record before a
   * retry.
   */
  readonly lapsed: boolean;
}

export interface EntryQuery {
  /** Selects entries recorded at or after this time: milliseconds since 1970. Default: all entries. */
  readonly since?: number | undefined;
  /** Selects entries first sent at or after this time: milliseconds since 1970. Default: all entries. */
  readonly sentSince?: number | undefined;
  readonly noun?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly limit?: number | undefined;
}

export interface ResolvedWrite {
  readonly number: number;
  readonly resolution: Resolution;
}

/** A row that no import logged. Somebody logged the row by hand, by a plan, or from another machine. */
export interface AdoptedRow extends NewRow {
  readonly recordId?: string | undefined;
  readonly entry?: number | undefined;
}
