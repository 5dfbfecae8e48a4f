import { naming } from '../cli/naming.ts';
import { type OptionValues, recordFlag, repeated, text } from '../cli/spec.ts';
import { spelled } from '../cli/tool-aliases.ts';
import { NotFoundError } from '../errors.ts';
import { type ReadingValues, readReferenceFlag, readUserList } from '../records/kinds.ts';
import type { Member, TeamQuery } from '../records/people.ts';
import type { Needs } from '../session/context.ts';
import { together } from '../values/together.ts';

/**
 * The flags that choose people. If the user types several of these flags, a person must match each flag. `--user` can name several people.
 */
export const TEAM_OPTIONS = {
  user: repeated(`${spelled('user')} <id|me|name>`, 'Show only this user', { type: 'user' }),
  manager: text('--manager <id|me|name>', 'Show only people with this manager', { type: 'user' }),
  branch: recordFlag('--branch', 'Show only people of this branch', 'company-branches'),
} as const;

/**
 * Looks up the ids for the flags that choose people.
 *
 * @param flag The flag with the names of the users, for errors.
 * @throws UsageError for a name that matches no record or several records.
 */
export async function readTeamChoice(
  context: Needs<ReadingValues>,
  { user: users, manager, branch }: OptionValues<typeof TEAM_OPTIONS>,
  flag = '--user',
): Promise<TeamQuery> {
  const [ids, [managerId] = [], branchId] = await together(
    users === undefined ? undefined : naming(flag, () => readUserList(context, users)),
    manager === undefined ? undefined : naming('--manager', () => readUserList(context, [manager])),
    readReferenceFlag(context, '--branch', 'company-branches', branch),
  );
  return { users: ids, manager: managerId, branch: branchId };
}

export function namesIn(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').map((part) => part.trim());
}

/**
 * Checks that the chosen people are visible.
 *
 * @throws NotFoundError if you can’t see any user of the choice. Without --manager and --branch, also if you can’t see a named user.
 */
export function checkThere(members: readonly Member[], { users, manager, branch }: TeamQuery): void {
  const isNarrowed = manager !== undefined || branch !== undefined;
  const missing = isNarrowed ? [] : (users ?? []).filter((id) => members.every((member) => member.id !== id));
  if (missing.length > 0) throw new NotFoundError(`You cannot see these users: ${missing.join(', ')}.`, { hint: 'See: svc users list' });
  if (members.length === 0) throw new NotFoundError('You cannot see any user with these flags.', { hint: 'See: svc users list' });
}
