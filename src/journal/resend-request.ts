import { UsageError } from '../errors.ts';
import type { JournalEntry } from './entry.ts';
import type { JournaledRequest } from './journaled-client.ts';

/**
 * The request of an entry again: the same bytes under the same key, with the ETag of the first time.
 *
 * @throws UsageError when the journal has not kept its body.
 */
export function resendRequest(entry: JournalEntry): JournaledRequest {
  const { number, method, path, body, bodyWithheld, key, etagSeen } = entry;
  if (bodyWithheld) {
    throw new UsageError(`What entry ${number} sent was too large to keep, so it cannot be sent again from here.`, {
      hint: 'Type its command again, with the same file.',
    });
  }
  return {
    method,
    path,
    ...(body !== undefined && { body: { raw: body } }),
    ...(method === 'POST' && { idempotencyKey: key }),
    ...(etagSeen !== undefined && { ifMatch: etagSeen }),
    note: { entry: number, mustBeNoted: true },
  };
}
