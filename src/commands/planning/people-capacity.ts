import type { Needs } from '../../session/context.ts';
import { capacityBy } from '../../time/capacity.ts';
import type { DateRange } from '../../time/date-range.ts';
import { knownHours } from '../../time/read-working-hours.ts';
import { today } from '../../values/dates.ts';
import { namesOfPeople, type PersonLeave, type ReadingLeave, readPeopleLeave, type Whom } from '../leave/people-leave.ts';

export type PersonCapacity = Awaited<ReturnType<typeof readPeopleCapacity>>[number];

/**
 * Reads working hours, leave and days off of people. The number of requests does not depend on the number of days, and grows only with each
 * hundred people. Leaves out people who are not active, unless `whom.users` names people. Prints a notice of unknown hours and uncertain
 * leave.
 */
export async function readPeopleCapacity(context: Needs<ReadingLeave>, whom: Whom, range: DateRange) {
  const people = await readPeopleLeave(context, whom, range);
  const shown = 'users' in whom && whom.users !== undefined ? people : people.filter(({ person }) => person.isActive !== false);
  await reportUnknown(context, shown);
  return shown.map((one) => {
    const { person, leave, dates } = one;
    const hours = knownHours(person.hours);
    const absences = one.absences.map(({ absence }) => absence);
    const { daysOff, isComplete } = leave;
    return { ...one, capacityOn: capacityBy({ hours, absences, daysOff, isComplete, dates, today: today(dates) }) };
  });
}

async function reportUnknown(context: Needs<'notice'>, people: readonly PersonLeave[]): Promise<void> {
  const reasons: readonly [is: (one: PersonLeave) => boolean, line: (names: string) => string][] = [
    [
      ({ person }) => person.hours.kind !== 'read',
      (names) => `svc does not know the working hours of ${names}, so their capacity is unknown.`,
    ],
    [
      ({ person, leave }) => person.hours.kind === 'read' && !leave.isComplete,
      (names) => `svc does not see all leave of ${names}, so svc only knows how much capacity they have at most.`,
    ],
    [
      ({ person, leave, absences }) =>
        person.hours.kind === 'read' &&
        leave.isComplete &&
        absences.some(({ absence }) => absence.isRequested || absence.openDay || absence.end === Infinity),
      (names) =>
        `Some leave of ${names} is only requested, has no end, or has an uncertain last day. svc shows the capacity with and without this leave.`,
    ],
  ];
  for (const [is, line] of reasons) {
    const some = people.filter(is);
    if (some.length > 0) await context.notice(line(namesOfPeople(some)));
  }
}
