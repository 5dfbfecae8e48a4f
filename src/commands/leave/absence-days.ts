import type { AbsenceView, ViewMark, ViewPerson } from '../../output/absence-view.ts';
import { dayName, monthName, weekdayOf } from '../../time/calendar.ts';
import { type LeaveDay, leaveDaysOf } from '../../time/leave-days.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import type { TemporalNamespace } from '../../values/temporal.ts';
import { nameOf, type PersonLeave } from './people-leave.ts';

type Found = PersonLeave['absences'][number];

/** Somebody's absences, a day at a time. */
export interface PersonDays extends Omit<PersonLeave, 'absences'> {
  /** Those that touch these days, each with the days it touches. */
  readonly absences: readonly (Found & { readonly days: readonly LeaveDay[] })[];
  /** For each day whether they work on it, leave apart; undefined where nobody knows. */
  readonly works: ReadonlyMap<string, boolean | undefined>;
}

/** Puts the absences of a person on days (`YYYY-MM-DD`), in that person's zone. */
export function personDays(one: PersonLeave, days: readonly string[]): PersonDays {
  const { person, dates, leave } = one;
  const hours = person.hours.kind === 'read' ? person.hours.hours : undefined;
  // Where only the length of a day is known, nobody knows which part of it is away.
  const clockHours = person.hours.kind === 'read' && !person.hours.chosen ? hours : undefined;
  const absences = one.absences
    .map((found) => ({ ...found, days: leaveDaysOf(found.absence, days, clockHours, dates) }))
    .filter((found) => found.days.length > 0);
  const off = new Set(leave.daysOff.map(({ date }) => date));
  const works = days.map((date) => {
    if (off.has(date)) return [date, false] as const;
    if (hours === undefined) return [date, undefined] as const;
    const isWorked = (hours[weekdayOf(date, dates.temporal)] ?? []).length > 0;
    // What keeps them from work may be among the days off that are not shown.
    return [date, isWorked && !leave.daysOffShown ? undefined : isWorked] as const;
  });
  return { ...one, absences, works: new Map(works) };
}

/** A record for programs: days in order, and null for what is not shown. */
export function calendarRow({ id, name, person, leave, absences, works }: PersonDays): JsonObject {
  return {
    user_id: id,
    user: name ?? null,
    timezone: person.timeZone,
    timezone_assumed: person.timeZoneAssumed,
    days: leave.shown ? dayRecords(absences, works) : null,
  };
}

/** What to draw. `types`: whether they may be named. */
export function calendarView({
  title,
  days,
  people,
  keepsAll,
  types,
  temporal,
}: {
  readonly title: string;
  readonly days: readonly string[];
  readonly people: readonly PersonDays[];
  readonly keepsAll: boolean;
  readonly types: boolean;
  readonly temporal: TemporalNamespace;
}): AbsenceView {
  const off = holidaysOf(people);
  return {
    title,
    keepsAll,
    days: days.map((date) => ({ date, weekday: weekdayOf(date, temporal), month: monthName(date), off: off.get(date) ?? [] })),
    people: people.map((person) => viewPerson(person, days, types)),
  };
}

/** An absence in words: `Mon 2026-12-07 to Fri 2026-12-11, vacation, requested`. */
function stretchWords({ absence, record, days }: PersonDays['absences'][number], types: boolean, temporal: TemporalNamespace): string {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return '';
  const from = first.part === 'day' || first.from === undefined ? '' : ` from ${first.from}`;
  const until = last.part === 'day' || last.until === undefined ? '' : ` until ${last.until}`;
  const begin = dayName(first.date, temporal);
  const when = first === last ? `${begin}${from}${until}` : `${begin}${from} to ${dayName(last.date, temporal)}${until}`;
  const open = days.find(({ part }) => part === undefined);
  return [
    when,
    ...(types ? [scalarText(record['type'])] : []),
    ...(isRequested(record) ? ['requested'] : []),
    ...(absence.end === Number.POSITIVE_INFINITY ? ['no end is set'] : []),
    ...(open === undefined ? [] : [`whether ${open.date} is a day of it is not known`]),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Whether nobody has granted it yet, as far as the record says. */
export function isRequested(record: JsonObject): boolean {
  return scalarText(record['status']).toLowerCase() === 'requested';
}

function dayRecords(absences: PersonDays['absences'], works: PersonDays['works']): JsonObject[] {
  return absences
    .flatMap(({ record, absence, days }) =>
      days.map(({ date, part, from, until }) => ({
        date,
        absence_id: record['id'] ?? null,
        part: part ?? null,
        from: from ?? null,
        until: until ?? null,
        type: record['type'] ?? null,
        status: record['status'] ?? null,
        runs: absence.end === Number.POSITIVE_INFINITY,
        works: works.get(date) ?? null,
      })),
    )
    .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}

function viewPerson(person: PersonDays, days: readonly string[], types: boolean): ViewPerson {
  const marks = new Map<string, ViewMark[]>();
  for (const { record, days } of person.absences) {
    const type = types ? scalarText(record['type']) || undefined : undefined;
    for (const { date, part } of days) {
      const own = marks.get(date) ?? [];
      own.push({ part, type, requested: isRequested(record) });
      marks.set(date, own);
    }
  }
  return {
    name: nameOf(person),
    shown: person.leave.shown,
    cells: days.map((date) => ({ works: person.works.get(date), marks: marks.get(date) ?? [] })),
    stretches: person.absences.map((found) => stretchWords(found, types, person.dates.temporal)),
  };
}

/** Names of public holidays by day: they are everybody's. */
function holidaysOf(people: readonly PersonDays[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { date, name, kind } of people[0]?.leave.daysOff ?? [])
    if (kind === 'holiday') names.set(date, [...new Set([...(names.get(date) ?? []), name])]);
  return names;
}
