import { ForbiddenError, NotFoundError } from '../../errors.ts';
import { keptNames, type Naming } from '../../records/kept-names.ts';
import { type FoundAbsence, readEverybodysLeave, readTeamLeave, type TeamLeave, type TeamLeaveIn } from '../../records/leave.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import { type Person, readPerson } from '../../records/person.ts';
import { type Member, readTeam, type TeamQuestion } from '../../records/team.ts';
import type { Needs } from '../../session/context.ts';
import type { DaySpan } from '../../time/day-span.ts';
import { compareTexts } from '../../values/compare.ts';
import type { DateContext } from '../../values/dates.ts';
import { scalarText } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { checkThere } from '../choose-team.ts';

/** What it takes to see several people's leave. */
export type SeeingLeave = 'account' | 'client' | 'dates' | 'notice' | 'timeZone' | Naming;

/** Somebody, and their leave in some days of their own zone. */
export interface PersonLeave {
  readonly id: number;
  /** Undefined where nothing tells it. */
  readonly name: string | undefined;
  readonly person: Pick<Person, 'timeZone' | 'timeZoneAssumed' | 'hours'>;
  readonly dates: DateContext;
  readonly leave: TeamLeave;
  /** Each absence once, by its beginning. */
  readonly absences: readonly FoundAbsence[];
}

/**
 * People with their leave, by name: those who were asked for, else whoever has an absence in these days that one may see. What is not known
 * of them is told.
 */
export async function readPeopleLeave(
  context: Needs<SeeingLeave>,
  question: TeamQuestion | undefined,
  span: DaySpan,
): Promise<readonly PersonLeave[]> {
  const own = await context.dates();
  const { people, leaveIn } = question === undefined ? await everybody(context, span) : await chosen(context, question, span);
  const zoneless = people.filter(({ person }) => person.timeZoneAssumed);
  if (zoneless.length > 0) await context.notice(`No time zone is known of ${namesOfPeople(zoneless)}; ${own.timeZone} is assumed.`);
  const all = people.map(({ id, name, person }): PersonLeave => {
    const dates = { ...own, timeZone: person.timeZone };
    const leave = leaveIn(dates, id);
    // One that ended between two questions is in both answers.
    const once = new Map(leave.found.map((one) => [one.record['id'], one]));
    return { id, name, person, dates, leave, absences: [...once.values()].sort((one, other) => one.absence.start - other.absence.start) };
  });
  const unreadable = all.filter(({ leave }) => leave.unreadable > 0);
  if (unreadable.length > 0)
    await context.notice(`Without some absences of ${namesOfPeople(unreadable)}: svc cannot read from when to when they are.`);
  return all;
}

/** `Mira Jansen, User 7 and 3 more`. */
export function namesOfPeople(people: readonly Pick<PersonLeave, 'id' | 'name'>[]): string {
  const names = people.slice(0, MOST_NAMES).map(nameOf);
  const more = people.length - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
}

/** What somebody is called, also where no name is known. */
export function nameOf({ id, name }: Pick<PersonLeave, 'id' | 'name'>): string {
  return name ?? `User ${id}`;
}

const MOST_NAMES = 5;

type Somebody = Pick<PersonLeave, 'id' | 'name' | 'person'>;

interface Found {
  readonly people: readonly Somebody[];
  readonly leaveIn: TeamLeaveIn;
}

async function chosen(context: Needs<SeeingLeave>, question: TeamQuestion, span: DaySpan): Promise<Found> {
  const ownId = await ownUserIdIfKnown(context);
  const { users, manager, branch } = question;
  if (ownId !== undefined && users?.every((id) => id === ownId) && manager === undefined && branch === undefined) {
    // Whoever may see no other user may see this one.
    const [me, leaveIn] = await together(readPerson(context, 'me'), readTeamLeave(context, [ownId], ownId, span));
    return { people: [{ id: ownId, name: me.name, person: me }], leaveIn };
  }
  const members = await readTeam(context, question);
  checkThere(members, question);
  const ids = members.map(({ id }) => id);
  return { people: members.map(somebody), leaveIn: await readTeamLeave(context, ids, ownId, span) };
}

async function everybody(context: Needs<SeeingLeave>, span: DaySpan): Promise<Found> {
  const { ids, leaveIn } = await readEverybodysLeave(context, span);
  if (ids.length === 0) return { people: [], leaveIn };
  const [members, kept] = await together(membersIfShown(context, ids), keptNames(context, ['users']));
  const known = new Map(members.map((member) => [member.id, somebody(member)]));
  const names = kept.get('users');
  const unknown = { timeZone: await context.timeZone(), timeZoneAssumed: true, hours: { kind: 'absent' } } as const;
  const people = ids.map((id): Somebody => known.get(id) ?? { id, name: names?.get(String(id)), person: unknown });
  return { people: people.sort((one, other) => compareTexts(nameOf(one), nameOf(other)) || one.id - other.id), leaveIn };
}

/** Whoever may not see users may still see absences. */
async function membersIfShown(context: Needs<'client' | 'notice' | 'timeZone'>, ids: readonly number[]): Promise<readonly Member[]> {
  try {
    return await readTeam(context, { users: ids });
  } catch (error) {
    if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError)) throw error;
    await context.notice(`Without names, time zones and working hours: ${error.message}`);
    return [];
  }
}

function somebody(member: Member): Somebody {
  return { id: member.id, name: scalarText(member.record['name']) || undefined, person: member };
}
