import { createHash } from 'node:crypto';
import { assertGuarded } from '../config/guarded.ts';
import type { Clock } from '../deps.ts';
import type { Journal } from '../journal/journal.ts';
import { journalPath } from '../journal/journal-path.ts';
import type { Needs } from './context.ts';
import { tokenInEnvironment } from './environment.ts';

/**
 * Opens the journal of whoever the requests are sent as. With `SVC_TOKEN` nobody knows whose it is, so each token has a journal of
 * its own, named by its digest.
 *
 * @throws JournalError
 */
export async function openAccountJournal(
  context: Needs<'account' | 'env' | 'files' | 'host' | 'notify' | 'paths' | 'signal'> & { readonly clock: Clock },
): Promise<Journal> {
  const { clock, files, notify, paths, signal } = context;
  await assertGuarded(files, paths.state, 'what svc noted of your writes');
  const { openJournal } = await import('../journal/open-journal.ts');
  return openJournal(await accountJournalPath(context), { clock, signal, onSetAside: notify });
}

/** Where that journal is, or would be. */
export async function accountJournalPath({ env, paths, ...context }: Needs<'account' | 'env' | 'host' | 'paths'>): Promise<string> {
  const [{ origin }, account] = await Promise.all([context.host(), context.account()]);
  return journalPath(paths.state, origin, accountKey(tokenInEnvironment(env), account?.user_id));
}

/** A word for the account that stays the same, and is no secret. */
function accountKey(token: string | undefined, userId: number | undefined): string {
  if (token !== undefined) return `token ${createHash('sha256').update(token).digest('hex')}`;
  return userId === undefined ? 'signed in' : `user ${userId}`;
}
