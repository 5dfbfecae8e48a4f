import { neutraliseLine } from '../../../output/neutralise.ts';
import { type Report, type ReportCell, type ReportRow, textOf } from '../../../output/report.ts';
import type { ReadingValues } from '../../../records/kinds.ts';
import type { TeamQuery } from '../../../records/people.ts';
import type { Needs } from '../../../session/context.ts';
import { printText } from '../../../session/print.ts';
import { dayName, WEEKDAYS, weekNumber } from '../../../time/calendar.ts';
import type { DateRange } from '../../../time/date-range.ts';
import { type Tally, type TallyFigure, tallyOf } from '../../../time/tally.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import type { TemporalNamespace } from '../../../values/temporal.ts';
import { counted } from '../../../values/text.ts';
import { chooseRow, type NamedRow } from '../../choose-row.ts';
import { namesIn, readTeamChoice } from '../../choose-team.ts';
import { type Explaining, explainFigures } from '../../explain-figures.ts';
import { printReport } from '../../print-report.ts';
import { boundedText, loggedText, totalText } from './figure-text.ts';
import { type Colleague, readTeamDays } from './read-week.ts';
import type { WeekOptions } from './week-options.ts';

export async function printTeamWeek(context: Needs<Explaining | ReadingValues>, days: DateRange, options: WeekOptions): Promise<void> {
  const colleagues = await readTeamDays(context, await readTeamQuery(context, options), days, { kinds: options.html !== undefined });
  const { temporal } = await context.dates();
  const all = colleagues.map((colleague): TeamRow => ({ colleague, tally: tallyOf(colleague.days, colleague.seen) }));
  if (options.why !== undefined) {
    const { row } = await chooseRow(
      context,
      all.map((one) => namedRow(one.colleague, one)),
      options.why,
    );
    return explainFigures(context, {
      title: `Missing hours, ${days.first} to ${days.last} · ${row.colleague.member.name}`,
      subject: { ...personFields(row.colleague).person, from: days.first, to: days.last },
      figures: [{ figure: 'gap_minutes', label: 'Missing', steps: row.tally.gapSteps }],
    });
  }
  const rows = options.missing || options.remind ? all.filter(({ tally }) => tally.gapAtMost !== 0) : all;
  const week = weekNumber(days.first, temporal);
  const title = `Week ${week}, ${days.first} to ${days.last}`;
  if (rows.length === 0)
    await context.notice(colleagues.length === 0 ? 'There is nobody to show.' : `No hours are missing in week ${week}.`);
  if (options.remind) return printText(context, reminder(title, rows, temporal));
  await printReport(context, {
    records: () => rows.map((row) => weekRecord(row, week)),
    report: () => (rows.length === 0 && options.html === undefined ? undefined : teamReport(title, rows, temporal)),
    html: options.html,
  });
}

/** Returns a row of a table of people, with the names that `--why` accepts. */
export function namedRow<Row>({ member: { id, name, email } }: Colleague, row: Row): NamedRow<Row> {
  return { row, label: name, also: [String(id), ...(email === undefined ? [] : [email])] };
}

export function readTeamQuery(context: Needs<ReadingValues>, { users, manager, branch }: WeekOptions): Promise<TeamQuery> {
  return readTeamChoice(context, { user: namesIn(users), manager, branch }, '--users');
}

/** Returns a reminder with a line for each person with missing hours. `up to` marks an upper bound. */
function reminder(title: string, rows: readonly TeamRow[], temporal: TemporalNamespace): string {
  const lines = rows.flatMap(({ colleague, tally }) => {
    if (tally.gapAtMost === undefined) return [];
    const gaps = colleague.days.filter(({ gap }) => gap !== undefined && gap > 0);
    const days = gaps.map(({ date, gap = 0 }) => `${dayName(date, temporal)} ${formatDuration(gap)}`).join(', ');
    const why = `${colleague.seen.leave ? '' : '; absences not known'}${colleague.seen.entries ? '' : '; entries not all known'}`;
    return [`- ${neutraliseLine(colleague.member.name)}: ${boundedText(tally.gap, tally.gapAtMost)} missing (${days}${why})`];
  });
  return lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`;
}

interface TeamRow {
  readonly colleague: Colleague;
  readonly tally: Tally;
}

export function personFields({ member, seen }: Colleague) {
  const { id, name, timeZone, timeZoneAssumed } = member;
  return {
    person: { user_id: id, user: name },
    knowing: { absences_known: seen.leave, timezone: timeZone, timezone_assumed: timeZoneAssumed },
  };
}

function weekRecord({ colleague, tally }: TeamRow, week: string): JsonObject {
  const { person, knowing } = personFields(colleague);
  return {
    ...person,
    week,
    ...tallyFields(tally),
    last_entry_date: colleague.lastEntry ?? null,
    ...knowing,
    days: colleague.days.map((day) => ({ date: day.date, ...tallyFields(tallyOf([day], colleague.seen)) })),
  };
}

function tallyFields({ target, logged, away, gap, gapAtMost }: Tally): JsonObject {
  return {
    target_minutes: target ?? null,
    logged_minutes: logged ?? null,
    away_minutes: away ?? null,
    gap_minutes: gap ?? null,
    gap_at_most_minutes: gapAtMost ?? null,
  };
}

/** Creates the report of a team with a row for each person. A page also has the days with missing hours. */
function teamReport(title: string, rows: readonly TeamRow[], temporal: TemporalNamespace): Report {
  const days = rows[0]?.colleague.days ?? [];
  const gaps = rows.filter(({ tally }) => tally.gapAtMost !== undefined && tally.gapAtMost > 0);
  const nameOf = (date: string) => `${WEEKDAYS[days.findIndex((day) => day.date === date) % 7]} ${Number(date.slice(8))}`;
  const remarks = [
    ...(rows.some(({ tally }) => tally.gapAtMost === undefined)
      ? ['svc does not know all working hours, so svc does not know all missing hours.']
      : []),
    ...(rows.some(({ colleague }) => !colleague.seen.leave) ? ['svc does not know all leave: a figure with “up to” can be lower.'] : []),
    ...(rows.length === 0 ? ['There is nobody to show.'] : []),
  ];
  return {
    title,
    parts: [
      { kind: 'notes', lines: remarks, only: ['page'] },
      {
        kind: 'drawing',
        // Without all entries, the sums of the drawing could be too low, so the page has no drawing.
        ...(rows.length > 0 &&
          rows.every(({ colleague }) => colleague.seen.entries) && {
            html: async () =>
              (await import('./week-drawing.ts')).drawWeek({
                people: rows.map(({ colleague }) => colleague.days),
                entries: rows.flatMap(({ colleague }) => colleague.entries),
                target: textOf(totalOfTallies(rows, 'target', 'targetAtMost')),
                missing: textOf(totalOfTallies(rows, 'gap', 'gapAtMost')),
                nameOf,
                temporal,
              }),
          }),
      },
      {
        kind: 'table',
        name: 'People',
        levels: ['User'],
        columns: [
          { label: 'Target' },
          { label: 'Logged' },
          { label: 'Away', mayGo: true },
          { label: 'Missing' },
          { label: 'Last entry', align: 'left', mayGo: true },
        ],
        rows: rows.map(cellsOf),
        totals: rows.length === 0 ? [] : [totalOf(rows)],
      },
      {
        kind: 'table',
        name: 'Missing',
        levels: ['User'],
        columns: days.map(({ date }) => ({ label: nameOf(date) })),
        rows: gaps.map(gapsOf),
        only: ['page'],
      },
    ],
  };
}

function cellsOf({ colleague, tally }: TeamRow): ReportRow {
  return {
    label: colleague.member.name,
    cells: [
      boundedText(tally.target, tally.targetAtMost),
      loggedText(tally),
      boundedText(tally.away),
      boundedText(tally.gap, tally.gapAtMost),
      lastOf([colleague.lastEntry]),
    ],
  };
}

function totalOf(rows: readonly TeamRow[]): ReportRow {
  const of = (figure: TallyFigure, atMost?: TallyFigure) => totalOfTallies(rows, figure, atMost);
  const latest = lastOf(rows.map(({ colleague }) => colleague.lastEntry));
  return {
    label: peopleTotal(rows.length),
    cells: [of('target', 'targetAtMost'), of('logged'), of('away'), of('gap', 'gapAtMost'), latest],
  };
}

function totalOfTallies(rows: readonly TeamRow[], figure: TallyFigure, atMost?: TallyFigure): ReportCell {
  return totalText(
    rows.map(({ tally }) => tally[figure]),
    atMost && rows.map(({ tally }) => tally[atMost]),
  );
}

export function peopleTotal(count: number): string {
  return `Total of ${counted(count, 'person', 'people')}`;
}

function gapsOf({ colleague, tally }: TeamRow): ReportRow {
  const text = (gap: number) => `${tally.gap === undefined ? 'up to ' : ''}${formatDuration(gap)}`;
  return { label: colleague.member.name, cells: colleague.days.map(({ gap }) => (gap ? text(gap) : '')) };
}

function lastOf(days: readonly (string | null | undefined)[]): ReportCell {
  if (days.includes(undefined)) return 'unknown';
  const last = days.reduce((latest, day) => ((day ?? '') > (latest ?? '') ? day : latest), null);
  return last ?? { text: 'none', spoken: 'none in the week' };
}
