import type { Json } from '../json.ts';
import { badParameter, unsupportedParameter } from '../problem.ts';
import type { ServedResource } from '../resources/define.ts';
import type { Call } from './call.ts';
import { type Cursor, cursorFingerprint, readCursor } from './cursor.ts';
import { type Predicate, parseFilter } from './filter.ts';
import { type Includes, parseInclude } from './include.ts';
import { defaultOrder, type Order, parseOrder } from './order.ts';
import type { ServedView } from './render.ts';

/** A collection's parameters, checked. */
export interface CheckedListQuery {
  readonly perPage: number;
  /** Set in page mode. */
  readonly page: number | undefined;
  readonly cursor: Cursor | undefined;
  readonly withTotal: boolean;
  readonly order: Order;
  readonly filters: readonly Predicate[];
  readonly q: string | undefined;
  readonly trashed: 'without' | 'with' | 'only';
  readonly view: ServedView;
  readonly includes: Includes;
  /** Names the query that a cursor belongs to. */
  readonly fingerprint: string;
}

/** Rows of a page unless `per_page` says otherwise. */
export const DEFAULT_PER_PAGE = 25;
/** The last page that can be asked for by its number. */
export const LAST_PAGE = 1000;
/** The values of `trashed`, by the value of the option `trashedTakes`. */
export const TRASHED = { 'with-and-only': ['without', 'with', 'only'], only: ['without', 'only'], nothing: ['without'] } as const;

/** @throws Problem 400 naming the first parameter that is unknown, unfitting or ill-formed. */
export function parseListQuery(resource: ServedResource, counted: boolean, call: Call): CheckedListQuery {
  const { query } = call;
  const { knobs } = call.world;
  const filters: { parameter: string; value: string; test: Predicate }[] = [];
  for (const [parameter, value] of query) {
    if (parameter.startsWith('filter[')) filters.push({ parameter, value, test: parseFilter(resource, parameter, value, call) });
    else refuseUnknown(resource, counted, parameter);
  }
  const page = query.get('page');
  const cursor = query.get('cursor');
  if (page !== null && cursor !== null) throw badParameter('page', 'mutually_exclusive', 'Send page or cursor, not both.');

  const { includes, maxPerPage } = parseInclude(resource, query, knobs);
  const perPage = integerBetween(query, 'per_page', 1, maxPerPage) ?? DEFAULT_PER_PAGE;
  const sort = query.get('sort');
  const order = sort === null ? defaultOrder(resource) : parseOrder(resource, sort, knobs);
  const q = query.get('q') ?? undefined;
  const trashed = oneOf(query, 'trashed', TRASHED[knobs.trashedTakes]) ?? 'without';
  const view = oneOf(query, 'view', ['summary', 'detail']) ?? 'summary';
  const withTotal = oneOf(query, 'with_total', ['1']) === '1';
  const bound: Json[] = [
    call.path,
    sort ?? resource.defaultSort,
    filters.map(({ parameter, value }) => `${parameter}=${value}`).sort(),
    q ?? null,
    trashed,
    view,
  ];
  if (knobs.cursorBindsInclude) bound.push(query.get('include'));
  if (knobs.cursorBindsTotal) bound.push(withTotal);
  const name = cursorFingerprint(bound);

  return {
    perPage,
    page: integerBetween(query, 'page', 1, LAST_PAGE),
    cursor: cursor === null ? undefined : readCursor(name, cursor),
    withTotal,
    order,
    filters: filters.map(({ test }) => test),
    q,
    trashed,
    view,
    includes,
    fingerprint: name,
  };
}

/** Every parameter that the collection takes but its filters. */
export function servedListParameters({ search, softDelete }: ServedResource, counted: boolean): string[] {
  const others = [...(search.length > 0 ? ['q'] : []), ...(softDelete ? ['trashed'] : [])];
  return ['per_page', 'cursor', counted ? 'page' : 'with_total', 'sort', 'include', 'view', ...others];
}

function refuseUnknown(resource: ServedResource, counted: boolean, parameter: string): void {
  if (servedListParameters(resource, counted).includes(parameter)) return;
  if (parameter === 'page') {
    throw unsupportedParameter('page', 'This collection does not count its rows. Follow links.next instead of page.');
  }
  if (parameter === 'with_total') throw unsupportedParameter('with_total', 'This collection always has a total. Leave with_total out.');
  throw unsupportedParameter(parameter);
}

function integerBetween(query: URLSearchParams, parameter: string, least: number, most: number): number | undefined {
  const text = query.get(parameter);
  if (text === null) return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw badParameter(parameter, 'invalid_format', `${parameter} takes a whole number, not ${text}.`);
  const value = Number(text);
  if (value < least || value > most) throw badParameter(parameter, 'out_of_range', `${parameter} is ${least} to ${most} here.`);
  return value;
}

/** A parameter with a few possible values. @throws Problem code `in` for another. */
export function oneOf<const T extends string>(query: URLSearchParams, parameter: string, values: readonly T[]): T | undefined {
  const text = query.get(parameter);
  if (text === null) return undefined;
  const value = values.find((known) => known === text);
  if (value === undefined) throw badParameter(parameter, 'in', `${parameter} takes ${values.join(' or ')}, not ${text}.`);
  return value;
}
