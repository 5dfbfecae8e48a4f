import { READING_GLOBALS } from '../../cli/globals.ts';
import { anyWords, defineCommand, toggle } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { NOTHING, type ReportCell } from '../../output/report.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import { ownId } from '../../records/me.ts';
import type { TeamQuery } from '../../records/people.ts';
import type { Needs } from '../../session/context.ts';
import { inZone } from '../../session/time-zone.ts';
import { daysBetween } from '../../time/calendar.ts';
import { type DateRange, readDateRange } from '../../time/date-range.ts';
import type { FigureStep } from '../../time/figure-step.ts';
import { isRequested } from '../../time/leave.ts';
import { knownHours } from '../../time/read-working-hours.ts';
import { type Amount, type UsedAmounts, type UsedLeave, usedLeave } from '../../time/used-leave.ts';
import { today } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { chooseRow, whyFlag } from '../choose-row.ts';
import { readTeamChoice, TEAM_OPTIONS } from '../choose-team.ts';
import { type ExplainedFigure, type Explaining, explainFigures } from '../explain-figures.ts';
import { printReport } from '../print-report.ts';
import { nameOf, namesOfPeople, type PersonLeave, type ReadingLeave, rangeText, readPeopleLeave } from './people-leave.ts';

export const usedDays = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc counts leave by the working hours of each person, without public holidays and free days. Overlapping absences count once. svc prints three figures: leave up to today, leave to come, and leave that is only requested. An absence without an end counts until the end of today. A day begins and ends in the time zone of each person.\n\nA figure is null if svc cannot read the working hours, absences, public holidays or free days. The service does not document entitlements, so svc cannot say how much leave remains.',
  args: [anyWords('span', '2026, 2026-Q4, 2026-04-01..2027-03-31 (default: this year)')],
  options: {
    ...TEAM_OPTIONS,
    why: whyFlag('user', 'Show the absences that lead to the figures of a user (default: the only user)', { records: 'users' }),
    everybody: toggle('--everybody', 'Count the leave of everybody whom you have permission to see (default: your own)'),
  },
  examples: [
    { args: 'absences used', does: 'Count your leave of this year' },
    { args: 'absences used --why', does: 'Show the absences that lead to your figures' },
    { args: 'absences used 2026 --manager me', does: 'Count the leave of your team' },
    { args: 'absences used last year --branch Amsterdam --output csv > used.csv', does: 'Write the leave of a branch for a spreadsheet' },
    { args: "absences used --everybody --jq 'map({user, days: .taken_days})'", does: 'Print the days taken, by name' },
  ],
  async run(context: Needs<Explaining | ReadingValues | ReadingLeave>, { args, options }) {
    const range = await inZone(context, (dates) => readDateRange(args.length === 0 ? 'this year' : args.join(' '), dates));
    const { user, manager, branch, everybody } = options;
    const isChosen = [user, manager, branch].some((given) => given !== undefined);
    if (isChosen && everybody)
      throw new UsageError('You cannot use --everybody with --user, --manager or --branch.', {
        hint: 'Leave out --everybody, or the other flag.',
      });
    const query: TeamQuery = isChosen || everybody ? await readTeamChoice(context, options) : { users: [await ownId(context)] };
    const rows = (await readPeopleLeave(context, query, range)).map((one) => ({ ...one, used: usedBy(one, range) }));
    const dates = await context.dates();
    if (options.why !== undefined) {
      const named = rows.map((row) => ({ row, label: nameOf(row), also: [String(row.id)] }));
      const { row, label } = await chooseRow(context, named, options.why);
      await reportUnknown(context, [row]);
      return explainFigures(context, {
        title: `Leave used ${rangeText(range, dates)} · ${label}`,
        subject: { user_id: row.id, user: row.name ?? null, from: range.first, to: range.last },
        figures: figuresOf(row),
      });
    }
    await reportUnknown(context, rows);
    await printReport(context, {
      records: () => rows.map(recordOf),
      report: () => ({
        title: `Leave used ${rangeText(range, dates)}`,
        parts: [
          {
            kind: 'table',
            name: 'People',
            levels: ['User'],
            columns: [...['Taken days', 'To come', 'Requested'].map((label) => ({ label })), { label: 'Types', align: 'left' }],
            rows: rows.map((row) => ({ label: nameOf(row), cells: cellsOf(row) })),
          },
        ],
      }),
    });
  },
});

/** A person with their leave and the counted days. `used` is undefined if svc cannot count the days. */
interface Row extends PersonLeave {
  readonly used: UsedLeave | undefined;
}

async function reportUnknown(context: Needs<'notice'>, rows: readonly Row[]): Promise<void> {
  const report = async (some: readonly Row[], line: (names: string) => string) =>
    some.length === 0 ? undefined : context.notice(line(namesOfPeople(some)));
  await report(
    rows.filter((row) => row.used === undefined && row.leave.shown && row.leave.unreadable === 0 && !hidesDaysOff(row)),
    (names) => `svc does not know the working hours of ${names}, and cannot count their days.`,
  );
  await report(
    rows.filter((row) => row.leave.shown && hidesDaysOff(row)),
    (names) => `svc cannot see public holidays or free days, so svc cannot count the days of ${names}.`,
  );
  await report(
    rows.filter(({ person: { hours }, absences }) => absences.length > 0 && hours.kind === 'read' && hours.chosen),
    (names) => `The working hours of ${names} are incomplete. svc assumes a start at 09:00, and Monday to Friday if no days are named.`,
  );
  for (const row of rows)
    if (row.used !== undefined && row.used.openDays.length > 0)
      await context.notice(
        `${nameOf(row)}: svc does not know whether an absence includes ${row.used.openDays.join(', ')}; ${openText(row)}.`,
      );
  await report(
    rows.filter(({ used }) => used?.runs),
    (names) => `svc counts to the end of today for ${names}: an absence has no end.`,
  );
}

/** Returns the three figures of a person. If the figures are unknown, each figure has one unknown step. */
function figuresOf(row: Row): ExplainedFigure[] {
  const unknown = row.used === undefined ? [unknownStep(row)] : [];
  return [
    { figure: 'taken_minutes', label: 'Taken', steps: row.used?.taken.steps ?? unknown },
    { figure: 'to_come_minutes', label: 'To come', steps: row.used?.toCome.steps ?? unknown },
    { figure: 'requested_minutes', label: 'Requested', steps: row.used?.requested.steps ?? unknown },
  ];
}

function unknownStep(row: Row): FigureStep {
  const { leave } = row;
  if (!leave.shown) return { kind: 'hidden-leave', reason: 'The service does not show you the absences', minutes: null };
  if (leave.unreadable > 0) return { kind: 'hidden-leave', reason: 'svc cannot read the start or the end of an absence', minutes: null };
  if (hidesDaysOff(row)) return { kind: 'hidden-leave', reason: 'svc cannot see public holidays or free days', minutes: null };
  return { kind: 'unknown-hours', reason: 'svc does not know the working hours', minutes: null };
}

function hidesDaysOff({ leave, absences }: PersonLeave): boolean {
  return !leave.daysOffShown && absences.length > 0;
}

function usedBy(one: PersonLeave, { first, last }: DateRange): UsedLeave | undefined {
  const { person, dates, leave, absences } = one;
  if (!leave.shown || leave.unreadable > 0 || hidesDaysOff(one)) return undefined;
  const days = daysBetween(first, last, dates.temporal);
  const counted = absences.map(({ record, absence }) => ({
    absence,
    type: scalarText(record['type']) || undefined,
    requested: isRequested(record),
  }));
  const hours = knownHours(person.hours);
  return usedLeave(counted, days, { hours, daysOff: leave.daysOff, dates, today: today(dates) });
}

function openText({ leave }: PersonLeave): string {
  if (leave.open.every(({ counted }) => counted)) return 'counted';
  return leave.open.some(({ counted }) => counted) ? 'some are counted' : 'not counted';
}

function recordOf({ id, name, person, leave, used }: Row): JsonObject {
  return {
    user_id: id,
    user: name ?? null,
    ...amountFields(used),
    runs: used?.runs ?? null,
    open_days: used?.openDays ?? null,
    types: used?.types.map(({ type, ...amounts }) => ({ type: type ?? null, ...amountFields(amounts) })) ?? null,
    shown: leave.shown,
    timezone: person.timeZone,
    timezone_assumed: person.timeZoneAssumed,
  };
}

function amountFields(used: UsedAmounts | undefined): JsonObject {
  return {
    taken_days: used?.taken.days ?? null,
    taken_minutes: used?.taken.minutes ?? null,
    to_come_days: used?.toCome.days ?? null,
    to_come_minutes: used?.toCome.minutes ?? null,
    requested_days: used?.requested.days ?? null,
    requested_minutes: used?.requested.minutes ?? null,
  };
}

/** Formats taken, future and requested leave as `0.5 (4h)`, and then the days of each type. */
function cellsOf({ leave, used }: Row): ReportCell[] {
  const cell = (amount: Amount | undefined): ReportCell => {
    if (amount === undefined) return leave.shown ? 'unknown' : 'not shown to you';
    return amount.minutes === 0 ? { text: NOTHING, spoken: 'none' } : `${amount.days} (${formatDuration(amount.minutes)})`;
  };
  const types = used?.types.flatMap(({ type, all }) => (all.minutes === 0 ? [] : [`${type ?? 'no type'} ${all.days}`]));
  return [cell(used?.taken), cell(used?.toCome), cell(used?.requested), types?.join(', ') ?? ''];
}
