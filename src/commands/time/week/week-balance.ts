import { naming } from '../../../cli/naming.ts';
import { UsageError } from '../../../errors.ts';
import type { Report, ReportCell, ReportColumn } from '../../../output/report.ts';
import { type ReadingValues, readUser } from '../../../records/kinds.ts';
import type { Needs } from '../../../session/context.ts';
import type { DateRange } from '../../../time/date-range.ts';
import type { FigureStep } from '../../../time/figure-step.ts';
import { sumOf, type TallyFigure, type TimeBalance, timeBalance, type WeekBalance, weekBalances } from '../../../time/tally.ts';
import { today } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { chooseRow, type NamedRow } from '../../choose-row.ts';
import { type Explaining, explainFigures } from '../../explain-figures.ts';
import { printReport } from '../../print-report.ts';
import { readReportDays } from '../read-days.ts';
import { boundedText, loggedText, totalText } from './figure-text.ts';
import { readDaysOf, readTeamDays } from './read-week.ts';
import type { WeekOptions } from './week-options.ts';
import { namedRow, peopleTotal, personFields, readTeamQuery } from './week-team.ts';

export async function printBalance(context: Needs<Explaining | ReadingValues>, options: WeekOptions): Promise<void> {
  const range = await readReportDays(context, options);
  const { records, report, explained } = options.team
    ? await teamBalance(context, range, options)
    : await ownBalance(context, range, options);
  if (options.why !== undefined) {
    if (records.length === 0) throw new UsageError('There is no balance to explain.', { hint: 'Choose other days, or other people.' });
    const { row } = await chooseRow(context, explained, options.why);
    return explainFigures(context, {
      title: `Balance, ${range.first} to ${range.last} · ${row.user}`,
      subject: { user_id: row.id ?? null, user: row.user, from: range.first, to: range.last },
      figures: [{ figure: 'balance_minutes', label: 'Balance', steps: row.steps }],
    });
  }
  await printReport(context, { records: () => records, report: () => (records.length === 0 ? undefined : balanceReport(report)) });
}

/** `explained`: the people of the table, with the steps of their balances. */
interface Balance {
  readonly records: readonly JsonObject[];
  readonly report: BalanceTable;
  readonly explained: readonly NamedRow<{
    readonly id: number | undefined;
    readonly user: string;
    readonly steps: readonly FigureStep[];
  }>[];
}

async function ownBalance(
  context: Needs<Explaining | ReadingValues>,
  range: DateRange,
  { user: whose, target }: WeekOptions,
): Promise<Balance> {
  const user = whose === undefined ? 'me' : await naming('--user', () => readUser(context, whose));
  const { person, days, dates, leaveIsComplete } = await readDaysOf(context, user, range, { target, relations: false });
  const { id, name, timeZone, timeZoneAssumed } = person;
  const seen = { leave: leaveIsComplete, entries: true };
  const weeks = weekBalances(days, today(dates), seen, dates.temporal);
  const { differenceSteps: steps } = timeBalance(days, today(dates), seen);
  if (weeks.length === 0) await context.notice(ALL_AHEAD);
  const last = weeks.at(-1);
  const balanceOf = (week: WeekBalance | undefined) => signedText(week?.balance, week?.balanceAtLeast);
  return {
    explained: [{ label: name, also: [], row: { id, user: name, steps } }],
    records: weeks.map((week) => ({
      user_id: id ?? null,
      user: name,
      ...weekFields(week),
      absences_known: leaveIsComplete,
      timezone: timeZone,
      timezone_assumed: timeZoneAssumed,
    })),
    report: {
      title: `Balance, ${range.first} to ${range.last} · ${name} · ${timeZoneAssumed ? 'assumed ' : ''}${timeZone}`,
      name: 'Weeks',
      level: 'Week',
      difference: 'Difference',
      more: [{ label: 'Balance' }, { label: 'Days', align: 'left', mayGo: true }],
      rows: weeks.map((week) => ({
        label: week.week,
        balance: week,
        more: [balanceOf(week), `${week.first} to ${week.last}`],
      })),
      total: { label: 'Total', more: [balanceOf(last), `${weeks[0]?.first} to ${last?.last}`] },
    },
  };
}

async function teamBalance(context: Needs<Explaining | ReadingValues>, range: DateRange, options: WeekOptions): Promise<Balance> {
  const colleagues = await readTeamDays(context, await readTeamQuery(context, options), range);
  const { temporal } = await context.dates();
  if (colleagues.length === 0) await context.notice('There is nobody to show.');
  else if (colleagues.every((colleague) => colleague.today < range.first)) await context.notice(ALL_AHEAD);
  const rows = colleagues.map((colleague) => ({
    colleague,
    label: colleague.member.name,
    balance: timeBalance(colleague.days, colleague.today, colleague.seen),
  }));
  return {
    explained: rows.map(({ colleague, label, balance }) =>
      namedRow(colleague, { id: colleague.member.id, user: label, steps: balance.differenceSteps }),
    ),
    records: rows.map(({ colleague, balance }) => {
      const { person, knowing } = personFields(colleague);
      const weeks = weekBalances(colleague.days, colleague.today, colleague.seen, temporal);
      return {
        ...person,
        from: range.first,
        to: range.last,
        ...balanceFields(balance),
        // The difference of a person for the whole range is also the balance of the person.
        balance_minutes: balance.difference ?? null,
        balance_at_least_minutes: balance.differenceAtLeast ?? null,
        ...knowing,
        weeks: weeks.map(weekFields),
      };
    }),
    report: {
      title: `Balance, ${range.first} to ${range.last}`,
      name: 'People',
      level: 'User',
      difference: 'Balance',
      rows,
      total: { label: peopleTotal(rows.length) },
    },
  };
}

const ALL_AHEAD = 'All days of the balance are in the future.';

interface BalanceTable {
  readonly title: string;
  readonly name: string;
  readonly level: string;
  readonly difference: string;
  readonly more?: readonly ReportColumn[];
  readonly rows: readonly { readonly label: string; readonly balance: TimeBalance; readonly more?: readonly ReportCell[] }[];
  readonly total: { readonly label: string; readonly more?: readonly ReportCell[] };
}

function balanceReport({ title, name, level, difference, more = [], rows, total }: BalanceTable): Report {
  const all = (figure: TallyFigure | 'difference' | 'differenceAtLeast') => rows.map(({ balance }) => balance[figure]);
  return {
    title,
    parts: [
      {
        kind: 'table',
        name,
        levels: [level],
        columns: [...['Target', 'Logged', difference].map((label) => ({ label })), ...more],
        rows: rows.map(({ label, balance, more: own = [] }) => ({
          label,
          cells: [
            boundedText(balance.target, balance.targetAtMost),
            loggedText(balance),
            signedText(balance.difference, balance.differenceAtLeast),
            ...own,
          ],
        })),
        totals: [
          {
            label: total.label,
            cells: [
              totalText(all('target'), all('targetAtMost')),
              totalText(all('logged')),
              signedText(sumOf(all('difference')), sumOf(all('differenceAtLeast'))),
              ...(total.more ?? []),
            ],
          },
        ],
      },
    ],
  };
}

function weekFields({ week, first, last, balance, balanceAtLeast, ...sums }: WeekBalance) {
  return {
    week,
    from: first,
    to: last,
    ...balanceFields(sums),
    balance_minutes: balance ?? null,
    balance_at_least_minutes: balanceAtLeast ?? null,
  };
}

function balanceFields({ target, logged, difference, differenceAtLeast }: TimeBalance) {
  return {
    target_minutes: target ?? null,
    logged_minutes: logged ?? null,
    difference_minutes: difference ?? null,
    difference_at_least_minutes: differenceAtLeast ?? null,
  };
}

/** Formats minutes as `+1h30` above the target and `-1h30` below the target. Formats the lower bound of an unknown figure. */
function signedText(minutes: number | undefined, atLeast: number | undefined): string {
  if (minutes === undefined) return atLeast === undefined ? 'unknown' : `at least ${signedText(atLeast, undefined)}`;
  return `${minutes > 0 ? '+' : ''}${formatDuration(minutes)}`;
}
