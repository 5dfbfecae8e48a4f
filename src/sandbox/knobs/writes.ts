import type { KnobTable } from './table.ts';

/** What writes answer and remember. */
export const writeKnobs = {
  /**
   * Idempotency-Keys: taken by every POST, required by every POST, or taken by those alone of which the documentation says
   * so, while the others run again.
   */
  idempotencyKey: ['optional', 'required', 'documented'],
  /** What a known key with another body gets: this status, or the stored answer. */
  reusedKey: [422, 409, 'replayed'],
  /** Whose keys they are: the token's (of an app: the app's and its person's), or the person's whatever the token. */
  keyOwner: ['token', 'user'],
  /** How long a key is remembered. */
  keyLifetime: ['day', 'hour', 'forever'],
  /** Whether a refusal is stored like a success, and replayed. */
  storedErrors: [false, true],
  /** What a DELETE answers: 204 without a body, 200 with the record, or 202 with the record. */
  deleteAnswers: ['nothing', 'record', 'accepted'],
  /** What a transition to the present status with a stale If-Match gets. */
  staleNoop: [412, 200],
} as const satisfies KnobTable;
