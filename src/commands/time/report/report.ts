import { READING_GLOBALS } from '../../../cli/globals.ts';
import { naming } from '../../../cli/naming.ts';
import { anyWords, defineCommand, parsed, text } from '../../../cli/spec.ts';
import { spelled } from '../../../cli/tool-aliases.ts';
import { UsageError } from '../../../errors.ts';
import { labelOf } from '../../../output/blocks-writer.ts';
import { hoursReport } from '../../../output/hours-report.ts';
import { readPlacedEntries } from '../../../records/item-places.ts';
import { type ReadingValues, readReference, readUser } from '../../../records/kinds.ts';
import type { Needs } from '../../../session/context.ts';
import { daysBetween, weekNumber } from '../../../time/calendar.ts';
import type { DateRange } from '../../../time/date-range.ts';
import type { FigureStep } from '../../../time/figure-step.ts';
import { DIMENSIONS, type Dimension } from '../../../time/places.ts';
import { createTimeTotals, EMPTY_SUMS, type Group, type Sums, shareOf, type Totals } from '../../../time/totals.ts';
import type { JsonObject } from '../../../values/json.ts';
import { loadTemporal, type TemporalNamespace } from '../../../values/temporal.ts';
import { compareTexts } from '../../../values/text.ts';
import { together } from '../../../values/together.ts';
import { chooseRow, type NamedRow, whyFlag } from '../../choose-row.ts';
import { type Explaining, explainFigures } from '../../explain-figures.ts';
import { printReport } from '../../print-report.ts';
import { readReportDays } from '../read-days.ts';
import { entryOptions, entryRules } from './entry-flags.ts';
import { checkSheetFlags, dimensionName, parseDimensions, placeFields, relationsFor, sheetOptions } from './report-options.ts';

export const report = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc adds up the hours that you have permission to read, in the given days. svc groups by each dimension in turn: --by project,user lists the users in each project. Billable hours, other hours and overtime are separate sums. A sum is unknown if the service does not show a field that the sum needs. With --for, svc makes a sheet for a customer: each billable entry of their projects, with subtotals. --rate adds amounts.',
  args: [
    anyWords(
      'days',
      'The days to count: "last month", 2026-10, 2026-Q3, "last week", 2026-10-05..friday (default: this month up to today)',
    ),
  ],
  options: {
    from: text('--from <date>', 'Count from this day (default: the first of this month)', { type: 'date' }),
    to: text('--to <date>', 'Count until this day (default: today)', { type: 'date' }),
    by: parsed('--by <a,b>', `Group by these dimensions (default: project): ${DIMENSIONS.join(', ')}`, parseDimensions, {
      completes: { values: DIMENSIONS, list: true },
    }),
    user: text(`${spelled('user')} <id|me|name>`, 'Count only hours of this user', { type: 'user' }),
    project: text(`${spelled('project')} <id|name>`, 'Count only hours on this project', {
      type: 'id-or-name',
      completes: { records: 'projects' },
    }),
    html: text('--html <file>', 'Write an HTML page to this file, with charts or for a customer', { type: 'file', completes: 'file' }),
    why: whyFlag('row', 'Show the entries that lead to the hours of a row, by its name or id'),
    ...entryOptions,
    ...sheetOptions,
  },
  examples: [
    { args: 'report --by project,user', does: 'Show this month, by project and user' },
    { args: 'report last month --by customer', does: 'Show last month, by customer' },
    { args: 'report 2025 --by month --html 2025.html', does: 'Write an HTML page for a year' },
    { args: 'report last month --for "Bakkerij Jansen & Zonen" --rate 95.00 --html jansen.html', does: 'Write a page for a customer' },
    { args: 'report last month --rounding 15m', does: 'Round each entry up to a quarter of an hour' },
    { args: 'report last month --why "Web shop"', does: 'Show the entries behind a row' },
    { args: 'report --by user --from monday --output csv > week.csv', does: 'Write this week for a spreadsheet' },
  ],
  async run(context: Needs<Explaining | ReadingValues | 'files' | 'host'>, { args, options }) {
    const { user: whose, project: which, for: customer, html, why } = options;
    checkSheetFlags(options);
    if (why !== undefined && (customer ?? html) !== undefined)
      throw new UsageError(`You cannot use --why and --${customer === undefined ? 'html' : 'for'} together.`, {
        hint: 'Leave out one of the two flags.',
      });
    const [range, user, project] = await together(
      readReportDays(context, { ...options, words: args }),
      whose === undefined ? undefined : naming('--user', () => readUser(context, whose)),
      which === undefined ? undefined : naming('--project', () => readReference(context, 'projects', which)),
    );
    const by = options.by ?? ['project'];
    if (customer !== undefined) {
      const { printSheet } = await import('./customer-sheet.ts');
      return printSheet(context, { ...options, for: customer, range, by, user, project, html, rules: entryRules(options) });
    }
    const temporal = await loadTemporal();
    // A summary view need not show whether hours are billable (rule 18.23).
    const query = { ...range, user, project, view: 'detail', include: relationsFor(by) } as const;
    const { entries, beyond } = await readPlacedEntries(context, query, by);
    const totals = createTimeTotals(by, temporal, beyond);
    const period = periodFor(range, temporal);
    const overTime = createTimeTotals([period], temporal);
    const rules = entryRules(options);
    for await (const logged of entries) {
      const counted = rules.apply(logged);
      if (counted === undefined) continue;
      totals.add(counted.entry, why === undefined ? [] : counted.steps);
      overTime.add(counted.entry);
    }
    const title = `Hours from ${range.first} to ${range.last}, by ${by.map(dimensionName).join(' and ')}`;
    if (why !== undefined) {
      const { row, label } = await chooseRow(context, namedGroups(totals.groups()), why);
      return explainFigures(context, {
        title: `${title} · ${label}`,
        subject: { ...row.fields, from: range.first, to: range.last, ...rules.fields },
        figures: [{ figure: 'minutes', label: 'Total', steps: byDate(row.steps) }],
      });
    }
    await printReport(context, {
      records: () => [...leafRecords(totals)].map((record) => ({ ...record, ...rules.fields })),
      report: () =>
        hoursReport({
          title,
          levels: by.map(dimensionName).map(labelOf),
          ...rowsOf(totals),
          period: dimensionName(period),
          periods: withEmptyPeriods(overTime.groups(), period, range, temporal),
          notes: rules.notes,
        }),
      html,
    });
  },
});

function periodFor({ first, last }: DateRange, temporal: TemporalNamespace): Dimension {
  const { days } = temporal.PlainDate.from(first).until(last, { largestUnit: 'days' });
  return days < 45 ? 'day' : days < 366 ? 'week' : 'month';
}

/** Returns the groups at every depth. The label of a group also has the names of the groups around it: `Aurora, Mira`. */
function namedGroups(groups: readonly Group[], above: readonly string[] = [], fields: JsonObject = {}): NamedRow<ExplainedGroup>[] {
  return groups.flatMap((group) => {
    const own = { ...fields, ...placeFields(group.dimension, group) };
    const path = [...above, group.label];
    const label = path.join(', ');
    const also = group.key === '' || group.key === group.label ? [] : [group.key];
    return [{ label, name: group.label, also, row: { fields: own, steps: group.steps } }, ...namedGroups(group.children, path, own)];
  });
}

interface ExplainedGroup {
  readonly fields: JsonObject;
  readonly steps: readonly FigureStep[];
}

function byDate(steps: readonly FigureStep[]): readonly FigureStep[] {
  return steps.toSorted((one, other) => compareTexts(one.date ?? '', other.date ?? '') || (one.record?.id ?? 0) - (other.record?.id ?? 0));
}

function* leafRecords(totals: Totals): Generator<JsonObject> {
  const whole = totals.total().minutes;
  const walk = function* (groups: readonly Group[], above: JsonObject): Generator<JsonObject> {
    for (const { sums, children, ...group } of groups) {
      const record = { ...above, ...placeFields(group.dimension, group) };
      if (children.length > 0) yield* walk(children, record);
      else yield { ...record, ...timeFields(sums), share: shareOf(sums.minutes, whole) };
    }
  };
  yield* walk(totals.groups(), {});
}

/**
 * Returns the sums of a group. If the service does not show a field of some entries, the sum is null. An `…_unknown_minutes` field has the
 * minutes of these entries.
 */
function timeFields({ minutes, billable, notBillable, billableUnknown, overtime, overtimeUnknown, entries }: Sums): JsonObject {
  return {
    minutes,
    billable_minutes: billableUnknown > 0 ? null : billable,
    not_billable_minutes: billableUnknown > 0 ? null : notBillable,
    billable_unknown_minutes: billableUnknown,
    overtime_minutes: overtimeUnknown > 0 ? null : overtime,
    overtime_unknown_minutes: overtimeUnknown,
    entries,
  };
}

function rowsOf(totals: Totals) {
  const total = totals.total();
  const flat = (groups: readonly Group[], depth: number): (Sums & { label: string; depth: number; share: number })[] =>
    groups.flatMap(({ key, label, sums, children }) => [
      {
        // Groups with the same name, such as budgets of two projects, also show their ids.
        label: groups.some((other) => other.label === label && other.key !== key) ? `${label} (#${key})` : label,
        depth,
        share: shareOf(sums.minutes, total.minutes),
        ...sums,
      },
      ...flat(children, depth + 1),
    ]);
  return { rows: flat(totals.groups(), 0), total };
}

function withEmptyPeriods(groups: readonly Group[], period: Dimension, { first, last }: DateRange, temporal: TemporalNamespace) {
  const found = new Map(groups.map((group) => [group.key, group.sums]));
  const nameOfDay = (date: string) => (period === 'day' ? date : period === 'week' ? weekNumber(date, temporal) : date.slice(0, 7));
  const names = [...new Set(daysBetween(first, last, temporal).map(nameOfDay))];
  return names.map((label) => ({ label, ...(found.get(label) ?? EMPTY_SUMS) }));
}
