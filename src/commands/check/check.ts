import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand, text, toggle } from '../../cli/spec.ts';
import { SvcError, UsageError } from '../../errors.ts';
import type { Report, ReportPart } from '../../output/report.ts';
import type { DayRange } from '../../records/entries.ts';
import { inZone } from '../../records/in-zone.ts';
import type { Needs } from '../../session/context.ts';
import { hostFlag } from '../../session/host-to-name.ts';
import { dayName } from '../../time/calendar.ts';
import { CHECKS, type Finding } from '../../time/checks/finding.ts';
import { readDaySpan } from '../../time/day-span.ts';
import { counted } from '../../values/counted.ts';
import type { DateContext } from '../../values/dates.ts';
import { quote } from '../../values/quote.ts';
import { printReport, type Reporting } from '../print-report.ts';
import { findingRows, HEADINGS, mending, notJudgedOf } from './finding-rows.ts';
import type { Mending } from './fix.ts';
import { gather } from './gather.ts';
import { type Checked, judgeAll } from './judge-all.ts';
import { tellAssumed } from './not-judged.ts';
import { askedPeople } from './people.ts';

/** `svc check --month last --team`: what has to be put right before a month is closed. */
export const check = defineCommand({
  name: 'check',
  summary: 'Find problems in the hours of a month, and the commands that fix them',
  showsGlobals: READING_GLOBALS,
  description:
    'svc looks for problems in hours and invoices, and prints the command that fixes or shows each. It finds:\n\n  - missing hours, hours on leave, impossible days and days ahead\n  - duplicates, entries on no project and entries on projects that ended\n  - hours on no invoice, invoice rows unlike their entries and spent budgets\n  - timers left running and entries that nobody reviewed\n\nsvc exits with 0 if it found no problem and could check everything, else with 1. In JSON, something that svc could not check has the kind unknown. Days are days in the time zone of each person, up to today.',
  args: [
    {
      name: 'span',
      summary: '2026-10, last month, 2026-10-05..friday, this week (default: this month)',
      optional: true,
      variadic: true,
    },
  ],
  options: {
    month: text('--month <month>', 'Check this month: last, this, 2026-02'),
    team: toggle('--team', 'Check everybody whom you have permission to see'),
    manager: text('--manager <id|me|name>', 'Check the team of this manager', { type: 'user' }),
    users: text('--users <a,b>', 'Check these people, by id, me or name', { type: 'user' }),
    branch: text('--branch <id|name>', 'Check the people of this branch', {
      type: 'id-or-name',
      completes: { records: 'company-branches' },
    }),
    fix: toggle('--fix', 'Fix the problems one by one, at a terminal'),
  },
  examples: [
    { args: 'check', does: 'Check your own month up to today' },
    { args: 'check --month last --team', does: 'Check last month, for everybody' },
    { args: 'check --month last --fix', does: 'Fix your own problems, question by question' },
    {
      args: 'check last week --manager me --jq \'map(select(.kind == "missing-hours"))\'',
      does: 'List people of your team with missing hours',
    },
  ],
  fields: ['kind', 'not_judged', 'user_id', 'user', 'date', 'minutes', 'records', 'ids', 'message', 'command'],
  async run(context: Needs<Reporting | Mending | 'timeZone'>, { args, options }) {
    if (options.fix && (!context.interactive || context.globals.dryRun)) {
      throw new UsageError(
        context.interactive ? '--fix asks before it sends; there is no dry run of it.' : '--fix asks, and needs a terminal.',
        {
          hint: 'Without it each finding has the command that mends it.',
        },
      );
    }
    const span = await inZone(context, (dates) => spanOf(args, options.month, dates));
    const asked = await askedPeople(context, options);
    const gathered = await gather(context, asked, span);
    await tellAssumed(context, gathered.members);
    const checked = judgeAll(gathered);
    const host = await hostFlag(context);
    for (const { kinds, userId, message } of notJudgedOf(checked)) {
      const whose = asked.isTeam && userId !== null ? `, ${checked.people.get(userId)?.name ?? `user ${userId}`}` : '';
      await context.notice(`Not judged (${kinds.join(', ')}${whose}): ${message.replace(/\.$/, '')}.`);
    }
    if (options.fix && checked.findings.length > 0) {
      const { fixEach } = await import('./fix.ts');
      const mended = await fixEach(context, checked, mending(checked, host), (finding) => sayFinding(finding, checked, asked.isTeam));
      // An answer may mend a part, or need another: what is left shows when it is looked at again, without the same lines.
      const left = mended === 0 ? checked : judgeAll(await gather({ ...context, notice: async () => undefined }, asked, span));
      return conclude(left, 'What is left: the same without --fix.');
    }
    await print(context, checked, { span, host, isTeam: asked.isTeam });
    conclude(checked, 'Each has the command that mends or shows it; --fix goes through them at a terminal.');
  },
});

function spanOf(args: readonly string[], month: string | undefined, dates: DateContext): DayRange {
  if (month === undefined) return readDaySpan(args.length === 0 ? 'this month' : args.join(' '), dates);
  if (args.length > 0) throw new UsageError(`--month and ${quote(args.join(' '))} are two spans.`, { hint: 'Use one of them.' });
  const typed = month.trim().toLowerCase();
  if (/^(?:last|this|next)$/.test(typed)) return readDaySpan(`${typed} month`, dates);
  if (/^\d{4}-\d{2}$/.test(typed)) return readDaySpan(typed, dates);
  throw new UsageError(`--month: ${quote(month)} is no month.`, {
    hint: 'Write last, this or 2026-02; any other span goes without --month.',
  });
}

interface Shown {
  readonly span: DayRange;
  readonly host: string;
  readonly isTeam: boolean;
}

async function print(context: Needs<Reporting>, checked: Checked, { span, host, isTeam }: Shown): Promise<void> {
  await printReport(context, {
    records: () => findingRows(checked, host),
    view: { columns: ['kind', 'user', 'date', 'minutes', 'message', 'command'].map((path) => ({ path })) },
    report: () => reportOf(checked, { span, host, isTeam }),
  });
}

/** The findings under the heading of their kind with their number, the command that mends each below it. */
function reportOf(checked: Checked, { span, host, isTeam }: Shown): Report {
  const toMend = mending(checked, host);
  const days = `${span.first} to ${span.last}`;
  const parts = CHECKS.flatMap((kind): ReportPart[] => {
    const own = checked.findings.filter((finding) => finding.kind === kind);
    const lines = own.map((finding) => ({ text: sayFinding(finding, checked, isTeam), command: toMend(finding) }));
    return own.length === 0 ? [] : [{ kind: 'notes', heading: `${HEADINGS[kind]}: ${own.length}`, lines }];
  });
  const what = `${counted(checked.entries.length, 'entry', 'entries')} of ${counted(checked.people.size, 'person', 'people')}`;
  const nothing: ReportPart = { kind: 'notes', lines: [`Nothing was found from ${days}, in ${what}.`] };
  return { parts: parts.length === 0 ? [nothing] : parts };
}

/** `Thu 2026-06-04, Mira: 3h missing of 8h`. */
function sayFinding({ date, until, userId, message }: Finding, { people }: Checked, isTeam: boolean): string {
  const person = userId === null ? undefined : people.get(userId);
  const temporal = person?.dates.temporal ?? [...people.values()][0]?.dates.temporal;
  const day =
    date === null || temporal === undefined
      ? undefined
      : until === undefined || until === date
        ? dayName(date, temporal)
        : `${date} to ${until}`;
  const whose = !isTeam || userId === null ? undefined : (person?.name ?? `User ${userId}`);
  const head = [day, whose].filter((part) => part !== undefined).join(', ');
  return head === '' ? message : `${head}: ${message}`;
}

/** @throws SvcError where something was found or could not be judged: exit 1. */
function conclude(checked: Checked, hint: string): void {
  const found = checked.findings.length;
  const unknown = notJudgedOf(checked).length;
  if (found === 0 && unknown === 0) return;
  const parts = [
    ...(found === 0 ? [] : [counted(found, 'finding')]),
    ...(unknown === 0 ? [] : [`${counted(unknown, 'thing')} that could not be judged`]),
  ];
  throw new SvcError(`${parts.join(', and ')}.`, { hint: found === 0 ? 'Why stands above, a line each.' : hint });
}
