import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand, toggle } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { inZone } from '../../records/in-zone.ts';
import type { Understanding } from '../../records/kinds.ts';
import { ownId } from '../../records/me.ts';
import type { TeamQuestion } from '../../records/team.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printOneOrMany, printRecords } from '../../session/print.ts';
import { daysBetween } from '../../time/calendar.ts';
import { type DaySpan, readDaySpan } from '../../time/day-span.ts';
import { type Amount, type UsedAmounts, type UsedLeave, usedLeave } from '../../time/used-leave.ts';
import { today } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { readTeamChoice, TEAM_OPTIONS } from '../choose-team.ts';
import { isRequested } from './absence-days.ts';
import { nameOf, namesOfPeople, type PersonLeave, readPeopleLeave, type SeeingLeave } from './people-leave.ts';

/** `svc absences used 2026`: how many working days of leave somebody has had, and has before them. */
export const usedDays = defineCommand({
  name: 'used',
  summary: 'Count the working days of leave that people used in a year',
  showsGlobals: READING_GLOBALS,
  description:
    'svc counts leave by the working hours of each person, without public holidays and free days. Overlapping absences count once. Three figures are separate: taken up to today, still to come, and only requested. An absence without an end counts until the end of today. Days are days in the time zone of each person.\n\nA figure is null if svc cannot read the working hours, absences, public holidays or free days. The service does not document entitlements, so svc cannot say how much leave remains.',
  args: [
    {
      name: 'span',
      summary: '2026, 2026-Q4, 2026-04-01..2027-03-31 (default: this year)',
      optional: true,
      variadic: true,
    },
  ],
  options: {
    ...TEAM_OPTIONS,
    everybody: toggle('--everybody', 'Count the leave of everybody whom you have permission to see (default: your own)'),
  },
  examples: [
    { args: 'absences used', does: 'Count your leave of this year' },
    { args: 'absences used 2026 --manager me', does: 'Count the leave of your team' },
    { args: 'absences used last year --branch Amsterdam --output csv > used.csv', does: 'Write the leave of a branch for a spreadsheet' },
    { args: "absences used --everybody --jq 'map({user, days: .taken_days})'", does: 'Print the days taken, by name' },
  ],
  async run(context: Needs<Printing | Understanding | SeeingLeave>, { args, options }) {
    const span = await inZone(context, (dates) => readDaySpan(args.length === 0 ? 'this year' : args.join(' '), dates));
    const isChosen = [options.user, options.manager, options.branch].some((given) => given !== undefined);
    if (isChosen && options.everybody)
      throw new UsageError('--everybody is not for people that are chosen.', { hint: 'Leave out one of them.' });
    const { user: users, manager, branch, everybody } = options;
    const question: TeamQuestion =
      isChosen || everybody ? await readTeamChoice(context, { users, manager, branch }, '--user') : { users: [await ownId(context)] };
    const people = await readPeopleLeave(context, question, span);
    const rows = people.map((one) => ({ one, used: usedBy(one, span) }));
    const unknown = rows.filter(
      ({ one, used }) => used === undefined && one.leave.shown && one.leave.unreadable === 0 && !hidesDaysOff(one),
    );
    if (unknown.length > 0)
      await context.notice(
        `The working hours of ${namesOfPeople(unknown.map(({ one }) => one))} are not known, so neither is how many days they used.`,
      );
    const hidden = rows.filter(({ one }) => one.leave.shown && hidesDaysOff(one));
    if (hidden.length > 0)
      await context.notice(
        `Public holidays or free days may not be seen, so how many days ${namesOfPeople(hidden.map(({ one }) => one))} used is not known.`,
      );
    const guessed = people.filter(({ person: { hours }, absences }) => absences.length > 0 && hours.kind === 'read' && hours.chosen);
    if (guessed.length > 0)
      await context.notice(
        `When ${namesOfPeople(guessed)} work is not said in full: each day is read as beginning at 09:00, and as Monday to Friday where no days are named.`,
      );
    const open = rows.filter(({ used }) => (used?.openDays.length ?? 0) > 0);
    for (const { one, used } of open)
      await context.notice(`${nameOf(one)}: whether ${used?.openDays.join(', ')} is a day of an absence is not known; ${openWords(one)}.`);
    const running = rows.filter(({ used }) => used?.runs);
    if (running.length > 0)
      await context.notice(`Counted to the end of today, since no end is set: ${namesOfPeople(running.map(({ one }) => one))}.`);
    if ((await context.presentation()).reader === 'person')
      return printRecords(
        context,
        rows.map(({ one, used }) => wordsOf(one, used)),
        ['user', 'taken_days', 'to_come', 'requested', 'types'],
      );
    await printOneOrMany(
      context,
      rows.map(({ one, used }) => recordOf(one, used)),
      true,
    );
  },
});

/** Whether there is leave of which holidays or free days that are not shown may be a part. */
function hidesDaysOff({ leave, absences }: PersonLeave): boolean {
  return !leave.daysOffShown && absences.length > 0;
}

/** Undefined where it cannot be known. */
function usedBy(one: PersonLeave, { first, last }: DaySpan): UsedLeave | undefined {
  const { person, dates, leave, absences } = one;
  if (!leave.shown || leave.unreadable > 0 || hidesDaysOff(one)) return undefined;
  const days = daysBetween(first, last, dates.temporal);
  const counted = absences.map(({ record, absence }) => ({
    absence,
    type: scalarText(record['type']) || undefined,
    requested: isRequested(record),
  }));
  const hours = person.hours.kind === 'read' ? person.hours.hours : undefined;
  return usedLeave(counted, days, { hours, daysOff: leave.daysOff, dates, today: today(dates) });
}

/** How the days are counted of which nobody knows. */
function openWords({ leave }: PersonLeave): string {
  return leave.open.every(({ counted }) => counted)
    ? 'counted'
    : leave.open.some(({ counted }) => counted)
      ? 'some are counted'
      : 'not counted';
}

function recordOf({ id, name, person, leave }: PersonLeave, used: UsedLeave | undefined): JsonObject {
  return {
    user_id: id,
    user: name ?? null,
    ...amountFields(used),
    runs: used?.runs ?? null,
    open_days: used?.openDays ?? null,
    types: used?.types.map(({ type, ...amounts }) => ({ type: type ?? null, ...amountFields(amounts) })) ?? null,
    shown: leave.shown,
    timezone: person.timeZone,
    timezone_assumed: person.timeZoneAssumed,
  };
}

function amountFields(used: UsedAmounts | undefined): JsonObject {
  return {
    taken_days: used?.taken.days ?? null,
    taken_minutes: used?.taken.minutes ?? null,
    to_come_days: used?.toCome.days ?? null,
    to_come_minutes: used?.toCome.minutes ?? null,
    requested_days: used?.requested.days ?? null,
    requested_minutes: used?.requested.minutes ?? null,
  };
}

/** The same for a person who reads it. */
function wordsOf(one: PersonLeave, used: UsedLeave | undefined): JsonObject {
  const unknown = one.leave.shown ? 'unknown' : 'not shown to you';
  const words = (amount: Amount | undefined) => (amount === undefined ? unknown : amountWords(amount));
  const types = used?.types.flatMap(({ type, all }) => (all.minutes === 0 ? [] : [`${type ?? 'no type'} ${all.days}`]));
  return {
    user: nameOf(one),
    taken_days: words(used?.taken),
    to_come: words(used?.toCome),
    requested: words(used?.requested),
    types: types?.join(', ') ?? '',
  };
}

function amountWords({ days, minutes }: Amount): string {
  if (minutes === 0) return '–';
  return `${days} (${formatDuration(minutes)})`;
}
