import { renderTeamPage, renderWeekPage } from '../../../output/week-page.ts';
import type { Needs } from '../../../session/context.ts';
import { WEEKDAYS } from '../../../time/calendar.ts';
import { type DateContext, today } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import { writePage } from '../../write-page.ts';
import type { Look } from './look.ts';
import { TEAM_COLUMNS, type TeamRow, teamCells, totalCells } from './team-rows.ts';
import { weekView } from './week-view.ts';

type Paging = Needs<'files' | 'host' | 'notice'>;

/** Writes somebody’s week as a page. */
export async function writeWeekPage(context: Paging, file: string, look: Look): Promise<void> {
  const remarks = [
    ...(look.days.some(({ target }) => target === undefined) ? ['The working hours are not known, so neither is what is missing.'] : []),
    ...(look.leaveIsComplete ? [] : ['Not all leave could be read, so less may be missing than it looks.']),
  ];
  await writePage(context, file, renderWeekPage(weekView(look), { ...(await sourceOf(context, look.dates)), remarks }));
}

/** Writes a team’s week as a page. */
export async function writeTeamPage(
  context: Paging,
  file: string,
  title: string,
  rows: readonly TeamRow[],
  dates: DateContext,
): Promise<void> {
  const cells = (row: ReturnType<typeof teamCells>) => TEAM_COLUMNS.map((name) => row[name]);
  const days = rows[0]?.colleague.days ?? [];
  const page = renderTeamPage({
    title,
    heads: ['Person', 'Target', 'Logged', 'Away', 'Missing', 'Last entry'],
    rows: rows.map((row) => cells(teamCells(row))),
    total: cells(totalCells(rows)),
    gaps: {
      heads: ['Person', ...days.map(({ date }, index) => `${WEEKDAYS[index % 7]} ${Number(date.slice(8))}`)],
      rows: rows.filter(({ tally }) => tally.gapAtMost !== undefined && tally.gapAtMost > 0).map(gapsOf),
    },
    ...(await sourceOf(context, dates)),
    remarks: [
      ...(rows.some(({ tally }) => tally.gapAtMost === undefined)
        ? ['Some working hours are not known, so neither is what those people lack.']
        : []),
      ...(rows.some(({ colleague }) => !colleague.seen.leave) ? ['Some leave is not known: what is “up to” so much may be less.'] : []),
    ],
  });
  await writePage(context, file, page);
}

/** What somebody lacks on each day; where that is only a bound, it says so. */
function gapsOf({ colleague, tally }: TeamRow): readonly string[] {
  const text = (gap: number) => `${tally.gap === undefined ? 'up to ' : ''}${formatDuration(gap)}`;
  return [colleague.member.name, ...colleague.days.map(({ gap }) => (gap ? text(gap) : ''))];
}

async function sourceOf(context: Needs<'host'>, dates: DateContext) {
  return { source: (await context.host()).name, made: `${today(dates)}, ${dates.timeZone}` };
}
