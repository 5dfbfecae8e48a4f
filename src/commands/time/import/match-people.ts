import { ForbiddenError, UsageError } from '../../../errors.ts';
import { readMe } from '../../../records/me.ts';
import { readUsers, type UserName } from '../../../records/users.ts';
import type { Needs } from '../../../session/context.ts';
import type { ExportRow } from '../../../time/exports/define.ts';
import { counted } from '../../../values/counted.ts';
import { scalarText } from '../../../values/json.ts';
import { quote } from '../../../values/quote.ts';
import { together } from '../../../values/together.ts';
import { linesText } from './row-problems.ts';

/** A row of a file, by its line, and all that it says of whose hours it is. */
export interface RowPerson {
  readonly line: number;
  readonly who: ExportRow['who'];
}

/** Whose hours a row is. */
export interface Somebody {
  /** Undefined for oneself: whoever says nothing logs their own hours, and needs no permission for it (rule 11.39). */
  readonly id: number | undefined;
  readonly name: string;
}

const MYSELF: Somebody = { id: undefined, name: 'you' };

/**
 * Whose hours the rows of a file are. Where it names nobody they are the signed-in user's. Where it names somebody, that is a
 * user of the service, by e-mail address or name, or the file is refused: hours of others are never logged as one's own.
 *
 * @returns whose a row is. @throws UsageError that lists who was not found, by line.
 */
export async function matchPeople(
  context: Needs<'client' | 'notice'>,
  rows: readonly RowPerson[],
): Promise<(who: RowPerson['who']) => Somebody> {
  const people = new Map<string, RowPerson['who']>();
  const lines = new Map<string, number[]>();
  for (const { line, who } of rows) {
    people.set(keyOf(who), who);
    lines.set(keyOf(who), [...(lines.get(keyOf(who)) ?? []), line]);
  }
  if ([...people.values()].every((who) => who.length === 0)) return () => MYSELF;
  const { own, users } = await readPeople(context);
  const found = new Map<string, Somebody>();
  const problems: string[] = [];
  for (const [key, who] of people) {
    const at = linesText(lines.get(key) ?? []);
    const candidates = candidatesFor(who, users);
    const [user] = candidates;
    if (who.length === 0) problems.push(`${at}: it does not say whose hours these are, and other rows do.`);
    else if (user === undefined) problems.push(`${at}: no user has the address or name ${who.map(quote).join(', ')}.`);
    else if (candidates.length > 1) problems.push(`${at}: ${who.map(quote).join(', ')} could be user ${idsOf(candidates)}.`);
    else found.set(key, user.id === own ? MYSELF : { id: user.id, name: `${user.name} (${user.id})` });
  }
  if (problems.length > 0) {
    throw new UsageError('Whose hours some rows are is not clear, so nothing was sent.', {
      hint: 'Mend the names, or split the file by person and import each with --user <id>.',
      details: { lines: problems.slice(0, 50) },
    });
  }
  await tell(context, found, lines);
  return (who) => found.get(keyOf(who)) ?? MYSELF;
}

/** Says as whose the rows will be logged. */
async function tell(
  context: Needs<'notice'>,
  found: ReadonlyMap<string, Somebody>,
  lines: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const counts = new Map<string, number>();
  for (const [key, { name }] of found) counts.set(name, (counts.get(name) ?? 0) + (lines.get(key)?.length ?? 0));
  await context.notice(`Whose hours they are: ${[...counts].map(([name, count]) => `${name}, ${counted(count, 'row')}`).join('; ')}.`);
}

/** Oneself and all others; just oneself where the others may not be seen. */
async function readPeople(context: Needs<'client'>): Promise<{ readonly own: number | undefined; readonly users: readonly UserName[] }> {
  const unlessForbidden = (error: unknown) => {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  };
  const [me, users] = await together(readMe(context).catch(unlessForbidden), readUsers(context).catch(unlessForbidden));
  const own = typeof me?.['id'] === 'number' ? me['id'] : undefined;
  const self =
    me === undefined || own === undefined ? [] : [{ id: own, name: scalarText(me['name']), email: scalarText(me['email']).toLowerCase() }];
  return { own, users: users === undefined ? self : [...self, ...users.filter(({ id }) => id !== own)] };
}

/** Who fits all that is said. A word that fits nobody, such as the name one signs in with elsewhere, counts for nothing. */
function candidatesFor(who: RowPerson['who'], users: readonly UserName[]): readonly UserName[] {
  let candidates: readonly UserName[] | undefined;
  for (const text of who) {
    const fitting = users.filter(({ email, name }) => (email !== '' && email === text.toLowerCase()) || plain(name) === plain(text));
    if (fitting.length === 0) continue;
    const both = candidates?.filter(({ id }) => fitting.some((user) => user.id === id)) ?? fitting;
    // An address of one and the name of another: nobody can tell which is meant.
    if (both.length === 0) return [...(candidates ?? []), ...fitting];
    candidates = both;
  }
  return candidates ?? [];
}

function plain(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function idsOf(users: readonly UserName[]): string {
  return users.map(({ id }) => id).join(' or ');
}

function keyOf(who: RowPerson['who']): string {
  return who.join('\0');
}
