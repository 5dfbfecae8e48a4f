import { shellWord } from '../../../cli/shell-word.ts';
import { NOTHING, type Report, type ReportCell, type ReportRow } from '../../../output/report.ts';
import { WEEKDAYS, weekNumber } from '../../../time/calendar.ts';
import type { Day } from '../../../time/day.ts';
import { projectName } from '../../../time/entry.ts';
import type { GridRow } from '../../../time/grid.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { dayNotes } from '../notes.ts';
import type { WorkedOutDays } from './look.ts';

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

type Filling = Pick<WorkedOutDays, 'user' | 'rows' | 'hostFlag'>;

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

/** The week as a grid: a row for each project and work item, a column a day, sums, and what is missing. */
export function weekReport(look: WorkedOutDays): Report {
  const { person, days, rows, dates, leaveIsComplete } = look;
  const name = ({ date }: Pick<Day, 'date'>) => `${WEEKDAYS[dates.temporal.PlainDate.from(date).dayOfWeek - 1]} ${Number(date.slice(8))}`;
  const first = days[0]?.date ?? '';
  const hoursKnown = days.some(({ target }) => target !== undefined);
  const gaps = days.map(({ gap }) => gap ?? 0);
  const missing = gaps.reduce((sum, gap) => sum + gap, 0);
  const sumOf = (label: string, minutes: readonly number[]) => ({ label, cells: cellsOf(minutes) });
  const atMost = leaveIsComplete ? '' : ', at most';
  const lacking = days.flatMap((day) =>
    // What looks missing may be leave that nobody may see.
    day.gap && leaveIsComplete
      ? [{ text: `${name(day)}, ${formatDuration(day.gap)}`, command: shortFillCommand(look, day.date, day.gap) }]
      : [],
  );
  const remarks = [
    ...(hoursKnown ? [] : ['The working hours are not known, so neither is what is missing.']),
    ...(leaveIsComplete ? [] : ['Not all leave could be read, so less may be missing than it looks.']),
    ...(rows.length === 0 ? ['No hours were logged.'] : []),
  ];
  return {
    title: `Week ${weekNumber(first, dates.temporal)}, ${first} to ${days.at(-1)?.date} · ${person.name} · ${person.timeZoneAssumed ? 'assumed ' : ''}${person.timeZone}`,
    parts: [
      { kind: 'notes', lines: remarks, only: ['page'] },
      {
        kind: 'table',
        name: 'Hours',
        isDense: true,
        levels: ['Project', 'Work item'],
        columns: [...days.map(name), 'Total'].map((label) => ({ label })),
        rows: gridLines(rows),
        totals: [
          sumOf(
            'Logged',
            days.map(({ logged }) => logged),
          ),
          ...(hoursKnown
            ? [
                sumOf(
                  `Target${atMost}`,
                  days.map(({ target }) => target ?? 0),
                ),
              ]
            : []),
          ...(missing > 0 ? [{ ...sumOf(`Missing${atMost}`, gaps), isMarked: true }] : []),
        ],
      },
      { kind: 'notes', name: 'Away', lines: days.flatMap((day) => dayNotes(day).map((note) => `${name(day)}: ${note}`)) },
      {
        kind: 'notes',
        heading: `Missing: ${formatDuration(missing)}. To fill it:`,
        look: 'marked',
        lines: lacking,
        only: ['table', 'spoken', 'markdown'],
      },
    ],
  };
}

/** A project's own line, then its work items below it; a project's line has figures where it has time of its own. */
function gridLines(rows: readonly GridRow[]): ReportRow[] {
  return rows.flatMap(({ project, projectId, workItem, minutes }, at) => [
    ...(projectId === rows[at - 1]?.projectId && project === rows[at - 1]?.project ? [] : ownLine(rows, project, projectId)),
    ...(workItem === undefined ? [] : [{ label: workItem, depth: 1, cells: cellsOf(minutes) }]),
  ]);
}

function ownLine(rows: readonly GridRow[], project: string, projectId: GridRow['projectId']): ReportRow[] {
  const own = rows.find((row) => row.project === project && row.projectId === projectId && row.workItem === undefined);
  return [{ label: project, cells: own === undefined ? [] : cellsOf(own.minutes) }];
}

function cellsOf(minutes: readonly number[]): ReportCell[] {
  const total = minutes.reduce((sum, value) => sum + value, 0);
  return [
    ...minutes.map((some) => (some === 0 ? NOTHING : formatDuration(some))),
    { text: total === 0 ? NOTHING : formatDuration(total), spoken: formatDuration(total) },
  ];
}

/** A record a day. What is not known is null; where leave may not be seen, the gap stands as a bound. */
export function dayRecords(look: WorkedOutDays): JsonObject[] {
  const isKnown = look.leaveIsComplete;
  return look.days.map((day, index) => ({
    date: day.date,
    weekday: WEEKDAYS[index % 7] ?? '',
    logged_minutes: day.logged,
    working_minutes: day.working ?? null,
    away_minutes: isKnown ? (day.away ?? null) : null,
    target_minutes: isKnown ? (day.target ?? null) : null,
    gap_minutes: isKnown ? (day.gap ?? null) : null,
    gap_at_most_minutes: day.gap ?? null,
    absences_known: isKnown,
    fill: day.gap && isKnown ? fillCommand(look, day.date, day.gap) : null,
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
