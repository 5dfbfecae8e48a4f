import { naming } from '../../../cli/naming.ts';
import type { Report } from '../../../output/report.ts';
import type { DayRange } from '../../../records/entries.ts';
import { readUser, type Understanding } from '../../../records/kinds.ts';
import type { Needs } from '../../../session/context.ts';
import { type TimeBalance, timeBalance, type WeekStanding, weekStandings } from '../../../time/balance.ts';
import { sumOf } from '../../../time/tally.ts';
import { today } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { printReport, type Reporting } from '../../print-report.ts';
import { readRange } from '../read-range.ts';
import { lookAt } from './look.ts';
import { lookAtTeam } from './look-team.ts';
import { boundedText, personFields, totalText } from './team-rows.ts';
import { readTeamQuestion, type TeamOptions } from './week-team.ts';

interface BalanceOptions extends TeamOptions {
  readonly user: string | undefined;
  readonly target: number | undefined;
  readonly team: true | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** `svc week --balance`: what is above or below the target, week by week, or person by person. */
export async function printBalance(context: Needs<Reporting | Understanding>, options: BalanceOptions): Promise<void> {
  const range = await readRange(context, options.from, options.to);
  await (options.team ? printTeamBalance(context, range, options) : printOwnBalance(context, range, options));
}

async function printOwnBalance(
  context: Needs<Reporting | Understanding>,
  range: DayRange,
  { user: whose, target }: BalanceOptions,
): Promise<void> {
  const user = whose === undefined ? 'me' : await naming('--user', () => readUser(context, whose));
  const { person, days, dates, leaveIsComplete } = await lookAt(context, user, range, { target, relations: false });
  const { id, name, timeZone, timeZoneAssumed } = person;
  const weeks = weekStandings(days, today(dates), { leave: leaveIsComplete, entries: true }, dates.temporal);
  if (weeks.length === 0) await context.notice(NOT_YET);
  const records = () =>
    weeks.map(
      (week): JsonObject => ({
        user_id: id ?? null,
        user: name,
        ...weekFields(week),
        absences_known: leaveIsComplete,
        timezone: timeZone,
        timezone_assumed: timeZoneAssumed,
      }),
    );
  const last = weeks.at(-1);
  const report = (): Report => ({
    title: `Balance, ${range.first} to ${range.last} · ${name} · ${timeZoneAssumed ? 'assumed ' : ''}${timeZone}`,
    parts: [
      {
        kind: 'table',
        name: 'Weeks',
        levels: ['Week'],
        columns: [...['Target', 'Logged', 'Difference', 'Balance'].map((label) => ({ label })), { label: 'Days', align: 'left' }],
        rows: weeks.map((week) => ({
          label: week.week,
          cells: [
            boundedText(week.target, week.targetAtMost),
            loggedText(week),
            signedText(week.difference, week.differenceAtLeast),
            signedText(week.balance, week.balanceAtLeast),
            `${week.first} to ${week.last}`,
          ],
        })),
        totals: [
          {
            label: 'Total',
            cells: [
              totalText(
                weeks.map((week) => week.target),
                weeks.map((week) => week.targetAtMost),
              ),
              totalText(weeks.map((week) => week.logged)),
              signedText(last?.balance, last?.balanceAtLeast),
              signedText(last?.balance, last?.balanceAtLeast),
              `${weeks[0]?.first} to ${last?.last}`,
            ],
          },
        ],
      },
    ],
  });
  await printReport(context, { records, report: () => (weeks.length === 0 ? undefined : report()) });
}

async function printTeamBalance(context: Needs<Reporting | Understanding>, range: DayRange, options: BalanceOptions): Promise<void> {
  const colleagues = await lookAtTeam(context, await readTeamQuestion(context, options), range);
  const { temporal } = await context.dates();
  const rows = colleagues.map((colleague) => ({
    colleague,
    standing: timeBalance(colleague.days, colleague.today, colleague.seen),
    weeks: weekStandings(colleague.days, colleague.today, colleague.seen, temporal),
  }));
  if (rows.length === 0) await context.notice('There is nobody to show.');
  else if (colleagues.every((colleague) => colleague.today < range.first)) await context.notice(NOT_YET);
  const records = () =>
    rows.map(({ colleague, standing, weeks }): JsonObject => {
      const { person, knowing } = personFields(colleague);
      return {
        ...person,
        from: range.first,
        to: range.last,
        ...standingFields(standing),
        // All of it together, so that both names have it.
        balance_minutes: standing.difference ?? null,
        balance_at_least_minutes: standing.differenceAtLeast ?? null,
        ...knowing,
        weeks: weeks.map(weekFields),
      };
    });
  const report = (): Report => ({
    title: `Balance, ${range.first} to ${range.last}`,
    parts: [
      {
        kind: 'table',
        name: 'People',
        levels: ['User'],
        columns: ['Target', 'Logged', 'Balance'].map((label) => ({ label })),
        rows: rows.map(({ colleague, standing }) => ({
          label: colleague.member.name,
          cells: [
            boundedText(standing.target, standing.targetAtMost),
            loggedText(standing),
            signedText(standing.difference, standing.differenceAtLeast),
          ],
        })),
        totals: [
          {
            label: rows.length === 1 ? 'Total of 1 person' : `Total of ${rows.length} people`,
            cells: [
              totalText(
                rows.map(({ standing }) => standing.target),
                rows.map(({ standing }) => standing.targetAtMost),
              ),
              totalText(rows.map(({ standing }) => standing.logged)),
              signedText(
                sumOf(rows.map(({ standing }) => standing.difference)),
                sumOf(rows.map(({ standing }) => standing.differenceAtLeast)),
              ),
            ],
          },
        ],
      },
    ],
  });
  await printReport(context, { records, report: () => (rows.length === 0 ? undefined : report()) });
}

const NOT_YET = 'None of these days has come yet.';

function weekFields({ week, first, last, balance, balanceAtLeast, ...standing }: WeekStanding) {
  return {
    week,
    from: first,
    to: last,
    ...standingFields(standing),
    balance_minutes: balance ?? null,
    balance_at_least_minutes: balanceAtLeast ?? null,
  };
}

/** What is not known is null. */
function standingFields({ target, logged, difference, differenceAtLeast }: TimeBalance) {
  return {
    target_minutes: target ?? null,
    logged_minutes: logged ?? null,
    difference_minutes: difference ?? null,
    difference_at_least_minutes: differenceAtLeast ?? null,
  };
}

function loggedText({ logged, loggedAtLeast }: TimeBalance): string {
  return logged === undefined ? `at least ${formatDuration(loggedAtLeast)}` : formatDuration(logged);
}

/** `+1h30` above the target, `-1h30` below it; else the least that it can be. */
function signedText(minutes: number | undefined, atLeast: number | undefined): string {
  if (minutes === undefined) return atLeast === undefined ? 'unknown' : `at least ${signedText(atLeast, undefined)}`;
  return `${minutes > 0 ? '+' : ''}${formatDuration(minutes)}`;
}
