import { UsageError } from '../errors.ts';

/** A key that a header can carry: 1 to 255 characters, none of them blank (rule 6.11). @throws UsageError */
export function parseIdempotencyKey(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new UsageError('a key has 1 to 255 characters, without blanks.', { hint: 'Use a UUID, for example.' });
}
