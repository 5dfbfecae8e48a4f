import { READING_GLOBALS } from '../../cli/globals.ts';
import { anyWords, defineCommand, recordFlag, text, toggle } from '../../cli/spec.ts';
import { spelled } from '../../cli/tool-aliases.ts';
import { ForbiddenError, NotFoundError, RefusedError, UsageError } from '../../errors.ts';
import { burnReport } from '../../output/burn-report.ts';
import { type Budget, budgetName, readBudgets } from '../../records/budgets.ts';
import { type Logged, type LoggedQuery, minutesByDay } from '../../records/entries.ts';
import { type ReadingValues, readReferenceFlag } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import { explainForbidden } from '../../session/explain-error.ts';
import { burnOf, perWeek, weeksOf } from '../../time/burn.ts';
import { exactly } from '../../time/capacity.ts';
import type { Entry } from '../../time/entry.ts';
import { type FigureStep, worklogStep } from '../../time/figure-step.ts';
import { type DateContext, today } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import type { JsonObject } from '../../values/json.ts';
import { compareTexts, counted } from '../../values/text.ts';
import { chooseRow, type NamedRow, whyFlag } from '../choose-row.ts';
import type { Explaining } from '../explain-figures.ts';
import type { ReadingLeave } from '../leave/people-leave.ts';
import { printReport } from '../print-report.ts';
import { type BurnLine, forecastBudgets } from './forecast-budgets.ts';

export const budgetsBurn = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc shows the spent time that the service reports for a budget, or the sum of its worklogs. --forecast reads the worklogs. svc then prints the weekly rate and the day on which the budget runs out. For an overrun budget, svc prints the first day of the overrun. The rate is the average of the last four full weeks, Monday to Sunday. Weeks before the first entry do not count.\n\nThe forecast covers the next two years, day by day. svc assumes that each person logs the same share of their working hours as in the weeks of the rate. Public holidays, free days and leave reduce the working hours. With uncertain leave or unknown working hours, svc prints a range. The budget runs out between projected_earliest and projected_latest. A day that svc cannot calculate is null.',
  args: [anyWords('budget', 'Budgets, by id or name (default: all)', { records: 'budgets' })],
  options: {
    project: recordFlag(spelled('project'), 'Show only budgets of this project', 'projects'),
    forecast: toggle(
      '--forecast',
      'Add the weekly rate and the projected end; svc reads all worklogs of the budgets, and the leave of the people who logged time',
    ),
    why: whyFlag('budget', 'Show the steps that lead to the time left and to the projected end of a budget', { records: 'budgets' }),
    html: text('--html <file>', 'Write an HTML page to this file, with a chart for each budget', { type: 'file', completes: 'file' }),
  },
  examples: [
    { args: 'budgets burn', does: 'Show every budget' },
    { args: 'budgets burn --project "Web shop" --forecast', does: 'Show when the budgets of a project run out' },
    { args: "budgets burn --jq 'map(select(.over_minutes > 0) | .name)'", does: 'Print the names of overrun budgets' },
    { args: 'budgets burn --why "Web shop: Build"', does: 'List the steps to the time left, and the time that each person uses' },
    { args: 'budgets burn --project "Web shop" --html budgets.html', does: 'Write a page to share' },
  ],
  async run(context: Needs<Explaining | ReadingValues | ReadingLeave>, { args, options }) {
    const { project: typed, html, why } = options;
    if (why !== undefined && html !== undefined)
      throw new UsageError('You cannot use --why and --html together.', { hint: 'Leave out one of the two.' });
    const project = await readReferenceFlag(context, '--project', 'projects', typed);
    const forecast = options.forecast === true || html !== undefined || why !== undefined;
    const dating = context.dates();
    dating.catch(() => undefined);
    const all = await readBudgets(context, { named: args, project });
    const budgets = why === undefined ? all : [(await chooseRow(context, all.map(namedBudget), why)).row];
    const entries: Entry[] = [];
    // Without a forecast, svc reads only the worklogs of budgets whose spent time the service does not show.
    const logged = await readLogged(context, forecast ? budgets : budgets.filter((budget) => budget.logged === undefined), {
      needsUser: forecast,
      ...(why !== undefined && { onEntry: (entry: Entry) => void entries.push(entry) }),
    });
    const dates = await dating;
    const day = today(dates);
    const burning = budgets.map((budget) => {
      const own = logged?.byId.get(budget.id);
      const record = { noun: 'budgets', id: budget.id, name: budgetName(budget) } as const;
      const worklogs = why === undefined ? undefined : loggedSteps(entries);
      const input = { budget: budget.budget, shown: budget.logged, logged: own, worklogs, record };
      return { budget, own, burn: burnOf(input, day, dates.temporal) };
    });
    await printHidden(context, burning);
    const forecasts = forecast ? await forecastBudgets(context, burning, logged, { day, dates }) : undefined;
    const lines = burning.map((line): BurnLine => ({ ...line, forecast: forecasts?.get(line.budget.id) }));
    const [only] = lines;
    if (why !== undefined && only !== undefined) return (await import('./explain-burn.ts')).explainBurn(context, only);
    if (budgets.length === 0) await context.notice('There are no budgets.');
    await printReport(context, {
      records: () => lines.map((line) => recordOf(line, forecast)),
      report: () => (budgets.length === 0 && html === undefined ? undefined : burnReport(viewOf(lines, { forecast, day, dates }))),
      html,
    });
  },
});

function namedBudget(budget: Budget): NamedRow<Budget> {
  return { row: budget, label: budgetName(budget), name: budget.name, also: [String(budget.id)] };
}

/** Returns a step with negative minutes for each worklog, in the order of the days. */
function loggedSteps(entries: readonly Entry[]): FigureStep[] {
  return entries
    .toSorted((one, other) => compareTexts(one.date, other.date))
    .map((entry) => worklogStep(entry, { kind: 'worklog', reason: 'Logged', minutes: 0 - entry.minutes }));
}

/** Returns the sums of the worklogs of budgets by day. If svc cannot read the worklogs, svc prints the reason and returns undefined. */
async function readLogged(
  context: Needs<'catalog' | 'client' | 'notice' | 'noticeToday'>,
  budgets: readonly Budget[],
  how: Pick<LoggedQuery, 'needsUser' | 'onEntry'>,
): Promise<Logged | undefined> {
  try {
    const logged = await minutesByDay(context, { field: 'budget_id', ids: budgets.map(({ id }) => id), ...how });
    if (logged.unplaced === 0) return logged;
    await context.notice('The service does not show the budget of a worklog, so svc cannot add up the worklogs.');
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) {
      const { message, hint } = await explainForbidden(context, error);
      await context.notice(`svc reads no worklogs: ${message} ${hint ?? ''}`.trim());
    } else if (error instanceof RefusedError && error.details.status === 400)
      await context.notice('The service neither filters worklogs by budget nor shows the budget of a worklog, so svc has no sum.');
    else throw error;
  }
  return undefined;
}

async function printHidden(context: Needs<'notice'>, lines: readonly BurnLine[]): Promise<void> {
  const hidden = lines.filter(({ budget }) => budget.budget === undefined);
  if (hidden.length > 0)
    await context.notice(`The service does not show how much time ${counted(hidden.length, 'budget has', 'budgets have')}.`);
  const unspent = lines.filter(({ burn }) => burn.spent === undefined);
  if (unspent.length > 0)
    await context.notice(
      `The spent hours of ${counted(unspent.length, 'budget')} are unknown, because the service does not show these hours.`,
    );
  for (const { budget, burn } of lines) {
    if (budget.logged === undefined || burn.summed === undefined || budget.logged === burn.summed) continue;
    const more = burn.isPartial ? ' You have no permission to read some worklogs, so svc calculates no rate.' : '';
    await context.notice(
      `${budgetName(budget)}: the service reports ${formatDuration(budget.logged)}, and the worklogs add up to ${formatDuration(burn.summed)}. svc uses the first figure.${more}`,
    );
  }
}

function recordOf({ budget, burn, forecast: ahead }: BurnLine, forecast: boolean): JsonObject {
  const { id, name, projectId = null, project = null } = budget;
  const { spent = null, left = null, over = null, percent = null } = burn;
  return {
    id,
    name,
    project_id: projectId,
    project,
    budget_minutes: budget.budget ?? null,
    spent_minutes: spent,
    left_minutes: left,
    percent,
    state: over === null ? null : over > 0 ? 'over' : 'under',
    over_minutes: over,
    ...(forecast && {
      summed_minutes: burn.summed ?? null,
      weekly_minutes: burn.rate === undefined ? null : perWeek(burn.rate),
      weeks: burn.rate?.weeks ?? null,
      projected_earliest: ahead?.earliest ?? null,
      projected_latest: ahead?.latest ?? null,
      over_since: burn.overSince ?? null,
      people: (ahead?.people ?? []).map(({ id: userId, name: user = null, minutes, capacity }) => ({
        user_id: userId,
        user,
        minutes,
        capacity_minutes: exactly(capacity) ?? null,
        capacity_at_least_minutes: capacity?.least ?? null,
        capacity_at_most_minutes: capacity?.most ?? null,
      })),
    }),
  };
}

function viewOf(
  lines: readonly BurnLine[],
  { forecast, day, dates }: { readonly forecast: boolean; readonly day: string; readonly dates: DateContext },
) {
  const projects = [...new Set(lines.map(({ budget }) => budget.project))];
  const nameInTitle = projects.length === 1 ? projects[0] : undefined;
  return {
    title: nameInTitle === undefined ? 'Budgets' : `Budgets of ${nameInTitle}`,
    nameInTitle,
    day,
    forecast,
    rows: lines.map(({ budget, own, burn, forecast: ahead }) => ({
      project: budget.project ?? (typeof budget.projectId === 'number' ? `Project ${budget.projectId}` : undefined),
      name: budget.name,
      budget: budget.budget,
      ...burn,
      forecast: ahead,
      weeks: own === undefined || !forecast ? [] : weeksOf(own, day, dates.temporal),
    })),
  };
}
