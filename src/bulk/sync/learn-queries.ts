import type { Filter, Resource } from '../../catalog/define.ts';
import type { Query } from '../../client/cost.ts';
import { readPage } from '../../client/pages.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../../errors.ts';
import { filtersOf } from '../../mirror/offline/choose-rows.ts';
import { columnsOf, learnOrders } from '../../mirror/offline/learn.ts';
import { type Manner, refusalOf, type SortManner } from '../../mirror/offline/manner.ts';
import type { Copy } from '../../mirror/offline/open-copy.ts';
import { idOf } from '../../mirror/record-id.ts';
import { quoted } from '../../mirror/sql-values.ts';
import { PER_PAGE } from '../export/pieces.ts';
import { isDeclined } from '../is-declined.ts';
import type { SyncRun } from './run.ts';

/** What a collection takes of what the catalog has for it, and what it refuses; what was not tried is in neither. */
export type TakenQueries = Required<Pick<Manner, 'filters' | 'refusedFilters' | 'sorts' | 'refusedSorts'>> & Pick<Manner, 'ownAlone'>;

/** So many requests may go into the filters of a collection, and as many into its sorts. */
const MOST_TRIES = 12;

type Asking = Pick<SyncRun, 'client' | 'context'>;

/** A collection that is tried out. */
export interface Tried {
  readonly copy: Copy;
  readonly path: string;
  readonly table: string;
  readonly resource: Resource;
  /** One's own id: that of another may need a permission (rule 9.27). */
  readonly own: number | undefined;
  /** How a boolean is written, once that is known (rule 18.6); shared by all that are tried. */
  readonly style: { yes?: 'true' | '1' };
}

/**
 * Finds out which filters and sorts of the catalog a collection takes (rule 18.27): all at once for a unit each, and where that is refused,
 * by halves.
 */
export async function learnQueries({ client, context }: Asking, tried: Tried): Promise<TakenQueries> {
  const { path, resource } = tried;
  const isTaken = async (query: Query): Promise<boolean> => {
    try {
      await client.send({ method: 'GET', path, query: [...query, ['per_page', '1']], signal: context.signal });
      return true;
    } catch (error) {
      if (isDeclined(error)) return false;
      throw error;
    }
  };
  const { style } = tried;
  const filters = Object.entries(filtersOf(resource)).flatMap(([name, filter]) => {
    const [words, digits] = BOOLEANS.map((yes) => parametersOf(name, filter, tried, yes));
    return words === undefined || digits === undefined ? [] : [{ name, true: words, 1: digits, isBoolean: hasBoolean(filter) }];
  });
  const areTaken = async (some: readonly (typeof filters)[number][]) => {
    const isBoolean = some.some((each) => each.isBoolean);
    for (const yes of isBoolean && style.yes === undefined ? BOOLEANS : ([style.yes ?? 'true'] as const)) {
      if (!(await isTaken(some.flatMap((each) => each[yes])))) continue;
      if (isBoolean) style.yes = yes;
      return true;
    }
    return false;
  };
  // That one can ask by ids is assumed more than the rest.
  const knownFilters = await takenOf([filters.filter(({ name }) => name !== 'id'), filters.filter(({ name }) => name === 'id')], areTaken);
  const sorts = sortsOf(resource).map((name) => ({ name }));
  const [moments, others] = [sorts.filter(({ name }) => MOMENT.test(name)), sorts.filter(({ name }) => !MOMENT.test(name))];
  const knownSorts = await takenOf([moments, others], (some) => isTaken([['sort', some.map(({ name }) => name).join(',')]]));
  return {
    filters: knownFilters.taken,
    refusedFilters: knownFilters.refused,
    sorts: knownSorts.taken,
    refusedSorts: knownSorts.refused,
    ...(await ownAlone({ client, context }, tried)),
  };
}

/** Whether one may name nobody but oneself where the word `me` is documented, which a permission decides (rule 9.27). */
async function ownAlone({ client, context }: Asking, { path, resource, own }: Tried): Promise<Pick<Manner, 'ownAlone'>> {
  const [field] = Object.entries(resource.filters).find(([, { takesMe }]) => takesMe) ?? [];
  if (field === undefined || own === undefined) return {};
  try {
    await client.send({
      method: 'GET',
      path,
      query: [
        [`filter[${field}]`, String(own + 1)],
        ['per_page', '1'],
      ],
      signal: context.signal,
    });
  } catch (error) {
    if (error instanceof ForbiddenError) return { ownAlone: { field, ...refusalOf(error) } };
    if (!(error instanceof RefusedError || error instanceof NotFoundError)) throw error;
  }
  return {};
}

interface Known {
  readonly taken: readonly string[];
  readonly refused: readonly string[];
}

/** Tries each group at once, and what is refused by halves, as long as tries are left. */
async function takenOf<T extends { readonly name: string }>(
  groups: readonly (readonly T[])[],
  isTaken: (some: readonly T[]) => Promise<boolean>,
): Promise<Known> {
  const taken: string[] = [];
  const refused: string[] = [];
  const open = groups.filter((some) => some.length > 0);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const some = open.shift();
    if (some === undefined) break;
    const names = some.map(({ name }) => name);
    if (await isTaken(some)) taken.push(...names);
    else if (some.length === 1) refused.push(...names);
    else {
      const half = Math.ceil(some.length / 2);
      open.push(some.slice(0, half), some.slice(half));
    }
  }
  return { taken, refused };
}

function hasBoolean({ kind, operators }: Filter): boolean {
  return kind === 'boolean' || operators.includes('null');
}

/** Every form of a filter, with a value that it may have; undefined where none is known. */
function parametersOf(
  name: string,
  filter: Filter,
  { copy, table, resource, own }: Tried,
  yes: string,
): readonly (readonly [string, string])[] | undefined {
  const known = () => filter.values?.[0] ?? resource.fields[name]?.values?.[0] ?? valueIn(copy, table, name);
  const value = filter.kind === 'boolean' ? yes : filter.kind === 'enum' ? known() : exampleOf(filter, own);
  if (value === undefined) return undefined;
  const equality = filter.noEquality ? [] : [[`filter[${name}]`, value] as const];
  return [...equality, ...filter.operators.map((operator) => [`filter[${name}][${operator}]`, operator === 'null' ? yes : value] as const)];
}

/** A value that a row has. */
function valueIn(copy: Copy, table: string, field: string): string | undefined {
  if (!columnsOf(copy, table).some(({ name }) => name === field)) return undefined;
  const name = quoted(field);
  const [row] = copy.all<{ readonly value: unknown }>(`SELECT ${name} AS value FROM ${quoted(table)} WHERE ${name} IS NOT NULL LIMIT 1`);
  return row === undefined ? undefined : String(row.value);
}

function exampleOf({ kind }: Filter, own: number | undefined): string {
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
    case 'string':
    case 'html':
    case 'markdown':
      return 'x';
    default:
      return '1';
  }
}

const BOOLEANS = ['true', '1'] as const;

/** What people sort by most. */
const MOMENT = /^(?:date|start|end|due_date|created_at|updated_at)$/;

const UNSORTED: ReadonlySet<string> = new Set(['json', 'html', 'markdown']);

/** What somebody may sort by. */
function sortsOf({ fields, described }: Resource): readonly string[] {
  if (described?.sorts !== undefined) return described.sorts;
  const names = Object.entries(fields).flatMap(([name, { kind, long }]) => (name !== 'id' && !UNSORTED.has(kind) && !long ? [name] : []));
  return names;
}

/** A table and a field that rows share, and that some rows lack. */
interface Telling {
  readonly path: string;
  readonly table: string;
  readonly field: string;
  readonly kind: string;
}

/**
 * Finds out how the other way round is written, if at all (rule 18.5), and what becomes of equals and of rows without a value where rows
 * are sorted, both ways: by a field that shows it. Three units.
 *
 * @param known what was found before; then nothing is asked where these tables do not show more.
 */
export async function learnSorting(
  { client, context }: Asking,
  copy: Copy,
  tables: readonly { readonly path: string; readonly table: string; readonly resource: Resource; readonly sorts: readonly string[] }[],
  known: SortManner | undefined,
): Promise<SortManner | undefined> {
  const [first] = tables;
  if (first === undefined) return undefined;
  const page = async (path: string, sort: string) => {
    try {
      const query: Query = [
        ['sort', sort],
        ['per_page', String(PER_PAGE)],
      ];
      return readPage(client, path, await client.send({ method: 'GET', path, query, signal: context.signal }));
    } catch (error) {
      if (error instanceof RefusedError) return undefined;
      throw error;
    }
  };
  const [telling] = tables.flatMap(({ path, table, resource, sorts }) => tellingOf(copy, path, table, resource, sorts));
  if (telling === undefined && known !== undefined) return undefined;
  const takesMinus = known?.takesMinus ?? (await page(first.path, '-id')) !== undefined;
  const fits = async (descending: boolean) => {
    if (telling === undefined) return undefined;
    const { path, table, field, kind } = telling;
    const answer = await page(path, descending ? `-${field}` : field);
    if (answer === undefined) return undefined;
    const listed = { table, ids: answer.rows.flatMap((row) => idOf(row) ?? []), isAll: answer.next === undefined };
    const orders = learnOrders(copy, listed, { [field]: kind }).filter((order) => order.field === field && order.descending === descending);
    return orders.map(({ idDescending, nullsLast }) => ({ idDescending, nullsLast }));
  };
  const [ascending, descending] = [await fits(false), takesMinus ? await fits(true) : undefined];
  return { takesMinus, ...(ascending?.length && { ascending }), ...(descending?.length && { descending }) };
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
