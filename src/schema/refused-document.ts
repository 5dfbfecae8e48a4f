import { UsageError } from '../errors.ts';
import { plainText } from './names.ts';

/** Returns the error for a document that svc does not import, with the reason. svc stored nothing of it. */
export function refusedDocument(why: string, hint = 'Nothing was changed. Get the document again, or ask whoever made it.'): UsageError {
  return new UsageError(why, { hint });
}

/** Returns a text of a document for an error message: short, and without control characters that a terminal obeys. */
export function shown(text: unknown): string {
  return plainText(String(text), 120) ?? '""';
}
