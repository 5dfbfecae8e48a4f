import type { ViewPerson } from '../../output/absence-view.ts';
import { dayName, monthName, weekdayOf } from '../../time/calendar.ts';
import { isRequested } from '../../time/leave.ts';
import { leaveDaysOf } from '../../time/leave-days.ts';
import { knownHours } from '../../time/read-working-hours.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import type { TemporalNamespace } from '../../values/temporal.ts';
import { compareTexts } from '../../values/text.ts';
import { nameOf, type PersonLeave } from './people-leave.ts';

export type PersonDays = ReturnType<typeof personDays>;

/**
 * Adds to each absence the days that the absence covers in part or in full. `works` is true for each day on which the person works, without
 * regard to absences. `works` is undefined for a day if svc does not know.
 */
export function personDays(one: PersonLeave, days: readonly string[]) {
  const { person, dates, leave } = one;
  const hours = knownHours(person.hours);
  // Only working hours with a known start show which part of the day an absence takes.
  const clockHours = person.hours.kind === 'read' && !person.hours.chosen ? hours : undefined;
  const absences = one.absences
    .map((found) => ({ ...found, days: leaveDaysOf(found.absence, days, clockHours, dates) }))
    .filter((found) => found.days.length > 0);
  const off = new Set(leave.daysOff.map(({ date }) => date));
  const worksOn = (date: string) => {
    if (off.has(date)) return false;
    const isWorked = hours && (hours[weekdayOf(date, dates.temporal)] ?? []).length > 0;
    // If svc cannot see days off, this working day can be a day off.
    return isWorked && !leave.daysOffShown ? undefined : isWorked;
  };
  return { ...one, absences, works: new Map(days.map((date) => [date, worksOn(date)])) };
}

/**
 * Returns the JSON record of a person’s calendar. `days` lists the days of absence in order. `days` is null if you have no permission to
 * see the absences.
 */
export function calendarRow({ id, name, person, leave, absences, works }: PersonDays): JsonObject {
  return {
    user_id: id,
    user: name ?? null,
    timezone: person.timeZone,
    timezone_assumed: person.timeZoneAssumed,
    days: leave.shown ? dayRecords(absences, works) : null,
  };
}

export function calendarView(days: readonly string[], people: readonly PersonDays[], types: boolean, temporal: TemporalNamespace) {
  const off = holidaysOf(people);
  return {
    days: days.map((date) => ({ date, weekday: weekdayOf(date, temporal), month: monthName(date), off: off.get(date) ?? [] })),
    people: people.map((person) => viewPerson(person, days, types)),
  };
}

/** Describes an absence in one line: `Mon 2026-12-07 to Fri 2026-12-11, vacation, requested`. */
function absenceText({ absence, record, days }: PersonDays['absences'][number], types: boolean, temporal: TemporalNamespace): string {
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
    ...(open === undefined ? [] : [`svc does not know whether ${open.date} is included`]),
  ]
    .filter((part) => part !== '')
    .join(', ');
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
    .sort((one, other) => compareTexts(one.date, other.date));
}

function viewPerson(person: PersonDays, days: readonly string[], types: boolean): ViewPerson {
  const marks = Map.groupBy(
    person.absences.flatMap(({ record, days: touched }) => {
      const type = types ? scalarText(record['type']) || undefined : undefined;
      return touched.map(({ date, part }) => ({ date, mark: { part, type, requested: isRequested(record) } }));
    }),
    ({ date }) => date,
  );
  return {
    name: nameOf(person),
    shown: person.leave.shown,
    cells: days.map((date) => ({ works: person.works.get(date), marks: marks.get(date)?.map(({ mark }) => mark) ?? [] })),
    stretches: person.absences.map((found) => absenceText(found, types, person.dates.temporal)),
  };
}

/** Lists the names of public holidays by day. All people have the same public holidays. */
function holidaysOf(people: readonly PersonDays[]): ReadonlyMap<string, readonly string[]> {
  const holidays = people[0]?.leave.daysOff.filter(({ kind }) => kind === 'holiday') ?? [];
  const byDay = Map.groupBy(holidays, ({ date }) => date);
  return new Map([...byDay].map(([date, some]) => [date, [...new Set(some.map(({ name }) => name))]]));
}
