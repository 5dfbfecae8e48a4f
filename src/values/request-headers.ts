import { UsageError } from '../errors.ts';

/**
 * Reads an ETag for a write: strong, with its quotes, as in the answer for a single record (rule 7.5). A weak ETag, or an ETag without its
 * quotes, matches no record. The service would then report a change that did not happen.
 * @throws UsageError for any other text.
 */
export function parseEtag(text: string): string {
  const typed = text.trim();
  if (isStrongEtag(typed)) return typed;
  if (/^W\//i.test(typed)) {
    throw new UsageError('a weak ETag, W/"…", never matches, because it belongs to a page and not to a record.', {
      hint: 'Use the ETag of the record, which svc api prints with -i. Or use --if-unchanged.',
    });
  }
  throw new UsageError('an ETag includes its double quotes.', {
    hint: /^[\w.+/=-]+$/.test(typed)
      ? `Quote the ETag for the shell: --if-match '"${typed}"'`
      : 'Copy the ETag that svc api -i prints, and put it between single quotes.',
  });
}

/** Returns true if If-Match can compare the ETag (RFC 9110 §8.8.3). */
export function isStrongEtag(etag: string): boolean {
  return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag);
}

/** Reads a key for a header: 1 to 255 ASCII characters without blanks (rule 6.11). @throws UsageError for any other text. */
export function parseIdempotencyKey(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new UsageError('a key has 1 to 255 ASCII characters, without blanks.', { hint: 'Use a UUID, for example.' });
}

export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
