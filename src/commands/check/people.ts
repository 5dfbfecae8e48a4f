import { naming } from '../../cli/naming.ts';
import { NotFoundError } from '../../errors.ts';
import type { DayRange } from '../../records/entries.ts';
import { readReference, readUser, type Understanding } from '../../records/kinds.ts';
import { ownId, readMe } from '../../records/me.ts';
import { personIn } from '../../records/person.ts';
import { type Member, readTeam, type TeamQuestion } from '../../records/team.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';

/** Whose hours are checked, as it is typed. */
export interface Whose {
  readonly team?: true | undefined;
  readonly users?: string | undefined;
  readonly manager?: string | undefined;
  readonly branch?: string | undefined;
}

/** People as they are asked for. */
export interface Asked {
  readonly isTeam: boolean;
  /** Their ids where those were named; undefined for everybody of a question. */
  readonly ids: readonly number[] | undefined;
  readonly question: TeamQuestion;
  readonly own: number;
}

/** Names become ids. @throws UsageError for a name that nobody has, or several do. */
export async function askedPeople(context: Needs<Understanding>, { team, users, manager, branch }: Whose): Promise<Asked> {
  const own = await ownId(context);
  const isTeam = team === true || [users, manager, branch].some((value) => value !== undefined);
  if (!isTeam) return { isTeam, ids: [own], question: { users: [own] }, own };
  const idOf = async (flag: string, text: string) => {
    const user = await naming(flag, () => readUser(context, text));
    return user === 'me' ? own : user;
  };
  const named = users?.split(',').map((text) => text.trim());
  const [ids, managerId, branchId] = await Promise.all([
    named === undefined ? undefined : Promise.all(named.map((text) => idOf('--users', text))),
    manager === undefined ? undefined : idOf('--manager', manager),
    branch === undefined ? undefined : naming('--branch', () => readReference(context, 'company-branches', branch)),
  ]);
  const question = { users: ids, manager: managerId, branch: branchId };
  return { isTeam, ids: managerId === undefined && branchId === undefined ? ids : undefined, question, own };
}

/** Those people. @throws NotFoundError where there is nobody, or somebody who was named is not there. */
export async function readPeople(
  context: Needs<'client' | 'notice' | 'timeZone'>,
  { isTeam, question, own }: Asked,
): Promise<readonly Member[]> {
  if (isTeam) {
    const members = await readTeam(context, question);
    const missing = question.users?.find((id) => !members.some((member) => member.id === id));
    if (missing !== undefined && question.manager === undefined && question.branch === undefined)
      throw new NotFoundError(`User ${missing} is not among the people whom you may see.`, { hint: 'Who there is: svc users list' });
    if (members.length > 0) return members;
    throw new NotFoundError('There is nobody in that team whom you may see.', { hint: 'Who there is: svc users list' });
  }
  const record = await readMe(context);
  const person = await personIn(record, 'You', context);
  return [{ ...person, id: person.id ?? own, record }];
}

/**
 * Whether hours of a person are waited for on a day: not where the record says that they left, or began later. Neither is documented;
 * without such fields everybody is there.
 */
export function employedOn({ is_active: active, started_on: since }: JsonObject): (date: string) => boolean {
  return (date) => active !== false && !(typeof since === 'string' && date < since);
}

/** A span without an end, for what is dated ahead. */
export function openEnded({ first }: DayRange): DayRange {
  return { first, last: '9999-12-31' };
}
