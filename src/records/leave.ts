import { refusedIn } from '../client/assumed.ts';
import type { Query } from '../client/cost.ts';
import { ForbiddenError, NotFoundError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { DateRange } from '../time/date-range.ts';
import { type Absence, type DayOff, isTurnedDown, readAbsence, readDayOff } from '../time/leave.ts';
import type { DateContext } from '../values/dates.ts';
import type { JsonObject } from '../values/json.ts';
import { utcSeconds } from '../values/temporal.ts';
import { together } from '../values/together.ts';
import { absenceRows } from './absences.ts';
import { collectRows, DETAIL } from './all-rows.ts';
import { inLists } from './list-filter.ts';
import type { UserRef } from './people.ts';

export interface Leave {
  readonly absences: readonly Absence[];
  readonly daysOff: readonly DayOff[];
  /** True if svc could read all leave with every start and end, and knows the last day of each absence. */
  readonly isKnown: boolean;
  /** True if svc could read all leave with every start and end. The last day of an absence may still be uncertain. */
  readonly isComplete: boolean;
}

/**
 * Reads the leave of a date range. If the service refuses the leave, a notice reports the refusal, and svc shows the hours without leave.
 * The requests cover the days in every time zone on earth. svc can therefore send the requests before knowing the user’s time zone. With
 * `silent`, svc prints no notices about missing leave and uncertain days.
 * @returns a function that returns the leave as days in the user’s time zone. Its `userId` is the user whose free days count.
 */
export async function readLeave(
  context: Needs<'client' | 'notice' | 'noticeToday'>,
  user: UserRef,
  { first, last }: DateRange,
  tell: 'notices' | 'silent' = 'notices',
): Promise<(dates: DateContext, userId: number | undefined) => Promise<Leave>> {
  const { absencesOf, daysOff } = queriesOf(context, { first, last });
  const [absences, [holidays, freeDays]] = await together(absencesOf(['filter[user_id]', String(user)]), daysOff());
  return async (dates, userId) => {
    if (tell === 'notices') await reportMissing(context, [...absences, holidays, freeDays]);
    const seen = absences.map((page) =>
      page.ofAll ? { ...page, rows: page.rows.filter((record) => userId !== undefined && record['user_id'] === userId) } : page,
    );
    const leave = leaveOf(seen, [holidays, freeDays], { first, last }, dates, userId);
    if (leave.unreadable > 0)
      await context.notice(`svc leaves out ${leave.unreadable} of the absences, because svc cannot read their start or end.`);
    if (tell === 'notices')
      for (const { date, counted } of leave.open)
        await context.notice(
          `svc does not know whether an absence includes its last day, ${date}. svc ${counted ? 'counts' : 'does not count'} that day.`,
        );
    return leave;
  };
}

export type TeamLeaveIn = (dates: DateContext, userId: number) => TeamLeave;

/** `shown`: true if the user can see the absences. If false, the list of absences is empty, even if absences exist. */
export type TeamLeave = ReturnType<typeof leaveOf> & { readonly shown: boolean };

export interface FoundAbsence {
  readonly record: JsonObject;
  readonly absence: Absence;
}

/**
 * Reads the leave of a team. The absences of other users need `absences::manage` (rule 9.27). Without that permission, only the absences of
 * `ownId` are known.
 */
export async function readTeamLeave(
  context: Needs<'client' | 'notice' | 'noticeToday'>,
  ids: readonly number[],
  ownId: number | undefined,
  range: DateRange,
): Promise<TeamLeaveIn> {
  const { absencesOf, daysOff } = queriesOf(context, range);
  const [pages, [holidays, freeDays]] = await together(
    Promise.all(inLists(ids).map((list) => absencesOf(['filter[user_id][in]', list.join(',')]))),
    daysOff(),
  );
  // If the service does not filter by user, each answer contains all absences.
  const all = pages.flat().some(({ ofAll }) => ofAll) ? (pages[0] ?? []) : pages.flat();
  const refused = all.find(({ missing }) => missing !== undefined);
  const isWithheld = all.some(({ withheld }) => withheld);
  const own = isWithheld && ownId !== undefined && ids.includes(ownId) ? await absencesOf(['filter[user_id]', String(ownId)]) : [];
  await reportMissing(context, [...(refused === undefined ? [] : [refused]), holidays, freeDays]);
  return (dates, userId) => {
    const isOwn = userId === ownId;
    const seen = isWithheld ? (isOwn ? own : []) : all;
    const whose = seen.map((page) => ({ ...page, rows: page.rows.filter((record) => record['user_id'] === userId) }));
    const shown = !isWithheld || (isOwn && own.every(({ withheld }) => !withheld));
    const leave = leaveOf(whose, [holidays, freeDays], range, dates, userId);
    return { ...leave, shown, isKnown: leave.isKnown && shown, isComplete: leave.isComplete && shown };
  };
}

export async function readEverybodysLeave(context: Needs<'client' | 'notice' | 'noticeToday'>, range: DateRange) {
  const { absencesOf, daysOff } = queriesOf(context, range);
  const [pages, [holidays, freeDays]] = await together(absencesOf(), daysOff());
  await reportMissing(context, [pages[0], holidays, freeDays]);
  const whoIn = pages.flatMap(({ rows }) => rows).filter((record) => !isTurnedDown(record));
  const ids = [...new Set(whoIn.flatMap(({ user_id: id }) => (typeof id === 'number' ? [id] : [])))].sort((one, other) => one - other);
  return {
    ids,
    leaveIn: (dates: DateContext, userId: number): TeamLeave => {
      const whose = pages.map((page) => ({ ...page, rows: page.rows.filter((record) => record['user_id'] === userId) }));
      return { ...leaveOf(whose, [holidays, freeDays], range, dates, userId), shown: true };
    },
  };
}

function queriesOf(context: Needs<'client'>, { first, last }: DateRange) {
  const search = { latest: lastTimestamp(last), earliest: firstTimestamp(first) };
  const between: Query = [
    ['filter[date][gte]', first],
    ['filter[date][lte]', last],
  ];
  return {
    absencesOf: async (...whose: Query) =>
      together(
        optional('absences', () => absenceRows(context, { ...search, whose, which: 'ending' })),
        optional(undefined, () => absenceRows(context, { ...search, whose, which: 'running' })),
      ),
    daysOff: async () =>
      together(
        optional('public holidays', () => dayOffRows(context, '/holidays', between, [])),
        optional('free days', () => dayOffRows(context, '/free-days', between, DETAIL)),
      ),
  };
}

function leaveOf(
  seen: readonly Optional[],
  [holidays, freeDays]: readonly [Optional, Optional],
  { first, last }: DateRange,
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
    daysOffShown: !holidays.withheld && !freeDays.withheld,
    isKnown: !isWithheld && unreadable === 0 && open.length === 0,
    isComplete: !isWithheld && unreadable === 0,
    absences,
    found,
    daysOff: [
      ...holidays.rows.flatMap((record) => readDayOff(record, 'holiday', userId) ?? []),
      ...freeDays.rows.flatMap((record) => readDayOff(record, 'free day', userId) ?? []),
    ].filter(inside),
    unreadable,
    /** The days that the records leave uncertain (rule 18.34). `counted` is true if svc counts the day. */
    open,
  };
}

const HOUR = 60 * 60_000;

/** Returns the first second of a day anywhere on earth, 14 hours ahead of UTC. */
function firstTimestamp(day: string): string {
  return utcSeconds(Date.parse(`${day}T00:00:00Z`) - 14 * HOUR);
}

/** Returns the last second of a day anywhere on earth, 12 hours behind UTC. */
function lastTimestamp(day: string): string {
  return utcSeconds(Date.parse(`${day}T23:59:59Z`) + 12 * HOUR);
}

interface Optional {
  readonly rows: readonly JsonObject[];
  readonly missing?: string | undefined;
  readonly withheld?: boolean;
  readonly ofAll?: boolean;
}

/**
 * Reads public holidays or free days. The filters are undocumented. If the service refuses the filters, svc reads all rows, and the caller
 * filters the rows.
 */
async function dayOffRows(context: Needs<'client'>, path: string, between: Query, view: Query): Promise<Optional> {
  const assumed = between.map(([name]) => name);
  try {
    return { rows: await collectRows(context, path, [...between, ...view], { assumed }) };
  } catch (error) {
    if (refusedIn(error, assumed).length === 0) throw error;
    return { rows: await collectRows(context, path, DETAIL) };
  }
}

/** Reports missing data. For a resource that the organisation lacks, svc prints the notice at a terminal only once a day. */
async function reportMissing(context: Needs<'notice' | 'noticeToday'>, parts: readonly Optional[]): Promise<void> {
  for (const { missing, withheld } of parts)
    if (missing !== undefined) await (withheld ? context.notice(missing) : context.noticeToday(missing));
}

/**
 * Reads rows that an organisation may lack (404) or hide from the user (403).
 * @param what name of the rows in the notice. Undefined for no notice.
 */
async function optional(what: string | undefined, read: () => Promise<Optional>): Promise<Optional> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NotFoundError) && !(error instanceof ForbiddenError)) throw error;
    return { rows: [], missing: what && `svc continues without ${what}: ${error.message}`, withheld: error instanceof ForbiddenError };
  }
}
