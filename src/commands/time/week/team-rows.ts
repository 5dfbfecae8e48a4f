import type { Report, ReportRow } from '../../../output/report.ts';
import { WEEKDAYS } from '../../../time/calendar.ts';
import { sumOf, type Tally, tallyOf } from '../../../time/tally.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import type { Colleague } from './look-team.ts';

/** Somebody's week in figures. */
export interface TeamRow {
  readonly colleague: Colleague;
  readonly tally: Tally;
}

/** A row a person; with `missing` without those of whom it is known that nothing is missing. */
export function teamRows(colleagues: readonly Colleague[], missing: boolean): TeamRow[] {
  const rows = colleagues.map((colleague) => ({ colleague, tally: tallyOf(colleague.days, colleague.seen) }));
  return missing ? rows.filter(({ tally }) => tally.gapAtMost !== 0) : rows;
}

/** What all records of somebody of a team say. */
export function personFields({ member, seen }: Colleague) {
  const { id, name, timeZone, timeZoneAssumed } = member;
  return {
    person: { user_id: id, user: name },
    knowing: { absences_known: seen.leave, timezone: timeZone, timezone_assumed: timeZoneAssumed },
  };
}

/** The record of a person's week. What is not known is null. */
export function weekRecord({ colleague, tally }: TeamRow, week: string): JsonObject {
  const { person, knowing } = personFields(colleague);
  return {
    ...person,
    week,
    target_minutes: tally.target ?? null,
    logged_minutes: tally.logged ?? null,
    away_minutes: tally.away ?? null,
    gap_minutes: tally.gap ?? null,
    gap_at_most_minutes: tally.gapAtMost ?? null,
    last_entry_date: colleague.lastEntry ?? null,
    ...knowing,
    days: colleague.days.map((day) => {
      const { target, logged, away, gap, gapAtMost } = tallyOf([day], colleague.seen);
      return {
        date: day.date,
        target_minutes: target ?? null,
        logged_minutes: logged ?? null,
        away_minutes: away ?? null,
        gap_minutes: gap ?? null,
        gap_at_most_minutes: gapAtMost ?? null,
      };
    }),
  };
}

/** A team's week: a row a person, and in a page the days on which something is missing. */
export function teamReport(title: string, rows: readonly TeamRow[]): Report {
  const days = rows[0]?.colleague.days ?? [];
  const gaps = rows.filter(({ tally }) => tally.gapAtMost !== undefined && tally.gapAtMost > 0);
  const remarks = [
    ...(rows.some(({ tally }) => tally.gapAtMost === undefined)
      ? ['Some working hours are not known, so neither is what those people lack.']
      : []),
    ...(rows.some(({ colleague }) => !colleague.seen.leave) ? ['Some leave is not known: what is “up to” so much may be less.'] : []),
    ...(rows.length === 0 ? ['Nobody is in it.'] : []),
  ];
  return {
    title,
    parts: [
      { kind: 'notes', lines: remarks, only: ['page'] },
      {
        kind: 'table',
        name: 'People',
        levels: ['User'],
        columns: [...['Target', 'Logged', 'Away', 'Missing'].map((label) => ({ label })), { label: 'Last entry', align: 'left' }],
        rows: rows.map(cellsOf),
        totals: rows.length === 0 ? [] : [totalOf(rows)],
      },
      {
        kind: 'table',
        name: 'Missing',
        levels: ['User'],
        columns: days.map(({ date }, index) => ({ label: `${WEEKDAYS[index % 7]} ${Number(date.slice(8))}` })),
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
      tally.logged === undefined ? `at least ${formatDuration(tally.loggedAtLeast)}` : formatDuration(tally.logged),
      knownText(tally.away),
      boundedText(tally.gap, tally.gapAtMost),
      lastOf([colleague.lastEntry]),
    ],
  };
}

function totalOf(rows: readonly TeamRow[]): ReportRow {
  const of = (figure: keyof Tally, atMost?: keyof Tally) =>
    totalText(
      rows.map(({ tally }) => tally[figure]),
      atMost && rows.map(({ tally }) => tally[atMost]),
    );
  return {
    label: rows.length === 1 ? 'Total of 1 person' : `Total of ${rows.length} people`,
    cells: [
      of('target', 'targetAtMost'),
      of('logged'),
      of('away'),
      of('gap', 'gapAtMost'),
      lastOf(rows.map(({ colleague }) => colleague.lastEntry)),
    ],
  };
}

/** What somebody lacks on each day; where that is only a bound, it says so. */
function gapsOf({ colleague, tally }: TeamRow): ReportRow {
  const text = (gap: number) => `${tally.gap === undefined ? 'up to ' : ''}${formatDuration(gap)}`;
  return { label: colleague.member.name, cells: colleague.days.map(({ gap }) => (gap ? text(gap) : '')) };
}

/** The latest of some days. */
function lastOf(days: readonly (string | null | undefined)[]): string {
  if (days.includes(undefined)) return UNKNOWN;
  return days.reduce((latest, day) => ((day ?? '') > (latest ?? '') ? day : latest), null) ?? 'none in the week';
}

/** A sum of which some parts may not be known: the most that it can be, else the least. */
export function totalText(minutes: readonly (number | undefined)[], atMost: readonly (number | undefined)[] = []): string {
  const [known, most] = [sumOf(minutes), atMost.length === 0 ? undefined : sumOf(atMost)];
  if (known !== undefined || most !== undefined) return boundedText(known, most);
  const least = minutes.reduce<number>((total, value) => total + (value ?? 0), 0);
  return minutes.every((value) => value === undefined) ? UNKNOWN : `at least ${formatDuration(least)}`;
}

/** A figure, else the most that it can be. */
export function boundedText(minutes: number | undefined, atMost: number | undefined): string {
  return minutes === undefined && atMost !== undefined ? `up to ${formatDuration(atMost)}` : knownText(minutes);
}

function knownText(minutes: number | undefined): string {
  return minutes === undefined ? UNKNOWN : formatDuration(minutes);
}

const UNKNOWN = 'unknown';
