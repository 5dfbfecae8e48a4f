import { spelled } from '../cli/habits.ts';
import { naming } from '../cli/naming.ts';
import { repeated, text } from '../cli/spec.ts';
import { NotFoundError } from '../errors.ts';
import { readReference, readUserList, type Understanding } from '../records/kinds.ts';
import type { Member, TeamQuestion } from '../records/people.ts';
import type { Needs } from '../session/context.ts';
import { together } from '../values/together.ts';

/** Flags that choose people. Together they select the people that fit each of them. */
export const TEAM_OPTIONS = {
  user: repeated(`${spelled('user')} <id|me|name>`, 'Show only this user', { type: 'user' }),
  manager: text('--manager <id|me|name>', 'Show only people with this manager', { type: 'user' }),
  branch: text('--branch <id|name>', 'Show only people of this branch', {
    type: 'id-or-name',
    completes: { records: 'company-branches' },
  }),
} as const;

/** People as typed: ids, `me`, names or e-mail addresses; and their manager and branch. */
interface Typed {
  readonly users?: readonly string[] | undefined;
  readonly manager?: string | undefined;
  readonly branch?: string | undefined;
}

/**
 * Reads the ids of the chosen people.
 *
 * @param flag The flag of the users, for an error: `--users`.
 * @throws UsageError for a name of nobody, or of several people.
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

/** @throws NotFoundError for a named user who is not visible, or for an empty choice. */
export function checkThere(members: readonly Member[], { users, manager, branch }: TeamQuestion): void {
  const isNarrowed = manager !== undefined || branch !== undefined;
  const missing = isNarrowed ? [] : (users ?? []).filter((id) => members.every((member) => member.id !== id));
  if (missing.length > 0) throw new NotFoundError(`You cannot see these users: ${missing.join(', ')}.`, { hint: 'See: svc users list' });
  if (members.length === 0) throw new NotFoundError('You cannot see any user of that choice.', { hint: 'See: svc users list' });
}
