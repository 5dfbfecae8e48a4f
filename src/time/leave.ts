import type { DateContext } from '../values/dates.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { TURNED_DOWN } from '../values/turned-down.ts';
import { type Interval, localDayAndTime, startOf } from './calendar.ts';

/** A time in which somebody is not at work. */
export interface Absence extends Interval {
  /** What it is, as far as the record says: `vacation`, `sick`; else `absence`. */
  readonly label: string;
  /** Its last day, where the record leaves open whether that is one of it, and whether it is counted here (rule 18.34). */
  readonly openDay?: { readonly date: string; readonly counted: boolean };
}

/** A day that is nobody's working day, or not this user's. */
export interface DayOff {
  readonly date: string;
  readonly name: string;
  readonly kind: 'holiday' | 'free day';
}

/**
 * An absence out of its record. `start` and `end` may be date-times or calendar dates, the service does not say which
 * (rule 18.4); a date counts from the beginning of that day, or to its end. One whose end is null runs (rule 5.14); one that
 * does not show its end may not. One that ends with the moment at which it begins, the first of a day, is that day: there is no absence
 * without any time.
 *
 * @returns undefined for one whose start or end cannot be read.
 */
export function readAbsence(record: JsonObject, dates: Pick<DateContext, 'timeZone' | 'temporal'>): Absence | undefined {
  const status = scalarText(record['status']).toLowerCase();
  const start = boundOf(scalarText(record['start']), 'start', dates);
  const shown = record['end'] === null ? Number.POSITIVE_INFINITY : boundOf(scalarText(record['end']), 'end', dates);
  if (start === undefined || shown === undefined) return undefined;
  const oneDay = oneDayFrom(start, shown, dates);
  const end = oneDay ?? shown;
  if (end <= start) return undefined;
  const label = scalarText(record['type']) || 'absence';
  const isOneDay = oneDay !== undefined || (record['start'] === record['end'] && isDate(scalarText(record['start'])));
  const openDay = isOneDay ? undefined : openDayOf(scalarText(record['end']), end, dates);
  return { start, end, label: status === 'requested' ? `${label}, requested` : label, ...(openDay && { openDay }) };
}

/** Whether an absence never came to be. */
export function isTurnedDown(record: JsonObject): boolean {
  return TURNED_DOWN.has(scalarText(record['status']).toLowerCase());
}

/** A day off out of a holiday's or a free day's record; undefined where it is not this user's, or has no date. */
export function readDayOff(record: JsonObject, kind: DayOff['kind'], userId: number | undefined): DayOff | undefined {
  const date = scalarText(record['date']);
  const whose = record['user_id'];
  if (!isDate(date) || (typeof whose === 'number' && whose !== userId)) return undefined;
  return { date, name: scalarText(record['name']) || kind, kind };
}

/** An end that is a date may be the last day or the one after it; so may one at the very beginning of a day. */
function openDayOf(written: string, end: number, { timeZone, temporal }: Pick<DateContext, 'timeZone' | 'temporal'>): Absence['openDay'] {
  if (isDate(written)) return { date: written, counted: true };
  if (!Number.isFinite(end)) return undefined;
  const moment = temporal.Instant.fromEpochMilliseconds(end).toZonedDateTimeISO(timeZone);
  return moment.equals(moment.startOfDay()) ? { date: moment.toPlainDate().toString(), counted: false } : undefined;
}

/** The end of the day, where both bounds are its first moment. */
function oneDayFrom(start: number, end: number, dates: Pick<DateContext, 'timeZone' | 'temporal'>): number | undefined {
  if (start !== end) return undefined;
  const { date } = localDayAndTime(start, dates);
  if (startOf(date, dates) !== start) return undefined;
  return startOf(dates.temporal.PlainDate.from(date).add({ days: 1 }).toString(), dates);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function boundOf(text: string, edge: 'start' | 'end', dates: Pick<DateContext, 'timeZone' | 'temporal'>): number | undefined {
  if (isDate(text)) {
    const day = edge === 'start' ? text : dates.temporal.PlainDate.from(text).add({ days: 1 }).toString();
    return startOf(day, dates);
  }
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}
