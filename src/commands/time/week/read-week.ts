import { RefusedError, withHint } from '../../../errors.ts';
import { readEntries } from '../../../records/entries.ts';
import { readLeave, readTeamLeave } from '../../../records/leave.ts';
import { ownUserIdIfKnown } from '../../../records/me.ts';
import { type Member, type Person, readPerson, readTeam, type TeamQuery, type UserRef } from '../../../records/people.ts';
import type { Needs } from '../../../session/context.ts';
import { daysBetween } from '../../../time/calendar.ts';
import { type DateRange, rangeOf } from '../../../time/date-range.ts';
import { computeDay, type Day } from '../../../time/day.ts';
import { type Entry, minutesIn } from '../../../time/entry.ts';
import type { StepRecord } from '../../../time/figure-step.ts';
import { gridRows } from '../../../time/grid.ts';
import { knownHours } from '../../../time/read-working-hours.ts';
import { describeHours, evenWeek, type WorkingHours } from '../../../time/working-hours.ts';
import { today } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import { counted } from '../../../values/text.ts';
import { together } from '../../../values/together.ts';
import { checkThere } from '../../choose-team.ts';

export type WorkedOutDays = Awaited<ReturnType<typeof readDaysOf>>;

interface DaysOptions {
  /** The minutes to work on each working day. Default: the working hours in the user’s record. */
  readonly target?: number | undefined;
  /** False to leave out the project and work item of each entry. Each relation costs one rate-limit unit for a page. Default: true. */
  readonly relations?: false;
  /** True to read whether each entry is billable, for three rate-limit units a page. */
  readonly kinds?: boolean;
}

export async function readDaysOf(
  context: Needs<'account' | 'client' | 'dates' | 'notice' | 'noticeToday' | 'timeZone'>,
  user: UserRef,
  range: DateRange,
  { target, relations, kinds = false }: DaysOptions = {},
) {
  const own = await context.dates();
  const id = user === 'me' ? (await context.account())?.user_id : user;
  const include = relations === false ? [] : ['project', 'work_item'];
  const entriesOf = (whose: UserRef) => Array.fromAsync(readEntries(context, { ...range, user: whose, view: viewFor(kinds), include }));
  const reading = readPerson(context, user);
  const [person, entries, leaveIn] = await together(
    reading,
    // If your user id is unknown, svc first reads your user record.
    id === undefined ? reading.then((me) => entriesOf(me.id ?? 'me')) : entriesOf(id),
    readLeave(context, id ?? user, range),
  );
  const dates = { ...own, timeZone: person.timeZone };
  const { absences, daysOff, isComplete } = await leaveIn(dates, person.id ?? id);
  const hours = target === undefined ? await hoursOf(context, person) : evenWeek(target);
  const hoursFrom = target === undefined ? personRecord(person, user) : undefined;
  const calendar = { hours, hoursFrom, absences, daysOff, dates, today: today(dates) };
  const dayNames = daysBetween(range.first, range.last, own.temporal);
  return {
    person,
    user,
    dates,
    entries,
    /** True if svc could see all leave on these days. Otherwise svc prints a notice and ignores hidden leave. */
    leaveIsComplete: isComplete,
    days: dayNames.map((date) => computeDay(date, entries, calendar)),
    rows: gridRows(entries, dayNames),
  };
}

/** Returns the record of a person for a step. Everyone can read `/me`, even without permission to see users. */
function personRecord({ id, name }: Person, user: UserRef | undefined): StepRecord {
  return user === 'me' ? { noun: 'me', id, name } : { noun: 'users', id: id ?? user, name };
}

/** Returns the view of a query. A summary view need not show whether hours are billable (rule 18.23). */
function viewFor(kinds: boolean) {
  return kinds ? 'detail' : 'summary';
}

async function hoursOf(context: Needs<'notice' | 'noticeToday'>, { name, hours }: Person): Promise<WorkingHours | undefined> {
  if (hours.kind === 'read') {
    if (hours.chosen)
      await context.notice(`svc reads the working hours of ${name} as ${describeHours(hours.hours)}. To set other hours: --target`);
    return hours.hours;
  }
  const why = {
    none: `The record of ${name} has no working hours`,
    absent: `The record of ${name} does not show working hours`,
    unreadable: `svc cannot read the working hours of ${name}: ${hours.kind === 'unreadable' ? hours.shown : ''}`,
  };
  await context.notice(`${why[hours.kind]}, so svc does not know which hours are missing. Set the working hours with --target.`);
  return undefined;
}

export function dayNotes({ daysOff, absences }: Pick<Day, 'daysOff' | 'absences'>): string[] {
  return [
    ...daysOff.map(({ name, kind }) => `${name} (${kind})`),
    ...absences.map(
      ({ label, from, until }) =>
        `Absent${from === undefined ? '' : ` from ${from}`}${until === undefined ? '' : ` until ${until}`} (${label})`,
    ),
  ];
}

export type Colleague = Awaited<ReturnType<typeof readTeamDays>>[number];

/**
 * Reads the days of a team. svc leaves out inactive people, except people that the user named. Each request for absences covers up to a
 * hundred people.
 */
export async function readTeamDays(
  context: Needs<'account' | 'client' | 'dates' | 'notice' | 'noticeToday' | 'timeZone'>,
  query: TeamQuery,
  range: DateRange,
  { kinds = false }: Pick<DaysOptions, 'kinds'> = {},
) {
  const own = await context.dates();
  const reading = readTeam(context, query).then((all) => withoutInactive(all, query), withUsersHint);
  const { users } = query;
  const isEverybody = users === undefined && query.manager === undefined && query.branch === undefined;
  const entriesOf = async (ids: readonly number[] | undefined) =>
    ids?.length === 0
      ? []
      : Array.fromAsync(readEntries(context, { ...range, users: ids, view: viewFor(kinds), include: [], needsUser: true }));
  const leaveOf = async (ids: readonly number[]) => readTeamLeave(context, ids, await ownUserIdIfKnown(context), range);
  const onceRead = <T>(read: (ids: readonly number[]) => Promise<T>) => reading.then(({ people }) => read(people.map(({ id }) => id)));
  const [{ people, inactive }, entries, leaveIn] = await together(
    reading,
    users !== undefined || isEverybody ? entriesOf(users) : onceRead(entriesOf),
    users === undefined ? onceRead(leaveOf) : leaveOf(users),
  );
  const known = new Set([...people, ...inactive].map(({ id }) => id));
  // An entry without a visible user can belong to any of these people.
  const seesEntries = entries.every(({ userId }) => userId !== undefined);
  const byPerson = Map.groupBy(entries, ({ userId }) => userId);
  const names = daysBetween(range.first, range.last, own.temporal);
  const colleagues = people.map((member) => {
    const dates = { ...own, timeZone: member.timeZone };
    const leave = leaveIn(dates, member.id);
    const mine: readonly Entry[] = byPerson.get(member.id) ?? [];
    const byDay = Map.groupBy(mine, ({ date }) => date);
    const hours = knownHours(member.hours);
    const hoursFrom = personRecord(member, undefined);
    const calendar = { hours, hoursFrom, absences: leave.absences, daysOff: leave.daysOff, dates, today: today(dates) };
    const last = mine.length === 0 ? null : rangeOf(mine.map(({ date }) => date)).last;
    return {
      member,
      days: names.map((date) => computeDay(date, byDay.get(date) ?? [], calendar)),
      entries: mine,
      leave,
      seen: { leave: leave.isComplete, entries: seesEntries },
      /** The date of the last entry on these days. Unknown if some entries do not show their user. */
      lastEntry: seesEntries ? last : undefined,
      today: calendar.today,
    };
  });
  await reportUnknown(context, colleagues, inactive);
  const unassigned = entries.filter(({ userId }) => userId === undefined);
  if (unassigned.length > 0)
    await context.notice(`The service does not show the user of ${timeOf(unassigned)}, so svc does not know all hours of each person.`);
  const strangers = isEverybody ? entries.filter(({ userId }) => userId !== undefined && !known.has(userId ?? 0)) : [];
  if (strangers.length > 0) await context.notice(`svc leaves out ${timeOf(strangers)} of users that svc cannot see.`);
  return colleagues;
}

function withUsersHint(error: unknown): never {
  throw error instanceof RefusedError ? withHint(error, 'Name the people: --users <a,b>') : error;
}

function withoutInactive(all: readonly Member[], query: TeamQuery) {
  if (query.users !== undefined) {
    checkThere(all, query);
    return { people: all, inactive: [] };
  }
  const { active = [], inactive = [] } = Object.groupBy(all, ({ isActive }) => (isActive === false ? 'inactive' : 'active'));
  return { people: active, inactive };
}

async function reportUnknown(
  context: Needs<'notice' | 'noticeToday'>,
  colleagues: readonly Colleague[],
  inactive: readonly Member[],
): Promise<void> {
  const lessMissing = 'so fewer hours may be missing.';
  const withoutZone = colleagues.filter(({ member }) => member.timeZoneAssumed).map(({ member }) => member);
  const reasons: readonly [is: (colleague: Colleague) => boolean, line: (names: string) => string][] = [
    [
      ({ member }) => member.hours.kind !== 'read',
      (names) => `svc knows neither the working hours nor the missing hours of ${names}. See why: svc week --user <name>`,
    ],
    [
      ({ member }) => member.hours.kind === 'read' && member.hours.chosen,
      (names) => `The working hours of ${names} are not clear. See how svc reads them: svc week --user <name>`,
    ],
    [
      ({ leave }) => !leave.shown,
      (names) => `svc cannot see the absences of ${names} (to see absences of others, you need absences::manage), ${lessMissing}`,
    ],
    [({ leave }) => leave.shown && leave.unreadable > 0, (names) => `svc cannot read some absences of ${names}, ${lessMissing}`],
    [
      ({ leave }) => leave.open.length > 0,
      (names) => `The last day of some absences of ${names} is not certain. See which: svc week --user <name>`,
    ],
  ];
  if (inactive.length > 0) await context.notice(`svc leaves out people who are not active: ${namesOf(inactive)}.`);
  for (const [is, line] of reasons) {
    const some = colleagues.filter(is).map(({ member }) => member);
    if (some.length > 0) await context.notice(line(namesOf(some)));
  }
  if (withoutZone.length > 0)
    await context.noticeToday(`The records of ${namesOf(withoutZone)} name no time zone. svc assumes ${withoutZone[0]?.timeZone}.`);
}

const MOST_NAMES = 12;

function namesOf(members: readonly Member[]): string {
  const names = members.slice(0, MOST_NAMES).map(({ name }) => name);
  const rest = members.length - names.length;
  if (rest > 0) names.push(`${rest} more`);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

function timeOf(entries: readonly Entry[]): string {
  return `${counted(entries.length, 'entry', 'entries')} (${formatDuration(minutesIn(entries))})`;
}
