import { spelled } from '../cli/habits.ts';
import { naming } from '../cli/naming.ts';
import { repeated, text } from '../cli/spec.ts';
import { NotFoundError } from '../errors.ts';
import { readReference, type Understanding } from '../records/kinds.ts';
import type { Member, TeamQuestion } from '../records/team.ts';
import { readUserList } from '../records/user-list.ts';
import type { Needs } from '../session/context.ts';
import { together } from '../values/together.ts';

/** Flags that choose people; several narrow one another down. */
export const TEAM_OPTIONS = {
  user: repeated(`${spelled('user')} <id|me|name>`, 'Show only this user', { type: 'user' }),
  manager: text('--manager <id|me|name>', 'Show only people with this manager', { type: 'user' }),
  branch: text('--branch <id|name>', 'Show only people of this branch', {
    type: 'id-or-name',
    completes: { records: 'company-branches' },
  }),
} as const;

/** People as they are typed: ids, `me`, names or e-mail addresses, and what they have in common. */
interface Typed {
  readonly users?: readonly string[] | undefined;
  readonly manager?: string | undefined;
  readonly branch?: string | undefined;
}

/**
 * Which people were asked for; those of the last two narrow the first down.
 *
 * @param flag What the users were typed with, for an error: `--users`.
 * @throws UsageError for a name that nobody has, or several do.
 */
export async function readTeamChoice(
  context: Needs<Understanding>,
  { users, manager, branch }: Typed,
  flag: string,
): Promise<TeamQuestion> {
  const [ids, [managerId] = [], branchId] = await together(
    users === undefined ? undefined : naming(flag, () => readUserList(context, users)),
    manager === undefined ? undefined : naming('--manager', () => readUserList(context, [manager])),
    branch === undefined ? undefined : naming('--branch', () => readReference(context, 'company-branches', branch)),
  );
  return { users: ids, manager: managerId, branch: branchId };
}

/** Names with commas between them. */
export function namesIn(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').map((part) => part.trim());
}

/** @throws NotFoundError for somebody who was named and is not there, or when there is nobody. */
export function checkThere(members: readonly Member[], { users, manager, branch }: TeamQuestion): void {
  const isNarrowed = manager !== undefined || branch !== undefined;
  const missing = isNarrowed ? [] : (users ?? []).filter((id) => members.every((member) => member.id !== id));
  if (missing.length > 0)
    throw new NotFoundError(`These users are not among those that you may see: ${missing.join(', ')}.`, { hint: 'See: svc users list' });
  if (members.length === 0) throw new NotFoundError('There is nobody there whom you may see.', { hint: 'See: svc users list' });
}
