import { ForbiddenError, UsageError, undefinedFor } from '../../../errors.ts';
import { ownUserIdIfKnown, readMe } from '../../../records/me.ts';
import { readUsers, type UserName } from '../../../records/people.ts';
import type { Needs } from '../../../session/context.ts';
import type { ExportRow } from '../../../time/exports/define.ts';
import { scalarText } from '../../../values/json.ts';
import { counted, quote } from '../../../values/text.ts';
import { together } from '../../../values/together.ts';
import { linesBy } from './row-problems.ts';

interface RowPerson {
  readonly line: number;
  readonly who: ExportRow['who'];
}

export interface RowUser {
  /** The id of the user. Undefined for yourself, because logging your own hours needs no permission (rule 11.39). */
  readonly id: number | undefined;
  readonly name: string;
}

const MYSELF: RowUser = { id: undefined, name: 'you' };

/**
 * Finds the users of the rows. `--user` takes precedence over names in the file. If no row names a user, all rows are yours.
 *
 * @throws UsageError if the user of a row is not clear.
 */
export async function findRowUsers(
  context: Needs<'account' | 'client' | 'notice'>,
  rows: readonly RowPerson[],
  user: number | 'me' | undefined,
): Promise<(who: RowPerson['who']) => RowUser> {
  if (user !== undefined) return chosenUser(context, rows, user);
  if (rows.every(({ who }) => who.length === 0)) return () => MYSELF;
  const { own, users } = await readPeople(context);
  const found = new Map<string, RowUser>();
  const problemOf = (who: RowPerson['who']): string | undefined => {
    if (who.length === 0) return 'the row names no user, although other rows do.';
    const [only, ...others] = candidatesFor(who, users);
    const names = who.map(quote).join(', ');
    if (only === undefined) return `no user has the address or name ${names}.`;
    if (others.length > 0) return `${names} could be user ${[only, ...others].map(({ id }) => id).join(' or ')}.`;
    found.set(keyOf(who), only.id === own ? MYSELF : { id: only.id, name: `${only.name} (${only.id})` });
    return undefined;
  };
  const people = new Map(rows.map(({ who }) => [keyOf(who), who]));
  const problemsByPerson = new Map([...people].map(([key, who]) => [key, problemOf(who)]));
  const problems = linesBy(rows, ({ who }) => problemsByPerson.get(keyOf(who)));
  if (problems.length > 0)
    throw new UsageError('The users of some rows are not clear, so svc sent nothing.', {
      hint: 'Fix the names, or split the file by person and import each with --user <id>.',
      details: { lines: problems.slice(0, 50).map(([problem, lines]) => `${lines}: ${problem}`) },
    });
  const userOf = (who: RowPerson['who']) => found.get(keyOf(who)) ?? MYSELF;
  const counts = [...Map.groupBy(rows, ({ who }) => userOf(who).name)].map(([name, some]) => `${name}, ${counted(some.length, 'row')}`);
  await context.notice(`Users of the hours: ${counts.join('; ')}.`);
  return userOf;
}

async function chosenUser(
  context: Needs<'account' | 'client' | 'notice'>,
  rows: readonly RowPerson[],
  user: number | 'me',
): Promise<() => RowUser> {
  const isOwn = user === 'me' || user === (await ownUserIdIfKnown(context));
  const chosen = isOwn ? MYSELF : { id: user, name: `user ${user}` };
  const named = [...new Set(rows.flatMap(({ who }) => who.slice(0, 1)))].slice(0, 5);
  const whose = isOwn ? 'yours' : `those of ${chosen.name}`;
  if (named.length > 0) await context.notice(`svc logs all rows as ${whose}, because of --user. The file names ${named.join(', ')}.`);
  return () => chosen;
}

async function readPeople(context: Needs<'client'>): Promise<{ readonly own: number | undefined; readonly users: readonly UserName[] }> {
  const unlessForbidden = undefinedFor(ForbiddenError);
  const [me, users] = await together(readMe(context).catch(unlessForbidden), readUsers(context).catch(unlessForbidden));
  const own = typeof me?.['id'] === 'number' ? me['id'] : undefined;
  const self =
    me === undefined || own === undefined ? [] : [{ id: own, name: scalarText(me['name']), email: scalarText(me['email']).toLowerCase() }];
  return { own, users: users === undefined ? self : [...self, ...users.filter(({ id }) => id !== own)] };
}

/** Finds the users that match all names of a row. svc ignores a name that matches nobody, such as a user name in the other program. */
function candidatesFor(who: RowPerson['who'], users: readonly UserName[]): readonly UserName[] {
  let candidates: readonly UserName[] | undefined;
  for (const text of who) {
    const fitting = users.filter(({ email, name }) => (email !== '' && email === text.toLowerCase()) || plain(name) === plain(text));
    if (fitting.length === 0) continue;
    const both = candidates?.filter(({ id }) => fitting.some((user) => user.id === id)) ?? fitting;
    // If two names of a row match different users, all these users are candidates.
    if (both.length === 0) return [...(candidates ?? []), ...fitting];
    candidates = both;
  }
  return candidates ?? [];
}

function plain(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function keyOf(who: RowPerson['who']): string {
  return who.join('\0');
}
