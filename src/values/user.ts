import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/**
 * Reads a user: an id, or `me`. The caller replaces `me`: some filters take the word, everything else the id.
 *
 * @throws UsageError for anything else.
 */
export function parseUser(text: string): number | 'me' {
  const typed = text.trim().toLowerCase();
  if (typed === 'me') return 'me';
  const id = Number(typed);
  if (/^\d+$/.test(typed) && id >= 1 && id <= Number.MAX_SAFE_INTEGER) return id;
  throw new UsageError(`${quote(text)} is not a user.`, { hint: 'Write me, or an id from: svc users list' });
}
