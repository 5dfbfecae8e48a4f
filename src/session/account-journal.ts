import { createHash } from 'node:crypto';
import { accountPath } from '../config/account-path.ts';
import type { Clock } from '../deps.ts';
import type { Journal } from '../journal/journal.ts';
import type { Needs } from './context.ts';
import { tokenInEnvironment } from './environment.ts';

/**
 * Opens the journal of whoever the requests are sent as. With `SVC_TOKEN` nobody knows whose it is, so each token has a journal of
 * its own, named by its digest.
 *
 * @throws JournalError
 */
export async function openAccountJournal(
  context: Needs<'account' | 'env' | 'host' | 'notify' | 'paths' | 'signal'> & { readonly clock: Clock },
): Promise<Journal> {
  const { clock, notify, signal } = context;
  const { openJournal } = await import('../journal/open-journal.ts');
  return openJournal(await accountJournalPath(context), { clock, signal, onSetAside: notify });
}

/** Where that journal is, or would be. */
export async function accountJournalPath(context: Needs<'account' | 'env' | 'host' | 'paths'>): Promise<string> {
  return accountFile(context, 'journal');
}

/** Where a file of the account is, or would be. */
export async function accountFile(
  { env, paths, ...context }: Needs<'account' | 'env' | 'host' | 'paths'>,
  room: 'journal' | 'mirror',
): Promise<string> {
  const [{ origin }, account] = await Promise.all([context.host(), context.account()]);
  return accountPath(paths.state, room, origin, accountKey(tokenInEnvironment(env), account?.user_id));
}

/** A word for the account that stays the same, and is no secret. */
function accountKey(token: string | undefined, userId: number | undefined): string {
  if (token !== undefined) return `token ${createHash('sha256').update(token).digest('hex')}`;
  return userId === undefined ? 'signed in' : `user ${userId}`;
}
