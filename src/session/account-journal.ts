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
 * Opens the journal of the account that sends the requests. svc does not know the owner of `SVC_TOKEN`. So each token has a journal of its
 * own, named by its digest.
 *
 * @throws JournalError; SignInError without a sign-in; the failure of the request for the owner of the sign-in.
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
 * The owner of the sign-in; svc asks the service where it does not know. Later commands know the owner, so none would find entries that
 * wait in a journal without one.
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

/** The path of that journal, which need not exist, as far as svc knows it without a request. */
export async function accountJournalPath(context: Needs<'account' | 'env' | 'host' | 'paths'>): Promise<string> {
  return accountFile(context, 'journal');
}

/** The path of a file of the account, which need not exist. */
export async function accountFile(
  { env, paths, ...context }: Needs<'account' | 'env' | 'host' | 'paths'>,
  room: 'journal' | 'mirror',
): Promise<string> {
  const [{ origin }, account] = await Promise.all([context.host(), context.account()]);
  return accountPath(paths.state, room, origin, accountKey(tokenInEnvironment(env), account?.user_id));
}

/** A name for the account that stays the same, and is no secret. */
export function accountKey(token: string | undefined, userId: number | undefined): string {
  if (token !== undefined) return `token ${createHash('sha256').update(token).digest('hex')}`;
  return userId === undefined ? 'signed in' : `user ${userId}`;
}
