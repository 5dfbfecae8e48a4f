import type { Reply } from './reply.ts';

/** What one POST was answered, with the body it came with and how long it is kept. */
interface Stored {
  readonly request: string;
  readonly reply: Reply;
  readonly until: number;
}

/** Answers of POSTs by their sender and Idempotency-Key. */
export type IdempotencyStore = Map<string, Stored>;

export function createIdempotencyStore(): IdempotencyStore {
  return new Map();
}
