import type { JsonObject } from '../values/json.ts';
import type { ImportRow } from './import-row.ts';

/**
 * How a write stands:
 *
 * - `waiting`: kept for later; nothing was sent.
 * - `sent`: on its way. Its sender lives, or died so lately that nobody has looked since.
 * - `unknown`: it was sent, and nobody saw how it ended.
 * - `done`, `refused`: the service said so.
 * - `dropped`: it surely did not run, or a person gave it up; nothing is owed.
 */
export type Outcome = 'waiting' | 'sent' | 'unknown' | 'done' | 'refused' | 'dropped';

/** A write, as it is noted before its first byte leaves. No header and no token is part of it. */
export interface NewEntry {
  /** In capitals. */
  readonly method: string;
  /** Below the API, with its query: `/worklogs?view=detail`. */
  readonly path: string;
  /** The exact bytes; undefined for a request without a body. */
  readonly body?: Uint8Array | undefined;
  /** The bytes are too many to keep, or a file's: only their number and digest are, and nothing can send them again from here. */
  readonly bodyWithheld?: boolean | undefined;
  /** Names this write alone. A POST carries it as its Idempotency-Key (rule 6.10); other methods do not send it. */
  readonly key: string;
  /** The If-Match that is sent (rule 6.8). */
  readonly etagSeen?: string | undefined;
  /** What was typed after `svc`, without secrets. */
  readonly command: readonly string[];
  /** The kind of record, `worklogs`; undefined where the command does not know (`svc api`). */
  readonly noun?: string | undefined;
  /** The bulk run it belongs to. */
  readonly group?: number | undefined;
  /**
   * What was there before: the fields that an update or a transition overwrites, the whole record for a delete. Undefined
   * where nobody looked.
   */
  readonly before?: JsonObject | undefined;
  /** The collection under which a created record is reached, where that is not the path it was posted to: `/subtasks`. */
  readonly collection?: string | undefined;
  /** The number of the entry that this one takes back. */
  readonly undoes?: number | undefined;
  /** The row of a file that it logs. */
  readonly row?: NewRow | undefined;
}

/** A row that a write brings into the account. */
export interface NewRow extends ImportRow {
  /** The files that grew out of each other and hold this row; see {@link Comparison.source}. */
  readonly source: number;
  /** The number of the known row that it corrects. */
  readonly replaces?: number | undefined;
}

/** A write in the journal. */
export interface JournalEntry extends Omit<NewEntry, 'row'> {
  /** Counts up through the account's history, without ever coming back. */
  readonly number: number;
  /** When it was noted: milliseconds since 1970, by this machine's clock. */
  readonly at: number;
  /** When it was first sent; its key is known to the service since then at the latest. Undefined while it only waited. */
  readonly sentAt: number | undefined;
  /** When its outcome became known. */
  readonly settledAt: number | undefined;
  readonly outcome: Outcome;
  /** The answer's status. */
  readonly status: number | undefined;
  /** Of the record that was written, as text. */
  readonly recordId: string | undefined;
  /** The ETag that the write left. */
  readonly etagLeft: string | undefined;
  /** What makes two writes the same request: {@link requestDigest}. */
  readonly request: string;
  /** The number of the entry that took this one back. */
  readonly undoneBy: number | undefined;
}

/** What became of a write. */
export type Settlement =
  | {
      readonly outcome: 'done';
      readonly status: number;
      readonly recordId?: string | undefined;
      readonly etagLeft?: string | undefined;
    }
  | { readonly outcome: 'refused' | 'unknown'; readonly status?: number | undefined }
  | { readonly outcome: 'waiting' | 'dropped' };

/** A write that waits, or whose outcome nobody knows. */
export interface Unsettled {
  readonly entry: JournalEntry;
  /** Milliseconds since it was first sent, or noted if it only waits, by this machine's clock; below zero after that was set back. */
  readonly ageMs: number;
  /**
   * It was sent, and its key may be forgotten: it is older than a day, or the clock was set back, so that nobody knows. How long
   * the service remembers a key is not documented; look for the record before sending it again.
   */
  readonly lapsed: boolean;
}

/** Which entries are asked for; all that are given must hold. */
export interface EntryQuery {
  /** Noted at this moment or later: milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly noun?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** At most so many, the newest. */
  readonly limit?: number | undefined;
}
