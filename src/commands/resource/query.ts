import type { FilterOperator, Resource, Shortcut } from '../../catalog/define.ts';
import { isToMany, maxPerPage } from '../../catalog/define.ts';
import { UsageError } from '../../errors.ts';
import { endOfYear, parseYear, startOfYear } from '../../values/dates.ts';
import { parseFilterExpression } from '../../values/filter.ts';
import { nearest } from '../../values/suggest.ts';
import type { Context } from '../context.ts';
import { readFilterValue } from './kinds.ts';
import type { ListOptions } from './list.ts';

/** Query parameters in order, as they go on the wire. */
export type Query = readonly (readonly [string, string])[];

/** The query of a `list`, everything checked that can be checked before sending. @throws UsageError */
export async function buildListQuery(
  context: Context,
  resource: Resource,
  options: ListOptions,
  shortcuts: Readonly<Record<string, unknown>>,
): Promise<Query> {
  const include = splitNames(options.include);
  return [
    ...(await shortcutFilters(context, resource, shortcuts)),
    ...(await typedFilters(context, resource, options.filter ?? [])),
    ...optional('sort', options.sort),
    ...optional('q', searchText(resource, options.search)),
    ...optional('include', include.length === 0 ? undefined : include.join(',')),
    ...optional('view', options.view),
    ...optional('trashed', options.trashed),
    ...paging(resource, options, include),
  ];
}

async function shortcutFilters(context: Context, resource: Resource, given: Readonly<Record<string, unknown>>): Promise<Query> {
  const pairs: [string, string][] = [];
  for (const shortcut of resource.shortcuts ?? []) {
    const text = given[shortcut.flag];
    if (text === undefined) continue;
    for (const set of shortcut.sets) {
      const value = await naming(`--${shortcut.flag}`, () => shortcutValue(context, resource, shortcut, set, String(text)));
      pairs.push([filterName(set.field, set.operator), value]);
    }
  }
  return pairs;
}

async function shortcutValue(
  context: Context,
  resource: Resource,
  shortcut: Shortcut,
  set: Shortcut['sets'][number],
  text: string,
): Promise<string> {
  if (set.value !== undefined) return set.value;
  if (shortcut.takes === 'year') {
    const dates = await context.dates();
    const year = parseYear(text);
    return set.edge === 'last' ? endOfYear(year, dates) : startOfYear(year, dates);
  }
  const kind = resource.filters[set.field]?.kind ?? shortcut.takes ?? 'string';
  return readFilterValue(context, kind, set.operator, text);
}

/** `--filter`, as typed. An unknown field is refused only where the service documents every filter. */
async function typedFilters(context: Context, resource: Resource, expressions: readonly string[]): Promise<Query> {
  const pairs: [string, string][] = [];
  for (const expression of expressions) {
    const { field, operator, value } = parseFilterExpression(expression);
    const known = resource.filters[field];
    if (known === undefined && resource.filtersComplete) throw unknownFilter(resource, field);
    if (
      known !== undefined &&
      operator !== undefined &&
      !known.operators.includes(operator as FilterOperator) &&
      resource.filtersComplete
    ) {
      throw new UsageError(`--filter ${field}.${operator}: ${resource.noun} has no such operator.`, {
        hint:
          known.operators.length === 0
            ? `Use ${field}=<value>.`
            : `Allowed after ${field}: ${known.operators.map((name) => `.${name}`).join(', ')}, or none.`,
      });
    }
    const sent =
      known === undefined
        ? value
        : await naming(`--filter ${field}`, () => readFilterValue(context, known.kind, operator as FilterOperator | undefined, value));
    pairs.push([filterName(field, operator), sent]);
  }
  return pairs;
}

function unknownFilter(resource: Resource, field: string): UsageError {
  const fields = Object.keys(resource.filters);
  const near = nearest(field, fields);
  return new UsageError(`--filter: ${resource.noun} cannot be filtered by "${field}".`, {
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}Allowed: ${fields.join(', ')}.`,
  });
}

/** `per_page`, `page`, `cursor` and `with_total`, kept to what the service accepts (rules 8: paging). */
function paging(resource: Resource, options: ListOptions, include: readonly string[]): Query {
  const max = maxPerPage(resource, include);
  if (options.perPage !== undefined && (options.perPage < 1 || options.perPage > max)) {
    const reason = include.some((path) => isToMany(resource, path)) ? ` when it includes ${include.join(', ')}` : '';
    throw new UsageError(`--per-page: a page holds 1 to ${max} rows${reason}.`, {
      hint: 'Leave it out for the largest page; --limit bounds the rows.',
    });
  }
  if (options.page !== undefined) {
    if (!resource.counted)
      throw new UsageError(`--page: ${resource.noun} has no page numbers.`, { hint: 'Use --limit, and --cursor to go on.' });
    if (options.cursor !== undefined) throw new UsageError('--page and --cursor cannot be used together.', { hint: 'Use one of them.' });
    if (options.page < 1 || options.page > 1000)
      throw new UsageError('--page: a page number is 1 to 1000.', { hint: 'Beyond that, use --cursor.' });
  }
  const perPage = options.perPage ?? (options.page !== undefined ? undefined : Math.min(options.limit ?? max, max));
  return [
    ...optional('per_page', perPage === undefined ? undefined : String(Math.max(perPage, 1))),
    ...optional('page', options.page === undefined ? undefined : String(options.page)),
    ...optional('cursor', options.cursor),
    // A counted collection tells its total unasked, and refuses the parameter.
    ...optional('with_total', options.withTotal && !resource.counted ? '1' : undefined),
  ];
}

function searchText(resource: Resource, text: string | undefined): string | undefined {
  if (text !== undefined && resource.search === false) {
    throw new UsageError(`--search: ${resource.noun} has no text search.`, {
      hint: `Filter instead: svc ${resource.noun} list --help`,
    });
  }
  return text;
}

function filterName(field: string, operator: string | undefined): string {
  return operator === undefined ? `filter[${field}]` : `filter[${field}][${operator}]`;
}

/** Splits a comma-separated list of names, each once: a repeated include path is charged twice and loaded once. */
export function splitNames(text: string | undefined): string[] {
  const names = (text ?? '').split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

function optional(name: string, value: string | undefined): Query {
  return value === undefined ? [] : [[name, value]];
}

/** Runs `read`, and puts the flag's name before what it complains about. */
export async function naming<T>(flag: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`, { hint: error.hint, details: error.details }) : error;
  }
}
