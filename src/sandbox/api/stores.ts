import type { ProblemDetails } from '../problem.ts';

export interface Reply {
  readonly status: number;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

interface StoredProblem extends ProblemDetails {
  readonly status: number;
  readonly type: string;
  readonly detail: string;
}

export type StoredOutcome = { readonly reply: Reply } | { readonly problem: StoredProblem };

interface Stored {
  readonly request: string;
  readonly at: number;
  readonly outcome: StoredOutcome;
}

export type IdempotencyStore = Map<string, Stored>;

/** The content of uploaded files, by resource and id, such as `attachments/5`. */
export type Contents = Map<string, Uint8Array>;

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
