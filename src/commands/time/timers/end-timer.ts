import { ForbiddenError, NotFoundError, SignInError } from '../../../errors.ts';
import { sendWrite } from '../../../records/send-write.ts';
import { ownTimers, stopsTimers, type TimerOperation, timerDeletion } from '../../../records/timers.ts';
import type { Needs } from '../../../session/context.ts';

/** What ends a timer here. */
export type Ending =
  /** An operation that discovery shows; it may log hours besides (rule 18.32). */
  | { readonly kind: 'operation'; readonly operation: TimerOperation }
  /** A DELETE, which is documented, and needs a personal token. */
  | { readonly kind: 'delete' }
  /** Nothing that this account may do. */
  | { readonly kind: 'none' };

/** The best there is: the operation where there is one, else a DELETE where a token allows it. Sends nothing. */
export async function findEnding(context: Needs<'credentials' | 'signal'>, offered: readonly TimerOperation[]): Promise<Ending> {
  const operation = offered.find(stopsTimers);
  return operation === undefined ? findDeletion(context) : { kind: 'operation', operation };
}

/** A DELETE, if a token allows one. */
export async function findDeletion(context: Needs<'credentials' | 'signal'>): Promise<Ending> {
  try {
    await (await context.credentials())({ method: 'DELETE', upload: false, signal: context.signal });
    return { kind: 'delete' };
  } catch (error) {
    if (error instanceof SignInError) return { kind: 'none' };
    throw error;
  }
}

/**
 * Ends a timer whose hours are logged, by no operation that could log them again. Logging may have ended it (rule 18.32).
 *
 * @returns undefined when it is over, else why it still runs.
 */
export async function endLogged(
  context: Needs<'account' | 'client'>,
  ending: Exclude<Ending, { readonly kind: 'operation' }>,
  id: number,
): Promise<string | undefined> {
  if (ending.kind === 'none') {
    const runs = (await ownTimers(context)).some((timer) => timer.id === id);
    return runs ? 'A browser sign-in cannot delete, and the service shows nothing else that ends a timer.' : undefined;
  }
  try {
    await sendWrite(context, timerDeletion(id));
    return undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (error instanceof ForbiddenError) return error.message;
    throw error;
  }
}
