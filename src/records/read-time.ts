import { type Query, requestCost } from '../client/cost.ts';
import { rows } from '../client/pages.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../errors.ts';
import type { Context } from '../session/context.ts';
import { type Entry, readEntry } from '../time/entry.ts';
import { type Absence, type DayOff, readAbsence, readDayOff } from '../time/leave.ts';
import { readWorkingHours, type WorkingHours } from '../time/working-hours.ts';
import { type DateContext, endOfDay, isTimeZone, startOfDay } from '../values/dates.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { readRecord } from './read-record.ts';

/** Whose time it is. */
export type UserRef = number | 'me';

/** Somebody whose days are looked at. */
export interface Person {
  readonly id: number | undefined;
  readonly name: string;
  /** Their own zone; where the record has none, the zone that svc goes by. */
  readonly timeZone: string;
  readonly hours: WorkingHours | undefined;
}

/** Days from the first to the last, both included: `YYYY-MM-DD`. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** What keeps somebody from work. */
export interface Leave {
  readonly absences: readonly Absence[];
  readonly daysOff: readonly DayOff[];
}

/** The record of a person: one request. */
export async function readPerson(context: Context, user: UserRef): Promise<Person> {
  const client = await context.client();
  const record = readRecord(await client.send({ method: 'GET', path: user === 'me' ? '/me' : `/users/${user}` }));
  const { id, timezone } = record;
  return {
    id: typeof id === 'number' ? id : undefined,
    name: scalarText(record['name']) || (user === 'me' ? 'You' : `User ${user}`),
    timeZone: typeof timezone === 'string' && isTimeZone(timezone) ? timezone : await context.timeZone(),
    hours: readWorkingHours(record['working_hours']),
  };
}

/** Which worklogs are wanted. */
export interface EntryQuestion extends DayRange {
  readonly user?: UserRef | undefined;
  readonly project?: number | undefined;
  /** Relations that the entries need for their names; each leads to one record, so that a page still holds a hundred rows (rule 8.3). */
  readonly include: readonly string[];
}

/** The worklogs of some days, page by page. */
export async function* readEntries(context: Context, { first, last, user, project, include }: EntryQuestion): AsyncGenerator<Entry> {
  const query: Query = [
    ['filter[date][gte]', first],
    ['filter[date][lte]', last],
    ...(user === undefined ? [] : [['filter[user_id]', String(user)] as const]),
    ...(project === undefined ? [] : [['filter[project_id]', String(project)] as const]),
    ...(include.length === 0 ? [] : [['include', include.join(',')] as const]),
    ['per_page', '100'],
  ];
  const cost = requestCost({ method: 'GET', query, toMany: new Set() });
  for await (const record of rows(await context.client(), { method: 'GET', path: '/worklogs', query, cost })) yield readEntry(record);
}

/**
 * Absences, public holidays and free days in some days. What the service does not let one read counts as none, with a
 * line that says so: hours are worth seeing without it.
 */
export async function readLeave(
  context: Context,
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
async function readOptional(context: Context, path: string, query: Query, what: string | undefined): Promise<readonly JsonObject[]> {
  try {
    return await readAll(context, path, query);
  } catch (error) {
    // The filters of holidays and free days are not documented; without them everything comes, and is looked through here.
    if (error instanceof RefusedError && path !== '/absences') return readAll(context, path, []);
    if (!(error instanceof NotFoundError) && !(error instanceof ForbiddenError)) throw error;
    if (what !== undefined) await context.notice(`Without ${what}: ${error.message}`);
    return [];
  }
}

async function readAll(context: Context, path: string, query: Query): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const record of rows(await context.client(), { method: 'GET', path, query: [...query, ['per_page', '100']] }))
    found.push(record);
  return found;
}
