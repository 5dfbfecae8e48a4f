import { type Globals, READING_GLOBALS } from '../../../cli/globals.ts';
import { naming } from '../../../cli/naming.ts';
import { anyWords, defineCommand } from '../../../cli/spec.ts';
import { UsageError } from '../../../errors.ts';
import { type ReadingValues, readUser } from '../../../records/kinds.ts';
import type { Needs } from '../../../session/context.ts';
import { hostFlag } from '../../../session/printed-command.ts';
import { inZone } from '../../../session/time-zone.ts';
import { parseWeek, weekOf } from '../../../time/calendar.ts';
import { rangeOf } from '../../../time/date-range.ts';
import { printReport, type Reporting } from '../../print-report.ts';
import { readDaysOf } from './read-week.ts';
import { WEEK_OPTIONS, type WeekOptions } from './week-options.ts';
import { dayRecords, weekReport } from './week-view.ts';

export const week = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc prints a row for each project and work item, and a column for each day. The target of a day comes from your working hours, less absences, public holidays and free days. svc lists the missing hours up to today, each with a command that logs these hours. A day begins and ends in the time zone of the user.\n\nWith --team, svc prints a row for each person. With --balance, svc prints a row for each week, and the hours above or below the target. A balance counts all of today, and no later day.',
  args: [anyWords('date', 'Any day of the week, or this, last, next, 2026-W23 (default: this week)')],
  options: WEEK_OPTIONS,
  examples: [
    { args: 'week', does: 'Show this week' },
    { args: 'week last --user mira@example.com', does: 'Show the last week of another user' },
    { args: "week --jq 'map(.gap_minutes) | add'", does: 'Print the sum of the missing minutes' },
    { args: 'week last --team --manager me --missing', does: 'Show people of your team who lack hours' },
    { args: 'week --balance --from 2026-01-01', does: 'Show your balance since New Year' },
    { args: 'week --why monday', does: 'Show why hours of Monday are missing' },
    { args: 'week last --team --why mira', does: 'Show why hours of a user are missing' },
  ],
  async run(context: Needs<Reporting | ReadingValues | 'clock'>, { args, options }) {
    checkWeekFlags(args, options, context.globals);
    if (options.balance) return (await import('./week-balance.ts')).printBalance(context, options);
    const date = args.length === 0 ? 'today' : args.join(' ');
    const day = await inZone(context, (dates) => parseWeek(date, dates));
    const days = rangeOf(weekOf(day, (await context.dates()).temporal));
    if (options.team) return (await import('./week-team.ts')).printTeamWeek(context, days, options);
    const { user: whose, target, html, why } = options;
    const user = whose === undefined ? 'me' : await naming('--user', () => readUser(context, whose));
    if (typeof why === 'string') return (await import('./explain-day.ts')).explainDay(context, user, why, target);
    const read = await readDaysOf(context, user, days, { target, kinds: html !== undefined });
    const workedOut = { ...read, hostFlag: await hostFlag(context) };
    await printReport(context, { records: () => dayRecords(workedOut), report: () => weekReport(workedOut), html });
  },
});

const NEEDS = [
  ['manager', 'team'],
  ['users', 'team'],
  ['branch', 'team'],
  ['missing', 'team'],
  ['remind', 'team'],
  ['from', 'balance'],
  ['to', 'balance'],
] as const;

const ONE_CHOICE = 'Choose one of --manager, --users and --branch.';

const APART = [
  ['team', 'user', 'Name several people with --users.'],
  ['team', 'target', 'Leave out --target. For a team, svc uses the working hours in the user records.'],
  ['manager', 'users', ONE_CHOICE],
  ['manager', 'branch', ONE_CHOICE],
  ['users', 'branch', ONE_CHOICE],
  ['balance', 'missing', 'Use --missing with a week.'],
  ['balance', 'remind', 'Use --remind with a week.'],
  ['balance', 'html', 'Use --html with a week.'],
  ['why', 'missing', 'Leave out --missing.'],
  ['why', 'remind', 'Leave out --remind.'],
  ['remind', 'html', 'Choose one of the two flags.'],
  ['why', 'html', 'Choose one of the two flags.'],
] as const;

function checkWhy(args: readonly string[], { why, team, balance }: WeekOptions): void {
  if (why === undefined || team) return;
  if (balance && why !== true) throw new UsageError('--why takes no value with --balance.', { hint: 'For a day: svc week --why monday' });
  if (!balance && why === true) throw new UsageError('--why needs a day.', { hint: 'For example: svc week --why monday' });
  if (args.length > 0) throw new UsageError('--why already names the day.', { hint: 'Leave out the week: svc week --why monday' });
}

function checkWeekFlags(args: readonly string[], flags: WeekOptions, { output, fields, jq }: Globals): void {
  for (const [flag, other] of NEEDS)
    if (flags[flag] !== undefined && flags[other] === undefined)
      throw new UsageError(`--${flag} needs --${other}.`, { hint: `Add --${other}.` });
  for (const [flag, other, hint] of APART)
    if (flags[flag] !== undefined && flags[other] !== undefined)
      throw new UsageError(`You cannot use --${flag} and --${other} together.`, { hint });
  checkWhy(args, flags);
  if (flags.balance && args.length > 0)
    throw new UsageError('--balance takes its days from --from and --to.', { hint: 'svc week --balance --from 2026-01-01' });
  if (flags.remind && (output ?? fields ?? jq) !== undefined)
    throw new UsageError('--remind prints a text, so you cannot combine --remind with --output, --fields or --jq.', {
      hint: 'For data, run: svc week --team --missing',
    });
}
