import type { Filter, Resource } from '../../catalog/define.ts';
import type { Query } from '../../client/cost.ts';
import { readPage } from '../../client/pages.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../../errors.ts';
import { learnOrders } from '../../mirror/offline/learn.ts';
import type { SortManner } from '../../mirror/offline/manner.ts';
import type { Copy } from '../../mirror/offline/open-copy.ts';
import { idOf } from '../../mirror/record-id.ts';
import { quoted } from '../../mirror/sql-values.ts';
import { PER_PAGE } from '../export/pieces.ts';
import type { SyncRun } from './run.ts';

/** What a collection takes of what the catalog has for it. */
export interface TakenQueries {
  readonly filters: readonly string[];
  readonly sorts: readonly string[];
  readonly refusedSorts: readonly string[];
}

/** So many fields are tried one by one where the service does not take all of them at once. */
const MOST_ALONE = 12;

/**
 * Finds out which filters and sorts of the catalog a collection takes (rule 18.27): all at once for a unit each, and where one is
 * refused, by field.
 *
 * @param own one's own id: that of another may need a permission (rule 9.27).
 */
export async function learnQueries(
  { client, context }: Pick<SyncRun, 'client' | 'context'>,
  path: string,
  resource: Resource,
  own: number | undefined,
): Promise<TakenQueries> {
  const isTaken = async (query: Query): Promise<boolean> => {
    if (query.length === 0) return false;
    try {
      await client.send({ method: 'GET', path, query: [...query, ['per_page', '1']], signal: context.signal });
      return true;
    } catch (error) {
      if (error instanceof RefusedError || error instanceof ForbiddenError || error instanceof NotFoundError) return false;
      throw error;
    }
  };
  const fields = Object.entries(resource.filters);
  const trying = (some: typeof fields, yes: string) => some.flatMap(([name, filter]) => parametersOf(name, filter, resource, own, yes));
  const known = async (some: typeof fields) =>
    (await isTaken(trying(some, 'true'))) || (hasBoolean(some) && (await isTaken(trying(some, '1'))));
  const filters: string[] = [];
  if (fields.length > 0 && (await known(fields))) filters.push(...fields.map(([name]) => name));
  else if (fields.length > 1) for (const field of fields.slice(0, MOST_ALONE)) if (await known([field])) filters.push(field[0]);
  const names = sortsOf(resource);
  const sorts: string[] = [];
  if (await isTaken([['sort', names.join(',')]])) sorts.push(...names);
  else for (const name of names.slice(0, MOST_ALONE)) if (await isTaken([['sort', name]])) sorts.push(name);
  return { filters, sorts, refusedSorts: names.filter((name) => !sorts.includes(name)) };
}

function hasBoolean(fields: readonly (readonly [string, Filter])[]): boolean {
  return fields.some(([, { kind, operators }]) => kind === 'boolean' || operators.includes('null'));
}

/** Every form of a filter, with a value of its kind. */
function parametersOf(name: string, filter: Filter, { fields }: Resource, own: number | undefined, yes: string): [string, string][] {
  const value = filter.kind === 'boolean' ? yes : exampleOf(filter, fields[name]?.values ?? filter.values, own);
  const equality: [string, string][] = filter.noEquality ? [] : [[`filter[${name}]`, value]];
  const others = filter.operators.map((operator): [string, string] => [`filter[${name}][${operator}]`, operator === 'null' ? yes : value]);
  return [...equality, ...others];
}

function exampleOf({ kind }: Filter, values: readonly string[] | undefined, own: number | undefined): string {
  switch (kind) {
    case 'user':
      return String(own ?? 1);
    case 'date':
      return '2000-01-01';
    case 'date-time':
    case 'span-end':
      return '2000-01-01T00:00:00Z';
    case 'time':
      return '09:00';
    case 'money':
    case 'decimal':
      return '1.00';
    case 'enum':
      return values?.[0] ?? 'none';
    case 'string':
    case 'html':
    case 'markdown':
      return 'x';
    default:
      return '1';
  }
}

const SORTED: ReadonlySet<string> = new Set([
  'date',
  'date-time',
  'span-end',
  'string',
  'duration',
  'integer',
  'money',
  'decimal',
  'percentage',
]);

/** What somebody may sort by. */
function sortsOf({ fields, described }: Resource): readonly string[] {
  if (described?.sorts !== undefined) return described.sorts;
  return Object.entries(fields).flatMap(([name, { kind, long }]) => (name !== 'id' && SORTED.has(kind) && !long ? [name] : []));
}

/** A table and a field that rows share, and that some rows lack. */
interface Telling {
  readonly path: string;
  readonly table: string;
  readonly field: string;
  readonly kind: string;
}

/**
 * Finds out what becomes of equals and of rows without a value where rows are sorted, both ways: by a field that shows it, for two units.
 *
 * @returns undefined where no table shows it.
 */
export async function learnSorting(
  { client, context }: Pick<SyncRun, 'client' | 'context'>,
  copy: Copy,
  tables: readonly { readonly path: string; readonly table: string; readonly resource: Resource; readonly sorts: readonly string[] }[],
): Promise<SortManner | undefined> {
  const telling = tables.flatMap(({ path, table, resource, sorts }) => tellingOf(copy, path, table, resource, sorts))[0];
  if (telling === undefined) return undefined;
  const { path, table, field, kind } = telling;
  const fits = async (sort: string, descending: boolean) => {
    try {
      const query: Query = [
        ['sort', sort],
        ['per_page', String(PER_PAGE)],
      ];
      const { rows, next } = readPage(client, path, await client.send({ method: 'GET', path, query, signal: context.signal }));
      const listed = { table, ids: rows.flatMap((row) => idOf(row) ?? []), isAll: next === undefined };
      const orders = learnOrders(copy, listed, { [field]: kind }).filter(
        (order) => order.field === field && order.descending === descending,
      );
      return orders.map(({ idDescending, nullsLast }) => ({ idDescending, nullsLast }));
    } catch (error) {
      if (error instanceof RefusedError) return undefined;
      throw error;
    }
  };
  const [ascending, descending] = [await fits(field, false), await fits(`-${field}`, true)];
  return { ...(ascending?.length && { ascending }), ...(descending?.length && { descending }) };
}

function tellingOf(copy: Copy, path: string, table: string, { fields }: Resource, sorts: readonly string[]): readonly Telling[] {
  return sorts.flatMap((field) => {
    const kind = fields[field]?.kind;
    if (kind !== 'date' && kind !== 'date-time' && kind !== 'span-end') return [];
    const name = quoted(field);
    const sql = `SELECT count(*) - count(${name}) AS nulls, count(${name}) - count(DISTINCT ${name}) AS equals FROM ${quoted(table)}`;
    const [row] = copy.all<{ readonly nulls: number; readonly equals: number }>(sql);
    return row !== undefined && row.nulls > 0 && row.equals > 0 ? [{ path, table, field, kind }] : [];
  });
}
