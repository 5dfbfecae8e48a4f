import type { Resource } from '../catalog/define.ts';
import type { ApiResponse } from '../client/api-client.ts';
import { RefusedError, UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type DateContext, isBareDay, localMinute, parseCalendarDate } from '../values/dates.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import { readRecord } from './record-at.ts';
import { sendWrite, type WriteRequest } from './send-write.ts';

export type Typed = ReadonlyMap<string, string>;

/**
 * Prints the time range if svc changed a typed start or end, such as a day, into a time. @throws UsageError if the end of such a range is
 * before the start.
 */
export async function printRange(context: Needs<'dates' | 'notice'>, resource: Resource, body: JsonObject, typed: Typed): Promise<void> {
  for (const [startName, endName] of rangesOf(resource)) {
    const [start, end] = [body[startName], body[endName]];
    if (![startName, endName].some((name) => typed.has(name) && typed.get(name) !== body[name])) continue;
    const dates = await context.dates();
    const shown = (timestamp: JsonValue | undefined) => (isTimestamp(timestamp) ? localMinute(timestamp, dates) : undefined);
    const [from, to] = [shown(start), shown(end)];
    if (isTimestamp(start) && isTimestamp(end) && end < start) {
      throw new UsageError(`The end is before the start: ${from} to ${to} ${dates.timeZone}.`, {
        hint: 'A weekday means the latest such day, today included. For a later day, write +1w or 2026-12-11.',
      });
    }
    const words =
      from === undefined
        ? to === undefined
          ? undefined
          : `until ${to} ${dates.timeZone}`
        : to === undefined
          ? `from ${from} ${dates.timeZone}`
          : `${from} to ${to} ${dates.timeZone}`;
    if (words !== undefined) await context.notice(`Understood: ${words}${end === null ? ', without an end' : ''}`);
  }
}

/**
 * Sends a write with a range. The service may accept times or days (rules 18.4, 18.34). svc sends times, and sends days if the service
 * refuses times.
 */
export async function sendRangeWrite(
  context: Needs<'client' | 'dates' | 'notice'>,
  resource: Resource,
  write: WriteRequest,
  typed: Typed,
): Promise<ApiResponse> {
  const days = await wholeDays(context, resource, typed);
  if (Object.keys(days).length === 0) return sendWrite(context, write);
  const response = await sendEither(context, write, days);
  const record = readRecord(response);
  const dates = await context.dates();
  for (const [name, day] of Object.entries(days)) {
    const other = otherThanMeant(record[name], day, write.body?.[name], dates);
    if (other !== undefined) await context.notice(`The service stored ${name} as ${other}. To send the value unchanged: -f ${name}=…`);
  }
  return response;
}

/**
 * Returns the day or time that the service stored instead of the requested day. Undefined if the stored and the requested value are equal,
 * or if the service does not show the value.
 */
function otherThanMeant(stored: JsonValue | undefined, day: string, sent: JsonValue | undefined, dates: DateContext): string | undefined {
  if (typeof stored === 'string' && DAY.test(stored)) return stored === day ? undefined : `${stored} instead of ${day}`;
  if (!isTimestamp(stored) || !isTimestamp(sent) || stored === sent) return undefined;
  return `${localMinute(stored, dates)} instead of ${localMinute(sent, dates)}`;
}

async function sendEither(
  context: Needs<'client' | 'notice'>,
  write: WriteRequest,
  days: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  try {
    return await sendWrite(context, write);
  } catch (error) {
    // The service accepts a key for one body only, so svc does not send another body with the user’s key.
    if (!wantsDays(error, days) || write.idempotencyKey !== undefined) throw error;
    await context.notice(`The service stores whole days here, so svc sends ${Object.values(days).join(' and ')}.`);
    return sendWrite(context, { ...write, body: { ...write.body, ...days } });
  }
}

/** Returns true if the service refused the form of a date (rule 2.19). */
function wantsDays(error: unknown, days: Readonly<Record<string, string>>): boolean {
  if (!(error instanceof RefusedError) || error.details.status !== 422) return false;
  const { code, parameter } = error.details;
  return code === 'date_format' && (parameter === undefined || Object.hasOwn(days, parameter));
}

async function wholeDays(context: Needs<'dates'>, resource: Resource, typed: Typed): Promise<Record<string, string>> {
  const days: Record<string, string> = {};
  for (const name of rangesOf(resource).flat()) {
    const text = typed.get(name);
    if (text === undefined) continue;
    const dates = await context.dates();
    if (isBareDay(text, dates)) days[name] = parseCalendarDate(text, dates);
  }
  return days;
}

function rangesOf({ fields }: Resource): [start: string, end: string][] {
  return Object.entries(fields).flatMap(([end, { begins }]) => (begins === undefined ? [] : [[begins, end]]));
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function isTimestamp(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(value);
}
