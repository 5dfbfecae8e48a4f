import { createHash } from 'node:crypto';
import type { Resource } from '../../catalog/define.ts';
import { UsageError } from '../../errors.ts';
import type { JsonObject } from '../../values/json.ts';
import { filterSql, notStored, orderSql, type SqlPart, type StoredTable } from './select-rows.ts';

export interface StoredList extends StoredTable {
  readonly resource: Resource | undefined;
  /** Selects the child records of one parent: the column with the parent’s id, and the id. Undefined for a top-level list. */
  readonly child: { readonly key: string; readonly parent: number } | undefined;
  /** The whole URL without its query. */
  readonly address: string;
  readonly query: URLSearchParams;
  readonly show: (ids: readonly number[]) => Promise<readonly JsonObject[]>;
}

const PER_PAGE = 25;
const PAGING = ['per_page', 'page', 'cursor', 'with_total'];
const KNOWN = [...PAGING, 'sort', 'include', 'view'];

/** The row ids of answered lists, in order, by the name from `nameOf`. svc then does not query the ids again for the next page. */
export type Walks = Map<string, readonly number[]>;

/**
 * Returns a page in the same form as the service, with the total number of rows. @throws NotAvailableOfflineError or UsageError that names
 * what is not available offline.
 */
export async function answerList(list: StoredList, walks: Walks): Promise<JsonObject> {
  const { query, address, show } = list;
  const perPage = Number(query.get('per_page') ?? PER_PAGE);
  const page = query.has('page') ? Number(query.get('page')) : undefined;
  const name = nameOf(list);
  const ids = walks.get(name) ?? (await idsOf(list));
  walks.set(name, ids);
  const start = page === undefined ? offsetOf(query.get('cursor'), name) : (page - 1) * perPage;
  const end = start + perPage;
  const hasMore = end < ids.length;
  const link = (parameter: string, value: string) => {
    const more = new URLSearchParams(query);
    more.set(parameter, value);
    return `${address}?${more}`;
  };
  const cursor = hasMore && page === undefined ? `copy.${name}.${end}` : null;
  const next = cursor !== null ? link('cursor', cursor) : hasMore && page !== undefined ? link('page', String(page + 1)) : null;
  return {
    data: await show(ids.slice(start, end)),
    meta: {
      page: {
        per_page: perPage,
        next_cursor: cursor,
        prev_cursor: null,
        total: ids.length,
        current_page: page ?? null,
        last_page: page === undefined ? null : Math.max(1, Math.ceil(ids.length / perPage)),
      },
    },
    links: { self: `${address}?${query}`, next, prev: null },
  };
}

/** Returns a name for the rows of a query. All pages of the query have the same name. */
function nameOf({ address, query }: StoredList): string {
  const about = [...query].filter(([name]) => !PAGING.includes(name)).map(([name, value]) => `${name}=${value}`);
  return createHash('sha256')
    .update([address, ...about.sort()].join('\n'))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Matches a cursor of the local database or team database. The service does not accept this cursor, and svc does not accept the service’s
 * cursors offline.
 */
const CURSOR = /^copy\.([0-9a-f]{16})\.(\d{1,9})$/;

export function isOwnCursor(cursor: string): boolean {
  return CURSOR.test(cursor);
}

function offsetOf(cursor: string | null, name: string): number {
  if (cursor === null) return 0;
  const [, of, offset] = CURSOR.exec(cursor) ?? [];
  if (of !== name) throw notStored('a cursor of another list', 'cursor');
  return Number(offset);
}

/** Returns the row ids in the order of `sort`. Default: the documented order (absences by start, rule 9.14), otherwise by id. */
async function idsOf(list: StoredList): Promise<readonly number[]> {
  const { snapshot, table, resource, child, query } = list;
  const columns = await snapshot.columns(table);
  // If the column does not exist, no row belongs to the parent.
  const conditions: SqlPart[] = [];
  if (child !== undefined) {
    const key = columns.find(({ name }) => name === child.key);
    const { column, value, bound } = snapshot.sql.operands(key ?? { name: '', type: '' }, child.parent);
    conditions.push(key === undefined ? { sql: '1 = 0', values: [] } : { sql: `${column} = ${value}`, values: [bound] });
  }
  for (const [name, value] of query) {
    if (name.startsWith('filter[')) conditions.push(await filterSql(list, name, value));
    else if (name === 'q') throw notStored('a search', 'q', 'Leave out --search.');
    else if (name === 'trashed' && value !== 'without')
      throw new UsageError('Not available offline: deleted records.', { hint: 'Leave out --trashed or --offline.' });
    else if (!KNOWN.includes(name) && name !== 'trashed') throw notStored(`the parameter ${name}`, name);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  // The documented order may use a field that the service does not send.
  const documented = columns.some(({ name }) => name === resource?.defaultSort?.replace('-', '')) ? resource?.defaultSort : undefined;
  const order = await orderSql(list, query.get('sort') ?? documented ?? 'id');
  const sql = `SELECT t.id AS id FROM ${snapshot.sql.table(table)} t ${where} ORDER BY ${order}`;
  const rows = await snapshot.all<{ readonly id: number }>(sql, ...conditions.flatMap(({ values }) => values));
  return rows.map(({ id }) => Number(id));
}
