import { READING_GLOBALS } from '../../cli/globals.ts';
import { anyWords, defineCommand, text, toggle } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { absenceReport } from '../../output/absence-report.ts';
import type { CalendarEvent } from '../../output/icalendar.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import { inZone } from '../../session/time-zone.ts';
import { daysBetween, localDayAndTime, startOf, timestampOf } from '../../time/calendar.ts';
import { type DateRange, readDateRange } from '../../time/date-range.ts';
import { isRequested } from '../../time/leave.ts';
import { scalarText } from '../../values/json.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { counted } from '../../values/text.ts';
import { readTeamChoice, TEAM_OPTIONS } from '../choose-team.ts';
import { printReport, type Reporting, writePage } from '../print-report.ts';
import { calendarRow, calendarView, type PersonDays, personDays } from './absence-days.ts';
import { nameOf, type ReadingLeave, rangeText, readPeopleLeave } from './people-leave.ts';

export const absenceCalendar = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc prints a row for each person and a column for each day, with public holidays and days off. svc shows everybody who is away and whom you have permission to see. --user, --manager and --branch show the people that you choose, away or not.\n\nA day begins and ends in the time zone of each person. An absence without an end lasts until the last day shown. svc leaves out rejected absences. svc prints types and statuses as the service sends them. Outside a terminal, svc prints a record for each person. The days of a person are null if you have no permission to see the absences.',
  args: [anyWords('span', '2026-12, "next quarter", 2026, 2026-12-07..2026-12-18; at most a year (default: this month)')],
  options: {
    ...TEAM_OPTIONS,
    html: text('--html <file>', 'Write an HTML page to this file, to share or print', { type: 'file', completes: 'file' }),
    ics: text('--ics <file>', 'Write the absences to this iCalendar file, for other calendars', {
      type: 'file',
      completes: 'file',
    }),
    types: toggle('--types', 'Write the types of absences into the files too'),
  },
  examples: [
    { args: 'absences calendar', does: 'Show absences of this month' },
    { args: 'absences calendar next month --manager me', does: 'Show your team for next month' },
    { args: 'absences calendar 2026-12 --html december.html', does: 'Write a page to print, without the types of absences' },
    { args: 'absences calendar 2026 --ics team.ics --branch Amsterdam', does: 'Write a file for Thunderbird, Google Calendar and others' },
    {
      args: 'absences calendar 2026-12 --jq \'.[] | select(any(.days[]?; .date == "2026-12-24")) | .user\'',
      does: 'Print who is away on one day',
    },
  ],
  async run(context: Needs<Reporting | ReadingValues | ReadingLeave | 'clock'>, { args, options }) {
    if (options.types && options.html === undefined && options.ics === undefined)
      throw new UsageError('You can use --types only with --html or --ics.', { hint: 'Leave out --types: other output has the types.' });
    const range = await inZone(context, (dates) => readDateRange(args.length === 0 ? 'this month' : args.join(' '), dates));
    const dates = await context.dates();
    const days = daysBetween(range.first, range.last, dates.temporal);
    if (days.length > MOST_DAYS)
      throw new UsageError(`${range.first} to ${range.last} is longer than a year.`, { hint: 'For example: svc absences calendar 2026' });
    const { user, manager, branch, html, ics } = options;
    const isChosen = [user, manager, branch].some((given) => given !== undefined);
    const query = isChosen ? await readTeamChoice(context, options) : undefined;
    const people = (await readPeopleLeave(context, query, range)).map((one) => personDays(one, days));
    const shown = isChosen ? people : people.filter(({ absences }) => absences.length > 0);
    const when = rangeText(range, dates);
    const title = `Absences ${when}`;
    const types = html === undefined || options.types === true;
    if (html === undefined && ics === undefined && shown.every(({ absences }) => absences.length === 0))
      await context.notice(`Nobody whom you have permission to see is away ${when}.`);
    if (html !== undefined || ics === undefined)
      await printReport(context, {
        records: () => shown.map(calendarRow),
        report: () => absenceReport({ title, keepsAll: isChosen, ...calendarView(days, shown, types, dates.temporal) }),
        html,
      });
    if (ics === undefined) return;
    const hidden = shown.filter(({ leave }) => !leave.shown).length;
    if (hidden > 0)
      await context.notice(`The file leaves out ${counted(hidden, 'person', 'people')}: you have no permission to see these absences.`);
    const { renderCalendar } = await import('../../output/icalendar.ts');
    const { name: host } = await context.host();
    const events = shown.flatMap((person) => eventsOf(person, host, range, options.types === true));
    await writePage(context, ics, renderCalendar({ name: title, stamp: utcSeconds(context.clock.now()), events }));
  },
});

const MOST_DAYS = 366;

/**
 * Creates the calendar events of a person. Whole days become dates, and any other absence has its exact start and end. An absence without
 * an end ends on the day `last`.
 */
function eventsOf(person: PersonDays, host: string, { last }: DateRange, types: boolean): CalendarEvent[] {
  const { dates } = person;
  return person.absences.map(({ record, absence, days }) => {
    const type = types ? scalarText(record['type']) : '';
    const isRunning = absence.end === Number.POSITIVE_INFINITY;
    const end = isRunning ? timestampOf(last, '24:00', dates) : absence.end;
    const first = localDayAndTime(absence.start, dates).date;
    // An absence of whole days ends in the last second of a day, or one second later (rule 18.34).
    const after = localDayAndTime(end + 1_000, dates).date;
    const edge = startOf(after, dates);
    const isWhole = startOf(first, dates) === absence.start && (end === edge || end === edge - 1_000);
    const open = days.length === 0 ? undefined : absence.openDay;
    return {
      uid: `absence-${scalarText(record['id'])}@${host}`,
      summary: `${nameOf(person)} away${type === '' ? '' : ` (${type})`}`,
      description: isRunning
        ? `The absence has no end. This file shows the absence until ${last}.`
        : open && `svc does not know whether the absence includes ${open.date}. This day is ${open.counted ? '' : 'not '}shown here.`,
      start: isWhole ? first : utcSeconds(absence.start),
      end: isWhole ? after : utcSeconds(end),
      status: isRequested(record) ? 'TENTATIVE' : scalarText(record['status']).toLowerCase() === 'approved' ? 'CONFIRMED' : undefined,
    };
  });
}
