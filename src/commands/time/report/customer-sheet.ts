import { naming } from '../../../cli/naming.ts';
import { UsageError } from '../../../errors.ts';
import { labelOf } from '../../../output/blocks-writer.ts';
import { type Sheet, type SheetRow, sheetReport } from '../../../output/sheet.ts';
import { readPlacedEntries } from '../../../records/item-places.ts';
import { type ReadingValues, readReference } from '../../../records/kinds.ts';
import { type Customer, projectsOf, readCustomer } from '../../../records/projects.ts';
import type { Needs } from '../../../session/context.ts';
import type { DateRange } from '../../../time/date-range.ts';
import { type Entry, minutesIn, userName, workItemName } from '../../../time/entry.ts';
import { createPlacing, type Dimension, type EntryPlace } from '../../../time/places.ts';
import { byDay, groupLines, lineOf, type SheetGroup, type SheetLine, sumsOf } from '../../../time/sheet.ts';
import { formatDuration, formatHours, HOURS_STYLES, type HoursStyle } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { formatAmount } from '../../../values/money.ts';
import { loadTemporal } from '../../../values/temporal.ts';
import { counted } from '../../../values/text.ts';
import { together } from '../../../values/together.ts';
import { printReport, type Reporting } from '../../print-report.ts';
import type { EntryRules } from './entry-flags.ts';
import { dimensionName, placeFields, relationsFor, type SheetFlags } from './report-options.ts';

interface SheetQuery extends SheetFlags {
  readonly for: string;
  readonly range: DateRange;
  readonly by: readonly Dimension[];
  readonly user: number | 'me' | undefined;
  readonly project: number | undefined;
  readonly html: string | undefined;
  readonly rules: EntryRules;
}

const ALWAYS: readonly Dimension[] = ['project', 'user', 'work-item'];

export async function printSheet(context: Needs<Reporting | ReadingValues | 'files'>, query: SheetQuery): Promise<void> {
  const { range, by, user, rate, html, rules } = query;
  const hours = HOURS_STYLES.find((style) => style === query.hours) ?? 'hh:mm';
  const id = await naming('--for', () => readReference(context, 'customers', query.for));
  const [customer, all] = await together(readCustomer(context, id), projectsOf(context, id));
  const projects = projectsIn(all, query.project, customer);
  if (projects.length === 0) await context.notice(`You can see no project that is billed to ${customer.name}.`);
  const include = [...new Set([...relationsFor(ALWAYS), ...relationsFor(by)])];
  // A summary view need not show whether hours are billable (rule 18.23).
  const sheetQuery = { ...range, user, projects, view: 'detail', include } as const;
  const { entries, beyond } = projects.length === 0 ? NOTHING : await readPlacedEntries(context, sheetQuery, by);
  const known = await entriesOn(context, await Array.fromAsync(entries), projects);
  const shown = await billableOf(context, known, query.all);
  const temporal = await loadTemporal();
  const dimensions = [...by, ...ALWAYS.filter((dimension) => !by.includes(dimension))];
  const placesOf = createPlacing(dimensions, temporal, beyond);
  const lines = shown.flatMap((entry) => rules.apply(entry)?.entry ?? []).map((entry) => lineOf(entry, placesOf(entry), rate));
  const sheet: Sheet = {
    customer: customer.name,
    address: customer.address,
    ...range,
    levels: by.map(dimensionName).map(labelOf),
    rows: rowsOf(groupLines(lines, by)),
    total: sumsOf(lines),
    hours,
    rate,
    notes: rules.notes,
  };
  await printReport(context, {
    records: () => byDay(lines).map((line) => ({ ...recordOf(line, dimensions, hours, rate !== undefined), ...rules.fields })),
    report: () => sheetReport(sheet),
    html,
    async page() {
      const { renderSheetPage } = await import('../../../output/sheet-page.ts');
      return renderSheetPage(sheet, (await context.settings())['report-letterhead']?.split('\n') ?? []);
    },
  });
}

const NOWHERE: EntryPlace = { key: '', label: '' };

const NOTHING: { readonly entries: readonly Entry[]; readonly beyond: undefined } = { entries: [], beyond: undefined };

function projectsIn(all: readonly number[], project: number | undefined, customer: Customer): readonly number[] {
  if (project === undefined) return all;
  if (all.includes(project)) return [project];
  throw new UsageError(`--project: project ${project} is not billed to ${customer.name}.`, {
    hint: `See the projects of the customer: svc projects list --customer ${customer.id}`,
  });
}

/**
 * Returns the entries of some projects. The service filters by up to 100 projects (rule 16.3). With more projects, svc filters the entries.
 */
async function entriesOn({ notice }: Needs<'notice'>, entries: readonly Entry[], projects: readonly number[]): Promise<readonly Entry[]> {
  if (projects.length <= 100) return entries;
  const wanted = new Set(projects);
  const hidden = entries.filter(({ projectId }) => projectId === undefined);
  if (hidden.length > 0) await notice(`Left out: ${counted(hidden.length, 'entry', 'entries')} whose project the service does not show.`);
  return entries.filter(({ projectId }) => typeof projectId === 'number' && wanted.has(projectId));
}

/**
 * Returns the entries for the sheet. Without `all`, svc leaves out the entries that are not billable. svc always includes entries with an
 * unknown billable state. Prints a notice of left-out entries, and of entries with an unknown billable state.
 */
async function billableOf({ notice }: Needs<'notice'>, entries: readonly Entry[], all: true | undefined): Promise<readonly Entry[]> {
  const printLeftOut = async (some: readonly Entry[], words: (what: string) => string) => {
    if (some.length > 0) await notice(words(`${counted(some.length, 'entry', 'entries')} (${formatDuration(minutesIn(some))})`));
  };
  const not = entries.filter(({ billable }) => billable === false);
  await printLeftOut(
    entries.filter(({ billable }) => billable === undefined),
    (what) =>
      `svc includes ${what}, although the service does not show the billing. To see these entries: --jq 'map(select(.billable == null))'`,
  );
  if (all) return entries;
  await printLeftOut(not, (what) => `Left out, because not billable: ${what}. To include these entries: --all`);
  return entries.filter((entry) => !not.includes(entry));
}

/** Makes the record of an entry. `amount` is null for an entry that is not billable, and missing without a rate. */
function recordOf({ entry, places, amount }: SheetLine, dimensions: readonly Dimension[], hours: HoursStyle, hasRate: boolean): JsonObject {
  const fieldsOf = (some: readonly Dimension[]): JsonObject =>
    Object.assign({}, ...some.map((dimension) => placeFields(dimension, places[dimensions.indexOf(dimension)] ?? NOWHERE)));
  return {
    id: entry.id ?? null,
    date: entry.date,
    ...fieldsOf(ALWAYS),
    ...fieldsOf(dimensions.filter((dimension) => !ALWAYS.includes(dimension))),
    description: entry.description,
    minutes: entry.minutes,
    hours: formatHours(entry.minutes, hours),
    billable: entry.billable ?? null,
    ...(hasRate && { amount: amount === undefined ? null : formatAmount(amount) }),
  };
}

/** Makes rows from groups: a heading, the entries and a subtotal. A group without siblings has no subtotal. */
function rowsOf(groups: readonly SheetGroup[], depth = 0): SheetRow[] {
  return groups.flatMap(({ place: { label }, sums, groups: inner, lines }) => [
    { kind: 'group', depth, label, figures: sums },
    ...(inner.length > 0 ? rowsOf(inner, depth + 1) : lines.map(rowOf)),
    ...(groups.length > 1 ? [{ kind: 'sum', depth, label: `Subtotal: ${label}`, figures: sums } as const] : []),
  ]);
}

function rowOf({ entry, amount }: SheetLine): SheetRow {
  return {
    kind: 'line',
    date: entry.date,
    person: userName(entry),
    text: entry.description.trim(),
    workItem: entry.workItemId === null ? '' : workItemName(entry),
    isNotBillable: entry.billable === false,
    minutes: entry.minutes,
    amount,
  };
}
