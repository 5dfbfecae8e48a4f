import ICAL from 'ical.js';
import { type DateContext, isTimeZone } from '../../../values/dates.ts';

/** A zone of a calendar file: its walls' clocks and the moments they stand for. */
export interface CalendarZone {
  /** Milliseconds since 1970. Of a time that the clocks repeat the first; one that they skip is after the gap. */
  momentOf(wall: ICAL.Time): number;
  /** What a clock there shows; without a zone of its own. */
  wallAt(moment: number): ICAL.Time;
}

/** The zones of a file, by name. */
export interface CalendarZones {
  /** The zone of a time: its own, UTC, or the user's where it names none. */
  of(time: ICAL.Time, tzid: string | undefined): CalendarZone;
  /** Names that neither the file explains nor anybody knows; the user's zone stood in. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * Zones that the world knows by name are looked up there, since what files say of them is often old; others (Outlook's
 * `W. Europe Standard Time`) are as the file itself explains them.
 */
export function readZones(calendar: ICAL.Component, { timeZone, temporal }: Pick<DateContext, 'timeZone' | 'temporal'>): CalendarZones {
  const known = new Map<string, CalendarZone>();
  const unknown = new Set<string>();
  const find = (tzid: string): CalendarZone => {
    const name = worldName(tzid);
    if (name !== undefined) return worldZone(name, temporal);
    const explained = calendar
      .getAllSubcomponents('vtimezone')
      .find((zone) => String(zone.getFirstPropertyValue('tzid')) === tzid && isPlain(zone));
    if (explained !== undefined) return fileZone(new ICAL.Timezone({ component: explained, tzid }));
    unknown.add(tzid);
    return worldZone(timeZone, temporal);
  };
  return {
    of(time, tzid) {
      const name = time.zone === ICAL.Timezone.utcTimezone ? 'UTC' : (tzid ?? timeZone);
      const zone = known.get(name) ?? find(name);
      known.set(name, zone);
      return zone;
    },
    unknown,
  };
}

/** `Europe/Amsterdam`, also out of `/example.org/20250101/Europe/Amsterdam`. */
function worldName(tzid: string): string | undefined {
  const [, end = ''] = /([A-Za-z_]+\/[\w+-]+(?:\/[\w+-]+)?)$/.exec(tzid) ?? [];
  return [tzid, end, end.split('/').slice(-2).join('/')].find((name) => name !== '' && isTimeZone(name));
}

function worldZone(name: string, temporal: DateContext['temporal']): CalendarZone {
  return {
    momentOf: (wall) => temporal.PlainDateTime.from(partsOf(wall)).toZonedDateTime(name).epochMilliseconds,
    wallAt: (moment) => floating(temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(name)),
  };
}

function fileZone(zone: ICAL.Timezone): CalendarZone {
  const offset = (wall: ICAL.Time) => zone.utcOffset(wall) * 1000;
  const asUtc = (moment: number) => ICAL.Time.fromJSDate(new Date(moment), true);
  return {
    momentOf: (wall) => utcOf(wall) - offset(wall),
    wallAt(moment) {
      const near = moment + offset(asUtc(moment));
      return floating(partsOf(asUtc(moment + offset(asUtc(near)))));
    },
  };
}

/** How its rules repeat is simple enough to be worked out without end: once a year, as every real one does. */
function isPlain(zone: ICAL.Component): boolean {
  const rules = zone.getAllSubcomponents().flatMap((part) => part.getAllProperties('rrule'));
  return (
    rules.length <= 500 &&
    rules.every((rule) => /^FREQ=YEARLY(?:;(?:BYMONTH|BYDAY|UNTIL|WKST)=[^;]{1,20})*$/.test(String(rule.getFirstValue())))
  );
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function partsOf({ year, month, day, hour, minute, second }: Parts): Parts {
  return { year, month, day, hour, minute, second };
}

function floating(parts: Parts): ICAL.Time {
  return new ICAL.Time({ ...partsOf(parts), isDate: false }, ICAL.Timezone.localTimezone);
}

function utcOf({ year, month, day, hour, minute, second }: Parts): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
