/*! This file has ical.js 2.2.1 in it, unchanged: MPL-2.0, source at https://github.com/kewisch/ical.js */
import ICAL from 'ical.js';
import { SvcError, UsageError } from '../../../errors.ts';
import type { Interval } from '../../../time/calendar.ts';
import type { Meeting } from '../../../time/meetings.ts';
import { type DateContext, isTimeZone, type ZoneContext } from '../../../values/dates.ts';
import { quote } from '../../../values/text.ts';
import { keysIn } from '../target.ts';

export type CalendarReading = ReturnType<typeof readCalendar>;

interface CalendarQuery extends Interval {
  /** The user’s e-mail address in lower case. Undefined if unknown. */
  readonly email: string | undefined;
}

/**
 * Reads the events of a calendar file (RFC 5545). The file can be hostile, so svc follows endless rules only within the time range. svc
 * leaves out events whose rules take too many steps. `leftOut` has the number of occurrences that svc left out, by reason: `all-day` → 3.
 *
 * @throws UsageError for a text that is not a calendar.
 */
export function readCalendar(text: string, query: CalendarQuery, dates: DateContext) {
  const meetings: Meeting[] = [];
  const leftOut = new Map<string, number>();
  const doubts = new Set<string>();
  const budget = { left: MOST_STEPS };
  for (const calendar of parse(text)) {
    const zones = readZones(calendar, dates);
    const events = calendar.getAllSubcomponents('vevent');
    const moved = movedOf(events, zones);
    for (const event of events) {
      try {
        const found = occurrences(event, { zones, moved, budget, query });
        const changed = event.hasProperty('recurrence-id') ? undefined : moved.get(textOf(event, 'uid'))?.from;
        const times = changed === undefined ? found : found.filter(({ start }) => start < changed);
        if (times.length < found.length)
          doubts.add(
            `svc left out the later occurrences of ${nameOf(event)}. An event changes all later occurrences, and svc does not support such an event.`,
          );
        if (times.length === 0) continue;
        const why = whyNot(event, query.email);
        if (why !== undefined) leftOut.set(why, (leftOut.get(why) ?? 0) + times.length);
        else meetings.push(...times.map((time) => meetingOf(event, time)));
      } catch (error) {
        if (error instanceof SvcError) throw error;
        doubts.add(`svc left out ${nameOf(event)}, because svc cannot read the repetition rule.`);
      }
      if (query.email === undefined && event.getAllProperties('attendee').some(isDeclined))
        doubts.add(
          'svc does not know your e-mail address, so svc also proposes declined invitations. To name your address: --author you@example.com',
        );
    }
    for (const name of zones.unknown) doubts.add(`The calendar does not define its time zone ${quote(name)}, so svc uses your time zone.`);
  }
  return { meetings, leftOut, doubts: [...doubts] };
}

function parse(text: string): readonly ICAL.Component[] {
  const broken = (why: string, cause?: unknown) =>
    new UsageError(`--calendar: the file is not a calendar: ${why}.`, {
      hint: 'Give an .ics file that a calendar program exported.',
      cause,
    });
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) throw broken('it does not begin with BEGIN:VCALENDAR');
  try {
    const parsed: unknown = ICAL.parse(text.replace(/^\uFEFF/, ''));
    const all = (Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed]) as ConstructorParameters<
      typeof ICAL.Component
    >[0][];
    return all.map((one) => new ICAL.Component(one));
  } catch (error) {
    throw broken(quote(error instanceof Error ? error.message : String(error)), error);
  }
}

/**
 * Returns the original starts of the replaced occurrences, by event. All occurrences from the start `from` on are replaced
 * (RANGE=THISANDFUTURE).
 */
function movedOf(events: readonly ICAL.Component[], zones: CalendarZones) {
  const moved = new Map<string, { readonly timestamps: Set<number>; from: number | undefined }>();
  for (const event of events) {
    const property = event.getFirstProperty('recurrence-id');
    const time = property?.getFirstValue();
    if (property === null || !(time instanceof ICAL.Time)) continue;
    const uid = textOf(event, 'uid');
    const own = moved.get(uid) ?? { timestamps: new Set(), from: undefined };
    const timestamp = zones.of(time, tzidOf(property)).timestampOf(time);
    const isAll = String(property.getParameter('range') ?? '').toUpperCase() === 'THISANDFUTURE';
    own.timestamps.add(timestamp);
    if (isAll) own.from = Math.min(timestamp, own.from ?? timestamp);
    moved.set(uid, own);
  }
  return moved;
}

interface Expansion {
  readonly zones: CalendarZones;
  readonly moved: ReturnType<typeof movedOf>;
  /** The most steps that svc still follows for all rules of the file together. */
  readonly budget: { left: number };
  readonly query: Interval;
}

/** Returns the occurrences of an event in the time range. @throws Error for a rule that svc cannot follow. */
function occurrences(event: ICAL.Component, { zones, moved, budget, query }: Expansion): readonly Interval[] {
  const property = event.getFirstProperty('dtstart');
  const first = property?.getFirstValue();
  if (property === null || !(first instanceof ICAL.Time)) return [];
  const zone = zones.of(first, tzidOf(property));
  const start = zone.timestampOf(first);
  // By RFC 5545 (3.8.5.3), all occurrences have the same length, even across a clock change.
  const length = endOf(event, first, start, zones) - start;
  const touches = (timestamp: number) => timestamp < query.end && timestamp + length > query.start;
  const excluded = excludedBy(event, zones);
  const isSingle = event.hasProperty('recurrence-id');
  const others = isSingle ? undefined : moved.get(textOf(event, 'uid'))?.timestamps;
  const timestamps = new Set(isSingle ? [start] : startsOf(event));
  return [...timestamps].filter((timestamp) => touches(timestamp)).map((timestamp) => ({ start: timestamp, end: timestamp + length }));

  function startsOf(of: ICAL.Component): number[] {
    const wall = floating(first as ICAL.Time);
    const rules = of.getAllProperties('rrule');
    const ruled = rules.length === 0 ? [wall] : rules.flatMap((rule) => walls(rule.getFirstValue(), wall));
    const added = of.getAllProperties('rdate').flatMap((dates) =>
      dates.getValues().flatMap((value) => {
        const time = value instanceof ICAL.Period ? value.start : value;
        return time instanceof ICAL.Time ? [zones.of(time, tzidOf(dates)).timestampOf(time)] : [];
      }),
    );
    return [...ruled.filter((time) => !excluded.days.has(dayOf(time))).map((time) => zone.timestampOf(time)), ...added].filter(
      (timestamp) => !excluded.timestamps.has(timestamp) && others?.has(timestamp) !== true,
    );
  }

  /** Returns the local start times of a rule, up to the end of the time range. */
  function walls(rule: unknown, begin: ICAL.Time): ICAL.Time[] {
    if (!(rule instanceof ICAL.Recur) || !STEPS.has(rule.freq) || String(rule).length > LONGEST_RULE) throw new Error('no rule');
    const last = zone.wallAt(query.end);
    const { until } = rule;
    const end = until === null || until === undefined ? last : earlier(wallOfUntil(until), last);
    const bounded = rule.clone();
    bounded.until = end;
    if (begin.compare(end) > 0 || zone.timestampOf(end) + length < query.start) return [];
    // ical.js takes very long for large intervals, and ignores week numbers.
    if (rule.interval > LONGEST_INTERVAL || 'BYWEEKNO' in rule.parts) throw new Error('no repetition rule that svc can read');
    const iterator = bounded.iterator(nearTo(query.start - length, begin, rule));
    // ical.js can search for a matching day without end, so this limit counts its steps.
    const check = iterator.check_contracting_rules.bind(iterator);
    let steps = 0;
    iterator.check_contracting_rules = () => {
      budget.left -= 1;
      steps += 1;
      if (steps > MOST_STEPS_OF_ONE || budget.left < 0) throw new Error('too many steps');
      return iterator.last.compare(end) > 0 || check();
    };
    const found: ICAL.Time[] = [];
    for (let next = iterator.next(); next !== null && next !== undefined && next.compare(end) <= 0; next = iterator.next()) {
      found.push(next.clone());
      if (found.length > MOST_STEPS_OF_ONE) throw new Error('too many occurrences');
    }
    return found;
  }

  function wallOfUntil(until: ICAL.Time): ICAL.Time {
    if (until.isDate) return floating(until, { hour: 23, minute: 59, second: 59 });
    return until.zone === ICAL.Timezone.utcTimezone ? zone.wallAt(zones.of(until, undefined).timestampOf(until)) : floating(until);
  }
}

/** The days in one step of each supported frequency; 0 if steps differ in length. svc follows no rule that repeats within a day. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['DAILY', 1],
  ['WEEKLY', 7],
  ['MONTHLY', 0],
  ['YEARLY', 0],
]);

/**
 * Moves the start of a rule near a time, so that svc can skip the earlier steps. A monthly or yearly rule, and a rule with COUNT, keeps its
 * own start.
 */
function nearTo(timestamp: number, begin: ICAL.Time, { freq, interval, count }: ICAL.Recur): ICAL.Time {
  const step = (STEPS.get(freq) ?? 0) * Math.max(1, interval);
  const from = Date.UTC(begin.year, begin.month - 1, begin.day);
  const steps = step === 0 || count ? 0 : Math.floor((timestamp - from) / (step * DAY_MS)) - 1;
  if (steps <= 0) return begin;
  const near = begin.clone();
  near.adjust(steps * step, 0, 0, 0);
  return near;
}

const DAY_MS = 24 * 60 * 60_000;

/** The most steps for one rule (27 years of days), and for all rules of a file. svc leaves out an event whose rule needs more steps. */
const MOST_STEPS_OF_ONE = 10_000;
const MOST_STEPS = 30_000;
/** The largest interval of a rule that svc follows, in days, weeks, months or years. */
const LONGEST_INTERVAL = 10_000;
/** The longest rule that svc follows, in characters. Usual rules have about thirty characters. */
const LONGEST_RULE = 400;

function endOf(event: ICAL.Component, first: ICAL.Time, start: number, zones: CalendarZones): number {
  const property = event.getFirstProperty('dtend');
  const end = property?.getFirstValue();
  if (property !== null && end instanceof ICAL.Time) return Math.max(start, zones.of(end, tzidOf(property)).timestampOf(end));
  const duration = event.getFirstPropertyValue('duration');
  if (duration instanceof ICAL.Duration) return start + Math.max(0, duration.toSeconds()) * 1000;
  return first.isDate ? start + DAY_MS : start;
}

function excludedBy(event: ICAL.Component, zones: CalendarZones) {
  const timestamps = new Set<number>();
  const days = new Set<string>();
  for (const property of event.getAllProperties('exdate')) {
    for (const value of property.getValues()) {
      if (!(value instanceof ICAL.Time)) continue;
      if (value.isDate) days.add(dayOf(value));
      else timestamps.add(zones.of(value, tzidOf(property)).timestampOf(value));
    }
  }
  return { timestamps, days };
}

function whyNot(event: ICAL.Component, email: string | undefined): string | undefined {
  const start = event.getFirstPropertyValue('dtstart');
  if (start instanceof ICAL.Time && start.isDate) return 'all-day';
  if (textOf(event, 'status').toUpperCase() === 'CANCELLED') return 'cancelled';
  const isMine = (attendee: ICAL.Property) =>
    String(attendee.getFirstValue())
      .toLowerCase()
      .replace(/^mailto:/, '') === email;
  if (email !== undefined && event.getAllProperties('attendee').some((attendee) => isMine(attendee) && isDeclined(attendee)))
    return 'declined';
  const busy = textOf(event, 'x-microsoft-cdo-busystatus').toUpperCase();
  if (textOf(event, 'transp').toUpperCase() === 'TRANSPARENT' || busy === 'FREE') return 'shown as free';
  return busy === 'OOF' ? 'out of office' : undefined;
}

function isDeclined(attendee: ICAL.Property): boolean {
  return String(attendee.getParameter('partstat') ?? '').toUpperCase() === 'DECLINED';
}

function meetingOf(event: ICAL.Component, { start, end }: Interval): Meeting {
  const summary = textOf(event, 'summary').replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
  return { id: `${textOf(event, 'uid')} ${start}`, start, end, summary, key: keysIn(summary)[0] };
}

const LONGEST_TEXT = 200;

function textOf(event: ICAL.Component, name: string): string {
  const value = event.getFirstPropertyValue(name);
  return value === null || value === undefined ? '' : String(value);
}

function nameOf(event: ICAL.Component): string {
  return quote(textOf(event, 'summary') || 'an event without a title');
}

function tzidOf(property: ICAL.Property): string | undefined {
  const tzid = property.getParameter('tzid');
  return typeof tzid === 'string' ? tzid : undefined;
}

function earlier(one: ICAL.Time, other: ICAL.Time): ICAL.Time {
  return one.compare(other) <= 0 ? one : other;
}

function dayOf({ year, month, day }: ICAL.Time): string {
  return [year, month, day].join('-');
}

interface CalendarZone {
  /**
   * Converts a local time to milliseconds since 1970. If the clocks repeat the time, the first occurrence counts. If the clocks
   * skip the time, the time after the gap counts.
   */
  timestampOf(wall: ICAL.Time): number;
  /** Converts milliseconds since 1970 to the local time. */
  wallAt(timestamp: number): ICAL.Time;
}

type CalendarZones = ReturnType<typeof readZones>;

/**
 * Reads the zones of a calendar. svc uses Node’s data for IANA names, because definitions in files are often old. Other names, such as
 * Outlook’s `W. Europe Standard Time`, need the file’s definition. For any other name, svc uses the user’s zone. `unknown` has these names.
 */
function readZones(calendar: ICAL.Component, { timeZone, temporal }: ZoneContext) {
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
    /** Returns the zone of a time: UTC, otherwise the zone that the file names, otherwise the user’s zone. */
    of(time: ICAL.Time, tzid: string | undefined): CalendarZone {
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
    timestampOf: (wall) => temporal.PlainDateTime.from(partsOf(wall)).toZonedDateTime(name).epochMilliseconds,
    wallAt: (timestamp) => floating(temporal.Instant.fromEpochMilliseconds(timestamp).toZonedDateTimeISO(name)),
  };
}

function fileZone(zone: ICAL.Timezone): CalendarZone {
  const offset = (wall: ICAL.Time) => zone.utcOffset(wall) * 1000;
  const asUtc = (timestamp: number) => ICAL.Time.fromJSDate(new Date(timestamp), true);
  return {
    timestampOf: (wall) => utcOf(wall) - offset(wall),
    wallAt(timestamp) {
      const near = timestamp + offset(asUtc(timestamp));
      return floating(asUtc(timestamp + offset(asUtc(near))));
    },
  };
}

/** Returns true if the zone has only yearly rules, as real zones have. Other rules could take too long to follow. */
function isPlain(zone: ICAL.Component): boolean {
  const rules = zone.getAllSubcomponents().flatMap((part) => part.getAllProperties('rrule'));
  return (
    rules.length <= 500 &&
    rules.every((rule) => /^FREQ=YEARLY(?:;(?:BYMONTH|BYDAY|UNTIL|WKST)=[^;]{1,20})*$/.test(String(rule.getFirstValue())))
  );
}

type Parts = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>>;

function partsOf({ year, month, day, hour, minute, second }: Parts): Parts {
  return { year, month, day, hour, minute, second };
}

function floating(parts: Parts, more: Partial<Parts> = {}): ICAL.Time {
  return new ICAL.Time({ ...partsOf(parts), ...more, isDate: false }, ICAL.Timezone.localTimezone);
}

function utcOf({ year, month, day, hour, minute, second }: Parts): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
