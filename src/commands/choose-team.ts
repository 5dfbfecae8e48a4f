import { spelled } from '../cli/habits.ts';
import { naming } from '../cli/naming.ts';
import { repeated, text } from '../cli/spec.ts';
import { NotFoundError } from '../errors.ts';
import { readReference, readUserList, type Understanding } from '../records/kinds.ts';
import type { Member, TeamQuestion } from '../records/people.ts';
import type { Needs } from '../session/context.ts';
import { together } from '../values/together.ts';

/** Flags that choose people. Each further flag narrows the choice. */
export const TEAM_OPTIONS = {
  user: repeated(`${spelled('user')} <id|me|name>`, 'Show only this user', { type: 'user' }),
  manager: text('--manager <id|me|name>', 'Show only people with this manager', { type: 'user' }),
  branch: text('--branch <id|name>', 'Show only people of this branch', {
    type: 'id-or-name',
    completes: { records: 'company-branches' },
  }),
} as const;

interface Typed {
  readonly users?: readonly string[] | undefined;
  readonly manager?: string | undefined;
  readonly branch?: string | undefined;
}

/** @param flag the flag with the names of the users, for errors. @throws UsageError for a name that fits nobody or several. */
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

export function namesIn(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').map((part) => part.trim());
}

/** Checks that the chosen people are visible. @throws NotFoundError for a named user whom you can’t see, and if the choice fits nobody. */
export function checkThere(members: readonly Member[], { users, manager, branch }: TeamQuestion): void {
  const isNarrowed = manager !== undefined || branch !== undefined;
  const missing = isNarrowed ? [] : (users ?? []).filter((id) => members.every((member) => member.id !== id));
  if (missing.length > 0) throw new NotFoundError(`You cannot see these users: ${missing.join(', ')}.`, { hint: 'See: svc users list' });
  if (members.length === 0) throw new NotFoundError('You cannot see any user with these flags.', { hint: 'See: svc users list' });
}
