import type { Resource } from '../catalog/define.ts';
import { isRefusal } from '../client/assumed.ts';
import type { Query } from '../client/cost.ts';
import { DeclinedError, UsageError } from '../errors.ts';
import type { Asking, Needs } from '../session/context.ts';
import { sameEverywhere } from '../session/time-zone.ts';
import { type DaySpan, readDaySpan } from '../time/day-span.ts';
import { type Absence, isTurnedDown, readAbsence } from '../time/leave.ts';
import { type DateContext, endOfDay, lookingAhead, startOfDay, today } from '../values/dates.ts';
import { isJsonObject, type JsonObject, scalarText } from '../values/json.ts';
import { compareTexts, quote } from '../values/text.ts';
import { together } from '../values/together.ts';
import { collectRows, DETAIL } from './all-rows.ts';
import { keptNames, type Naming } from './kept-names.ts';
import type { WriteRequest } from './send-write.ts';

/** The catalog's entry of absences. */
export async function absences({ catalog }: Needs<'catalog'>): Promise<Resource> {
  return catalog.of('absences');
}

/** The request that makes one. */
export function absenceCreation(body: JsonObject, idempotencyKey: string | undefined): WriteRequest & { readonly body: JsonObject } {
  return { method: 'POST', path: ABSENCES, body, idempotencyKey };
}

/**
 * Reads days of leave: a weekday is the next one. Days in the past are meant if the text names them in full. Otherwise svc asks.
 *
 * @throws UsageError for days in the past where nobody can answer.
 */
export async function readLeaveDays(context: Needs<Asking | 'dates' | 'globals'>, typed: string): Promise<DaySpan> {
  const named = await sameEverywhere((dates) => readDaySpan(typed, dates));
  if (named !== undefined) return named;
  const dates = lookingAhead(await context.dates());
  const span = readDaySpan(typed, dates);
  if (span.last >= today(dates)) return span;
  const days = daysText(span);
  if (!context.interactive)
    throw new UsageError(`${quote(typed)} lies in the past: ${days}.`, {
      hint: `If you mean these days, write the dates in full: ${days}`,
    });
  if (context.globals.yes || (await context.prompts.confirm(`${days} lies in the past. Is that meant?`, context.signal))) return span;
  throw new DeclinedError('Nothing was sent.', { hint: 'Write the dates in full, or next week, +1w.' });
}

/** `2026-12-07`, or `2026-12-07..2026-12-11`. */
export function daysText({ first, last }: DaySpan): string {
  return first === last ? first : `${first}..${last}`;
}

/** Somebody who is away on some days, as far as the record shows it. */
export interface AwayInDays {
  readonly record: JsonObject;
  /** Undefined where svc cannot read the start or the end. */
  readonly absence: Absence | undefined;
  readonly name: string | undefined;
}

/**
 * Everybody's absences that touch some days, as far as one may see them, in the order of their start. Refused absences are left
 * out.
 *
 * @param dates the time zone of the days.
 */
export async function absencesIn(
  context: Needs<Naming | 'client'>,
  { first, last }: DaySpan,
  dates: DateContext,
): Promise<readonly AwayInDays[]> {
  const begun = ['filter[start][lte]', endOfDay(last, dates)] as const;
  const [ending, running, names] = await together(
    withUsers(context, [begun, ['filter[end][gte]', startOfDay(first, dates)]]),
    withUsers(context, [begun, ['filter[end][null]', 'true']]),
    keptNames(context, ['users']),
  );
  const found = new Map([...running, ...ending].map((record) => [record['id'], record]));
  return [...found.values()]
    .filter((record) => !isTurnedDown(record))
    .map((record) => ({ record, absence: readAbsence(record, dates), name: nameOf(record, names.get('users')) }))
    .filter(({ absence }) => absence === undefined || isWithin(absence, { first, last }, dates))
    .sort((one, other) => (one.absence?.start ?? 0) - (other.absence?.start ?? 0) || compareTexts(one.name ?? '', other.name ?? ''));
}

const ABSENCES = '/absences';

/** The rows with their users, where the service adds that relation, which is not documented (rule 18.27). */
async function withUsers(context: Needs<'client'>, chosen: Query): Promise<JsonObject[]> {
  const query = [...chosen, ...DETAIL];
  return collectRows(context, ABSENCES, query, { include: ['user'] }).catch((error: unknown) => {
    // A refusal with another reason comes again here.
    if (!isRefusal(error)) throw error;
    return collectRows(context, ABSENCES, query);
  });
}

function nameOf({ user, user_id: id }: JsonObject, names: ReadonlyMap<string, string> | undefined): string | undefined {
  const name = isJsonObject(user) ? scalarText(user['name'] ?? null) : '';
  return name === '' ? names?.get(scalarText(id ?? null)) : name;
}

/** A part of it lies within, or may: its last day could be one of it (rule 18.34). */
function isWithin({ start, end, openDay }: Absence, { first, last }: DaySpan, dates: DateContext): boolean {
  return start <= Date.parse(endOfDay(last, dates)) && (end > Date.parse(startOfDay(first, dates)) || (openDay?.date ?? '') >= first);
}
