import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { unwrapRecord } from '../client/record.ts';
import { accountPath } from '../config/account-path.ts';
import { assertGuarded } from '../config/guarded.ts';
import type { Clock } from '../deps.ts';
import { ForbiddenError, NotFoundError, undefinedFor } from '../errors.ts';
import type { Journal } from '../journal/open-journal.ts';
import { counted } from '../values/text.ts';
import type { Needs } from './context.ts';
import { tokenInEnvironment } from './environment.ts';
import { readAccount, requestMe } from './own-record.ts';

/**
 * Opens the journal of the signed-in account. svc does not know the owner of `SVC_TOKEN`, so each token has its own journal. @throws
 * JournalError, SignInError
 */
export async function openAccountJournal(
  context: Needs<'account' | 'client' | 'env' | 'files' | 'host' | 'notify' | 'paths' | 'signal'> & { readonly clock: Clock },
): Promise<Journal> {
  const { clock, env, files, notify, paths, signal } = context;
  await assertGuarded(files, paths.state, 'the journal');
  const { openJournal } = await import('../journal/open-journal.ts');
  const [{ origin, account }, owner] = await Promise.all([context.host(), ownerOf(context)]);
  return openJournal(accountPath(paths.state, 'journal', origin, accountKey(tokenInEnvironment(env), owner, account)), {
    clock,
    signal,
    onSetAside: notify,
  });
}

/**
 * Returns the id of the account’s user, to choose the journal. Without `SVC_TOKEN`, svc requests an unknown id. Later commands know the id,
 * and would otherwise open another journal.
 */
async function ownerOf({ env, ...context }: Needs<'account' | 'client' | 'env'>): Promise<number | undefined> {
  const known = (await context.account())?.user_id;
  if (known !== undefined || tokenInEnvironment(env) !== undefined) return known;
  const answer = await requestMe(await context.client()).catch(undefinedFor(ForbiddenError, NotFoundError));
  return answer && readAccount(unwrapRecord(answer.body())).user_id;
}

export async function accountFile(
  { env, paths, ...context }: Needs<'account' | 'env' | 'host' | 'paths'>,
  folder: 'journal' | 'mirror',
): Promise<string> {
  const [{ origin, account: name }, account] = await Promise.all([context.host(), context.account()]);
  return accountPath(paths.state, folder, origin, accountKey(tokenInEnvironment(env), account?.user_id, name));
}

/** Returns a name for the account that is always the same and reveals no secret. */
export function accountKey(token: string | undefined, userId: number | undefined, account: string | undefined): string {
  if (token !== undefined) return `token ${createHash('sha256').update(token).digest('hex')}`;
  if (userId !== undefined) return `user ${userId}`;
  return account === undefined ? 'signed in' : `signed in as ${account}`;
}

export async function printWaiting(context: Needs<'account' | 'env' | 'host' | 'notice' | 'paths'>): Promise<void> {
  const count = await countOpen(await accountFile(context, 'journal'));
  if (count > 0) await context.notice(`The outbox has ${counted(count, 'write')}: svc outbox send`);
}

/**
 * Counts the waiting and unconfirmed entries of a journal. Returns 0 without a journal, and after a failure, because the printed count is
 * optional. The function only reads, and never waits for another process.
 */
export async function countOpen(path: string): Promise<number> {
  if (!existsSync(path)) return 0;
  const { DatabaseSync } = await import('node:sqlite');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    return Number(database.prepare(`SELECT count(*) AS count FROM entries WHERE outcome IN ('waiting', 'unknown')`).get()?.['count']);
  } catch {
    return 0;
  } finally {
    database?.close();
  }
}
