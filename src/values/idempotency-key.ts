import { UsageError } from '../errors.ts';

/** Reads a key for a header: 1 to 255 characters without blanks (rule 6.11). @throws UsageError */
export function parseIdempotencyKey(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new UsageError('a key has 1 to 255 characters, without blanks.', { hint: 'Use a UUID, for example.' });
}
