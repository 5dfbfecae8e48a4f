import { type DayRange, readEntries } from '../../../records/entries.ts';
import { readLeave } from '../../../records/leave.ts';
import { type Person, readPerson, type UserRef } from '../../../records/person.ts';
import type { Needs } from '../../../session/context.ts';
import { daysBetween } from '../../../time/calendar.ts';
import { computeDay, type Day } from '../../../time/day.ts';
import type { Entry } from '../../../time/entry.ts';
import { type GridRow, gridRows } from '../../../time/grid.ts';
import { describeHours, evenWeek, type WorkingHours } from '../../../time/working-hours.ts';
import { type DateContext, today } from '../../../values/dates.ts';
import { together } from '../../../values/together.ts';

/** Some days of somebody, worked out. */
export interface WorkedOutDays {
  readonly person: Person;
  readonly user: UserRef;
  readonly dates: DateContext;
  readonly days: readonly Day[];
  readonly entries: readonly Entry[];
  readonly rows: readonly GridRow[];
  /** All leave of these days was seen; else it counts as none, and that was said. */
  readonly leaveIsComplete: boolean;
  /** What a command that is shown needs to go to the same organisation. */
  readonly hostFlag?: string;
}

/** How days are looked at. */
export interface DaysOptions {
  /** Minutes of a working day, over what the record says. */
  readonly target?: number | undefined;
  /** Whether entries come with what they belong to, at a unit a page each. Default: they do. */
  readonly relations?: false;
}

/** Reads and works out some days of a person. */
export async function lookAt(
  context: Needs<'account' | 'client' | 'dates' | 'notice' | 'timeZone'>,
  user: UserRef,
  range: DayRange,
  { target, relations }: DaysOptions = {},
): Promise<WorkedOutDays> {
  const own = await context.dates();
  const id = user === 'me' ? (await context.account())?.user_id : user;
  const include = relations === false ? [] : ['project', 'work_item'];
  const entriesOf = (whose: UserRef) => Array.fromAsync(readEntries(context, { ...range, user: whose, view: 'summary', include }));
  const reading = readPerson(context, user);
  const [person, entries, leaveIn] = await together(
    reading,
    // Whose token it is may be known only once the person's record is there.
    id === undefined ? reading.then((me) => entriesOf(me.id ?? 'me')) : entriesOf(id),
    readLeave(context, id ?? user, range),
  );
  const dates = { ...own, timeZone: person.timeZone };
  const { absences, daysOff, isComplete } = await leaveIn(dates, person.id ?? id);
  const hours = target === undefined ? await hoursOf(context, person) : evenWeek(target);
  const calendar = { hours, absences, daysOff, dates, today: today(dates) };
  const dayNames = daysBetween(range.first, range.last, own.temporal);
  return {
    person,
    user,
    dates,
    entries,
    leaveIsComplete: isComplete,
    days: dayNames.map((date) => computeDay(date, entries, calendar)),
    rows: gridRows(entries, dayNames),
  };
}

/** The working hours of a person, and a line where there are none to go by, or where they could be meant otherwise. */
async function hoursOf(context: Needs<'notice'>, { name, hours }: Person): Promise<WorkingHours | undefined> {
  switch (hours.kind) {
    case 'read':
      if (hours.chosen)
        await context.notice(`The working hours of ${name} are read as ${describeHours(hours.hours)}. If that is wrong: --target.`);
      return hours.hours;
    case 'none':
      await context.notice(`The record of ${name} has no working hours, so what is missing is not known. See --target.`);
      return undefined;
    case 'absent':
      await context.notice(`The record of ${name} does not show working hours, so what is missing is not known. See --target.`);
      return undefined;
    case 'unreadable':
      await context.notice(
        `The working hours of ${name} are ${hours.shown}: svc cannot read it, so what is missing is not known. See --target.`,
      );
      return undefined;
  }
}
