import type { ProblemDetails } from '../problem.ts';
import type { Reply } from './reply.ts';

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

export function createIdempotencyStore(): IdempotencyStore {
  return new Map();
}
