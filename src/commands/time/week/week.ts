import { READING_GLOBALS } from '../../../cli/globals.ts';
import { spelled } from '../../../cli/habits.ts';
import { naming } from '../../../cli/naming.ts';
import { defineCommand, parsed, text, toggle } from '../../../cli/spec.ts';
import { UsageError } from '../../../errors.ts';
import type { DayRange } from '../../../records/entries.ts';
import { inZone } from '../../../records/in-zone.ts';
import { readUser, type Understanding } from '../../../records/kinds.ts';
import type { Needs } from '../../../session/context.ts';
import { hostFlag } from '../../../session/host-to-name.ts';
import { parseWeek, weekOf } from '../../../time/calendar.ts';
import { parseDuration } from '../../../values/duration.ts';
import { printReport, type Reporting } from '../../print-report.ts';
import { lookAt } from './look.ts';
import { checkWeekFlags } from './week-flags.ts';
import { dayRecords, weekReport } from './week-view.ts';

/** `svc week [date]`: a week as a grid, against the user's own working hours; a team's; and how hours stand over a longer time. */
export const week = defineCommand({
  name: 'week',
  summary: 'Your week as a grid, and what is missing in it',
  showsGlobals: READING_GLOBALS,
  description:
    'A row for each project and work item, a column a day. The target of a day is what the user’s working hours say, without absences, public holidays and free days. What is missing up to today is listed, with the command that fills it. Days are those of the user’s own time zone. With --team a row a person; with --balance a row a week, and what is above or below the target up to then. In a balance today counts whole, and days to come not at all.',
  args: [{ name: 'date', summary: 'Any day of the week, or this, last, next, 2026-W23; this week if not given', optional: true }],
  options: {
    user: text(`${spelled('user')} <id|me|name>`, 'Whose week; yours if not given', { type: 'user' }),
    target: parsed('--target <duration>', 'Hours of a working day, Monday to Friday, instead of those in the user’s record', parseTarget, {
      type: 'duration',
    }),
    team: toggle('--team', 'A row a person: everybody you may see who is active, or those that --manager, --users or --branch names'),
    manager: text('--manager <id|me|name>', 'With --team: the people whose manager this is', { type: 'user' }),
    users: text('--users <a,b>', 'With --team: these people, by id, name or e-mail'),
    branch: text('--branch <id|name>', 'With --team: the people of this branch', {
      type: 'id-or-name',
      completes: { records: 'company-branches' },
    }),
    missing: toggle('--missing', 'With --team: leave out those of whom it is known that nothing is missing'),
    remind: toggle('--remind', 'With --team: a text to paste instead, with who lacks what on which days'),
    balance: toggle('--balance', 'How hours stand to the target from --from to --to, week by week; with --team person by person'),
    from: text('--from <date>', 'With --balance: the first day; the first of this month if not given', { type: 'date' }),
    to: text('--to <date>', 'With --balance: the last day; today if not given', { type: 'date' }),
    html: text('--html <file>', 'Write the week as a page to this file instead', { type: 'file', completes: 'file' }),
  },
  examples: [
    { args: 'week', does: 'This week' },
    { args: 'week last --user mira@example.com', does: 'Somebody’s last week' },
    { args: "week --jq 'map(.gap_minutes) | add'", does: 'Minutes that are missing' },
    { args: 'week last --team --manager me --missing', does: 'Who of your people lacks hours' },
    { args: 'week --balance --from 2026-01-01', does: 'Your surplus since New Year, week by week' },
  ],
  async run(context: Needs<Reporting | Understanding | 'clock'>, { args, options }) {
    checkWeekFlags(args, options, context.globals);
    if (options.balance) return (await import('./week-balance.ts')).printBalance(context, options);
    const [date = 'today'] = args;
    const day = await inZone(context, (dates) => parseWeek(date, dates));
    const monday = weekOf(day, (await context.dates()).temporal);
    const days = { first: monday[0] ?? '', last: monday[6] ?? '' };
    if (options.team) return (await import('./week-team.ts')).printTeamWeek(context, days, options);
    return printOwnWeek(context, days, options);
  },
});

interface OwnOptions {
  readonly user: string | undefined;
  readonly target: number | undefined;
  readonly html: string | undefined;
}

async function printOwnWeek(
  context: Needs<Reporting | Understanding>,
  days: DayRange,
  { user: whose, target, html }: OwnOptions,
): Promise<void> {
  const user = whose === undefined ? 'me' : await naming('--user', () => readUser(context, whose));
  const look = { ...(await lookAt(context, user, days, { target })), hostFlag: await hostFlag(context) };
  await printReport(context, { records: () => dayRecords(look), report: () => weekReport(look), html });
}

function parseTarget(text: string): number {
  const minutes = parseDuration(text);
  if (minutes <= 15 * 60) return minutes;
  throw new UsageError('A working day is at most 15h.', { hint: 'For example: --target 8h' });
}
