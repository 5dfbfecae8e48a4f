import type { Journal } from '../journal/journal.ts';
import { JournalError } from '../journal/journal-error.ts';
import type { Needs } from './context.ts';

/** The journal; undefined when svc cannot use it, which a write itself reports. */
export async function usableJournal(context: Needs<'journal'>): Promise<Journal | undefined> {
  try {
    return await context.journal();
  } catch (error) {
    if (error instanceof JournalError) return undefined;
    throw error;
  }
}
