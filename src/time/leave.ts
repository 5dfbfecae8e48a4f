import type { ZoneContext } from '../values/dates.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { TURNED_DOWN } from '../values/statuses.ts';
import { dayRange, type Interval, localDayAndTime } from './calendar.ts';

export interface Absence extends Interval {
  /** The id of the record. Absent for leave that is no record yet. */
  readonly id?: number | undefined;
  /** The type in the record, such as `vacation` or `sick`. Default: `absence`. A requested absence has `, requested` at the end. */
  readonly label: string;
  /** True if nobody has approved the absence yet. */
  readonly isRequested?: boolean;
  /**
   * The last day, if the record leaves open whether this day belongs to the absence (rule 18.34). `counted` shows whether svc counts this
   * day.
   */
  readonly openDay?: { readonly date: string; readonly counted: boolean };
}

export interface DayOff {
  readonly id?: number | undefined;
  readonly date: string;
  readonly name: string;
  readonly kind: 'holiday' | 'free day';
}

/**
 * Reads an absence.
 *
 * - `start` and `end` can be date-times or calendar dates; the service does not document the form (rule 18.4).
 * - A start date counts from the beginning of the day, an end date to the end of the day.
 * - An end of null means that the absence is still running (rule 5.14). A missing end means that the end is unknown.
 * - An absence whose start and end are the same beginning of a day takes that whole day.
 *
 * @returns Undefined if svc cannot read the start or the end, or if the end is not after the start.
 */
export function readAbsence(record: JsonObject, dates: ZoneContext): Absence | undefined {
  const start = boundOf(scalarText(record['start']), 'start', dates);
  const shown = record['end'] === null ? Number.POSITIVE_INFINITY : boundOf(scalarText(record['end']), 'end', dates);
  if (start === undefined || shown === undefined) return undefined;
  const oneDay = oneDayFrom(start, shown, dates);
  const end = oneDay ?? shown;
  if (end <= start) return undefined;
  const label = scalarText(record['type']) || 'absence';
  const isOneDay = oneDay !== undefined || (record['start'] === record['end'] && isDate(scalarText(record['start'])));
  const openDay = isOneDay ? undefined : openDayOf(scalarText(record['end']), end, dates);
  const id = recordId(record);
  const asked = isRequested(record);
  return { id, start, end, label: asked ? `${label}, requested` : label, isRequested: asked, ...(openDay && { openDay }) };
}

/** Returns the times of day at which an absence begins and ends on a day. Undefined if the absence begins before, or ends later. */
export function edgesOn(
  absence: Interval,
  day: Interval,
  dates: ZoneContext,
): { readonly from?: string | undefined; readonly until?: string | undefined } {
  return {
    from: absence.start <= day.start ? undefined : localDayAndTime(absence.start, dates).time,
    // An absence of whole days ends in the last second of its last day (rule 18.34).
    until: absence.end >= day.end - 1_000 ? undefined : localDayAndTime(absence.end, dates).time,
  };
}

export function isRequested(record: JsonObject): boolean {
  return scalarText(record['status']).toLowerCase() === 'requested';
}

export function isTurnedDown(record: JsonObject): boolean {
  return TURNED_DOWN.has(scalarText(record['status']).toLowerCase());
}

export function readDayOff(record: JsonObject, kind: DayOff['kind'], userId: number | undefined): DayOff | undefined {
  const date = scalarText(record['date']);
  const whose = record['user_id'];
  if (!isDate(date) || (typeof whose === 'number' && whose !== userId)) return undefined;
  return { id: recordId(record), date, name: scalarText(record['name']) || kind, kind };
}

function recordId({ id }: JsonObject): number | undefined {
  return typeof id === 'number' ? id : undefined;
}

/**
 * Returns the last day if svc can’t know whether the day belongs to the absence. A date as the end can mean the last day or the day after.
 * A time at the start of a day has the same two meanings.
 */
function openDayOf(written: string, end: number, { timeZone, temporal }: ZoneContext): Absence['openDay'] {
  if (isDate(written)) return { date: written, counted: true };
  if (!Number.isFinite(end)) return undefined;
  const timestamp = temporal.Instant.fromEpochMilliseconds(end).toZonedDateTimeISO(timeZone);
  return timestamp.equals(timestamp.startOfDay()) ? { date: timestamp.toPlainDate().toString(), counted: false } : undefined;
}

function oneDayFrom(start: number, end: number, dates: ZoneContext): number | undefined {
  if (start !== end) return undefined;
  const day = dayRange(localDayAndTime(start, dates).date, dates);
  return day.start === start ? day.end : undefined;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function boundOf(text: string, edge: 'start' | 'end', dates: ZoneContext): number | undefined {
  if (isDate(text)) return dayRange(text, dates)[edge];
  const timestamp = Date.parse(text);
  return Number.isNaN(timestamp) ? undefined : timestamp;
}
