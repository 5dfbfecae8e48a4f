import { createHash } from 'node:crypto';
import type { Resource } from '../../catalog/define.ts';
import type { UsageError } from '../../errors.ts';
import type { JsonObject } from '../../values/json.ts';
import { quoted } from '../sql-values.ts';
import { type Condition, conditionOf } from './choose-rows.ts';
import { columnsOf, isOrdered } from './learn.ts';
import { KEPT, keptJson, type Manner, type Order, type SortManner } from './manner.ts';
import type { Copy } from './open-copy.ts';
import { orderSql, ordersBy } from './order-sql.ts';
import { cannotSearch, cannotTell, refusedThen } from './refusals.ts';

/** A collection that is asked for. */
export interface AskedList {
  readonly copy: Copy;
  readonly table: string;
  readonly manner: Manner;
  readonly resource: Resource | undefined;
  /** Rows below this parent alone. */
  readonly parent: number | undefined;
  readonly me: () => number | undefined;
  /** The whole address, without its query. */
  readonly address: string;
  readonly query: URLSearchParams;
  /** Shows the record of an id. */
  readonly show: (id: number) => JsonObject;
}

const PER_PAGE = 25;
const MOST_ROWS = 100;
const LAST_PAGE = 1000;
const PAGING = ['per_page', 'page', 'cursor', 'with_total'];
const KNOWN = [...PAGING, 'sort', 'include', 'view'];

/** The ids of lists that were asked for, in order: a walk finds them ready. */
export type Walks = Map<string, readonly number[]>;

/** A page, as the service would send it. @throws RefusedError for what the service refused; UsageError naming what is not known. */
export function answerList(asked: AskedList, walks: Walks): JsonObject {
  const { query, manner, address, show } = asked;
  for (const [name, value] of query) {
    if (name.startsWith('filter[') || KNOWN.includes(name) || (name === 'trashed' && value === 'without')) continue;
    if (name === 'q') throw cannotSearch();
    throw unknown(name === 'trashed' ? `trashed=${value}` : `the parameter ${name}`);
  }
  const isCounted = manner.counted === true;
  if (query.has('page') && !isCounted) throw refusedThen('page');
  const perPage = integerOf(query, 'per_page', MOST_ROWS) ?? PER_PAGE;
  const page = integerOf(query, 'page', LAST_PAGE);
  const name = nameOf(asked);
  const ids = walks.get(name) ?? idsOf(asked);
  walks.set(name, ids);
  const start = page === undefined ? offsetOf(query.get('cursor'), name) : (page - 1) * perPage;
  const end = start + perPage;
  const hasMore = end < ids.length && page !== LAST_PAGE;
  const cursor = hasMore && page === undefined ? cursorOf(name, end) : null;
  const next = page === undefined ? cursor : hasMore ? String(page + 1) : null;
  const link = (value: string) => {
    const more = new URLSearchParams(query);
    more.set(page === undefined ? 'cursor' : 'page', value);
    return `${address}?${more}`;
  };
  return {
    data: ids.slice(start, end).map(show),
    meta: {
      page: {
        per_page: perPage,
        next_cursor: cursor,
        prev_cursor: null,
        total: isCounted || query.get('with_total') === '1' ? ids.length : null,
        current_page: page ?? null,
        last_page: page === undefined ? null : Math.max(1, Math.ceil(ids.length / perPage)),
      },
    },
    links: { self: `${address}?${query}`, next: next === null ? null : link(next), prev: null },
  };
}

/** A word for the rows of a query, whatever page of them. */
function nameOf({ address, query }: AskedList): string {
  const about = [...query].filter(([name]) => !PAGING.includes(name)).map(([name, value]) => `${name}=${value}`);
  return createHash('sha256')
    .update([address, ...about.sort()].join('\n'))
    .digest('hex')
    .slice(0, 16);
}

/** A cursor of a copy's own, which the service would not take; one of the service's leads nowhere here. */
const CURSOR = /^copy\.([0-9a-f]{16})\.(\d{1,9})$/;

export function isOwnCursor(cursor: string): boolean {
  return CURSOR.test(cursor);
}

function cursorOf(name: string, offset: number): string {
  return `copy.${name}.${offset}`;
}

function offsetOf(cursor: string | null, name: string): number {
  if (cursor === null) return 0;
  const [, of, offset] = CURSOR.exec(cursor) ?? [];
  if (of !== name) throw unknown('a cursor that it did not give for the same list');
  return Number(offset);
}

/** The ids of the rows that are asked for, in their order. */
function idsOf(asked: AskedList): readonly number[] {
  const { copy, table, manner, resource, parent, me, query } = asked;
  const conditions: Condition[] = [...query]
    .filter(([name]) => name.startsWith('filter['))
    .map(([name, value]) => conditionOf({ copy, table, resource, manner, me }, name, value));
  if (manner.key !== undefined) conditions.push({ sql: `t.${quoted(manner.key)} = ?`, values: [parent ?? 0] });
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  const values = conditions.flatMap((condition) => condition.values);
  const sort = query.get('sort');
  const [first, ...others] = sort === null ? (manner.orders ?? []) : ordersOf(asked, sort);
  const fields = [...new Set(['id', ...others.map(({ field }) => field)])].map((field) => `t.${quoted(field)}`);
  const sql = `SELECT ${fields.join(', ')} FROM ${quoted(table)} t ${where} ORDER BY ${first === undefined ? 't.id' : orderSql(first)}`;
  const rows = copy.all<Readonly<Record<string, unknown>>>(sql, ...values);
  const ids = rows.map(({ id }) => Number(id));
  if (ids.length < 2) return ids;
  if (first === undefined) return arranged(ids, manner, resource, table);
  // What fits is known; which of them it is, only where they agree.
  if (!others.every((order) => isOrdered(rows, order))) throw unknownOrder(sort, resource, table);
  return ids;
}

/** Rows in the order in which they were seen. */
function arranged(ids: readonly number[], { listed }: Manner, resource: Resource | undefined, table: string): readonly number[] {
  const places = new Map((listed ?? []).map((id, place) => [id, place]));
  if (!ids.every((id) => places.has(id))) throw unknownOrder(null, resource, table);
  return ids.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

/** Orders that `sort` may mean. @throws RefusedError for one that the service refused, UsageError for one that is not known. */
function ordersOf({ copy, table, resource, manner }: AskedList, sort: string): readonly Order[] {
  const [, minus, field = ''] = /^(-?)([a-z_0-9]+)$/.exec(sort) ?? [];
  const column = columnsOf(copy, table).find(({ name }) => name === field);
  const ways = keptJson<SortManner>(copy, KEPT.sorting);
  const kind = resource?.fields[field]?.kind;
  const seen = minus === '-' ? ways?.descending : ways?.ascending;
  const isUnknown =
    column === undefined ||
    manner.sorts?.includes(field) !== true ||
    kind === 'enum' ||
    kind === 'html' ||
    kind === 'markdown' ||
    seen === undefined;
  // That the id can be sorted by is documented (rule 8.25), how a descending order is written is not (rule 18.5).
  if (minus === '-' && ways?.takesMinus === false) throw refusedThen('sort');
  if (field === 'id' && (minus === '' || ways?.takesMinus)) return ordersBy(field, minus === '-', 'INTEGER', 'id');
  if (manner.refusedSorts?.includes(field)) throw refusedThen('sort');
  if (isUnknown) throw unknownOrder(sort, resource, table);
  const orders = ordersBy(field, minus === '-', column?.type ?? '', kind);
  return orders.filter((order) => seen?.some((way) => way.idDescending === order.idDescending && way.nullsLast === order.nullsLast));
}

function integerOf(query: URLSearchParams, name: string, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw refusedThen(name);
  return value;
}

function unknownOrder(sort: string | null, resource: Resource | undefined, table: string): UsageError {
  const rows = resource?.noun ?? table;
  const how = sort === null ? 'lists these' : 'puts these';
  const by = sort === null ? '' : ` with --sort ${sort}`;
  return cannotTell(`Your copy does not know in which order the service ${how} ${rows}${by}`, 'Name one that is known: --sort id.');
}

function unknown(what: string): UsageError {
  return cannotTell(`Your copy cannot answer ${what} as the service would`, 'Leave it out.');
}
