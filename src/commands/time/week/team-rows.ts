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

/** The columns of a team's week, for a person. */
export const TEAM_COLUMNS = ['user', 'target', 'logged', 'away', 'missing', 'last_entry'] as const;

/** A line of the table of a team's week. */
export type TeamCells = Readonly<Record<(typeof TEAM_COLUMNS)[number], string>>;

/** The same in words. */
export function teamCells({ colleague, tally }: TeamRow): TeamCells {
  return {
    user: colleague.member.name,
    target: boundedText(tally.target, tally.targetAtMost),
    logged: tally.logged === undefined ? `at least ${formatDuration(tally.loggedAtLeast)}` : formatDuration(tally.logged),
    away: knownText(tally.away),
    missing: boundedText(tally.gap, tally.gapAtMost),
    last_entry: lastOf([colleague.lastEntry]),
  };
}

/** The line below them. */
export function totalCells(rows: readonly TeamRow[]): TeamCells {
  const of = (figure: (tally: Tally) => number | undefined, atMost?: (tally: Tally) => number | undefined) =>
    totalText(
      rows.map(({ tally }) => figure(tally)),
      atMost && rows.map(({ tally }) => atMost(tally)),
    );
  return {
    user: rows.length === 1 ? 'Total of 1 person' : `Total of ${rows.length} people`,
    target: of(
      ({ target }) => target,
      ({ targetAtMost }) => targetAtMost,
    ),
    logged: of(({ logged }) => logged),
    away: of(({ away }) => away),
    missing: of(
      ({ gap }) => gap,
      ({ gapAtMost }) => gapAtMost,
    ),
    last_entry: lastOf(rows.map(({ colleague }) => colleague.lastEntry)),
  };
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
