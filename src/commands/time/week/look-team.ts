import { RefusedError, withHint } from '../../../errors.ts';
import { type DayRange, readEntries } from '../../../records/entries.ts';
import { readTeamLeave, type TeamLeave } from '../../../records/leave.ts';
import { ownUserIdIfKnown } from '../../../records/me.ts';
import { type Member, readTeam, type TeamQuestion } from '../../../records/team.ts';
import type { Needs } from '../../../session/context.ts';
import { daysBetween } from '../../../time/calendar.ts';
import { computeDay, type Day } from '../../../time/day.ts';
import type { Entry } from '../../../time/entry.ts';
import type { Seen } from '../../../time/tally.ts';
import { today } from '../../../values/dates.ts';
import { together } from '../../../values/together.ts';
import { checkThere } from '../../choose-team.ts';
import { tellOfTeam } from './team-notices.ts';

/** Somebody of a team and their days. */
export interface Colleague {
  readonly member: Member;
  readonly days: readonly Day[];
  readonly leave: TeamLeave;
  readonly seen: Seen;
  /** The day of their last entry in these days: null for none, undefined where not all entries could be told apart. */
  readonly lastEntry: string | null | undefined;
  /** Today, where they are. */
  readonly today: string;
}

/**
 * Reads and works out the same days of several people, each in their own zone, and says what is not known of them. The entries are one walk,
 * whoever they belong to; absences are asked for in lists of a hundred people. Who is not active is left out, unless named.
 *
 * @throws NotFoundError for an id that is nobody's; ForbiddenError where hours may not be read.
 */
export async function lookAtTeam(
  context: Needs<'account' | 'client' | 'dates' | 'notice' | 'timeZone'>,
  question: TeamQuestion,
  range: DayRange,
): Promise<readonly Colleague[]> {
  const own = await context.dates();
  const reading = readTeam(context, question).then((all) => chosenOf(all, question), namedInstead);
  const { users } = question;
  const isEverybody = users === undefined && question.manager === undefined && question.branch === undefined;
  const entriesOf = async (ids: readonly number[] | undefined) =>
    ids?.length === 0 ? [] : Array.fromAsync(readEntries(context, { ...range, users: ids, view: 'summary', include: [], needsUser: true }));
  const leaveOf = async (ids: readonly number[]) => readTeamLeave(context, ids, await ownUserIdIfKnown(context), range);
  const onceRead = <T>(read: (ids: readonly number[]) => Promise<T>) => reading.then(({ people }) => read(people.map(({ id }) => id)));
  const [{ people, inactive }, entries, leaveIn] = await together(
    reading,
    users !== undefined || isEverybody ? entriesOf(users) : onceRead(entriesOf),
    users === undefined ? onceRead(leaveOf) : leaveOf(users),
  );
  const known = new Set([...people, ...inactive].map(({ id }) => id));
  // Whose some entries are is not known: any of these people may have more than theirs.
  const seesEntries = entries.every(({ userId }) => userId !== undefined);
  const byPerson = Map.groupBy(entries, ({ userId }) => userId);
  const names = daysBetween(range.first, range.last, own.temporal);
  const colleagues = people.map((member): Colleague => {
    const dates = { ...own, timeZone: member.timeZone };
    const leave = leaveIn(dates, member.id);
    const mine: readonly Entry[] = byPerson.get(member.id) ?? [];
    const byDay = Map.groupBy(mine, ({ date }) => date);
    const hours = member.hours.kind === 'read' ? member.hours.hours : undefined;
    const calendar = { hours, absences: leave.absences, daysOff: leave.daysOff, dates, today: today(dates) };
    const last = mine.reduce<string | null>((latest, { date }) => (latest === null || date > latest ? date : latest), null);
    return {
      member,
      days: names.map((date) => computeDay(date, byDay.get(date) ?? [], calendar)),
      leave,
      seen: { leave: leave.isComplete, entries: seesEntries },
      lastEntry: seesEntries ? last : undefined,
      today: calendar.today,
    };
  });
  await tellOfTeam(context, {
    colleagues,
    inactive,
    unassigned: entries.filter(({ userId }) => userId === undefined),
    strangers: isEverybody ? entries.filter(({ userId }) => userId !== undefined && !known.has(userId ?? 0)) : [],
  });
  return colleagues;
}

/** A team that the service does not pick out, and whose records do not show it either, can be named. */
function namedInstead(error: unknown): never {
  throw error instanceof RefusedError ? withHint(error, 'Name the people: --users <a,b>') : error;
}

/** Those who count, and those who are left out since their records say that they are not active. */
function chosenOf(all: readonly Member[], question: TeamQuestion) {
  if (question.users !== undefined) {
    checkThere(all, question);
    return { people: all, inactive: [] };
  }
  const { active = [], inactive = [] } = Object.groupBy(all, ({ record }) => (record['is_active'] === false ? 'inactive' : 'active'));
  return { people: active, inactive };
}
