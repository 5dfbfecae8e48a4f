import { READING_GLOBALS } from '../../cli/globals.ts';
import { spelled } from '../../cli/habits.ts';
import { naming } from '../../cli/naming.ts';
import { defineCommand, parsed, text } from '../../cli/spec.ts';
import {
  type BilledProject,
  rateFor,
  readBilledProjects,
  readBudgetRates,
  readNames,
  unlessWithheld,
} from '../../records/billed-projects.ts';
import { readReference, type Understanding } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printRows } from '../../session/print.ts';
import {
  type BillingEntry,
  type BillingGroup,
  type BillingKey,
  type BillingPlace,
  createBillingTally,
  groupParts,
} from '../../time/billing.ts';
import { formatAmount } from '../../values/amount.ts';
import { counted } from '../../values/counted.ts';
import { formatDuration } from '../../values/duration.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { parseRate } from '../../values/money.ts';
import { together } from '../../values/together.ts';
import { DAYS_ARG, DAYS_OPTIONS, readBilledDays } from './days.ts';
import { type Walking, walkEntries } from './walk-entries.ts';

const GROUPINGS = ['customer', 'project', 'person'] as const;
type Grouping = (typeof GROUPINGS)[number];

/** `svc billing unbilled`: hours that no invoice bills, by whom they are to be billed to. */
export const unbilled = defineCommand({
  name: 'unbilled',
  summary: 'Show hours that are on no invoice',
  showsGlobals: READING_GLOBALS,
  description:
    'svc adds up the hours that you have permission to read, in four groups: unbilled, over the budget, not billable, and billed. Unbilled hours are billable, within the budget, and on no invoice. Hours are billed if they name an invoice or an invoice row. The service does not document when it sets that name. A figure is unknown if the service does not show the facts.\n\nWithout days, svc reads this month and the two months before. Amounts use --rate, or the hourly rate of budgets and projects. The service shows no currency.',
  args: [DAYS_ARG],
  options: {
    ...DAYS_OPTIONS,
    by: text('--by <what>', 'Group by this (default: customer)', { choices: GROUPINGS }),
    customer: text('--customer <id|name>', 'Count only hours for this customer', {
      type: 'id-or-name',
      completes: { records: 'customers' },
    }),
    project: text(`${spelled('project')} <id|name>`, 'Count only hours on this project', {
      type: 'id-or-name',
      completes: { records: 'projects' },
    }),
    rate: parsed('--rate <amount>', 'Use this price of an hour instead of the prices in the records', parseRate, { type: 'money' }),
  },
  examples: [
    { args: 'billing unbilled', does: 'Show the unbilled hours of three months, by customer' },
    { args: 'billing unbilled last month --by project --output csv > unbilled.csv', does: 'Write last month for a spreadsheet' },
    {
      args: 'billing unbilled --customer "Bakkerij Jansen & Zonen" --by person --rate 95',
      does: 'Show the unbilled hours and amount of each person, for one customer',
    },
    { args: "billing unbilled 2026 --jq 'map(.unbilled_minutes) | add / 60'", does: 'Print the unbilled hours of a year' },
  ],
  async run(context: Needs<Printing | Understanding | Walking>, { args, options }) {
    const { customer: whose, project: which } = options;
    const [days, customer, project] = await together(
      readBilledDays(context, args, options),
      whose === undefined ? undefined : naming('--customer', () => readReference(context, 'customers', whose)),
      which === undefined ? undefined : naming('--project', () => readReference(context, 'projects', which)),
    );
    const by = (options.by ?? 'customer') as Grouping;
    await context.notice(`Hours from ${days.first} to ${days.last}.${days.isChosen ? ' Older ones: --from' : ''}`);
    const given = options.rate;
    // Who pays is known from projects alone.
    const reading = readBilledProjects(context, customer);
    // Who pays is known from projects alone.
    const isNeeded = by === 'customer' || customer !== undefined;
    const projects = isNeeded ? reading : unlessWithheld(context, reading, 'No names and no rates of projects are known');
    const question = { first: days.first, last: days.last, project };
    const [parts, known, budgets, names] = await together(
      customer === undefined
        ? walk(context, question, by)
        : projects.then((some) => walk(context, { ...question, projects: [...(some?.keys() ?? [])] }, by)),
      projects,
      given === undefined ? unlessWithheld(context, readBudgetRates(context), 'No rates of budgets are known') : undefined,
      by === 'person'
        ? unlessWithheld(context, readNames(context, '/users'), 'No names of people are known')
        : unlessWithheld(context, readNames(context, '/customers'), 'No names of customers are known'),
    );
    const groups = groupParts(parts, keyIn(by, known, names), (place) => rateFor(place, { given, projects: known, budgets }));
    if (customer !== undefined && known?.size === 0) await context.notice(`No project is billed to customer ${customer}.`);
    await tellUnknown(context, groups, by);
    const isTable = (await context.presentation()).reader === 'person';
    const records = groups.map((group) => recordOf(by, group, { projects: known, names }, isTable));
    await printRows(context, toAsync(records), isTable ? { columns: columnsOf(by), isWhole: () => true } : {});
  },
});

/** Adds the entries up as they come. Of no project there is nothing to read. */
async function walk(context: Needs<Walking>, question: Omit<Parameters<typeof walkEntries>[1], 'include'>, by: Grouping) {
  const { projects } = question;
  const tally = createBillingTally(by === 'person');
  if (projects?.length === 0) return tally.parts();
  const wanted = projects === undefined ? undefined : new Set(projects);
  let hidden = 0;
  const isWanted = ({ projectId }: BillingEntry) => {
    if (projectId === undefined && wanted !== undefined) hidden += 1;
    return wanted === undefined || (typeof projectId === 'number' && wanted.has(projectId));
  };
  for await (const entries of walkEntries(context, { ...question, include: [] }))
    for (const entry of entries) if (isWanted(entry)) tally.add(entry);
  if (hidden > 0) await context.notice(`Left out: ${counted(hidden, 'entry', 'entries')} of which the service does not show the project.`);
  return tally.parts();
}

type Names = ReadonlyMap<number, string> | undefined;
type Projects = ReadonlyMap<number, BilledProject> | undefined;

/** To whom or to what an entry belongs. Whose customer an entry without a project is, nobody knows. */
function keyIn(by: Grouping, projects: Projects, names: Names): (place: BillingPlace) => BillingKey {
  const projectOf = (id: number | null | undefined) => (typeof id === 'number' ? projects?.get(id) : undefined);
  return ({ projectId, userId }) => {
    if (by === 'person') return { id: userId, name: names?.get(userId ?? 0) };
    if (by === 'project') return { id: projectId, name: projectOf(projectId)?.name };
    const id = projectOf(projectId)?.customerId;
    return { id, name: names?.get(id ?? 0) };
  };
}

/** What is not known of some of the entries is null, and how many minutes they have stands beside it. */
function recordOf(
  by: Grouping,
  { id, name, sums, amount, unpriced }: BillingGroup,
  { projects, names }: { readonly projects: Projects; readonly names: Names },
  isTable: boolean,
): JsonObject {
  const isKnown = sums.unknown === 0;
  const nothing = isTable ? 'unknown' : null;
  const figure = (minutes: number): JsonValue => (isKnown ? minutes : nothing);
  const figures: JsonObject = {
    minutes: sums.minutes,
    unbilled_minutes: figure(sums.unbilled),
    over_budget_minutes: figure(sums.overBudget),
    not_billable_minutes: figure(sums.notBillable),
    billed_minutes: figure(sums.billed),
    unknown_minutes: sums.unknown,
    entries: sums.entries,
    oldest_date: isKnown ? (sums.oldest ?? null) : nothing,
    amount: isKnown && amount !== undefined ? formatAmount(amount) : nothing,
    unpriced_minutes: figure(unpriced),
  };
  if (isTable) return { [by]: labelOf(by, id, name), ...figures };
  if (by === 'person') return { user_id: id ?? null, user: name ?? (id === undefined ? 'unknown' : null), ...figures };
  if (by === 'customer') return { customer_id: id ?? null, customer: name ?? (id === undefined ? 'unknown' : null), ...figures };
  const customer = typeof id === 'number' ? projects?.get(id)?.customerId : undefined;
  return {
    project_id: id ?? null,
    project: name ?? (id === undefined ? 'unknown' : null),
    customer_id: customer ?? null,
    customer: names?.get(customer ?? 0) ?? (customer === undefined ? 'unknown' : null),
    ...figures,
  };
}

function labelOf(by: Grouping, id: number | null | undefined, name: string | undefined): string {
  if (id === undefined) return 'unknown';
  return name ?? (id === null ? `No ${by}` : `#${id}`);
}

function columnsOf(by: Grouping) {
  const minutes = (name: string, header: string) => ({ path: `${name}_minutes`, header, kind: 'duration' as const });
  return [
    { path: by },
    minutes('unbilled', 'UNBILLED'),
    { path: 'amount', kind: 'money' as const },
    minutes('over_budget', 'OVER BUDGET'),
    minutes('not_billable', 'NOT BILLABLE'),
    minutes('billed', 'BILLED'),
    minutes('unknown', 'UNKNOWN'),
    { path: 'oldest_date', header: 'OLDEST', kind: 'date' as const },
  ];
}

/** Whatever a figure lacks is said. */
async function tellUnknown(context: Needs<'notice'>, groups: readonly BillingGroup[], by: Grouping): Promise<void> {
  const sum = (some: readonly BillingGroup[], minutes: (group: BillingGroup) => number) =>
    formatDuration(some.reduce((all, group) => all + minutes(group), 0));
  const unsure = groups.filter(({ sums }) => sums.unknown > 0);
  if (unsure.length > 0)
    await context.notice(
      `The service does not show of ${sum(unsure, ({ sums }) => sums.unknown)} whether they are billable or on an invoice.`,
    );
  const nobodys = groups.filter(({ id }) => id === undefined);
  if (nobodys.length > 0 && by === 'customer')
    await context.notice(`${sum(nobodys, ({ sums }) => sums.minutes)} name no project, or one whose customer is not shown.`);
  const unpriced = groups.filter((group) => group.unpriced > 0);
  if (unpriced.length > 0) await context.notice(`No rate is known for ${sum(unpriced, (group) => group.unpriced)}: give one with --rate.`);
}

async function* toAsync(records: readonly JsonObject[]): AsyncGenerator<JsonObject> {
  yield* records;
}
