import { spelled } from '../../cli/habits.ts';
import { naming } from '../../cli/naming.ts';
import { shellWord } from '../../cli/shell-word.ts';
import { defineCommand, parsed, text } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { type DayRange, readEntries } from '../../records/entries.ts';
import { inZone } from '../../records/in-zone.ts';
import { readUser, type Understanding } from '../../records/kinds.ts';
import { readLeave } from '../../records/leave.ts';
import { type Person, readPerson, type UserRef } from '../../records/person.ts';
import type { Needs } from '../../session/context.ts';
import { hostFlag } from '../../session/host-to-name.ts';
import type { Printing } from '../../session/print.ts';
import { outputFormat, printOneOrMany, wantsColor } from '../../session/print.ts';
import { daysBetween, parseWeek, WEEKDAYS, weekNumber, weekOf } from '../../time/calendar.ts';
import { computeDay, type Day } from '../../time/day.ts';
import { type Entry, projectName } from '../../time/entry.ts';
import { type GridRow, gridRows } from '../../time/grid.ts';
import { describeHours, evenWeek, type WorkingHours } from '../../time/working-hours.ts';
import { type DateContext, today } from '../../values/dates.ts';
import { formatDuration, parseDuration } from '../../values/duration.ts';
import type { JsonObject } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { notesOf } from './notes.ts';

/** `svc week [date]`: a week as a grid, against the user's own working hours. */
export const week = defineCommand({
  name: 'week',
  summary: 'Your week as a grid, and what is missing in it',
  description:
    'A row for each project and work item, a column a day. The target of a day is what the user’s working hours say, without absences, public holidays and free days. What is missing up to today is listed, with the command that fills it. Days are those of the user’s own time zone.',
  args: [{ name: 'date', summary: 'Any day of the week, or this, last, next, 2026-W23; this week if not given', optional: true }],
  options: {
    user: text(`${spelled('user')} <id|me|name>`, 'Whose week; yours if not given', { type: 'user' }),
    target: parsed('--target <duration>', 'Hours of a working day, Monday to Friday, instead of those in the user’s record', parseTarget, {
      type: 'duration',
    }),
  },
  examples: [
    { args: 'week', does: 'This week' },
    { args: 'week last --user mira@example.com', does: 'Somebody’s last week' },
    { args: "week --jq 'map(.gap_minutes) | add'", does: 'Minutes that are missing' },
  ],
  async run(context: Needs<Printing | Understanding | 'resolvedHost'>, { args: [date = 'today'], options }) {
    const day = await inZone(context, (dates) => parseWeek(date, dates));
    const monday = weekOf(day, (await context.dates()).temporal);
    const days = { first: monday[0] ?? '', last: monday[6] ?? '' };
    const whose = options.user;
    const user = whose === undefined ? 'me' : await naming('--user', () => readUser(context, whose));
    const look = { ...(await lookAt(context, user, days, options.target)), hostFlag: await hostFlag(context) };
    const format = await outputFormat(context);
    if (context.globals.jq !== undefined || context.globals.fields !== undefined || format !== 'table') {
      return printOneOrMany(context, dayRecords(look), true);
    }
    const { stdout } = context.stdio;
    const [view, color] = [viewOf(look), wantsColor(context)];
    // Drawn with colours, from texts that were made harmless one by one.
    const { renderWeek, weekFits } = await import('../../output/grid-week.ts');
    if ((await context.accessible()) || !weekFits(view, stdout.columns))
      return stdout.write(await (await import('../../output/time-blocks.ts')).weekBlocks(view, color));
    await stdout.write(await renderWeek(view, { color, width: stdout.columns }));
  },
});

/** Some days of somebody, worked out. */
export interface Look {
  readonly person: Person;
  readonly user: UserRef;
  readonly dates: DateContext;
  readonly days: readonly Day[];
  readonly entries: readonly Entry[];
  readonly rows: readonly GridRow[];
  /** What a command that is shown needs to go to the same organisation. */
  readonly hostFlag?: string;
}

/** Reads and works out some days of a person. `target`: minutes of a working day, over what the record says. */
export async function lookAt(
  context: Needs<'account' | 'client' | 'dates' | 'notice' | 'timeZone'>,
  user: UserRef,
  range: DayRange,
  target?: number,
): Promise<Look> {
  const own = await context.dates();
  const id = user === 'me' ? (await context.account())?.user_id : user;
  const entriesOf = (whose: UserRef) =>
    Array.fromAsync(readEntries(context, { ...range, user: whose, view: 'summary', include: ['project', 'work_item'] }));
  const reading = readPerson(context, user);
  const [person, entries, leaveIn] = await together(
    reading,
    // Whose token it is may be known only once the person's record is there.
    id === undefined ? reading.then((me) => entriesOf(me.id ?? 'me')) : entriesOf(id),
    readLeave(context, id ?? user, range),
  );
  const dates = { ...own, timeZone: person.timeZone };
  const { absences, daysOff } = await leaveIn(dates, person.id ?? id);
  const hours = target === undefined ? await hoursOf(context, person) : evenWeek(target);
  const calendar = { hours, absences, daysOff, dates, today: today(dates) };
  const dayNames = daysBetween(range.first, range.last, own.temporal);
  return {
    person,
    user,
    dates,
    entries,
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

/** The command that logs what a day lacks, on what most of the week went to. */
export function fillCommand(look: Filling, date: string, gap: number): string {
  const target = mostOf(look.rows);
  const project = typeof target?.projectId === 'number' ? ` --project ${target.projectId}` : '';
  return `svc worklogs add ${formatDuration(gap)}${itemWords(target) ?? project} --date ${date}${forWhom(look)}`;
}

/** The same for a person, in a line as short as it may be: a project by its name. */
function shortFillCommand(look: Filling, date: string, gap: number): string {
  const target = mostOf(look.rows);
  const name = target?.project ?? '';
  const goesByName = typeof target?.projectId === 'number' && name !== projectName({ project: undefined, projectId: target.projectId });
  if (!goesByName || itemWords(target) !== undefined || MEANS_ELSE.test(name)) return fillCommand(look, date, gap);
  return `svc worklogs add ${formatDuration(gap)} -p ${shellWord(name)} -d ${date}${forWhom(look)}`;
}

type Filling = Pick<Look, 'user' | 'rows' | 'hostFlag'>;

/** A name that svc would take for something else. */
const MEANS_ELSE = /^\s*(?:\d+|last|none|null)\s*$/i;

function mostOf(rows: readonly GridRow[]): GridRow | undefined {
  return rows.reduce<GridRow | undefined>((best, row) => (best === undefined || row.total > best.total ? row : best), undefined);
}

/** What comes from the service is quoted: the line is meant to be run. */
function itemWords(row: GridRow | undefined): string | undefined {
  if (row?.key !== undefined) return ` ${shellWord(row.key)}`;
  return typeof row?.workItemId === 'number' ? ` --work-item ${row.workItemId}` : undefined;
}

function forWhom({ user, hostFlag = '' }: Filling): string {
  return `${user === 'me' ? '' : ` --user ${user}`}${hostFlag}`;
}

function viewOf(look: Look) {
  const { person, days, rows, dates } = look;
  const name = ({ date }: Pick<Day, 'date'>) => `${WEEKDAYS[dates.temporal.PlainDate.from(date).dayOfWeek - 1]} ${Number(date.slice(8))}`;
  const first = days[0]?.date ?? '';
  const hoursKnown = days.some(({ target }) => target !== undefined);
  const sumOf = (label: string, minutes: readonly number[]) => ({ label, minutes, total: minutes.reduce((sum, value) => sum + value, 0) });
  const gaps = days.map(({ gap }) => gap ?? 0);
  return {
    title: `Week ${weekNumber(first, dates.temporal)}, ${first} to ${days.at(-1)?.date} · ${person.name} · ${person.timeZoneAssumed ? 'assumed ' : ''}${person.timeZone}`,
    days: days.map(name),
    rows,
    sums: [
      sumOf(
        'Logged',
        days.map(({ logged }) => logged),
      ),
      ...(hoursKnown
        ? [
            sumOf(
              'Target',
              days.map(({ target }) => target ?? 0),
            ),
          ]
        : []),
      ...(gaps.some((gap) => gap > 0) ? [{ ...sumOf('Missing', gaps), marks: true as const }] : []),
    ],
    notes: days.flatMap((day) => notesOf(day).map((note) => `${name(day).padEnd(7)}${note}`)),
    gaps: days.flatMap((day) =>
      day.gap ? [{ day: name(day), minutes: day.gap, command: shortFillCommand(look, day.date, day.gap) }] : [],
    ),
  };
}

function dayRecords(look: Look): JsonObject[] {
  return look.days.map((day, index) => ({
    date: day.date,
    weekday: WEEKDAYS[index % 7] ?? '',
    logged_minutes: day.logged,
    working_minutes: day.working ?? null,
    away_minutes: day.away ?? null,
    target_minutes: day.target ?? null,
    gap_minutes: day.gap ?? null,
    fill: day.gap ? fillCommand(look, day.date, day.gap) : null,
    days_off: day.daysOff.map(({ name, kind }) => ({ name, kind })),
    absences: day.absences.map(({ label, from, to }) => ({ label, from: from ?? null, to: to ?? null })),
    entries: look.rows
      .filter((row) => row.minutes[index] !== 0)
      .map((row) => ({
        project_id: row.projectId ?? null,
        project: row.projectId === undefined ? 'unknown' : row.project,
        work_item_id: row.workItemId ?? null,
        work_item: row.workItemId === undefined ? 'unknown' : (row.workItem ?? null),
        minutes: row.minutes[index] ?? 0,
      })),
    timezone: look.person.timeZone,
    timezone_assumed: look.person.timeZoneAssumed,
  }));
}

function parseTarget(text: string): number {
  const minutes = parseDuration(text);
  if (minutes <= 15 * 60) return minutes;
  throw new UsageError('A working day is at most 15h.', { hint: 'For example: --target 8h' });
}
