import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand, text, toggle } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { absenceReport } from '../../output/absence-report.ts';
import { inZone } from '../../records/in-zone.ts';
import type { Understanding } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import { daysBetween, monthName } from '../../time/calendar.ts';
import { type DaySpan, readDaySpan } from '../../time/day-span.ts';
import type { DateContext } from '../../values/dates.ts';
import { readTeamChoice, TEAM_OPTIONS } from '../choose-team.ts';
import { printReport, type Reporting } from '../print-report.ts';
import { writePage } from '../write-page.ts';
import { calendarRow, calendarView, type PersonDays, personDays } from './absence-days.ts';
import { readPeopleLeave, type SeeingLeave } from './people-leave.ts';

/** `svc absences calendar december`: who is away on which day. */
export const absenceCalendar = defineCommand({
  name: 'calendar',
  summary: 'Show absences by person and day, as a grid, a page or a calendar file',
  showsGlobals: READING_GLOBALS,
  description:
    'svc prints a row for each person and a column for each day, with public holidays and days off. It shows everybody who is away and whom you have permission to see. --user, --manager and --branch show the people that you choose, away or not.\n\nDays are days in the time zone of each person. An absence without an end lasts until the last day shown. svc leaves out absences that were turned down. Types and statuses are the words of the service. Outside a terminal, svc prints a record for each person. Its days are null if you have no permission to see the absences.',
  args: [
    {
      name: 'span',
      summary: '2026-12, "next quarter", 2026, 2026-12-07..2026-12-18; at most a year (default: this month)',
      optional: true,
      variadic: true,
    },
  ],
  options: {
    ...TEAM_OPTIONS,
    html: text('--html <file>', 'Write an HTML page to this file, to share or print', { type: 'file', completes: 'file' }),
    ics: text('--ics <file>', 'Write the absences to this iCalendar file, for other calendars', {
      type: 'file',
      completes: 'file',
    }),
    types: toggle('--types', 'Write the types of absences into the files too, not only who is away'),
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
  async run(context: Needs<Reporting | Understanding | SeeingLeave | 'clock'>, { args, options }) {
    if (options.types && options.html === undefined && options.ics === undefined)
      throw new UsageError('--types is for --html and --ics.', { hint: 'Leave it out: what svc prints has the types.' });
    const span = await inZone(context, (dates) => readDaySpan(args.length === 0 ? 'this month' : args.join(' '), dates));
    const dates = await context.dates();
    const days = daysBetween(span.first, span.last, dates.temporal);
    if (days.length > MOST_DAYS)
      throw new UsageError(`${span.first} to ${span.last} is longer than a year.`, { hint: 'For example: svc absences calendar 2026' });
    const { user: users, manager, branch } = options;
    const isChosen = [users, manager, branch].some((given) => given !== undefined);
    const question = isChosen ? await readTeamChoice(context, { users, manager, branch }, '--user') : undefined;
    const people = (await readPeopleLeave(context, question, span)).map((one) => personDays(one, days));
    const shown = question === undefined ? people.filter(({ absences }) => absences.length > 0) : people;
    const title = `Absences ${spanWords(span, dates)}`;
    const keepsAll = question !== undefined;
    const types = options.html === undefined || options.types === true;
    if (options.html === undefined && options.ics === undefined && shown.every(({ absences }) => absences.length === 0))
      await context.notice(`Nobody that you may see is away ${spanWords(span, dates)}.`);
    if (options.html !== undefined || options.ics === undefined)
      await printReport(context, {
        records: () => shown.map(calendarRow),
        report: () => absenceReport(calendarView({ title, days, people: shown, keepsAll, types, temporal: dates.temporal })),
        html: options.html,
      });
    if (options.ics !== undefined) await writeEvents(context, options.ics, { title, shown, span, types: options.types });
  },
});

const MOST_DAYS = 366;

/** `in December 2026`, `in 2026`, `on 2026-12-07`, `from 2026-12-07 to 2026-12-11`. */
function spanWords({ first, last }: DaySpan, { temporal }: DateContext): string {
  if (first === last) return `on ${first}`;
  const lastOfMonth = temporal.PlainDate.from(last);
  const isWhole = first.endsWith('-01') && lastOfMonth.day === lastOfMonth.daysInMonth;
  if (isWhole && first.slice(0, 7) === last.slice(0, 7)) return `in ${monthName(first)}`;
  if (isWhole && first.slice(0, 4) === last.slice(0, 4) && first.slice(5, 7) === '01' && last.slice(5, 7) === '12')
    return `in ${first.slice(0, 4)}`;
  return `from ${first} to ${last}`;
}

interface Parts {
  readonly title: string;
  readonly shown: readonly PersonDays[];
  readonly types: true | undefined;
}

async function writeEvents(
  context: Needs<'clock' | 'files' | 'host' | 'notice'>,
  file: string,
  { title, shown, span, types }: Parts & { readonly span: DaySpan },
): Promise<void> {
  const [{ renderCalendar }, { eventsOf }] = await Promise.all([import('../../output/icalendar.ts'), import('./absence-events.ts')]);
  const { name } = await context.host();
  const hidden = shown.filter(({ leave }) => !leave.shown).length;
  if (hidden > 0) await context.notice(`The file says nothing of ${hidden} of these people: their absences are not shown to you.`);
  const events = shown.flatMap((person) => eventsOf(person, { host: name, span, types: types ?? false }));
  const stamp = `${new Date(context.clock.now()).toISOString().slice(0, 19)}Z`;
  await writePage(context, file, renderCalendar({ name: title, stamp, events }));
}
