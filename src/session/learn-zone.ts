import type { Account } from '../auth/record.ts';
import { ForbiddenError, NotFoundError, SignInError } from '../errors.ts';
import type { Needs } from './context.ts';
import { askMe } from './who-am-i.ts';

/**
 * Finds out where the user of the token in `SVC_TOKEN` is: a machine that runs other people's commands has a zone of its own. One
 * request, whose answer the client keeps (own-record.ts). Where the service will not say, a line tells whose days are meant.
 *
 * @param keep Keeps that nothing can be known.
 * @throws what the request throws, but for a refusal: the day might be wrong.
 */
export async function learnZone(
  context: Needs<'account' | 'client' | 'globals' | 'notice' | 'settings' | 'timeZone'>,
  keep: (account: Account) => Promise<void>,
): Promise<void> {
  if ((await context.account()) !== undefined) return;
  const why = context.globals.dryRun ? 'A dry run does not ask for your time zone' : await ask(context, keep);
  if (why === undefined || (await context.settings()).timezone !== undefined) return;
  await context.notice(`${why}: days are those of ${await context.timeZone()}. For another: svc config set timezone`);
}

/** Why there is no zone; undefined when there is one, or when the command is about to fail for the same reason. */
async function ask(context: Needs<'account' | 'client'>, keep: (account: Account) => Promise<void>): Promise<string | undefined> {
  try {
    await askMe(await context.client());
  } catch (error) {
    // What was asked for will fail in the same way, and in its own words.
    if (error instanceof SignInError || error instanceof NotFoundError) return undefined;
    if (!(error instanceof ForbiddenError)) throw error;
    await keep({});
    return 'The service does not tell whose this token is';
  }
  return (await context.account())?.timezone === undefined ? 'Your record names no time zone that svc knows' : undefined;
}
