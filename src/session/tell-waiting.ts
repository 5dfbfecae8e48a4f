import { countOpen } from '../journal/count-open.ts';
import { accountJournalPath } from './account-journal.ts';
import type { Needs } from './context.ts';

/** Prints one line if entries of the account wait. */
export async function tellWaiting(context: Needs<'account' | 'env' | 'host' | 'notice' | 'paths'>): Promise<void> {
  const count = await countOpen(await accountJournalPath(context));
  if (count > 0) await context.notice(`${count === 1 ? '1 entry waits' : `${count} entries wait`}: svc outbox send`);
}
