import type { DayRange } from '../../records/entries.ts';
import type { Understanding } from '../../records/kinds.ts';
import { ownId, readMe } from '../../records/me.ts';
import { personIn } from '../../records/person.ts';
import { type Member, readTeam, type TeamQuestion } from '../../records/team.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import { checkThere, namesIn, readTeamChoice } from '../choose-team.ts';

/** Whose hours are checked, as it is typed. */
export interface WhoseHours {
  readonly team?: true | undefined;
  readonly users?: string | undefined;
  readonly manager?: string | undefined;
  readonly branch?: string | undefined;
}

/** People as they are asked for. */
export interface AskedPeople {
  readonly isTeam: boolean;
  /** Their ids where those were named; undefined for everybody of a question. */
  readonly ids: readonly number[] | undefined;
  readonly question: TeamQuestion;
  readonly own: number;
}

/** Names become ids. @throws UsageError for a name that nobody has, or several do. */
export async function askedPeople(context: Needs<Understanding>, { team, users, manager, branch }: WhoseHours): Promise<AskedPeople> {
  const own = await ownId(context);
  const isTeam = team === true || [users, manager, branch].some((value) => value !== undefined);
  if (!isTeam) return { isTeam, ids: [own], question: { users: [own] }, own };
  const question = await readTeamChoice(context, { users: namesIn(users), manager, branch }, '--users');
  const isNarrowed = question.manager !== undefined || question.branch !== undefined;
  return { isTeam, ids: isNarrowed ? undefined : question.users, question, own };
}

/** Those people. @throws NotFoundError where there is nobody, or somebody who was named is not there. */
export async function readPeople(
  context: Needs<'client' | 'notice' | 'timeZone'>,
  { isTeam, question, own }: AskedPeople,
): Promise<readonly Member[]> {
  if (isTeam) {
    const members = await readTeam(context, question);
    checkThere(members, question);
    return members;
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
