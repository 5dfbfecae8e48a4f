import type { Needs } from '../session/context.ts';
import { readUser, type Understanding } from './kinds.ts';
import { ownId } from './me.ts';

/**
 * The ids of several users, typed as ids, `me`, names or e-mail addresses, each once. All names share one reading of the users.
 *
 * @throws UsageError for a name that is nobody's, or several people's.
 */
export async function readUserList(context: Needs<Understanding>, parts: readonly string[]): Promise<readonly number[]> {
  const users = await context.catalog.of('users');
  const { idByName, readingOf } = await import('./find-by-name.ts');
  const reading = readingOf(context, users);
  const ids: number[] = [];
  for (const part of parts) {
    const isName = !/^(?:\d*|me)$/i.test(part);
    const user = isName ? (await idByName(context, users, part, undefined, reading)).id : await readUser(context, part);
    ids.push(user === 'me' ? await ownId(context) : user);
  }
  return [...new Set(ids)];
}
