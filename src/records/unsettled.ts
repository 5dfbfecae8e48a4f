import { JournalError } from '../journal/journal-error.ts';
import { bytesOf, journalPath } from '../journal/journaled-client.ts';
import { requestDigest } from '../journal/request-digest.ts';
import type { Needs } from '../session/context.ts';
import type { WriteRequest } from './send-write.ts';

/**
 * Whether this very write was sent before and is unconfirmed. Sent again, it is resolved under its own key, so svc need not ask
 * about a second one. False without a journal.
 */
export async function isUnsettled(context: Needs<'journal'>, { method, path, query = [], body }: WriteRequest): Promise<boolean> {
  const request = { method, path, query, ...(body !== undefined && { body: { json: body } }) };
  try {
    const digest = requestDigest(method, journalPath(request), bytesOf(request.body));
    return (await (await context.journal()).unsettled(digest)) !== undefined;
  } catch (error) {
    if (error instanceof JournalError) return false;
    throw error;
  }
}
