import { spelled } from '../../cli/habits.ts';
import { naming } from '../../cli/naming.ts';
import { type OptionValues, repeated, text } from '../../cli/spec.ts';
import { NotFoundError } from '../../errors.ts';
import { readReference, readUser, type Understanding } from '../../records/kinds.ts';
import { ownId } from '../../records/me.ts';
import { type Member, readTeam, type TeamQuestion } from '../../records/team.ts';
import type { Needs } from '../../session/context.ts';
import { together } from '../../values/together.ts';

/** Flags that choose people; several narrow one another down. */
export const TEAM_OPTIONS = {
  user: repeated(`${spelled('user')} <id|me|name>`, 'Only this user', { type: 'user' }),
  manager: text('--manager <id|me|name>', 'Only people whose manager this user is', { type: 'user' }),
  branch: text('--branch <id|name>', 'Only people of this branch', {
    type: 'id-or-name',
    completes: { records: 'company-branches' },
  }),
} as const;

type Chosen = Pick<OptionValues<typeof TEAM_OPTIONS>, 'user' | 'manager' | 'branch'>;

/** Which people were asked for; undefined where nobody was named. @throws UsageError */
export async function readTeamChoice(
  context: Needs<Understanding>,
  { user: typed, manager, branch }: Chosen,
): Promise<TeamQuestion | undefined> {
  if (typed === undefined && manager === undefined && branch === undefined) return undefined;
  const idOf = async (flag: string, text: string) => {
    const user = await naming(flag, () => readUser(context, text));
    return user === 'me' ? ownId(context) : user;
  };
  const [users, managerId, branchId] = await together(
    typed === undefined ? undefined : Promise.all(typed.map((text) => idOf('--user', text))),
    manager === undefined ? undefined : idOf('--manager', manager),
    branch === undefined ? undefined : naming('--branch', () => readReference(context, 'company-branches', branch)),
  );
  return { users, manager: managerId, branch: branchId };
}

/** The people who were asked for. @throws NotFoundError for somebody who was named and is not there, or when there is nobody. */
export async function readChosen(context: Needs<'client' | 'notice' | 'timeZone'>, question: TeamQuestion): Promise<readonly Member[]> {
  const members = await readTeam(context, question);
  const isNarrowed = question.manager !== undefined || question.branch !== undefined;
  const missing = isNarrowed ? undefined : question.users?.find((id) => members.every((member) => member.id !== id));
  if (missing !== undefined) throw new NotFoundError(`There is no user ${missing}.`, { hint: 'See who is there: svc users list' });
  if (members.length === 0) throw new NotFoundError('Nobody fits that choice.', { hint: 'See who is there: svc users list' });
  return members;
}
