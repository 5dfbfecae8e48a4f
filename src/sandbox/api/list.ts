import type { Json, Row } from '../json.ts';
import { badParameter, unsupportedParameter } from '../problem.ts';
import type { ServedChild, ServedResource } from '../resources/define.ts';
import type { Call } from './call.ts';
import { type Predicate, parseFilter } from './filter.ts';
import { isVisible, parentOf, unlessUnchanged, weakTag } from './lookup.ts';
import { type Cursor, cursorFingerprint, defaultOrder, parseOrder, readCursor, seek, sortRows, writeCursor } from './order.ts';
import { parseInclude, renderer } from './render.ts';
import type { Reply } from './stores.ts';

type CheckedListQuery = ReturnType<typeof parseListQuery>;

export const DEFAULT_PER_PAGE = 25;
export const LAST_PAGE = 1000;
export const TRASHED = { 'with-and-only': ['without', 'with', 'only'], only: ['without', 'only'], nothing: ['without'] } as const;

function parseListQuery(resource: ServedResource, counted: boolean, call: Call) {
  const { query } = call;
  const { interpretations } = call.sandboxState;
  const filters: { parameter: string; value: string; test: Predicate }[] = [];
  for (const [parameter, value] of query) {
    if (parameter.startsWith('filter[')) filters.push({ parameter, value, test: parseFilter(resource, parameter, value, call) });
    else refuseUnknown(resource, counted, parameter);
  }
  const page = query.get('page');
  const cursor = query.get('cursor');
  if (page !== null && cursor !== null) throw badParameter('page', 'mutually_exclusive', 'Send page or cursor, not both.');

  const { includes, maxPerPage } = parseInclude(resource, query, interpretations);
  const perPage = integerUpTo(query, 'per_page', maxPerPage) ?? DEFAULT_PER_PAGE;
  const sort = query.get('sort');
  const order = sort === null ? defaultOrder(resource) : parseOrder(resource, sort, interpretations);
  const q = query.get('q') ?? undefined;
  const trashed = oneOf(query, 'trashed', TRASHED[interpretations.trashedTakes]) ?? 'without';
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
  if (interpretations.cursorBindsInclude) bound.push(query.get('include'));
  if (interpretations.cursorBindsTotal) bound.push(withTotal);
  const name = cursorFingerprint(bound);

  return {
    perPage,
    page: integerUpTo(query, 'page', LAST_PAGE),
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

export function servedListParameters({ search, softDelete }: ServedResource, counted: boolean): string[] {
  const others = [...(search.length > 0 ? ['q'] : []), ...(softDelete ? ['trashed'] : [])];
  return ['per_page', 'cursor', counted ? 'page' : 'with_total', 'sort', 'include', 'view', ...others];
}

function refuseUnknown(resource: ServedResource, counted: boolean, parameter: string): void {
  if (servedListParameters(resource, counted).includes(parameter)) return;
  if (parameter === 'page') {
    throw unsupportedParameter('page', 'This collection does not count its rows. Follow links.next instead of page.');
  }
  if (parameter === 'with_total') throw unsupportedParameter('with_total', 'This collection always has a total. Leave out with_total.');
  throw unsupportedParameter(parameter);
}

function integerUpTo(query: URLSearchParams, parameter: string, most: number): number | undefined {
  const text = query.get(parameter);
  if (text === null) return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw badParameter(parameter, 'invalid_format', `${parameter} takes a whole number, not ${text}.`);
  const value = Number(text);
  if (value < 1 || value > most) throw badParameter(parameter, 'out_of_range', `${parameter} is 1 to ${most} here.`);
  return value;
}

export function oneOf<const T extends string>(query: URLSearchParams, parameter: string, values: readonly T[]): T | undefined {
  const text = query.get(parameter);
  if (text === null) return undefined;
  const value = values.find((known) => known === text);
  if (value === undefined) throw badParameter(parameter, 'in', `${parameter} takes ${values.join(' or ')}, not ${text}.`);
  return value;
}

export function list(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  const counted = nested?.counted ?? resource.counted;
  const query = parseListQuery(resource, counted, call);
  const rows = matchingRows(call, resource, nested, query);
  const { start, end, next, previous } = slice(rows, query);
  const total = counted || query.withTotal ? rows.length : null;
  const lastPage = Math.max(1, Math.ceil(rows.length / query.perPage));
  const inPages = query.page !== undefined;
  const cursorOf = (cursor: Cursor | undefined): string | null => (cursor === undefined ? null : writeCursor(query.fingerprint, cursor));
  const nextCursor = inPages ? null : cursorOf(next);
  const previousCursor = inPages ? null : cursorOf(previous);
  const pageLink = (page: number, exists: boolean): string | null => (exists ? link(call, 'page', String(page)) : null);
  const cursorLink = (cursor: string | null): string | null => (cursor === null ? null : link(call, 'cursor', cursor));

  const show = renderer(call.sandboxState, resource, query.view, query.includes);
  const body: { [key: string]: Json } = {
    data: rows.slice(start, end).map(show),
    meta: {
      page: {
        per_page: query.perPage,
        next_cursor: nextCursor,
        prev_cursor: previousCursor,
        total,
        current_page: query.page ?? null,
        last_page: inPages ? lastPage : null,
      },
      ...warnings(resource, query, call),
    },
    links: {
      self: `${call.sandboxState.origin}/api/v2${call.path}${search(call.query)}`,
      next: query.page === undefined ? cursorLink(nextCursor) : pageLink(query.page + 1, query.page < lastPage && query.page < 1000),
      prev: query.page === undefined ? cursorLink(previousCursor) : pageLink(query.page - 1, query.page > 1),
    },
  };
  return envelope(call, body, resource.cacheSeconds);
}

export function envelope(call: Call, body: Json, cacheSeconds: number | undefined): Reply {
  const text = JSON.stringify(body);
  const headers: Record<string, string> = { ETag: weakTag(text) };
  if (cacheSeconds !== undefined) headers['Cache-Control'] = `private, max-age=${cacheSeconds}`;
  return unlessUnchanged(call, { status: 200, text, headers });
}

function matchingRows(call: Call, resource: ServedResource, nested: ServedChild | undefined, query: CheckedListQuery): readonly Row[] {
  const table = call.db.table(resource.name);
  const parent = nested === undefined ? undefined : parentOf(call, nested);
  const make = (): Row[] => {
    const all = parent === undefined || nested === undefined ? [...table.rows.values()] : table.where(nested.by, parent.id);
    const words = query.q?.toLowerCase();
    const matching = all.filter(
      (row) =>
        isInTrash(row, query.trashed) &&
        isVisible(call, resource, row) &&
        query.filters.every((fits) => fits(row)) &&
        (words === undefined ||
          resource.search.some((field) =>
            String(row[field] ?? '')
              .toLowerCase()
              .includes(words),
          )),
    );
    return sortRows(matching, query.order);
  };
  // The sandbox does not cache lists of drives, because these lists are short and depend on other tables too.
  if (resource.prefixOf !== undefined) return make();
  // The cache key contains the user and the options, because both decide which rows the list has.
  const { interpretations, results } = call.sandboxState;
  const key = JSON.stringify([query.fingerprint, call.actor.user.id, String(call.actor.user['role']), interpretations]);
  if (query.page !== undefined && query.page > 1 && interpretations.pages === 'snapshot')
    return results.asBefore(key, table.revision, make);
  return results.rows(key, table.revision, make);
}

function isInTrash(row: Row, trashed: CheckedListQuery['trashed']): boolean {
  return trashed === 'with' || ((row['deleted_at'] ?? null) !== null) === (trashed === 'only');
}

function slice(rows: readonly Row[], { page, perPage, cursor, order }: CheckedListQuery) {
  let start = page === undefined ? 0 : (page - 1) * perPage;
  let end = start + perPage;
  if (cursor?.back === true) {
    end = seek(rows, order, cursor.position, false);
    start = Math.max(0, end - perPage);
  } else if (cursor !== undefined) {
    start = seek(rows, order, cursor.position, true);
    end = start + perPage;
  }
  const first = rows[start];
  const last = rows[Math.min(end, rows.length) - 1];
  return {
    start,
    end,
    next: end < rows.length && last !== undefined ? { back: false, position: order.positionOf(last) } : undefined,
    previous: start > 0 && first !== undefined ? { back: true, position: order.positionOf(first) } : undefined,
  };
}

function link(call: Call, parameter: 'page' | 'cursor', value: string): string {
  const query = new URLSearchParams(call.query);
  query.set(parameter, value);
  return `${call.sandboxState.origin}/api/v2${call.path}${search(query)}`;
}

function search(query: URLSearchParams): string {
  return query.size === 0 ? '' : `?${query}`;
}

function warnings(resource: ServedResource, query: CheckedListQuery, call: Call): { [key: string]: Json } {
  if (query.page === undefined || !resource.reorderable || call.query.has('sort')) return {};
  const detail = 'People can change this order, so page numbers can skip or repeat rows. Follow cursors or send sort=id.';
  return { warnings: [{ code: 'unstable_order', detail }] };
}
