import { ownUserIdIfKnown } from '../../../records/me.ts';
import type { Needs } from '../../../session/context.ts';
import { matchPeople, type RowPerson, type Somebody } from './match-people.ts';

/**
 * Whose hours each row is: of the person that `--user` says, which is said aloud where the file names anybody, else of whom the
 * row names.
 */
export async function choosePeople(
  context: Needs<'account' | 'client' | 'notice'>,
  rows: readonly RowPerson[],
  user: number | 'me' | undefined,
): Promise<(who: RowPerson['who']) => Somebody> {
  if (user === undefined) return matchPeople(context, rows);
  const own = user === 'me' ? undefined : await ownUserIdIfKnown(context);
  const chosen: Somebody = user === 'me' || user === own ? { id: undefined, name: 'you' } : { id: user, name: `user ${user}` };
  const named = new Set(rows.flatMap(({ who }) => who.slice(0, 1)));
  if (named.size > 0) {
    const whose = chosen.id === undefined ? 'yours' : `those of ${chosen.name}`;
    await context.notice(`All rows are logged as ${whose}, as --user says; the file names ${[...named].slice(0, 5).join(', ')}.`);
  }
  return () => chosen;
}
