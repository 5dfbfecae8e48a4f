import type { Field, Filter, FilterOperator, Resource, Shortcut, ShortcutFilter } from '../../catalog/define.ts';
import { maxPerPage, reachOf, takes, wordsOf } from '../../catalog/rules.ts';
import { naming } from '../../cli/naming.ts';
import type { Query } from '../../client/cost.ts';
import { UsageError } from '../../errors.ts';
import { type ReadingValues, readFilterValue } from '../../records/kinds.ts';
import { filterName, type ListFilter } from '../../records/list-filter.ts';
import { statusIds } from '../../records/workflows.ts';
import type { Needs } from '../../session/context.ts';
import { inZone } from '../../session/time-zone.ts';
import { isDateRange, readDateRange } from '../../time/date-range.ts';
import { parseFilterExpression } from '../../values/assignment.ts';
import {
  type DateContext,
  endOfYear,
  isBareDay,
  lookingAhead,
  parseAfter,
  parseCalendarDate,
  parseYear,
  startOfYear,
} from '../../values/dates.ts';
import { ownEntry } from '../../values/json.ts';
import { didYouMean } from '../../values/suggest.ts';
import { together } from '../../values/together.ts';
import { type ListOptions, splitNames } from './read-flags.ts';

/**
 * Converts the flags of a `list` to filters and other query parameters. @throws UsageError for a query that the service would refuse (rules
 * 8.1 to 8.36).
 */
export async function readListQuery(
  context: Needs<ReadingValues>,
  resource: Resource,
  options: ListOptions,
  shortcuts: Readonly<Record<string, unknown>>,
): Promise<{ readonly filters: readonly ListFilter[]; readonly rest: Query }> {
  const include = splitNames(options.include);
  if (resource.described !== undefined) (await import('./described-list.ts')).checkList(resource, resource.described, options, include);
  const parameters = {
    sort: options.sort,
    q: documented(resource, 'search', options.search),
    include: include.length === 0 ? undefined : include.join(','),
    view: options.view,
    trashed: documented(resource, 'trashed', options.trashed),
    ...paging(resource, options, include),
  };
  const rest = Object.entries(parameters).flatMap(([name, value]): Query => (value === undefined ? [] : [[name, String(value)]]));
  const filters = await together(
    ...shortcutFilters(context, resource, await withRanges(context, resource, shortcuts)),
    ...(options.filter ?? []).map((expression) => typedFilter(context, resource, expression)),
  );
  refuseTwice(filters);
  return { filters, rest };
}

const ALL = 'all';

/**
 * Replaces a range in `--from`, such as `last-week`, by the first day. Replaces a range in `--to` by the last day. A range in `--from` also
 * sets `--to`, unless the user typed `--to`.
 */
async function withRanges(
  context: Needs<ReadingValues>,
  { shortcuts = [] }: Resource,
  given: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const days: Record<string, unknown> = { ...given };
  for (const {
    flag,
    takes,
    sets: [set],
  } of shortcuts) {
    const typed = given[flag];
    if ((takes !== 'date' && takes !== 'date-time') || typeof typed !== 'string' || !isDateRange(typed)) continue;
    // These flags take one day, and refuse a range.
    if (set?.operator === undefined || flag === 'before') continue;
    const { first, last } = await naming(`--${flag}`, () => inZone(context, (dates) => readDateRange(typed, dates)));
    const end = flag.replace(/from$/, 'to');
    days[flag] = end === flag ? last : first;
    if (end !== flag && given[end] === undefined) days[end] = last;
  }
  return days;
}

/** The filter for an undocumented field. svc sends the typed value unchanged. */
const UNKNOWN: Filter = { kind: 'string', operators: [] };

function shortcutFilters(
  context: Needs<ReadingValues>,
  resource: Resource,
  given: Readonly<Record<string, unknown>>,
): Promise<ListFilter>[] {
  return (resource.shortcuts ?? []).flatMap((shortcut) => {
    const typed = given[shortcut.flag];
    if (typed === undefined || (shortcut.takes === 'workflow-status' && typed === ALL)) return [];
    const flag = `--${shortcut.flag}`;
    const { ahead } = shortcut;
    const reader =
      ahead === undefined ? context : { ...context, dates: () => datesAhead(context, ahead === true ? undefined : given[ahead]) };
    return shortcut.sets.map(async (set) => {
      const filter = resource.filters[set.field] ?? UNKNOWN;
      const { kind, assumed = false } = filter;
      const read = await naming(flag, () => shortcutValue(reader, shortcut, set, asField(resource, set.field, filter), String(typed)));
      const bound: ListFilter = { field: set.field, operator: set.operator, kind, assumed, flag, ...read };
      return { ...bound, otherwise: otherwise(set, bound) };
    });
  });
}

/**
 * Returns a date context in which a weekday means today or the next such day. If the typed start is a day, a weekday means the first such
 * day on or after the start.
 */
async function datesAhead(context: Needs<'dates'>, typed: unknown): Promise<DateContext> {
  const dates = lookingAhead(await context.dates());
  return typeof typed === 'string' && isBareDay(typed, dates) ? { ...dates, weekdaysFrom: parseCalendarDate(typed, dates) } : dates;
}

/** Returns the filters for rows without a value, if the shortcut includes such rows. */
function otherwise({ orNull }: ShortcutFilter, bound: ListFilter): ListFilter[] | undefined {
  if (orNull === undefined) return undefined;
  const empty: ListFilter = { ...bound, operator: 'null', value: 'true' };
  return orNull === true ? [empty] : [empty, { ...bound, field: orNull }];
}

async function shortcutValue(
  context: Needs<ReadingValues>,
  shortcut: Shortcut,
  set: ShortcutFilter,
  filter: Filter & Pick<Field, 'ref'>,
  text: string,
): Promise<{ readonly value: string; readonly operator?: string }> {
  if (set.value !== undefined)
    return { value: set.value === 'me' ? await readFilterValue(context, filter, undefined, set.value) : set.value };
  if (shortcut.takes === 'year') {
    const year = parseYear(text);
    const dates = await context.dates();
    return { value: set.edge === 'last' ? endOfYear(year, dates) : startOfYear(year, dates) };
  }
  if (set.edge === 'after') return { value: parseAfter(text, await context.dates()) };
  if (shortcut.takes === 'workflow-status') {
    const ids = await statusIds(context, text);
    return ids.length === 1 ? { value: String(ids[0]) } : { value: ids.join(','), operator: 'in' };
  }
  return { value: await readFilterValue(context, filter, set.operator, text) };
}

/** Converts the value of `--filter` to a filter. If the service documents every filter, svc refuses an unknown field. */
async function typedFilter(context: Needs<ReadingValues>, resource: Resource, expression: string): Promise<ListFilter> {
  const { field, operator, value } = parseFilterExpression(expression);
  const known = ownEntry(resource.filters, field);
  if (resource.parametersComplete) checkDocumented(resource, field, operator, known);
  const own = ownEntry(resource.fields, field);
  const filter: Filter = known ?? (own ? { kind: own.kind, operators: [], assumed: true } : UNKNOWN);
  const { kind, assumed = false } = filter;
  const sent = await naming(`--filter ${field}`, () =>
    readFilterValue(context, asField(resource, field, filter), operator as FilterOperator | undefined, value),
  );
  return { field, operator, value: sent, kind, assumed, flag: '--filter' };
}

/**
 * Adds facts of a field to its filter, so that users can type names. The facts are the resource of a foreign key and the known values of a
 * state.
 */
function asField(resource: Resource, name: string, filter: Filter): Filter & Pick<Field, 'ref'> {
  const { ref, values } = ownEntry(resource.fields, name) ?? {};
  return { ...(values !== undefined && { values }), ...filter, ...(ref !== undefined && { ref }) };
}

function checkDocumented(resource: Resource, field: string, operator: string | undefined, known: Filter | undefined): void {
  if (known === undefined) {
    const fields = Object.keys(resource.filters);
    throw new UsageError(`--filter: the service does not filter ${wordsOf(resource)} by "${field}".`, {
      hint: didYouMean(field, fields, `Allowed: ${fields.join(', ')}.`),
    });
  }
  if (operator === undefined || known.operators.includes(operator as FilterOperator)) return;
  const allowed = known.operators.map((name) => `.${name}`).join(', ');
  throw new UsageError(`--filter ${field}.${operator}: ${wordsOf(resource)} has no such operator.`, {
    hint: allowed === '' ? `Use ${field}=<value>.` : `Allowed after ${field}: ${allowed}, or none.`,
  });
}

/**
 * Refuses two filters with the same field and operator.
 *
 * @throws UsageError, because the service would silently ignore one of the two filters.
 */
function refuseTwice(filters: readonly ListFilter[]): void {
  const seen = new Map<string, ListFilter>();
  for (const filter of filters) {
    const name = filterName(filter);
    const before = seen.get(name);
    if (before !== undefined) {
      const flags = [...new Set([before.flag, filter.flag])].join(' and ');
      throw new UsageError(`${flags}: the list is filtered by ${filter.field} twice.`, {
        hint: `Filter once; for several values: --filter ${filter.field}.in=1,2`,
      });
    }
    seen.set(name, filter);
  }
}

/** Returns the value of a flag. @throws UsageError if this list does not support the flag (rule 9.29). */
function documented(resource: Resource, flag: 'search' | 'trashed', value: string | undefined): string | undefined {
  if (value !== undefined && !takes(resource, flag)) {
    throw new UsageError(`The list of ${wordsOf(resource)} does not support --${flag}.`, {
      hint: `Filter instead: svc ${wordsOf(resource)} list --help`,
    });
  }
  return value;
}

/**
 * Returns the parameters for paging.
 *
 * @throws UsageError for values that the service does not accept (rules 8.1 to 8.24).
 */
function paging(resource: Resource, options: ListOptions, include: readonly string[]) {
  const max = maxPerPage(resource, include);
  if (options.perPage !== undefined && (options.perPage < 1 || options.perPage > max)) {
    const reason = max < 100 ? ` with the relations ${include.filter((path) => reachOf(resource, path) === 'many').join(', ')}` : '';
    throw new UsageError(`--per-page: a page has 1 to ${max} rows${reason}.`, {
      hint: 'Leave out --per-page for the largest page.',
    });
  }
  if (options.page !== undefined) checkPage(resource, options.page, options.cursor);
  return {
    // The largest pages need the fewest requests. With --page, the service’s default size applies.
    per_page: options.perPage ?? (options.page === undefined ? largestPage(resource, include) : undefined),
    page: options.page,
    cursor: options.cursor,
    // A list with page numbers always has the total. The service refuses `with_total` for such a list (rules 8.23, 8.24).
    with_total: options.withTotal && !resource.counted ? '1' : undefined,
  };
}

function checkPage(resource: Resource, page: number, cursor: string | undefined): void {
  if (!resource.counted)
    throw new UsageError(`--page: ${wordsOf(resource)} has no page numbers.`, { hint: 'Use --limit, and --cursor to continue.' });
  if (cursor !== undefined) throw new UsageError('You cannot use --page and --cursor together.', { hint: 'Use one of the flags.' });
  if (page < 1 || page > 1000)
    throw new UsageError('--page: a page number is 1 to 1000.', { hint: 'Without --page, svc lists every row.' });
}

/** Returns the largest page size. An unknown relation can lead to many records, and the service then refuses larger pages (rule 8.4). */
export function largestPage(resource: Resource, include: readonly string[]): number {
  const max = maxPerPage(resource, include);
  return include.some((path) => reachOf(resource, path) === 'unknown') ? Math.min(max, 25) : max;
}
