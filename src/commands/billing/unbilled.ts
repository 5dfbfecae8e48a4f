import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand, parsed, recordFlag, text } from '../../cli/spec.ts';
import { spelled } from '../../cli/tool-aliases.ts';
import { NOTHING, type Report, type ReportCell } from '../../output/report.ts';
import { type ReadingValues, readReferenceFlag } from '../../records/kinds.ts';
import { type BilledProject, rateFor, readBilledProjects, readBudgetRates, readNames, unlessWithheld } from '../../records/projects.ts';
import type { Needs } from '../../session/context.ts';
import { type BillingEntry, type BillingGroup, type BillingKey, type BillingPlace, groupEntries } from '../../time/billing.ts';
import { minutesOfSteps } from '../../time/figure-step.ts';
import { formatDuration } from '../../values/duration.ts';
import type { JsonObject } from '../../values/json.ts';
import { type Cents, formatAmount, parseRate } from '../../values/money.ts';
import { capitalised } from '../../values/text.ts';
import { together } from '../../values/together.ts';
import { chooseRow, whyFlag } from '../choose-row.ts';
import { type Explaining, explainFigures } from '../explain-figures.ts';
import { printReport } from '../print-report.ts';
import { hiddenProjectsLine } from './draft-output.ts';
import { DAYS_ARG, DAYS_OPTIONS, type ReadingHours, readBilledDays, readBillingPages } from './read-hours.ts';

const GROUPINGS = ['customer', 'project', 'person'] as const;
type Grouping = (typeof GROUPINGS)[number];

export const unbilled = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc adds up the hours that you have permission to read. The groups are unbilled, over the budget, not billable, and billed. Unbilled hours are billable, within the budget, and on no invoice. Hours are billed if they have an invoice or an invoice row. The service does not document when hours get an invoice or an invoice row. A figure is unknown if the service does not show a field that the figure needs.\n\nWithout days, svc reads this month and the two months before. Amounts use --rate, or the hourly rate of budgets and projects. The service shows no currency.',
  args: [DAYS_ARG],
  options: {
    ...DAYS_OPTIONS,
    by: text('--by <what>', 'Group by this (default: customer)', { choices: GROUPINGS }),
    customer: recordFlag('--customer', 'Count only hours for this customer', 'customers'),
    project: recordFlag(spelled('project'), 'Count only hours on this project', 'projects'),
    why: whyFlag('row', 'Show the entries that lead to the unbilled hours of a row, by its name or id'),
    rate: parsed('--rate <amount>', 'Use this price of an hour instead of the prices in the records', parseRate, { type: 'money' }),
  },
  examples: [
    { args: 'billing unbilled', does: 'Show the unbilled hours of three months, by customer' },
    { args: 'billing unbilled last month --by project --output csv > unbilled.csv', does: 'Write last month for a spreadsheet' },
    {
      args: 'billing unbilled --customer "Bakkerij Jansen & Zonen" --by person --rate 95',
      does: 'Show the unbilled hours and amount of each person, for one customer',
    },
    { args: 'billing unbilled last month --why "Bakkerij Jansen & Zonen"', does: 'Show the entries behind a row' },
    { args: "billing unbilled 2026 --jq 'map(.unbilled_minutes) | add / 60'", does: 'Print the unbilled hours of a year' },
  ],
  async run(context: Needs<Explaining | ReadingValues | ReadingHours>, { args, options }) {
    const { customer: whose, project: which, rate: given } = options;
    const [days, customer, project] = await together(
      readBilledDays(context, { ...options, words: args }),
      readReferenceFlag(context, '--customer', 'customers', whose),
      readReferenceFlag(context, '--project', 'projects', which),
    );
    const by = (options.by ?? 'customer') as Grouping;
    if ((await context.presentation()).reader === 'program') await context.notice(`Hours from ${days.first} to ${days.last}.`);
    if (args.length === 0 && options.from === undefined) await context.notice('To include earlier hours: --from <date>');
    const reading = readBilledProjects(context, customer);
    // A worklog does not show its customer, so svc finds the customer through the project.
    const isNeeded = by === 'customer' || customer !== undefined;
    const projects = isNeeded ? reading : unlessWithheld(context, reading, 'svc does not know the names and rates of projects');
    const [who, path] = by === 'person' ? (['people', '/users'] as const) : (['customers', '/customers'] as const);
    const query = { first: days.first, last: days.last, project };
    const [entries, known, budgets, names] = await together(
      customer === undefined
        ? readBillingEntries(context, query)
        : projects.then((some) => readBillingEntries(context, { ...query, projects: [...(some?.keys() ?? [])] })),
      projects,
      given === undefined ? unlessWithheld(context, readBudgetRates(context), 'svc does not know the rates of budgets') : undefined,
      unlessWithheld(context, readNames(context, path), `svc does not know the names of ${who}`),
    );
    const groups = groupEntries(entries, keyIn(by, known, names), (place) => rateFor(place, { given, projects: known, budgets }));
    if (customer !== undefined && known?.size === 0) await context.notice(`No project is billed to customer ${customer}.`);
    if (options.why !== undefined) {
      const rows = groups.map((row) => ({ row, label: labelOf(by, row), also: typeof row.id === 'number' ? [String(row.id)] : [] }));
      const { row, label } = await chooseRow(context, rows, options.why);
      await reportUnknown(context, [row], by);
      return explainFigures(context, {
        title: `Unbilled hours from ${days.first} to ${days.last} · ${label}`,
        subject: { ...keyFields(by, row, known, names), from: days.first, to: days.last },
        figures: [{ figure: 'unbilled_minutes', label: 'Unbilled', steps: row.steps }],
      });
    }
    await reportUnknown(context, groups, by);
    await printReport(context, {
      records: () => groups.map((group) => recordOf(by, group, known, names)),
      report: () => unbilledReport(`Unbilled hours from ${days.first} to ${days.last}, by ${by}`, by, groups),
    });
  },
});

/** Reads the entries with their billing state. Sends no request for a customer without projects. */
async function readBillingEntries(
  context: Needs<ReadingHours>,
  query: Omit<Parameters<typeof readBillingPages>[1], 'include'>,
): Promise<readonly BillingEntry[]> {
  const { projects } = query;
  const wanted = projects === undefined ? undefined : new Set(projects);
  if (wanted?.size === 0) return [];
  const found: BillingEntry[] = [];
  let hidden = 0;
  for await (const entries of readBillingPages(context, { ...query, include: [] }))
    for (const entry of entries) {
      if (wanted !== undefined && entry.projectId === undefined) hidden += 1;
      if (wanted === undefined || wanted.has(entry.projectId ?? 0)) found.push(entry);
    }
  if (hidden > 0) await context.notice(hiddenProjectsLine(hidden));
  return found;
}

type Names = ReadonlyMap<number, string> | undefined;
type Projects = ReadonlyMap<number, BilledProject> | undefined;

/** Returns a function that finds the group of an entry. The customer of an entry without a project is unknown. */
function keyIn(by: Grouping, projects: Projects, names: Names): (place: BillingPlace) => BillingKey {
  return ({ projectId, userId }) => {
    if (by === 'person') return { id: userId, name: names?.get(userId ?? 0) };
    const project = projects?.get(projectId ?? 0);
    if (by === 'project') return { id: projectId, name: project?.name };
    return { id: project?.customerId, name: names?.get(project?.customerId ?? 0) };
  };
}

/**
 * Returns the record of a group. If the billing state of some entries is unknown, the figures are null, except `minutes`, `entries` and
 * `unknown_minutes`.
 */
function recordOf(by: Grouping, group: BillingGroup, projects: Projects, names: Names): JsonObject {
  const { sums, amount, unpriced, steps } = group;
  const isKnown = sums.unknown === 0;
  const figure = (minutes: number) => (isKnown ? minutes : null);
  return {
    ...keyFields(by, group, projects, names),
    minutes: sums.minutes,
    unbilled_minutes: minutesOfSteps(steps) ?? null,
    over_budget_minutes: figure(sums.overBudget),
    not_billable_minutes: figure(sums.notBillable),
    billed_minutes: figure(sums.billed),
    unknown_minutes: sums.unknown,
    entries: sums.entries,
    oldest_date: isKnown ? (sums.oldest ?? null) : null,
    amount: amount === undefined ? null : formatAmount(amount),
    unpriced_minutes: figure(unpriced),
  };
}

function keyFields(by: Grouping, { id, name }: BillingKey, projects: Projects, names: Names): JsonObject {
  const named = (what: string, of: number | null | undefined, known: string | undefined): JsonObject => ({
    [`${what}_id`]: of ?? null,
    [what]: known ?? (of === undefined ? 'unknown' : null),
  });
  const customer = by === 'project' ? projects?.get(id ?? 0)?.customerId : undefined;
  return {
    ...named(by === 'person' ? 'user' : by, id, name),
    ...(by === 'project' && named('customer', customer, names?.get(customer ?? 0))),
  };
}

const COLUMNS = ['Unbilled', 'Amount', 'Over budget', 'Not billable', 'Billed', 'Unknown'];

function labelOf(by: Grouping, { id, name }: BillingKey): string {
  return id === undefined ? 'unknown' : (name ?? (id === null ? `No ${by}` : `#${id}`));
}

function unbilledReport(title: string, by: Grouping, groups: readonly BillingGroup[]): Report {
  return {
    title,
    parts: [
      { kind: 'notes', lines: groups.length === 0 ? ['No hours were logged.'] : [] },
      {
        kind: 'table',
        name: 'Hours',
        levels: [capitalised(by)],
        columns: [...COLUMNS.map((name) => ({ label: name })), { label: 'Oldest', align: 'left' }],
        rows: groups.map((group) => ({ label: labelOf(by, group), cells: cellsOf([group]) })),
        totals: groups.length === 0 ? [] : [{ label: 'Total', cells: cellsOf(groups) }],
      },
    ],
  };
}

/** Formats the sums of several groups. If the billing state of an entry is unknown, every figure except the unknown time is `unknown`. */
function cellsOf(groups: readonly BillingGroup[]): ReportCell[] {
  const isKnown = groups.every(({ sums }) => sums.unknown === 0);
  const minutes = (name: 'unbilled' | 'overBudget' | 'notBillable' | 'billed' | 'unknown') => minutesText(groups, ({ sums }) => sums[name]);
  const figure = (text: string) => (isKnown ? text : 'unknown');
  const amount = groups.reduce<Cents | undefined>(
    (sum, group) => (sum !== undefined && group.amount !== undefined ? sum + group.amount : undefined),
    0n,
  );
  const [oldest] = groups.flatMap(({ sums }) => sums.oldest ?? []).sort();
  return [
    figure(minutes('unbilled')),
    figure(amount === undefined ? 'unknown' : formatAmount(amount)),
    figure(minutes('overBudget')),
    figure(minutes('notBillable')),
    figure(minutes('billed')),
    minutes('unknown'),
    figure(oldest ?? NOTHING),
  ];
}

async function reportUnknown(context: Needs<'notice'>, groups: readonly BillingGroup[], by: Grouping): Promise<void> {
  const unsure = groups.filter(({ sums }) => sums.unknown > 0);
  if (unsure.length > 0)
    await context.notice(
      `The service does not show whether ${minutesText(unsure, ({ sums }) => sums.unknown)} are billable or on an invoice.`,
    );
  const nobodys = groups.filter(({ id }) => id === undefined);
  if (nobodys.length > 0 && by === 'customer')
    await context.notice(
      `${minutesText(nobodys, ({ sums }) => sums.minutes)} are on no project, or the service does not show the customer.`,
    );
  const unpriced = groups.filter((group) => group.unpriced > 0);
  if (unpriced.length > 0)
    await context.notice(`svc knows no rate for ${minutesText(unpriced, (group) => group.unpriced)}. Set a rate with --rate.`);
}

function minutesText(groups: readonly BillingGroup[], minutes: (group: BillingGroup) => number): string {
  return formatDuration(groups.reduce((all, group) => all + minutes(group), 0));
}
