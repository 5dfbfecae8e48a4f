import type { Query } from '../client/cost.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type Absence, type DayOff, isTurnedDown, readAbsence, readDayOff } from '../time/leave.ts';
import { type DateContext, endOfDay, startOfDay } from '../values/dates.ts';
import type { JsonObject } from '../values/json.ts';
import { collectRows } from './all-rows.ts';
import type { DayRange } from './entries.ts';
import { ownUserIdIfKnown } from './me.ts';
import type { UserRef } from './person.ts';

/** What keeps somebody from work. */
export interface Leave {
  readonly absences: readonly Absence[];
  readonly daysOff: readonly DayOff[];
}

/**
 * Absences, public holidays and free days in some days. What the service does not let one read counts as none, with a
 * line that says so: hours are worth seeing without it.
 */
export async function readLeave(
  context: Needs<'account' | 'client' | 'notice'>,
  user: UserRef,
  { first, last }: DayRange,
  dates: DateContext,
  tell: 'notices' | 'silent' = 'notices',
): Promise<Leave> {
  const whose = ['filter[user_id]', String(user)] as const;
  const begun = ['filter[start][lte]', endOfDay(last, dates)] as const;
  const between: Query = [
    ['filter[date][gte]', first],
    ['filter[date][lte]', last],
  ];
  const named = (what: string) => (tell === 'silent' ? undefined : what);
  const userId = user === 'me' ? await ownUserIdIfKnown(context) : user;
  const [ended, running, holidays, freeDays] = await Promise.all([
    readOptional(context, '/absences', [whose, begun, ['filter[end][gte]', startOfDay(first, dates)], DETAIL], named('absences')),
    readOptional(context, '/absences', [whose, begun, ['filter[end][null]', 'true'], DETAIL], undefined),
    readOptional(context, '/holidays', between, named('public holidays')),
    readOptional(context, '/free-days', [...between, DETAIL], named('free days')),
  ]);
  const inside = ({ date }: DayOff) => date >= first && date <= last;
  const own = [...ended, ...running].filter((record) => !isTurnedDown(record));
  const absences = own.flatMap((record) => readAbsence(record, dates) ?? []);
  if (absences.length < own.length)
    await context.notice(`Without ${own.length - absences.length} of the absences: svc cannot read from when to when they are.`);
  const open = absences.flatMap(({ openDay }) => (openDay !== undefined && openDay.date >= first && openDay.date <= last ? [openDay] : []));
  if (tell === 'notices') for (const { date, counted } of open) await context.notice(openDayWords(date, counted));
  return {
    absences,
    daysOff: [
      ...holidays.flatMap((record) => readDayOff(record, 'holiday', userId) ?? []),
      ...freeDays.flatMap((record) => readDayOff(record, 'free day', userId) ?? []),
    ].filter(inside),
  };
}

function openDayWords(date: string, counted: boolean): string {
  return `An absence ends with ${date}, and whether that day is one of it is not known; it is ${counted ? '' : 'not '}counted.`;
}

/** Which fields a summary has is not sure (rule 18.23): whose a free day is, how an absence ends. */
const DETAIL = ['view', 'detail'] as const;

/** A collection that may be switched off here (404) or closed to this user (403); `what` names it in the notice. */
async function readOptional(
  context: Needs<'client' | 'notice'>,
  path: string,
  query: Query,
  what: string | undefined,
): Promise<readonly JsonObject[]> {
  try {
    return await collectRows(context, path, query);
  } catch (error) {
    // The filters of holidays and free days are not documented; without them everything comes, and is looked through here.
    if (error instanceof RefusedError && path !== '/absences') return collectRows(context, path, [DETAIL]);
    if (!(error instanceof NotFoundError) && !(error instanceof ForbiddenError)) throw error;
    if (what !== undefined) await context.notice(`Without ${what}: ${error.message}`);
    return [];
  }
}
