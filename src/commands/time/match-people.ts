import { rows } from '../../client/pages.ts';
import { UsageError } from '../../errors.ts';
import type { Context } from '../../session/context.ts';
import type { ExportRow } from '../../time/exports.ts';
import { scalarText } from '../../values/json.ts';

type Whose = Pick<ExportRow, 'person' | 'personName'>;

/**
 * Whose hours the rows of an export are. Rows of one person, or of nobody, are the signed-in user's; those of several are matched to users by
 * e-mail address, then by exact name.
 *
 * @returns a user's id for a row, undefined for oneself. @throws UsageError that lists who was not found.
 */
export async function matchPeople(context: Context, entries: readonly Whose[]): Promise<(entry: Whose) => number | undefined> {
  const people = new Map(entries.map((entry) => [entry.person, entry]));
  people.delete('');
  const [only] = people.keys();
  if (people.size <= 1) {
    if (only !== undefined) await context.notice(`All rows are of ${only}, and are logged as yours. As somebody else’s: --user`);
    return () => undefined;
  }
  const users = await readUsers(context);
  const found = new Map<string, number>();
  const missing: string[] = [];
  for (const [person, { personName }] of people) {
    const byEmail = users.filter(({ email }) => email !== '' && email === person.toLowerCase());
    const candidates = byEmail.length > 0 ? byEmail : users.filter(({ name }) => name === personName);
    const [user] = candidates;
    if (user !== undefined && candidates.length === 1) found.set(person, user.id);
    else
      missing.push(
        `${person}: ${candidates.length === 0 ? 'no user has this address or name' : `users ${candidates.map(({ id }) => id).join(', ')}`}`,
      );
  }
  if (missing.length === 0) return ({ person }) => found.get(person);
  throw new UsageError(`The file has rows of ${people.size} people, and not all of them are clear.`, {
    hint: 'Split the file by person, and import each with --user <id>.',
    details: { lines: missing },
  });
}

async function readUsers(context: Context): Promise<readonly { readonly id: number; readonly name: string; readonly email: string }[]> {
  const found: { readonly id: number; readonly name: string; readonly email: string }[] = [];
  for await (const record of rows(await context.client(), { method: 'GET', path: '/users', query: [['per_page', '100']] })) {
    const { id } = record;
    if (typeof id === 'number') found.push({ id, name: scalarText(record['name']), email: scalarText(record['email']).toLowerCase() });
  }
  return found;
}
