import { UsageError } from '../errors.ts';
import { type DateContext, isBareDay, localMinute, parseDateTime } from '../values/dates.ts';
import { isJsonObject, type JsonObject, scalarText } from '../values/json.ts';
import { parseTimeOfDay } from '../values/scalars.ts';
import { utcSeconds } from '../values/temporal.ts';
import { quote } from '../values/text.ts';
import { minutesOf } from './calendar.ts';

/** A running timer. The service does not document the fields of a timer, so each field can be unknown. */
export type Timer = NonNullable<ReturnType<typeof readTimer>>;

/** Reads a timer from its record. Returns undefined for a record without an id, because svc could not stop or cancel such a timer. */
export function readTimer(record: JsonObject) {
  const { id } = record;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  const began = Date.parse(scalarText(record['started_at']));
  return { id, startedAt: Number.isNaN(began) ? undefined : began, record };
}

/** Returns the minutes for which a timer has been running. Null without a known start. At least 0, even if clocks differ. */
export function runningMinutes({ startedAt }: Pick<Timer, 'startedAt'>, now: number): number | null {
  return startedAt === undefined ? null : Math.max(0, minutesOf(now - startedAt));
}

/** Rounds minutes to the nearest multiple of `step`; half a step rounds up. Time above zero becomes at least one step. */
export function roundMinutes(minutes: number, step: number): number {
  return minutes === 0 ? 0 : Math.max(step, Math.floor(minutes / step + 0.5) * step);
}

/**
 * Reads the end of a timer. `17:30` means the latest such time before now. If the clocks repeat this hour, the second occurrence counts
 * once it has passed. `"friday 17:30"` means exactly that time.
 * @returns milliseconds since 1970.
 * @throws UsageError for any other text, and for an end that is not between `start` and now.
 */
export function readEnd(text: string, start: number, dates: DateContext): number {
  const timestamps = isTimeOfDay(text) ? latestTimestamps(parseTimeOfDay(text), dates, [0, 1]) : [Date.parse(parseDateTime(text, dates))];
  const found = timestamps.find((timestamp) => timestamp <= dates.now && timestamp >= start);
  if (found !== undefined) return found;
  const place = (timestamp: number) => localMinute(new Date(timestamp).toISOString(), dates);
  throw new UsageError(`${text.trim()} is not between the timer’s start (${place(start)}) and now (${place(dates.now)}).`, {
    hint: 'Write a time after the start, such as 17:30, "friday 17:30" or now.',
  });
}

/**
 * Reads the start of a timer: a time of today (`9:15`), or a time with its day (`"yesterday 16:30"`). If the clocks repeat a time of today,
 * the second occurrence counts once it has passed.
 * @returns `YYYY-MM-DDTHH:MM:SSZ`.
 * @throws UsageError for any other text, such as a day without a time.
 * @throws UsageError for a time in the future, and for a time that the clocks skip today.
 */
export function readPastStart(text: string, dates: DateContext): string {
  const typed = text.trim();
  if (isBareDay(typed, dates)) throw new UsageError(`${quote(typed)} has no time of day.`, { hint: `Add the time: "${typed} 9:15".` });
  const isToday = isTimeOfDay(typed);
  const timestamps = isToday ? latestTimestamps(parseTimeOfDay(typed), dates, [0]) : [Date.parse(parseDateTime(typed, dates))];
  const found = timestamps.find((timestamp) => timestamp <= dates.now);
  if (found !== undefined) return utcSeconds(found);
  if (timestamps.length === 0)
    throw new UsageError(`The clocks skip ${typed} today.`, { hint: 'Write a time before or after the change of the clocks.' });
  throw new UsageError(`${typed} is in the future: it is ${localMinute(new Date(dates.now).toISOString(), dates)}.`, {
    hint: isToday ? `For another day, write the day too: "yesterday ${typed}".` : 'A timer starts now or in the past.',
  });
}

function isTimeOfDay(text: string): boolean {
  return /^\d{1,2}:\d{2}$/.test(text.trim());
}

/**
 * Returns the occurrences of a time of day, latest first, in milliseconds since 1970. @param daysBack days to search: 0 is today, 1 is
 * yesterday. Leaves out days on which the clocks skip the time.
 */
function latestTimestamps(time: string, { now, timeZone, temporal }: DateContext, daysBack: readonly number[]): number[] {
  const today = temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  return daysBack.flatMap((back) => {
    const local = today.subtract({ days: back }).toPlainDateTime(temporal.PlainTime.from(time));
    const both = (['later', 'earlier'] as const).map((disambiguation) => local.toZonedDateTime(timeZone, { disambiguation }));
    return both.filter((zoned) => zoned.toPlainDateTime().equals(local)).map((zoned) => zoned.epochMilliseconds);
  });
}

export function timerPlace(record: JsonObject): string | undefined {
  return nameIn(record, 'work_item') ?? idIn(record, 'work_item') ?? nameIn(record, 'project') ?? idIn(record, 'project');
}

/** Returns the fields of a printed timer that name its work. Null for a field that the service does not show. */
export function placeOfTimer(record: JsonObject): JsonObject {
  return {
    project_id: record['project_id'] ?? null,
    project: nameIn(record, 'project') ?? null,
    work_item_id: record['work_item_id'] ?? null,
    work_item: nameIn(record, 'work_item') ?? null,
    description: record['description'] ?? null,
  };
}

function nameIn(record: JsonObject, relation: string): string | undefined {
  const related = record[relation];
  const words = isJsonObject(related) ? [related['issue_key'], related['title'] ?? related['name']].map((part) => scalarText(part)) : [];
  return words.filter((word) => word !== '').join(' ') || undefined;
}

function idIn(record: JsonObject, relation: string): string | undefined {
  const id = record[`${relation}_id`];
  return typeof id === 'number' ? `${relation.replace('_', ' ')} ${id}` : undefined;
}
