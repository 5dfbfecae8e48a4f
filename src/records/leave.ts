import type { Query } from '../client/cost.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type Absence, type DayOff, isTurnedDown, readAbsence, readDayOff } from '../time/leave.ts';
import type { DateContext } from '../values/dates.ts';
import type { JsonObject } from '../values/json.ts';
import { together } from '../values/together.ts';
import { utcSeconds } from '../values/utc-seconds.ts';
import { collectRows } from './all-rows.ts';
import type { DayRange } from './entries.ts';
import { inLists } from './list-filter.ts';
import type { UserRef } from './person.ts';

/** What keeps somebody from work. */
export interface Leave {
  readonly absences: readonly Absence[];
  readonly daysOff: readonly DayOff[];
  /** Nothing of it was withheld, and none of it could be meant otherwise. */
  readonly isKnown: boolean;
  /** Nothing of it was withheld, and from when to when each is could be read; how far the last day of one goes may be open. */
  readonly isComplete: boolean;
}

/**
 * Leave as the service gave it, of which the user's zone makes days.
 *
 * @param userId whose free days count.
 */
export type LeaveIn = (dates: DateContext, userId: number | undefined) => Promise<Leave>;

/**
 * Absences, public holidays and free days in some days. What the service does not let one read counts as none, with a
 * line that says so: hours are worth seeing without it.
 *
 * What is asked for depends neither on where the user is, which only their record tells, nor on anything else that has to be asked
 * for before: absences are those of these days anywhere on earth.
 */
export async function readLeave(
  context: Needs<'client' | 'notice'>,
  user: UserRef,
  { first, last }: DayRange,
  tell: 'notices' | 'silent' = 'notices',
): Promise<LeaveIn> {
  const whose = ['filter[user_id]', String(user)] as const;
  const { begun, ending, between } = questionsOf({ first, last });
  const [ended, running, holidays, freeDays] = await together(
    readOptional(context, '/absences', [whose, begun, ending, DETAIL], 'absences'),
    readOptional(context, '/absences', [whose, begun, RUNNING, DETAIL], undefined),
    readOptional(context, '/holidays', between, 'public holidays'),
    readOptional(context, '/free-days', [...between, DETAIL], 'free days'),
  );
  return async (dates, userId) => {
    if (tell === 'notices') for (const { missing } of [ended, running, holidays, freeDays]) if (missing) await context.notice(missing);
    const seen = [ended, running].map((page) => (page.ofAll ? { ...page, rows: page.rows.filter(isOf(userId)) } : page));
    const leave = leaveOf(seen, [holidays, freeDays], { first, last }, dates, userId);
    if (leave.unreadable > 0)
      await context.notice(`Without ${leave.unreadable} of the absences: svc cannot read from when to when they are.`);
    if (tell === 'notices') for (const { date, counted } of leave.open) await context.notice(openDayWords(date, counted));
    return leave;
  };
}

/** The leave of one of several people, in their own zone. */
export type TeamLeaveIn = (dates: DateContext, userId: number) => TeamLeave;

export interface TeamLeave extends Leave {
  /** Whether their absences may be seen; else there are none here, whatever they have. */
  readonly shown: boolean;
  /** The same of public holidays and free days. */
  readonly daysOffShown: boolean;
  /** The absences with the records that say so. */
  readonly found: readonly FoundAbsence[];
  /** How many absences svc cannot read from when to when they are. */
  readonly unreadable: number;
  /** Days that the records leave open, and whether they are counted here (rule 18.34). */
  readonly open: readonly OpenDay[];
}

export interface FoundAbsence {
  readonly record: JsonObject;
  readonly absence: Absence;
}

type OpenDay = NonNullable<Absence['openDay']>;

/**
 * The same for several people at once: their absences in lists of a hundred ids, public holidays and free days once. Naming somebody else
 * takes `absences::manage` (rule 9.27); without it only one's own absences are known, and a line names the permission.
 *
 * @param ownId whose absences may be seen in any case.
 */
export async function readTeamLeave(
  context: Needs<'client' | 'notice'>,
  ids: readonly number[],
  ownId: number | undefined,
  range: DayRange,
): Promise<TeamLeaveIn> {
  const { begun, ending, between } = questionsOf(range);
  const lists = inLists(ids);
  const absencesOf = async (whose: Query[number]) =>
    together(
      readOptional(context, '/absences', [whose, begun, ending, DETAIL], 'absences'),
      readOptional(context, '/absences', [whose, begun, RUNNING, DETAIL], undefined),
    );
  const [pages, holidays, freeDays] = await together(
    Promise.all(lists.map((list) => absencesOf(['filter[user_id][in]', list.join(',')]))),
    readOptional(context, '/holidays', between, 'public holidays'),
    readOptional(context, '/free-days', [...between, DETAIL], 'free days'),
  );
  // Where the service does not pick out people, each answer is everybody's.
  const all = pages.flat().some(({ ofAll }) => ofAll) ? (pages[0] ?? []) : pages.flat();
  const refused = all.find(({ missing }) => missing !== undefined);
  const isWithheld = all.some(({ withheld }) => withheld);
  const own = isWithheld && ownId !== undefined && ids.includes(ownId) ? await absencesOf(['filter[user_id]', String(ownId)]) : [];
  for (const { missing } of [...(refused === undefined ? [] : [refused]), holidays, freeDays]) if (missing) await context.notice(missing);
  return (dates, userId) => {
    const isOwn = userId === ownId;
    const seen = isWithheld ? (isOwn ? own : []) : all;
    const whose = seen.map((page) => ({ ...page, rows: page.rows.filter((record) => record['user_id'] === userId) }));
    const shown = !isWithheld || (isOwn && own.every(({ withheld }) => !withheld));
    const leave = leaveOf(whose, [holidays, freeDays], range, dates, userId);
    const daysOffShown = areShown(holidays, freeDays);
    return { ...leave, shown, daysOffShown, isKnown: leave.isKnown && shown, isComplete: leave.isComplete && shown };
  };
}

/** The leave of everybody whose absences one may see. */
export interface EverybodysLeave {
  /** Who has absences in these days, turned down ones left out, lowest id first. */
  readonly ids: readonly number[];
  readonly leaveIn: TeamLeaveIn;
}

/** Everybody's absences in some days as far as one may see them, with public holidays and free days. */
export async function readEverybodysLeave(context: Needs<'client' | 'notice'>, range: DayRange): Promise<EverybodysLeave> {
  const { begun, ending, between } = questionsOf(range);
  const [ended, running, holidays, freeDays] = await together(
    readOptional(context, '/absences', [begun, ending, DETAIL], 'absences'),
    readOptional(context, '/absences', [begun, RUNNING, DETAIL], undefined),
    readOptional(context, '/holidays', between, 'public holidays'),
    readOptional(context, '/free-days', [...between, DETAIL], 'free days'),
  );
  for (const { missing } of [ended, holidays, freeDays]) if (missing) await context.notice(missing);
  const pages = [ended, running];
  const whoIn = pages.flatMap(({ rows }) => rows).filter((record) => !isTurnedDown(record));
  const ids = [...new Set(whoIn.flatMap(({ user_id: id }) => (typeof id === 'number' ? [id] : [])))].sort((one, other) => one - other);
  return {
    ids,
    leaveIn: (dates, userId) => {
      const whose = pages.map((page) => ({ ...page, rows: page.rows.filter((record) => record['user_id'] === userId) }));
      return { ...leaveOf(whose, [holidays, freeDays], range, dates, userId), shown: true, daysOffShown: areShown(holidays, freeDays) };
    },
  };
}

function areShown(...read: readonly Optional[]): boolean {
  return !read.some(({ withheld }) => withheld);
}

const RUNNING = ['filter[end][null]', 'true'] as const;

function questionsOf({ first, last }: DayRange) {
  const between: Query = [
    ['filter[date][gte]', first],
    ['filter[date][lte]', last],
  ];
  return {
    begun: ['filter[start][lte]', lastMoment(last)] as const,
    ending: ['filter[end][gte]', firstMoment(first)] as const,
    between,
  };
}

function leaveOf(
  seen: readonly Optional[],
  [holidays, freeDays]: readonly [Optional, Optional],
  { first, last }: DayRange,
  dates: DateContext,
  userId: number | undefined,
) {
  const inside = ({ date }: Pick<DayOff, 'date'>) => date >= first && date <= last;
  const own = seen.flatMap(({ rows }) => rows).filter((record) => !isTurnedDown(record));
  const found = own.flatMap((record) => {
    const absence = readAbsence(record, dates);
    return absence === undefined ? [] : [{ record, absence }];
  });
  const absences = found.map(({ absence }) => absence);
  const open = absences.flatMap(({ openDay }) => (openDay !== undefined && inside(openDay) ? [openDay] : []));
  const unreadable = own.length - absences.length;
  const isWithheld = [...seen, holidays, freeDays].some(({ withheld }) => withheld);
  return {
    isKnown: !isWithheld && unreadable === 0 && open.length === 0,
    isComplete: !isWithheld && unreadable === 0,
    absences,
    found,
    daysOff: [
      ...holidays.rows.flatMap((record) => readDayOff(record, 'holiday', userId) ?? []),
      ...freeDays.rows.flatMap((record) => readDayOff(record, 'free day', userId) ?? []),
    ].filter(inside),
    unreadable,
    open,
  };
}

const HOUR = 60 * 60_000;

/** When a day begins where it begins first, 14 hours ahead of UTC. */
function firstMoment(day: string): string {
  return utcSeconds(Date.parse(`${day}T00:00:00Z`) - 14 * HOUR);
}

/** The last second of a day where it ends last, 12 hours behind UTC. */
function lastMoment(day: string): string {
  return utcSeconds(Date.parse(`${day}T23:59:59Z`) + 12 * HOUR);
}

function openDayWords(date: string, counted: boolean): string {
  return `An absence ends with ${date}, and whether that day is one of it is not known; it is ${counted ? '' : 'not '}counted.`;
}

function isOf(userId: number | undefined): (record: JsonObject) => boolean {
  return (record) => userId !== undefined && record['user_id'] === userId;
}

/** Which fields a summary has is not sure (rule 18.23): whose a free day is, how an absence ends. */
const DETAIL = ['view', 'detail'] as const;

/** The rows of a collection, or a line that says why there are none. */
interface Optional {
  readonly rows: readonly JsonObject[];
  readonly missing?: string | undefined;
  /** There may be some, and this user may not see them. */
  readonly withheld?: boolean;
  /** Those of one user were asked for, and these are all that may be seen. */
  readonly ofAll?: boolean;
}

/** A collection that may be switched off here (404) or closed to this user (403); `what` names it in the line that says so. */
async function readOptional(context: Needs<'client'>, path: string, query: Query, what: string | undefined): Promise<Optional> {
  try {
    const assumed = path === '/absences' ? [] : query.flatMap(([name]) => (name.startsWith('filter[') ? [name] : []));
    return { rows: await collectRows(context, path, query, { assumed }) };
  } catch (error) {
    // The filters of holidays and free days are not documented; without them everything comes, and is looked through here.
    if (error instanceof RefusedError && path !== '/absences') return { rows: await collectRows(context, path, [DETAIL]) };
    // An organisation may have absences without this filter (its own description says so).
    const rest = query.filter(([name]) => !name.startsWith('filter[user_id]'));
    if (error instanceof RefusedError && rest.length < query.length && error.details.type === 'unsupported-parameter')
      return { rows: await collectRows(context, path, rest), ofAll: true };
    if (!(error instanceof NotFoundError) && !(error instanceof ForbiddenError)) throw error;
    return { rows: [], missing: what && `Without ${what}: ${error.message}`, withheld: error instanceof ForbiddenError };
  }
}
