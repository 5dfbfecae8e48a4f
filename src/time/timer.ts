import { UsageError } from '../errors.ts';
import { type DateContext, localMinute, parseDateTime } from '../values/dates.ts';
import { isJsonObject, type JsonObject, scalarText } from '../values/json.ts';
import { parseTimeOfDay } from '../values/scalars.ts';
import { minutesOf } from './calendar.ts';

/** A running timer. Its fields are not documented, so each may be unknown. */
export interface Timer {
  readonly id: number;
  /** Start in milliseconds since 1970. Undefined: the service does not show it. */
  readonly startedAt: number | undefined;
  /** The record as the service sent it. */
  readonly record: JsonObject;
}

/** Reads a timer loosely; undefined without an id, as svc could do nothing with it. */
export function readTimer(record: JsonObject): Timer | undefined {
  const { id } = record;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  const began = Date.parse(scalarText(record['started_at'] ?? null));
  return { id, startedAt: Number.isNaN(began) ? undefined : began, record };
}

/** Returns whole minutes since the start, to the nearest; null if the start is not shown. Never below 0, even if clocks disagree. */
export function runningMinutes({ startedAt }: Pick<Timer, 'startedAt'>, now: number): number | null {
  return startedAt === undefined ? null : Math.max(0, minutesOf(now - startedAt));
}

/** Rounds minutes to the nearest multiple of `step`, half a step upwards. Worked time is at least one step. */
export function roundMinutes(minutes: number, step: number): number {
  return minutes === 0 ? 0 : Math.max(step, Math.floor(minutes / step + 0.5) * step);
}

/**
 * Reads the end of a timer as the user typed it. A time of day (`17:30`) is the latest such time in the user’s zone that is not in the
 * future. If the clocks repeat the hour, the second one counts once it is past. With a day (`"friday 17:30"`) the text names exactly that
 * time.
 *
 * @returns milliseconds since 1970.
 * @throws UsageError if no such time lies between `start` and now.
 */
export function readEnd(text: string, start: number, dates: DateContext): number {
  const isTime = /^\d{1,2}:\d{2}$/.test(text.trim());
  const moments = isTime ? latestMoments(parseTimeOfDay(text), dates) : [Date.parse(parseDateTime(text, dates))];
  const found = moments.find((moment) => moment <= dates.now && moment >= start);
  if (found !== undefined) return found;
  const place = (moment: number) => localMinute(new Date(moment).toISOString(), dates);
  throw new UsageError(`${text.trim()} is not between the timer’s start (${place(start)}) and now (${place(dates.now)}).`, {
    hint: 'Write a time since then, such as 17:30, or with its day: "friday 17:30", or now.',
  });
}

/** Returns a time of today and yesterday in the user’s zone, the latest first; none on a day whose clocks skip it. */
function latestMoments(time: string, { now, timeZone, temporal }: DateContext): number[] {
  const today = temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  return [0, 1].flatMap((back) => {
    const local = today.subtract({ days: back }).toPlainDateTime(temporal.PlainTime.from(time));
    const both = (['later', 'earlier'] as const).map((disambiguation) => local.toZonedDateTime(timeZone, { disambiguation }));
    return both.filter((zoned) => zoned.toPlainDateTime().equals(local)).map((zoned) => zoned.epochMilliseconds);
  });
}

/** Returns the work item of a timer, else its project, by name or id; undefined if it has none, or shows none. */
export function timerPlace(record: JsonObject): string | undefined {
  return nameIn(record, 'work_item') ?? idIn(record, 'work_item') ?? nameIn(record, 'project') ?? idIn(record, 'project');
}

/** Returns the name of an included record: key and title, or name. */
export function nameIn(record: JsonObject, relation: string): string | undefined {
  const held = record[relation];
  const words = isJsonObject(held) ? [held['issue_key'], held['title'] ?? held['name']].map((part) => scalarText(part)) : [];
  return words.filter((word) => word !== '').join(' ') || undefined;
}

/** Returns `work item 12`, for a record without a name. */
function idIn(record: JsonObject, relation: string): string | undefined {
  const id = record[`${relation}_id`];
  return typeof id === 'number' ? `${relation.replace('_', ' ')} ${id}` : undefined;
}
