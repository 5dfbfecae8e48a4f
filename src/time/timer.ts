import { UsageError } from '../errors.ts';
import { type DateContext, localMinute, parseDateTime } from '../values/dates.ts';
import { isJsonObject, type JsonObject, scalarText } from '../values/json.ts';
import { parseTimeOfDay } from '../values/time-of-day.ts';
import { minutesOf } from './calendar.ts';

/** A clock that runs. Its fields are not documented, so each may be unknown. */
export interface Timer {
  readonly id: number;
  /** When it began: milliseconds since 1970. Undefined: the service does not show it. */
  readonly startedAt: number | undefined;
  /** As the service gave it. */
  readonly record: JsonObject;
}

/** A timer's record, read loosely; undefined for one without an id, which nothing could be done with. */
export function readTimer(record: JsonObject): Timer | undefined {
  const { id } = record;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  const began = Date.parse(scalarText(record['started_at'] ?? null));
  return { id, startedAt: Number.isNaN(began) ? undefined : began, record };
}

/** Whole minutes since it began, to the nearest; null where that is not shown. Never below 0, whatever the clocks say. */
export function runningMinutes({ startedAt }: Pick<Timer, 'startedAt'>, now: number): number | null {
  return startedAt === undefined ? null : Math.max(0, minutesOf(now - startedAt));
}

/**
 * Minutes to the nearest multiple of `step`, half of one upwards. Time that was worked is never rounded to nothing: at least one step.
 */
export function roundMinutes(minutes: number, step: number): number {
  return minutes === 0 ? 0 : Math.max(step, Math.floor(minutes / step + 0.5) * step);
}

/**
 * The moment at which a timer is to end, as somebody typed it. A time of day (`17:30`) is the latest such moment where the user is that is
 * not in the future; of an hour that the clocks repeat, the second one where it has come. With a day (`"friday 17:30"`) it is that moment.
 *
 * @returns milliseconds since 1970.
 * @throws UsageError when there is no such moment between `start` and now.
 */
export function readEnd(text: string, start: number, dates: DateContext): number {
  const isTime = /^\d{1,2}:\d{2}$/.test(text.trim());
  const moments = isTime ? latestMoments(parseTimeOfDay(text), dates) : [Date.parse(parseDateTime(text, dates))];
  const found = moments.find((moment) => moment <= dates.now && moment >= start);
  if (found !== undefined) return found;
  const place = (moment: number) => localMinute(new Date(moment).toISOString(), dates);
  throw new UsageError(`${text.trim()} is not between the timer’s start (${place(start)}) and now (${place(dates.now)}).`, {
    hint: 'Write a time since then, such as 17:30, or with its day: "friday 17:30".',
  });
}

/** A time of today and yesterday where the user is, the latest first; none on a day whose clocks skip it. */
function latestMoments(time: string, { now, timeZone, temporal }: DateContext): number[] {
  const today = temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  return [0, 1].flatMap((back) => {
    const local = today.subtract({ days: back }).toPlainDateTime(temporal.PlainTime.from(time));
    const both = (['later', 'earlier'] as const).map((disambiguation) => local.toZonedDateTime(timeZone, { disambiguation }));
    return both.filter((zoned) => zoned.toPlainDateTime().equals(local)).map((zoned) => zoned.epochMilliseconds);
  });
}

/** What a timer is on: the work item, else the project, by name or id; undefined where it is on nothing, or that is not shown. */
export function timerPlace(record: JsonObject): string | undefined {
  return nameIn(record, 'work_item') ?? idIn(record, 'work_item') ?? nameIn(record, 'project') ?? idIn(record, 'project');
}

/** What a record that another one holds is called: key and title, or name. */
export function nameIn(record: JsonObject, relation: string): string | undefined {
  const held = record[relation];
  const words = isJsonObject(held) ? [held['issue_key'], held['title'] ?? held['name']].map((part) => scalarText(part)) : [];
  return words.filter((word) => word !== '').join(' ') || undefined;
}

/** `work item 12`, where its name is not shown. */
function idIn(record: JsonObject, relation: string): string | undefined {
  const id = record[`${relation}_id`];
  return typeof id === 'number' ? `${relation.replace('_', ' ')} ${id}` : undefined;
}
