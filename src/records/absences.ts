import { isRefusal, refusedIn } from '../client/assumed.ts';
import type { Query } from '../client/cost.ts';
import { DeclinedError, UsageError } from '../errors.ts';
import type { Asking, Needs } from '../session/context.ts';
import { sameEverywhere } from '../session/time-zone.ts';
import { type DateRange, readDateRange } from '../time/date-range.ts';
import { type Absence, isTurnedDown, readAbsence } from '../time/leave.ts';
import { type DateContext, endOfDay, lookingAhead, startOfDay, today } from '../values/dates.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import { compareTexts, quote } from '../values/text.ts';
import { together } from '../values/together.ts';
import { collectRows, DETAIL } from './all-rows.ts';
import { cachedNames, type Naming } from './cached-names.ts';
import type { WriteRequest } from './send-write.ts';

export function absenceCreation(body: JsonObject, idempotencyKey: string | undefined): WriteRequest & { readonly body: JsonObject } {
  return { method: 'POST', path: ABSENCES, body, idempotencyKey };
}

/**
 * Reads the days of an absence. The name of a weekday means today or the next such day. Days in the past need a confirmation unless the
 * text contains full dates.
 * @throws UsageError for a text that names no days, and for days in the past without a terminal; DeclinedError if the user declines.
 */
export async function readLeaveDays(context: Needs<Asking | 'dates' | 'globals'>, typed: string): Promise<DateRange> {
  const named = await sameEverywhere((dates) => readDateRange(typed, dates));
  if (named !== undefined) return named;
  const dates = lookingAhead(await context.dates());
  const range = readDateRange(typed, dates);
  if (range.last >= today(dates)) return range;
  const days = daysText(range);
  if (!context.interactive)
    throw new UsageError(`${quote(typed)} is in the past: ${days}.`, {
      hint: `If you mean these days, write the dates in full: ${days}`,
    });
  if (context.globals.yes || (await context.prompts.confirm(`${days} is in the past. Add this absence?`, context.signal))) return range;
  throw new DeclinedError('svc sent nothing.', { hint: 'Write the dates in full, or next week, +1w.' });
}

/** Returns a date range as text: `2026-12-07`, or `2026-12-07..2026-12-11`. */
export function daysText({ first, last }: DateRange): string {
  return first === last ? first : `${first}..${last}`;
}

export interface AwayInDays {
  readonly record: JsonObject;
  readonly absence: Absence | undefined;
  readonly name: string | undefined;
}

/**
 * Reads the visible absences within a date range, ordered by start. Leaves out rejected and withdrawn absences. Includes absences whose
 * start or end svc can’t read.
 * @param dates context with the time zone of the days.
 */
export async function absencesIn(
  context: Needs<Naming | 'client'>,
  { first, last }: DateRange,
  dates: DateContext,
): Promise<readonly AwayInDays[]> {
  const search = { latest: endOfDay(last, dates), earliest: startOfDay(first, dates), include: ['user'] };
  const [ending, running, names] = await together(
    absenceRows(context, { ...search, which: 'ending' }),
    absenceRows(context, { ...search, which: 'running' }),
    cachedNames(context, ['users']),
  );
  const found = new Map([...running.rows, ...ending.rows].map((record) => [record['id'], record]));
  return [...found.values()]
    .filter((record) => !isTurnedDown(record))
    .map((record) => ({ record, absence: readAbsence(record, dates), name: nameOf(record, names.get('users')) }))
    .filter(({ absence }) => absence === undefined || isWithin(absence, { first, last }, dates))
    .sort((one, other) => (one.absence?.start ?? 0) - (other.absence?.start ?? 0) || compareTexts(one.name ?? '', other.name ?? ''));
}

const ABSENCES = '/absences';

export interface AbsenceSearch {
  readonly which: 'ending' | 'running';
  /** The latest start and the earliest end of the search: `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly latest: string;
  readonly earliest: string;
  /** The filter by user. Default: all users. */
  readonly whose?: Query;
  /** The related records to include. svc leaves out a relation that the service refuses (rule 18.27). Default: none. */
  readonly include?: readonly string[];
}

export function absenceFilters({ which, latest, earliest, whose = [] }: AbsenceSearch): Query {
  const end = which === 'ending' ? (['filter[end][gte]', earliest] as const) : (['filter[end][null]', 'true'] as const);
  return [...whose, ['filter[start][lte]', latest], end];
}

/** The absences that svc read. `ofAll`: svc requested one user’s rows, and received all visible rows instead. */
type AbsenceRows = { readonly rows: readonly JsonObject[]; readonly ofAll: boolean };

/**
 * Reads absences. If the organisation lacks a filter, svc leaves out the filter. svc then filters the rows by time itself, but not by user
 * (`ofAll`).
 */
export async function absenceRows(context: Needs<'client'>, search: AbsenceSearch, without: readonly string[] = []): Promise<AbsenceRows> {
  const { include = [] } = search;
  const filters = absenceFilters(search).filter(([name]) => !without.includes(name));
  const names = filters.map(([name]) => name);
  try {
    const rows = await collectRows(context, ABSENCES, [...filters, ...DETAIL], { include, assumed: names });
    return {
      rows: without.length === 0 ? rows : rows.filter((row) => isNear(row, search)),
      ofAll: without.some((name) => name.startsWith('filter[user_id]')),
    };
  } catch (error) {
    const refused = refusedIn(error, names);
    if (refused.length > 0) return absenceRows(context, search, [...without, ...refused]);
    // If the refusal does not concern a relation, the service refuses the request without relations too.
    if (include.length === 0 || !isRefusal(error)) throw error;
    return absenceRows(context, { ...search, include: [] }, without);
  }
}

export function isNear({ start, end = null }: JsonObject, { which, latest, earliest }: AbsenceSearch): boolean {
  if ((end === null) !== (which === 'running')) return false;
  const day = (bound: JsonValue | undefined) => (typeof bound === 'string' ? bound.slice(0, 10) : undefined);
  return !((day(start) ?? '') > latest.slice(0, 10)) && !((day(end) ?? '9999') < earliest.slice(0, 10));
}

function nameOf({ user, user_id: id }: JsonObject, names: ReadonlyMap<string, string> | undefined): string | undefined {
  const name = isJsonObject(user) ? scalarText(user['name'] ?? null) : '';
  return name === '' ? names?.get(scalarText(id ?? null)) : name;
}

/** Returns true if a part of the absence is within a date range. An uncertain last day counts (rule 18.34). */
function isWithin({ start, end, openDay }: Absence, { first, last }: DateRange, dates: DateContext): boolean {
  return start <= Date.parse(endOfDay(last, dates)) && (end > Date.parse(startOfDay(first, dates)) || (openDay?.date ?? '') >= first);
}
