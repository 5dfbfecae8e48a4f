import type { JsonObject } from '../values/json.ts';

export interface ImportRow {
  /** The digest of the row's whole content, independent of the file's name and order. Two identical rows have the same digest. */
  readonly digest: string;
  /** The digest of the parts that stay in a correction: the row's day, its text and its person. */
  readonly likeness: string;
  /** The digest of those parts and the row's project: two rows with the same twin differ in their figures alone. */
  readonly twin: string;
  readonly day?: string | undefined;
}

export interface KnownRow extends ImportRow {
  readonly number: number;
  readonly source: number;
  /** The number of the write that logged it; undefined for a row from an older journal. */
  readonly entry: number | undefined;
  readonly key: string | undefined;
  /** The number of the known row whose record it corrects. */
  readonly replaces: number | undefined;
  readonly recordId: string | undefined;
  /**
   * `there`: logged. `unsettled`: waiting or unconfirmed. `undone`: logged, and undone or deleted since. `past`: corrected by a later row;
   * it counts only for {@link RowVerdict} `nth`.
   */
  readonly state: 'there' | 'unsettled' | 'undone' | 'past';
}

/**
 * The state of a write:
 *
 * - `waiting`: kept for later; nothing was sent.
 * - `sent`: on its way. Its sender is alive, or died since the last check.
 * - `unknown`: unconfirmed; it was sent, and nobody saw how it ended.
 * - `done`, `refused`: the service said so.
 * - `dropped`: it surely did not run, or a person gave it up; nothing is left to do.
 */
export type Outcome = 'waiting' | 'sent' | 'unknown' | 'done' | 'refused' | 'dropped';

/** A write, as svc records it before its first byte leaves. It has no header and no token. */
export interface NewEntry {
  /** In capitals. */
  readonly method: string;
  /** Below the API, with its query: `/worklogs?view=detail`. */
  readonly path: string;
  /** The exact bytes; undefined for a request without a body. */
  readonly body?: Uint8Array | undefined;
  /** The bytes are too many to keep, or a file's. The journal keeps only their number and digest, and cannot send them again. */
  readonly bodyWithheld?: boolean | undefined;
  /** The name of this write alone. A POST carries it as its Idempotency-Key (rule 6.10); other methods do not send it. */
  readonly key: string;
  /** The If-Match that is sent (rule 6.8). */
  readonly etagSeen?: string | undefined;
  readonly command: readonly string[];
  /** The kind of record, `worklogs`; undefined where the command does not know (`svc api`). */
  readonly noun?: string | undefined;
  readonly group?: number | undefined;
  /** The fields that an update or a transition overwrites, or the whole deleted record. Undefined when svc did not read them. */
  readonly before?: JsonObject | undefined;
  /** The collection of a created record, where that is not the path of the POST: `/subtasks`. */
  readonly collection?: string | undefined;
  readonly undoes?: number | undefined;
  readonly row?: NewRow | undefined;
}

export interface NewRow extends ImportRow {
  /** The number of the files that grew out of each other and have this row; see {@link Comparison.source}. */
  readonly source: number;
  readonly replaces?: number | undefined;
}

export interface JournalEntry extends Omit<NewEntry, 'row'> {
  /** Counts up through the account's history; no number comes twice. */
  readonly number: number;
  /** The time of recording: milliseconds since 1970, by this machine's clock. */
  readonly at: number;
  /** The time of the first sending; the service knows its key since then at the latest. Undefined while it only waited. */
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
  /** Milliseconds since it was first sent, or recorded if it only waits, by this machine's clock; below zero after that was set back. */
  readonly ageMs: number;
  /** It is older than a day, or its age is unknown. How long the service remembers a key is not documented: look for the record first. */
  readonly lapsed: boolean;
}

export interface EntryQuery {
  /** Recorded at this time or later: milliseconds since 1970. */
  readonly since?: number | undefined;
  /** First sent at this time or later. */
  readonly sentSince?: number | undefined;
  readonly noun?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly limit?: number | undefined;
}

export interface ResolvedWrite {
  readonly number: number;
  readonly resolution: Resolution;
}

/** A row that was logged in another way: before there was a journal, by hand, by a plan, or from another machine. */
export interface AdoptedRow extends ImportRow {
  readonly source: number;
  readonly recordId?: string | undefined;
  readonly entry?: number | undefined;
  readonly replaces?: number | undefined;
}
