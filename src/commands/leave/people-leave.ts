import { ForbiddenError, NotFoundError } from '../../errors.ts';
import { cachedNames, type Naming } from '../../records/cached-names.ts';
import { readEverybodysLeave, readTeamLeave, type TeamLeaveIn } from '../../records/leave.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import { type Member, type Person, readPerson, readTeam, type TeamQuery } from '../../records/people.ts';
import type { Needs } from '../../session/context.ts';
import { monthName } from '../../time/calendar.ts';
import type { DateRange } from '../../time/date-range.ts';
import type { DateContext } from '../../values/dates.ts';
import { scalarText } from '../../values/json.ts';
import { compareTexts } from '../../values/text.ts';
import { together } from '../../values/together.ts';
import { checkThere } from '../choose-team.ts';

export type ReadingLeave = 'account' | 'client' | 'dates' | 'notice' | 'noticeToday' | 'timeZone' | Naming;

export type PersonLeave = Awaited<ReturnType<typeof readPeopleLeave>>[number];

/** The chosen people, or the people with these ids. An id also counts if you have no permission to see the person. */
export type Whom = TeamQuery | { readonly ids: readonly number[] };

/**
 * Reads the absences and working hours of people.
 *
 * @param whom Default: everybody with a visible absence on these days.
 */
export async function readPeopleLeave(context: Needs<ReadingLeave>, whom: Whom | undefined, range: DateRange) {
  const own = await context.dates();
  const { people, leaveIn } = await (whom === undefined
    ? everybody(context, range)
    : 'ids' in whom
      ? withIds(context, whom.ids, range)
      : chosen(context, whom, range));
  const zoneless = people.filter(({ person }) => person.timeZoneAssumed);
  if (zoneless.length > 0) await context.notice(`svc does not know the time zone of ${namesOfPeople(zoneless)}, and uses ${own.timeZone}.`);
  const all = people.map(({ id, name, person }) => {
    const dates = { ...own, timeZone: person.timeZone };
    const leave = leaveIn(dates, id);
    // Two requests can return the same absence, so svc removes duplicates.
    const once = new Map(leave.found.map((one) => [one.record['id'], one]));
    const absences = [...once.values()].sort((one, other) => one.absence.start - other.absence.start);
    return { id, name, person, dates, leave, absences };
  });
  const unreadable = all.filter(({ leave }) => leave.unreadable > 0);
  if (unreadable.length > 0)
    await context.notice(`svc leaves out some absences of ${namesOfPeople(unreadable)}, because svc cannot read the start or the end.`);
  return all;
}

/** Lists names for a sentence: `Mira Jansen, User 7 and 3 more`. */
export function namesOfPeople(people: readonly Pick<Somebody, 'id' | 'name'>[]): string {
  const names = people.slice(0, MOST_NAMES).map(nameOf);
  const more = people.length - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
}

export function nameOf({ id, name }: Pick<Somebody, 'id' | 'name'>): string {
  return name ?? `User ${id}`;
}

const MOST_NAMES = 5;

/** Describes a date range for a sentence: `in December 2026`, `in 2026`, `on 2026-12-07`, `from 2026-12-07 to 2026-12-11`. */
export function rangeText({ first, last }: DateRange, { temporal }: Pick<DateContext, 'temporal'>): string {
  if (first === last) return `on ${first}`;
  const { day, daysInMonth, year } = temporal.PlainDate.from(last);
  const isWhole = first.endsWith('-01') && day === daysInMonth;
  if (isWhole && first.slice(0, 7) === last.slice(0, 7)) return `in ${monthName(first)}`;
  return first === `${year}-01-01` && last === `${year}-12-31` ? `in ${year}` : `from ${first} to ${last}`;
}

interface Somebody {
  readonly id: number;
  /** The name of the person. Undefined if svc cannot see the name. */
  readonly name: string | undefined;
  readonly person: Pick<Person, 'timeZone' | 'timeZoneAssumed' | 'hours' | 'isActive'>;
}

interface Found {
  readonly people: readonly Somebody[];
  readonly leaveIn: TeamLeaveIn;
}

async function chosen(context: Needs<ReadingLeave>, query: TeamQuery, range: DateRange): Promise<Found> {
  const ownId = await ownUserIdIfKnown(context);
  const { users, manager, branch } = query;
  if (ownId !== undefined && users?.every((id) => id === ownId) && manager === undefined && branch === undefined) {
    // Everyone can read their own record, even without permission to see other users.
    const [me, leaveIn] = await together(readPerson(context, 'me'), readTeamLeave(context, [ownId], ownId, range));
    return { people: [{ id: ownId, name: me.name, person: me }], leaveIn };
  }
  const members = await readTeam(context, query);
  checkThere(members, query);
  const ids = members.map(({ id }) => id);
  return { people: members.map(somebody), leaveIn: await readTeamLeave(context, ids, ownId, range) };
}

async function everybody(context: Needs<ReadingLeave>, range: DateRange): Promise<Found> {
  const { ids, leaveIn } = await readEverybodysLeave(context, range);
  return { people: await peopleWithIds(context, ids), leaveIn };
}

async function withIds(context: Needs<ReadingLeave>, ids: readonly number[], range: DateRange): Promise<Found> {
  const own = ownUserIdIfKnown(context);
  const [people, leaveIn] = await together(
    peopleWithIds(context, ids),
    own.then((ownId) => readTeamLeave(context, ids, ownId, range)),
  );
  return { people, leaveIn };
}

async function peopleWithIds(context: Needs<ReadingLeave>, ids: readonly number[]): Promise<readonly Somebody[]> {
  if (ids.length === 0) return [];
  const [members, cached] = await together(membersIfShown(context, ids), cachedNames(context, ['users']));
  const known = new Map(members.map((member) => [member.id, somebody(member)]));
  const names = cached.get('users');
  const unknown = { timeZone: await context.timeZone(), timeZoneAssumed: true, hours: { kind: 'absent' }, isActive: undefined } as const;
  const people = ids.map((id): Somebody => known.get(id) ?? { id, name: names?.get(String(id)), person: unknown });
  return people.sort((one, other) => compareTexts(nameOf(one), nameOf(other)) || one.id - other.id);
}

/** Returns the visible people with these ids. Without permission to see users, svc prints a notice and returns no people. */
async function membersIfShown(context: Needs<'client' | 'notice' | 'timeZone'>, ids: readonly number[]): Promise<readonly Member[]> {
  try {
    return await readTeam(context, { users: ids });
  } catch (error) {
    if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError)) throw error;
    await context.notice(`svc shows no names, and uses no time zones and working hours of these people: ${error.message}`);
    return [];
  }
}

function somebody(member: Member): Somebody {
  return { id: member.id, name: scalarText(member.record['name']) || undefined, person: member };
}
