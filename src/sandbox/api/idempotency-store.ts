import type { ProblemDetails } from '../problem.ts';
import type { Reply } from './reply.ts';

/** A refusal as it is kept. */
interface StoredProblem extends ProblemDetails {
  readonly status: number;
  readonly type: string;
  readonly detail: string;
}

/** What came of a POST. */
export type StoredOutcome = { readonly reply: Reply } | { readonly problem: StoredProblem };

/** What one POST was answered, with a digest of the body it came with and when it was sent. */
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
