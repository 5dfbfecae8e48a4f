import { neutraliseLine } from '../../../output/neutralise.ts';
import type { DayRange } from '../../../records/entries.ts';
import type { Understanding } from '../../../records/kinds.ts';
import type { TeamQuestion } from '../../../records/team.ts';
import type { Needs } from '../../../session/context.ts';
import { printText } from '../../../session/print.ts';
import { dayName, weekNumber } from '../../../time/calendar.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { TemporalNamespace } from '../../../values/temporal.ts';
import { namesIn, readTeamChoice } from '../../choose-team.ts';
import { printReport, type Reporting } from '../../print-report.ts';
import { lookAtTeam } from './look-team.ts';
import { boundedText, type TeamRow, teamReport, teamRows, weekRecord } from './team-rows.ts';

/** Which people, as somebody typed it. */
export interface TeamOptions {
  readonly manager: string | undefined;
  readonly users: string | undefined;
  readonly branch: string | undefined;
}

interface TeamWeekOptions extends TeamOptions {
  readonly missing: true | undefined;
  readonly remind: true | undefined;
  readonly html: string | undefined;
}

/** `svc week --team`: a row a person, or a text to paste, or a page. */
export async function printTeamWeek(context: Needs<Reporting | Understanding>, days: DayRange, options: TeamWeekOptions): Promise<void> {
  const colleagues = await lookAtTeam(context, await readTeamQuestion(context, options), days);
  const { temporal } = await context.dates();
  const rows = teamRows(colleagues, options.missing === true || options.remind === true);
  const week = weekNumber(days.first, temporal);
  const title = `Week ${week}, ${days.first} to ${days.last}`;
  if (rows.length === 0) await context.notice(colleagues.length === 0 ? 'There is nobody to show.' : `Nothing is missing in week ${week}.`);
  if (options.remind) return printText(context, reminder(title, rows, temporal));
  await printReport(context, {
    records: () => rows.map((row) => weekRecord(row, week)),
    report: () => (rows.length === 0 && options.html === undefined ? undefined : teamReport(title, rows)),
    html: options.html,
  });
}

/** Which people are meant. @throws UsageError for names that are nobody’s. */
export function readTeamQuestion(context: Needs<Understanding>, { users, manager, branch }: TeamOptions): Promise<TeamQuestion> {
  return readTeamChoice(context, { users: namesIn(users), manager, branch }, '--users');
}

/** A line for each person who lacks something, to be pasted anywhere. What is only a bound says so. */
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
