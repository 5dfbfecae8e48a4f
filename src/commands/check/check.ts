import { READING_GLOBALS } from '../../cli/globals.ts';
import { anyWords, defineCommand, recordFlag, text, toggle } from '../../cli/spec.ts';
import { SvcError, UsageError } from '../../errors.ts';
import type { Report, ReportPart } from '../../output/report.ts';
import type { Needs } from '../../session/context.ts';
import { hostFlag } from '../../session/printed-command.ts';
import { inZone } from '../../session/time-zone.ts';
import { dayName } from '../../time/calendar.ts';
import { CHECKS, type Finding, HEADINGS, type NotJudged } from '../../time/checks/finding.ts';
import { type DateRange, readDateRange } from '../../time/date-range.ts';
import { gridRows } from '../../time/grid.ts';
import type { DateContext } from '../../values/dates.ts';
import type { JsonObject } from '../../values/json.ts';
import { counted, quote } from '../../values/text.ts';
import { printReport, type Reporting } from '../print-report.ts';
import { LONGEST_MINUTES } from '../time/timers/plan-stop.ts';
import { fillCommand, shortFillCommand } from '../time/week/week-view.ts';
import type { Fixing } from './fix.ts';
import { gather, resolvePeople } from './gather.ts';
import { type Checked, judgeAll, reportAssumed } from './judge-all.ts';

export const check = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc looks for problems in hours and invoices, and prints a command that fixes or shows each problem. svc finds:\n\n  - missing hours, hours on leave, days over 24 hours and future dates\n  - duplicates, entries without a project, and entries on projects that ended\n  - hours without an invoice, invoice rows that differ from their entries, and spent budgets\n  - timers that still run, and entries that nobody reviewed\n\nsvc exits with 0 if svc could check everything and found no problem, otherwise with 1. In JSON, a check that svc could not make has the kind unknown. svc checks the days up to today, in the time zone of each person.',
  args: [anyWords('span', '2026-10, last month, 2026-10-05..friday, this week (default: this month)')],
  options: {
    month: text('--month <month>', 'Check this month: last, this, 2026-02'),
    team: toggle('--team', 'Check everybody whom you have permission to see'),
    manager: text('--manager <id|me|name>', 'Check the team of this manager', { type: 'user' }),
    users: text('--users <a,b>', 'Check these people, by id, me or name', { type: 'user' }),
    branch: recordFlag('--branch', 'Check the people of this branch', 'company-branches'),
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
  async run(context: Needs<Reporting | Fixing | 'timeZone'>, { args, options }) {
    if (options.fix && (!context.interactive || context.globals.dryRun))
      throw new UsageError(
        context.interactive
          ? '--fix asks before each fix, so --dry-run is not possible.'
          : '--fix asks questions, and there is no terminal here.',
        { hint: 'Leave out --fix: svc prints a command for each finding.' },
      );
    const range = await inZone(context, (dates) => rangeOf(args, options.month, dates));
    const checkedPeople = await resolvePeople(context, options.team === true, options);
    const gathered = await gather(context, checkedPeople, range);
    await reportAssumed(context, gathered.members);
    const checked = judgeAll(gathered);
    const host = await hostFlag(context);
    for (const { kinds, userId, message } of notJudgedOf(checked)) {
      const whose = checkedPeople.isTeam && userId !== null ? `, ${checked.people.get(userId)?.name ?? `user ${userId}`}` : '';
      await context.notice(`Not checked (${kinds.join(', ')}${whose}): ${message.replace(/\.$/, '')}.`);
    }
    if (options.fix && checked.findings.length > 0) {
      const { fixEach } = await import('./fix.ts');
      const describe = (finding: Finding) => findingText(finding, checked, checkedPeople.isTeam);
      const fixed = await fixEach(context, checked, commandFinder(checked, host), describe);
      // A fix can be partial, or cause another finding. svc therefore checks again, and prints each notice only the first time.
      const left = fixed === 0 ? checked : judgeAll(await gather({ ...context, notice: async () => undefined }, checkedPeople, range));
      return conclude(left, 'To see the remaining findings, run the same command without --fix.');
    }
    await printReport(context, {
      records: () => findingRows(checked, host),
      view: { columns: ['kind', 'user', 'date', 'minutes', 'message', 'command'].map((path) => ({ path })) },
      report: () => reportOf(checked, range, host, checkedPeople.isTeam),
    });
    conclude(checked, 'Run the command of each finding, or fix the findings one by one at a terminal: --fix.');
  },
});

function rangeOf(args: readonly string[], month: string | undefined, dates: DateContext): DateRange {
  if (month === undefined) return readDateRange(args.length === 0 ? 'this month' : args.join(' '), dates);
  if (args.length > 0)
    throw new UsageError(`--month and ${quote(args.join(' '))} are two date ranges.`, { hint: 'Use one of the two date ranges.' });
  return readMonth(month, dates, '--month: ', '; give any other date range without --month');
}

/**
 * Reads a month: `2026-02`, `last`, `this`, `next`.
 *
 * @param name The start of the error.
 * @param more The end of the hint.
 * @throws UsageError for any other text.
 */
export function readMonth(month: string, dates: DateContext, name = '', more = ''): DateRange {
  const typed = month.trim().toLowerCase();
  if (/^(?:last|this|next)$/.test(typed)) return readDateRange(`${typed} month`, dates);
  if (/^\d{4}-\d{2}$/.test(typed)) return readDateRange(typed, dates);
  throw new UsageError(`${name}${quote(month)} is not a month.`, { hint: `Write last, this or 2026-02${more}.` });
}

function reportOf(checked: Checked, range: DateRange, host: string, isTeam: boolean): Report {
  const commandFor = commandFinder(checked, host, shortFillCommand);
  const days = `${range.first} to ${range.last}`;
  const parts = CHECKS.flatMap((kind): ReportPart[] => {
    const own = checked.findings.filter((finding) => finding.kind === kind);
    const lines = own.map((finding) => ({ text: findingText(finding, checked, isTeam), command: commandFor(finding) }));
    return own.length === 0
      ? []
      : [
          {
            kind: 'notes',
            heading: kind === 'missing-hours' ? `${counted(own.length, 'day')} with missing hours` : `${HEADINGS[kind]}: ${own.length}`,
            lines,
          },
        ];
  });
  const what = `${counted(checked.entries.length, 'entry', 'entries')} of ${counted(checked.people.size, 'person', 'people')}`;
  const nothing: ReportPart = { kind: 'notes', lines: [`svc found no problems from ${days}, in ${what}.`] };
  return { parts: parts.length === 0 ? [nothing] : parts };
}

/** Returns a finding as one line: `Thu 2026-06-04, Mira: 3h missing of 8h`. */
function findingText({ date, until, userId, message }: Finding, { people }: Checked, isTeam: boolean): string {
  const person = userId === null ? undefined : people.get(userId);
  const temporal = person?.dates.temporal ?? [...people.values()][0]?.dates.temporal;
  const isDay = until === undefined || until === date;
  const day = date === null || temporal === undefined ? undefined : isDay ? dayName(date, temporal) : `${date} to ${until}`;
  const whose = !isTeam || userId === null ? undefined : (person?.name ?? `User ${userId}`);
  const head = [day, whose].filter((part) => part !== undefined).join(', ');
  return head === '' ? message : `${head}: ${message}`;
}

/** Reports the outcome by the exit code. @throws SvcError (exit 1) after a finding, and after a check that svc could not make. */
function conclude(checked: Checked, hint: string): void {
  const found = checked.findings.length;
  const unknown = notJudgedOf(checked).length;
  if (found === 0 && unknown === 0) return;
  const parts = [
    ...(found === 0 ? [] : [counted(found, 'finding')]),
    ...(unknown === 0 ? [] : [`${counted(unknown, 'check')} that svc could not make`]),
  ];
  throw new SvcError(`${parts.join(', and ')}.`, { hint: found === 0 ? 'The lines above give the reasons.' : hint });
}

/** Makes a record for each finding, then a record of kind `unknown` for each check that svc could not make. */
export function findingRows(checked: Checked, hostFlag: string): JsonObject[] {
  const commandFor = commandFinder(checked, hostFlag);
  return [...checked.findings, ...notJudgedOf(checked)].map((of) => {
    const finding = 'kinds' in of ? undefined : of;
    return {
      kind: finding?.kind ?? 'unknown',
      not_judged: 'kinds' in of ? of.kinds : null,
      user_id: of.userId,
      user: checked.people.get(of.userId ?? 0)?.name ?? null,
      date: finding?.date ?? null,
      minutes: finding?.minutes ?? null,
      records: finding?.noun ?? null,
      ids: finding?.ids ?? [],
      message: of.message,
      command: finding === undefined ? null : commandFor(finding),
    };
  });
}

/** Lists the reasons why svc could not make a check, without duplicates, in the order of the kinds. */
export function notJudgedOf({ notJudged }: Checked): readonly NotJudged[] {
  const place = ({ kinds: [first] }: NotJudged) => CHECKS.indexOf(first);
  const each = new Map(notJudged.map((unknown) => [JSON.stringify(unknown), unknown]));
  return [...each.values()].sort((one, other) => place(one) - place(other));
}

/** Returns a function that makes the command for a finding. The command fixes the finding, or shows the records of the finding. */
export function commandFinder(
  { own, entries, findings }: Checked,
  hostFlag: string,
  fill: typeof fillCommand = fillCommand,
): (finding: Finding) => string {
  // svc proposes no hours on a project that has ended.
  const ended = new Set(findings.flatMap(({ kind, ids }) => (kind === 'project-ended' ? ids : [])));
  const byUser = Map.groupBy(
    entries.filter(({ id }) => !ended.has(id ?? 0)),
    ({ userId }) => userId,
  );
  const rowsOf = (userId: number | null) => {
    const theirs = byUser.get(userId) ?? [];
    return gridRows(theirs, [...new Set(theirs.map(({ date }) => date))]);
  };
  return (finding) => {
    const { kind, userId, date, until, minutes, ids, spare = [], projectId } = finding;
    const whose = userId === null ? '' : ` --user ${userId}`;
    const project = projectId === undefined ? '' : ` --project ${projectId}`;
    const days = date === null ? '' : date === (until ?? date) ? ` --date ${date}` : ` --from ${date} --to ${until}`;
    const shown = `svc worklogs list${whose}${project}${days}${hostFlag}`;
    switch (kind) {
      case 'missing-hours': {
        const filling = { user: userId === null || userId === own ? 'me' : userId, rows: rowsOf(userId), hostFlag } as const;
        return fill(filling, date ?? '', minutes ?? 0);
      }
      case 'hours-on-leave':
        return userId === own ? `svc worklogs edit ${date}${hostFlag}` : shown;
      case 'impossible-day':
        if (ids.length === 1) return `svc worklogs edit ${ids[0]}${hostFlag}`;
        return userId === own ? `svc worklogs edit ${date}${hostFlag}` : shown;
      case 'no-project':
      case 'future-date':
        return `svc worklogs edit ${ids[0]}${hostFlag}`;
      case 'duplicate':
        return spare.length === 0 ? shown : `svc worklogs delete ${spare.join(' ')}${hostFlag}`;
      case 'row-differs':
        return `svc sales-invoice-rows get ${ids[0]}${hostFlag}`;
      case 'over-budget':
        return finding.noun === 'budgets' ? `svc budgets get ${ids[0]}${hostFlag}` : shown;
      case 'timer-running':
        // You can stop only your own timers.
        if (userId !== own) return `svc timers get ${ids[0]}${hostFlag}`;
        return `svc timers stop ${ids[0]}${(minutes ?? 0) > LONGEST_MINUTES ? ' --at <time>' : ''}${hostFlag}`;
      case 'not-billed':
      case 'project-ended':
      case 'not-reviewed':
        return shown;
    }
  };
}
