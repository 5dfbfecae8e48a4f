import { type Globals, READING_GLOBALS } from '../../../cli/globals.ts';
import { naming } from '../../../cli/naming.ts';
import { anyWords, defineCommand, parsed, text, toggle } from '../../../cli/spec.ts';
import { spelled } from '../../../cli/tool-aliases.ts';
import { UsageError } from '../../../errors.ts';
import { type ReadingValues, readUser } from '../../../records/kinds.ts';
import type { Needs } from '../../../session/context.ts';
import { hostFlag } from '../../../session/printed-command.ts';
import { inZone } from '../../../session/time-zone.ts';
import { parseWeek, weekOf } from '../../../time/calendar.ts';
import { rangeOf } from '../../../time/date-range.ts';
import { parseDuration } from '../../../values/duration.ts';
import { whyFlag } from '../../choose-row.ts';
import { printReport, type Reporting } from '../../print-report.ts';
import { readDaysOf } from './read-week.ts';
import { dayRecords, weekReport } from './week-view.ts';

export const week = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc prints a row for each project and work item, and a column for each day. The target of a day comes from your working hours, less absences, public holidays and free days. svc lists the missing hours up to today, each with a command that logs these hours. A day begins and ends in the time zone of the user.\n\nWith --team, svc prints a row for each person. With --balance, svc prints a row for each week, and the hours above or below the target. A balance counts all of today, and no later day.',
  args: [anyWords('date', 'Any day of the week, or this, last, next, 2026-W23 (default: this week)')],
  options: {
    user: text(`${spelled('user')} <id|me|name>`, 'Show the week of this user (default: you)', { type: 'user' }),
    target: parsed(
      '--target <duration>',
      'Set the hours of each working day, Monday to Friday (default: from the user record)',
      parseTarget,
      {
        type: 'duration',
      },
    ),
    team: toggle('--team', 'Show a row for each active person, or for the people of --manager, --users or --branch'),
    manager: text('--manager <id|me|name>', 'Show only people with this manager (with --team)', { type: 'user' }),
    users: text('--users <a,b>', 'Show only these people, by id, name or e-mail address (with --team)'),
    branch: text('--branch <id|name>', 'Show only people of this branch (with --team)', {
      type: 'id-or-name',
      completes: { records: 'company-branches' },
    }),
    missing: toggle('--missing', 'Show only people with missing or unknown hours (with --team)'),
    remind: toggle('--remind', 'Print a reminder to paste, with the missing hours of each person (with --team)'),
    balance: toggle('--balance', 'Compare hours with the target for each week, or with --team for each person'),
    from: text('--from <date>', 'Set the first day of the balance (default: the first of this month)', { type: 'date' }),
    to: text('--to <date>', 'Set the last day of the balance (default: today)', { type: 'date' }),
    why: whyFlag('day|user', 'Show how svc calculates the missing hours of a day or a user (with --team), or a balance', {
      records: 'users',
      or: ['today', 'yesterday', 'monday'],
    }),
    html: text('--html <file>', 'Write the week as an HTML page to this file', { type: 'file', completes: 'file' }),
  },
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
    const workedOut = {
      ...(await readDaysOf(context, user, days, { target, kinds: html !== undefined })),
      hostFlag: await hostFlag(context),
    };
    await printReport(context, { records: () => dayRecords(workedOut), report: () => weekReport(workedOut), html });
  },
});

function parseTarget(text: string): number {
  const minutes = parseDuration(text);
  if (minutes <= 15 * 60) return minutes;
  throw new UsageError('A working day is at most 15h.', { hint: 'For example: --target 8h' });
}

type Flags = Readonly<Record<(typeof NEEDS)[number][0 | 1] | (typeof APART)[number][0 | 1], string | number | true | undefined>>;

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

function checkWhy(args: readonly string[], { why, team, balance }: Flags): void {
  if (why === undefined || team) return;
  if (balance && why !== true) throw new UsageError('--why takes no value with --balance.', { hint: 'For a day: svc week --why monday' });
  if (!balance && why === true) throw new UsageError('--why needs a day.', { hint: 'For example: svc week --why monday' });
  if (args.length > 0) throw new UsageError('--why already names the day.', { hint: 'Leave out the week: svc week --why monday' });
}

function checkWeekFlags(args: readonly string[], flags: Flags, { output, fields, jq }: Globals): void {
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
