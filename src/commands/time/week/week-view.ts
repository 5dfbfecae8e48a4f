import { shellWord } from '../../../cli/shell-word.ts';
import { NOTHING, type Report, type ReportCell, type ReportRow } from '../../../output/report.ts';
import { WEEKDAYS, weekdayOf, weekNumber } from '../../../time/calendar.ts';
import type { Day } from '../../../time/day.ts';
import { projectName } from '../../../time/entry.ts';
import type { GridRow } from '../../../time/grid.ts';
import { tallyOf } from '../../../time/tally.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { boundedText } from './figure-text.ts';
import { dayNotes, type WorkedOutDays } from './read-week.ts';

/**
 * Returns the command that logs the missing hours of a day. The command names the work item or project with the most hours of the week.
 * Projects that are on hold or have ended do not count.
 */
export function fillCommand(workedOut: Filling, date: string, gap: number): string {
  const { project, item } = mostUsed(workedOut);
  return `svc worklogs add ${formatDuration(gap)}${item ?? (project === undefined ? '' : ` --project ${project.id}`)} --date ${date}${forWhom(workedOut)}`;
}

export function shortFillCommand(workedOut: Filling, date: string, gap: number): string {
  const { project, item } = mostUsed(workedOut);
  const isNamed = project !== undefined && project.name !== projectName({ project: undefined, projectId: project.id });
  if (!isNamed || item !== undefined || IS_NO_NAME.test(project.name)) return fillCommand(workedOut, date, gap);
  return `svc worklogs add ${formatDuration(gap)} -p ${shellWord(project.name)} -d ${date}${forWhom(workedOut)}`;
}

/** `hostFlag`: the ` --host` flag that a printed command needs for the same organisation, with a leading space. */
type Filling = Pick<WorkedOutDays, 'user' | 'rows'> & { readonly hostFlag: string };

const IS_NO_NAME = /^\s*(?:\d+|last|none|null)\s*$/i;

/** Finds the project and work item with the most hours. svc quotes the key for a shell, because the key comes from the service. */
function mostUsed({ rows }: Filling) {
  const usable = rows.filter(({ isProjectOver }) => !isProjectOver);
  const row = usable.reduce<GridRow | undefined>((best, one) => (best === undefined || one.total > best.total ? one : best), undefined);
  const item =
    row?.key !== undefined ? ` ${shellWord(row.key)}` : typeof row?.workItemId === 'number' ? ` --work-item ${row.workItemId}` : undefined;
  return { item, project: typeof row?.projectId === 'number' ? { id: row.projectId, name: row.project } : undefined };
}

function forWhom({ user, hostFlag }: Filling): string {
  return `${user === 'me' ? '' : ` --user ${user}`}${hostFlag}`;
}

export function weekReport(workedOut: WorkedOutDays & Filling): Report {
  const { person, days, rows, dates, leaveIsComplete } = workedOut;
  const { item, project } = mostUsed(workedOut);
  const place = item !== undefined ? 'work item' : project !== undefined ? 'project' : undefined;
  const nameOf = (date: string) => `${WEEKDAYS[weekdayOf(date, dates.temporal)]} ${Number(date.slice(8))}`;
  const name = ({ date }: Day) => nameOf(date);
  const first = days[0]?.date ?? '';
  const hoursKnown = days.some(({ target }) => target !== undefined);
  const missing = days.reduce((sum, { gap = 0 }) => sum + gap, 0);
  const sumOf = (label: string, minutes: (day: Day) => number) => ({ label, cells: cellsOf(days.map(minutes)) });
  const atMost = leaveIsComplete ? '' : ', at most';
  const lacking = days.flatMap((day) =>
    // Hidden leave can explain the missing hours. If leave is hidden, svc therefore proposes no commands.
    day.gap && leaveIsComplete
      ? [{ text: `${name(day)}, ${formatDuration(day.gap)}`, command: shortFillCommand(workedOut, day.date, day.gap) }]
      : [],
  );
  const remarks = [
    ...(hoursKnown ? [] : ['svc knows neither the working hours nor the missing hours.']),
    ...(leaveIsComplete ? [] : ['svc could not read all leave, so fewer hours may be missing.']),
    ...(rows.length === 0 ? ['No hours were logged.'] : []),
  ];
  return {
    title: `Week ${weekNumber(first, dates.temporal)}, ${first} to ${days.at(-1)?.date} · ${person.name} · ${person.timeZoneAssumed ? 'assumed ' : ''}${person.timeZone}`,
    nameInTitle: person.name,
    parts: [
      { kind: 'notes', lines: remarks, only: ['page'] },
      {
        kind: 'drawing',
        async html() {
          const { drawWeek } = await import('./week-drawing.ts');
          const sums = tallyOf(days, { leave: leaveIsComplete, entries: true });
          return drawWeek({
            people: [days],
            entries: workedOut.entries,
            target: boundedText(sums.target, sums.targetAtMost),
            missing: boundedText(sums.gap, sums.gapAtMost),
            nameOf,
            temporal: dates.temporal,
          });
        },
      },
      {
        kind: 'table',
        name: 'Hours',
        isDense: true,
        levels: ['Project', 'Work item'],
        columns: [...days.map(name), 'Total'].map((label) => ({ label })),
        rows: gridLines(rows),
        totals: [
          sumOf('Logged', ({ logged }) => logged),
          ...(hoursKnown ? [sumOf(`Target${atMost}`, ({ target = 0 }) => target)] : []),
          ...(missing > 0 ? [{ ...sumOf(`Missing${atMost}`, ({ gap = 0 }) => gap), isMarked: true }] : []),
        ],
      },
      { kind: 'notes', name: 'Away', lines: days.flatMap((day) => dayNotes(day).map((note) => `${name(day)}: ${note}`)) },
      {
        kind: 'notes',
        heading: `Missing: ${formatDuration(missing)}. To log the hours${place === undefined ? '' : ` on a ${place} of the week`}:`,
        look: 'marked',
        lines: lacking,
        only: ['table', 'spoken', 'markdown'],
      },
    ],
  };
}

/** Creates a row for each project, followed by its work items. The row of a project has figures only for time without a work item. */
function gridLines(rows: readonly GridRow[]): ReportRow[] {
  return rows.flatMap(({ project, projectId, workItem, minutes }, at) => {
    const isNext = projectId === rows[at - 1]?.projectId && project === rows[at - 1]?.project;
    const own = rows.find((row) => row.project === project && row.projectId === projectId && row.workItem === undefined);
    return [
      ...(isNext ? [] : [{ label: project, cells: own === undefined ? [] : cellsOf(own.minutes) }]),
      ...(workItem === undefined ? [] : [{ label: workItem, depth: 1, cells: cellsOf(minutes) }]),
    ];
  });
}

function cellsOf(minutes: readonly number[]): ReportCell[] {
  const total = minutes.reduce((sum, value) => sum + value, 0);
  return [
    ...minutes.map((some) => (some === 0 ? NOTHING : formatDuration(some))),
    { text: total === 0 ? NOTHING : formatDuration(total), spoken: formatDuration(total) },
  ];
}

/** Returns a record for each day. Unknown figures are null. `gap_at_most_minutes` is the upper bound with hidden leave. */
export function dayRecords(workedOut: WorkedOutDays & Filling): JsonObject[] {
  const isKnown = workedOut.leaveIsComplete;
  return workedOut.days.map((day, index) => {
    const { away, target, gap, gapAtMost } = tallyOf([day], { leave: isKnown, entries: true });
    return {
      date: day.date,
      weekday: WEEKDAYS[index % 7] ?? '',
      logged_minutes: day.logged,
      working_minutes: day.working ?? null,
      away_minutes: away ?? null,
      target_minutes: target ?? null,
      gap_minutes: gap ?? null,
      gap_at_most_minutes: gapAtMost ?? null,
      absences_known: isKnown,
      fill: gap ? fillCommand(workedOut, day.date, gap) : null,
      days_off: day.daysOff.map(({ name, kind }) => ({ name, kind })),
      absences: day.absences.map(({ label, from, until }) => ({ label, from: from ?? null, to: until ?? null })),
      entries: workedOut.rows
        .filter((row) => row.minutes[index] !== 0)
        .map((row) => ({
          project_id: row.projectId ?? null,
          project: row.projectId === undefined ? 'unknown' : row.project,
          work_item_id: row.workItemId ?? null,
          work_item: row.workItemId === undefined ? 'unknown' : (row.workItem ?? null),
          minutes: row.minutes[index] ?? 0,
        })),
      timezone: workedOut.person.timeZone,
      timezone_assumed: workedOut.person.timeZoneAssumed,
    };
  });
}
