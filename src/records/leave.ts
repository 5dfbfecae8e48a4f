import type { Query } from '../client/cost.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type Absence, type DayOff, readAbsence, readDayOff } from '../time/leave.ts';
import { type DateContext, endOfDay, startOfDay } from '../values/dates.ts';
import type { JsonObject } from '../values/json.ts';
import { collectRows } from './all-rows.ts';
import type { UserRef } from './person.ts';
import type { DayRange } from './worklogs.ts';

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
  const userId = user === 'me' ? (await context.account())?.user_id : user;
  const [ended, running, holidays, freeDays] = await Promise.all([
    readOptional(context, '/absences', [whose, begun, ['filter[end][gte]', startOfDay(first, dates)]], named('absences')),
    readOptional(context, '/absences', [whose, begun, ['filter[end][null]', 'true']], undefined),
    readOptional(context, '/holidays', between, named('public holidays')),
    readOptional(context, '/free-days', between, named('free days')),
  ]);
  const inside = ({ date }: DayOff) => date >= first && date <= last;
  return {
    absences: [...ended, ...running].flatMap((record) => readAbsence(record, dates) ?? []),
    daysOff: [
      ...holidays.flatMap((record) => readDayOff(record, 'holiday', userId) ?? []),
      ...freeDays.flatMap((record) => readDayOff(record, 'free day', userId) ?? []),
    ].filter(inside),
  };
}

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
    if (error instanceof RefusedError && path !== '/absences') return collectRows(context, path, []);
    if (!(error instanceof NotFoundError) && !(error instanceof ForbiddenError)) throw error;
    if (what !== undefined) await context.notice(`Without ${what}: ${error.message}`);
    return [];
  }
}
