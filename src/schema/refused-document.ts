import { UsageError } from '../errors.ts';
import { plainText } from './names.ts';

/** A document that svc does not import, with the reason in words. Nothing was kept of it. */
export function refusedDocument(why: string, hint = 'Nothing was changed. Get the document again, or ask whoever made it.'): UsageError {
  return new UsageError(why, { hint });
}

/** Something of a document, to show in a refusal: short, and without what a terminal obeys. */
export function shown(text: unknown): string {
  return plainText(String(text), 120) ?? '""';
}
