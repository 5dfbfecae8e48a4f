import ICAL from 'ical.js';
import { type DateContext, isTimeZone, type ZoneContext } from '../../../values/dates.ts';

export interface CalendarZone {
  /** A repeated local time means its first occurrence; a skipped time means the time after the gap. */
  momentOf(wall: ICAL.Time): number;
  /** Converts milliseconds since 1970 to the local time. */
  wallAt(moment: number): ICAL.Time;
}

export interface CalendarZones {
  /** Returns the zone of a time: UTC, the zone that the file names, or otherwise the user’s zone. */
  of(time: ICAL.Time, tzid: string | undefined): CalendarZone;
  /** Names of zones that svc does not know. svc uses the user’s zone instead. */
  readonly unknown: ReadonlySet<string>;
}

/** For IANA names svc uses the data of Node: definitions in files are often old. Outlook’s `W. Europe Standard Time` needs the file’s. */
export function readZones(calendar: ICAL.Component, { timeZone, temporal }: ZoneContext): CalendarZones {
  const known = new Map<string, CalendarZone>();
  const unknown = new Set<string>();
  const find = (tzid: string): CalendarZone => {
    const name = ianaName(tzid);
    if (name !== undefined) return ianaZone(name, temporal);
    const explained = calendar
      .getAllSubcomponents('vtimezone')
      .find((zone) => String(zone.getFirstPropertyValue('tzid')) === tzid && isPlain(zone));
    if (explained !== undefined) return fileZone(new ICAL.Timezone({ component: explained, tzid }));
    unknown.add(tzid);
    return ianaZone(timeZone, temporal);
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

/** Finds an IANA name in the name of a zone, such as `/example.org/20250101/Europe/Amsterdam`. */
function ianaName(tzid: string): string | undefined {
  const [, end = ''] = /([A-Za-z_]+\/[\w+-]+(?:\/[\w+-]+)?)$/.exec(tzid) ?? [];
  return [tzid, end, end.split('/').slice(-2).join('/')].find((name) => name !== '' && isTimeZone(name));
}

function ianaZone(name: string, temporal: DateContext['temporal']): CalendarZone {
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

/** Whether the zone only has yearly rules, as real zones have. Other rules could take too long to follow. */
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
