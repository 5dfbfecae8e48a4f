import type { ProblemDetails } from '../problem.ts';

/** An answer before the common headers. */
export interface Reply {
  readonly status: number;
  /** JSON text; absent for an answer without a body. */
  readonly text?: string;
  /** In place of it: the contents of a file, whose type is among the headers. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

interface StoredProblem extends ProblemDetails {
  readonly status: number;
  readonly type: string;
  readonly detail: string;
}

/** The outcome of a POST. */
export type StoredOutcome = { readonly reply: Reply } | { readonly problem: StoredProblem };

/** The outcome of one POST, a digest of its body, and the time when it was sent. */
interface Stored {
  readonly request: string;
  readonly at: number;
  readonly outcome: StoredOutcome;
}

/** Answers of POSTs by their sender and Idempotency-Key. */
export type IdempotencyStore = Map<string, Stored>;

/** The contents of files that were sent, by resource and id: `attachments/5`. */
export type Contents = Map<string, Uint8Array>;

/** So many bytes are kept altogether; what was sent first goes first. */
const MOST_BYTES = 64 * 1024 * 1024;

export function keepContents(contents: Contents, key: string, bytes: Uint8Array): void {
  contents.set(key, bytes);
  let size = [...contents.values()].reduce((sum, one) => sum + one.byteLength, 0);
  for (const [oldest, one] of contents) {
    if (size <= MOST_BYTES) return;
    contents.delete(oldest);
    size -= one.byteLength;
  }
}
