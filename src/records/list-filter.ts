import type { FieldKind } from '../catalog/define.ts';
import type { Query } from '../client/cost.ts';

export interface ListFilter {
  readonly field: string;
  readonly operator: string | undefined;
  readonly value: string;
  readonly kind: FieldKind;
  readonly assumed: boolean;
  /** The flag that the user typed: `--project`. */
  readonly flag: string;
  /** The filters that select the rows without a value. svc uses them in a second read, instead of this filter. */
  readonly otherwise?: readonly ListFilter[] | undefined;
}

/** Creates an undocumented filter (rule 18.27). If the service refuses the filter, svc filters the rows itself. */
export function assumedFilter(field: string, value: number | string, operator?: 'gte' | 'in' | 'lte'): ListFilter {
  return { field, operator, value: String(value), kind: field === 'date' ? 'date' : 'id', assumed: true, flag: '--filter' };
}

/** The most values that the service accepts in one filter (rule 16.3). */
export const MOST_VALUES = 100;

/** Divides values into lists that a filter accepts, in order. @param size largest length of a list. Default: {@link MOST_VALUES}. */
export function inLists<T>(values: readonly T[], size: number = MOST_VALUES): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));
}

export interface ListWalks {
  readonly filters: readonly ListFilter[];
  readonly second?: { readonly filters: readonly ListFilter[]; readonly bound: ListFilter } | undefined;
}

/**
 * Returns the reads that the filters need. A filter that accepts rows without a value needs two reads. No parameter of the service selects
 * rows with and without a value.
 */
export function walksOf(filters: readonly ListFilter[]): ListWalks {
  const bound = filters.find(({ otherwise }) => otherwise !== undefined);
  if (bound?.otherwise === undefined) return { filters };
  const others = filters.filter((filter) => filter !== bound);
  const sameField = others.filter(({ field }) => field === bound.field);
  const second = [...others.filter((filter) => !sameField.includes(filter)), ...bound.otherwise].reduce(stricter, []);
  if (sameField.length === 0) return { filters, second: { filters: second, bound } };
  return sameField.some(({ operator, value }) => operator === 'null' && value === 'true') ? { filters: second } : { filters };
}

function stricter(filters: readonly ListFilter[], next: ListFilter): readonly ListFilter[] {
  const before = filters.find((filter) => filterName(filter) === filterName(next));
  if (before === undefined) return [...filters, next];
  return before.value >= next.value ? filters : filters.map((filter) => (filter === before ? next : filter));
}

export function listQuery(filters: readonly ListFilter[], rest: Query): Query {
  return [...filters.map((filter) => [filterName(filter), filter.value] as const), ...rest];
}

/** Returns the query parameter of a filter: `filter[field]` or `filter[field][operator]`. */
export function filterName({ field, operator }: Pick<ListFilter, 'field' | 'operator'>): string {
  return operator === undefined ? `filter[${field}]` : `filter[${field}][${operator}]`;
}
