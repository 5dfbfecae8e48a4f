import { createHash } from 'node:crypto';
import { unwrapRecord } from '../client/record.ts';
import { accountPath } from '../config/account-path.ts';
import { assertGuarded } from '../config/guarded.ts';
import type { Clock } from '../deps.ts';
import { ForbiddenError, NotFoundError } from '../errors.ts';
import type { Journal } from '../journal/journal.ts';
import type { Needs } from './context.ts';
import { tokenInEnvironment } from './environment.ts';
import { readAccount } from './own-record.ts';
import { askMe } from './who-am-i.ts';

/**
 * Opens the journal of whoever the requests are sent as. With `SVC_TOKEN` nobody knows whose it is, so each token has a journal of
 * its own, named by its digest.
 *
 * @throws JournalError; SignInError where nobody is signed in, and what asking whose the sign-in is fails with.
 */
export async function openAccountJournal(
  context: Needs<'account' | 'client' | 'env' | 'files' | 'host' | 'notify' | 'paths' | 'signal'> & { readonly clock: Clock },
): Promise<Journal> {
  const { clock, env, files, notify, paths, signal } = context;
  await assertGuarded(files, paths.state, 'what svc noted of your writes');
  const { openJournal } = await import('../journal/open-journal.ts');
  const [{ origin }, owner] = await Promise.all([context.host(), ownerOf(context)]);
  return openJournal(accountPath(paths.state, 'journal', origin, accountKey(tokenInEnvironment(env), owner)), {
    clock,
    signal,
    onSetAside: notify,
  });
}

/**
 * Whose the sign-in is. Where nobody has said so yet, it is asked: what waits in a journal of nobody's would be found by no later command,
 * since that one knows who it is.
 */
async function ownerOf({ env, ...context }: Needs<'account' | 'client' | 'env'>): Promise<number | undefined> {
  const known = (await context.account())?.user_id;
  if (known !== undefined || tokenInEnvironment(env) !== undefined) return known;
  try {
    return readAccount(unwrapRecord((await askMe(await context.client())).body())).user_id;
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Where that journal is, or would be, as far as it is known without asking. */
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
export function accountKey(token: string | undefined, userId: number | undefined): string {
  if (token !== undefined) return `token ${createHash('sha256').update(token).digest('hex')}`;
  return userId === undefined ? 'signed in' : `user ${userId}`;
}
