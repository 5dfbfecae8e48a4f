import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/** A work item as a user names it. Paths take both; bodies and filters need the id (rule: work item key). */
export type WorkItemRef = { readonly kind: 'id'; readonly id: number } | { readonly kind: 'key'; readonly key: string };

/**
 * Reads a work item’s id (`4711`) or key (`ABC-12`; lower case becomes upper case).
 *
 * @throws UsageError for anything else.
 */
export function parseWorkItem(text: string): WorkItemRef {
  const typed = text.trim();
  const id = Number(typed);
  if (/^\d+$/.test(typed) && id >= 1 && id <= Number.MAX_SAFE_INTEGER) return { kind: 'id', id };
  if (/^[A-Z][A-Z0-9]*-[0-9]+$/i.test(typed)) return { kind: 'key', key: typed.toUpperCase() };
  throw new UsageError(`${quote(text)} is not a work item.`, { hint: 'Give its id (4711) or its key (ABC-12).' });
}
