import type { KnobTable } from './table.ts';

/** Answers of writes, and Idempotency-Keys. */
export const writeKnobs = {
  /**
   * POSTs with an Idempotency-Key: every POST takes one, every POST requires one, or only the documented ones take one. With
   * `documented` all other POSTs run again.
   */
  idempotencyKey: ['optional', 'required', 'documented'],
  /** The answer to a known key with another body: this status, or the stored answer. */
  reusedKey: [422, 409, 'replayed'],
  /** The owner of the keys: the token (of an app: the app and its person), or the person with any token. */
  keyOwner: ['token', 'user'],
  /** How long a key is remembered. */
  keyLifetime: ['day', 'hour', 'forever'],
  /** Whether a refusal is stored like a success, and replayed. */
  storedErrors: [false, true],
  /** The answer to a DELETE: 204 without a body, 200 with the record, or 202 with the record. */
  deleteAnswers: ['nothing', 'record', 'accepted'],
  /** The status of a transition to the present status with a stale If-Match. */
  staleNoop: [412, 200],
} as const satisfies KnobTable;
