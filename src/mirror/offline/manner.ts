import type { SvcError } from '../../errors.ts';
import type { Copy } from './open-copy.ts';

// How the service answers, as a sync saw it: what its documentation leaves open, and a copy must know to answer in its place.

/** What becomes of a value of a field in the summary view. */
export type Outcome = 'same' | 'absent' | 'null';

/** Values that a view may treat in different ways. */
export type ValueClass = 'false' | 'null' | 'other';

/** The summary view, field by field, for the classes of values that were seen. */
export type SummaryView = Readonly<Record<string, Partial<Readonly<Record<ValueClass, Outcome>>>>>;

/** An order of rows that fits what was seen. */
export interface Order {
  readonly field: string;
  readonly descending: boolean;
  /** Among equals, the greatest id comes first. */
  readonly idDescending: boolean;
  /** Rows without a value come last. */
  readonly nullsLast: boolean;
  /** How texts compare: byte by byte, whatever their case, or as numbers. */
  readonly compares: 'plain' | 'nocase' | 'decimal';
}

/** A relation that `include` adds: a record of another table in its summary view. */
export interface SeenRelation {
  /** The noun that it leads to. */
  readonly of: string;
  /** The field that names it. */
  readonly key: string;
  /** Its summary was seen there; else no row that was looked at had one. */
  readonly seen: boolean;
}

/** How one collection answers. */
export interface Manner {
  /** The table that holds its records. */
  readonly noun: string;
  /** The field that names the parent, of a collection below records. */
  readonly key?: string;
  /** It tells its total unasked, and takes page numbers. */
  readonly counted?: boolean;
  /** Undefined where summaries hold what records do not. */
  readonly summary?: SummaryView;
  /** Orders that fit the one it has unless asked for another; the same rows in two of them may not be known in which. */
  readonly orders?: readonly Order[];
  /** Where none fits, or people can change it: the ids in the order they had. */
  readonly listed?: readonly number[];
  readonly relations?: Readonly<Record<string, SeenRelation>>;
  /** Relations of the catalog that it refuses. */
  readonly refusedRelations?: readonly string[];
  /** Filters and sorts of the catalog that it takes, by field. */
  readonly filters?: readonly string[];
  readonly refusedFilters?: readonly string[];
  /** The filter that one may name nobody else in, and what the service says to whoever does. */
  readonly ownAlone?: SeenRefusal & { readonly field: string };
  readonly sorts?: readonly string[];
  readonly refusedSorts?: readonly string[];
  /** The order of the fields of a record with all of its relations. */
  readonly fields?: readonly string[];
  /** In place of all that: why it was not answered. */
  readonly refused?: SeenRefusal & { readonly because: 'forbidden' | 'missing' };
}

/** What the service said where it did not answer. */
export interface SeenRefusal {
  readonly message: string;
  /** The problem type's name. */
  readonly type?: string;
}

export function refusalOf({ message, details: { type } }: SvcError): SeenRefusal {
  return { message, ...(type !== undefined && { type }) };
}

/** What discovery lists, and whose copy it is. */
export interface Surroundings {
  /** Of all collections, as templates: `/worklogs`, `/work-items/{work_item}/comments`. */
  readonly paths: readonly string[];
}

/** How it sorts where it is asked to: what becomes of equals and of rows without a value; undefined where that was not seen. */
export interface SortManner {
  /** `-field` is the other way round. */
  readonly takesMinus: boolean;
  readonly ascending?: readonly Pick<Order, 'idDescending' | 'nullsLast'>[];
  readonly descending?: readonly Pick<Order, 'idDescending' | 'nullsLast'>[];
}

/** The texts that are kept in a mirror for its answers. */
export const KEPT = {
  /** Of a path as discovery writes it. */
  manner: (path: string) => `manner ${path}`,
  sorting: 'manner of sorting',
  surroundings: 'surroundings',
  /** The entries of `GET /`, and the body of `GET /me`, as they came, each after the moment it was asked. */
  discovery: 'answer /',
  me: 'answer /me',
  /** Nouns whose records were seen as relations of others. */
  included: 'seen as relations',
} as const;

/** What is kept under a name; undefined where there is nothing, or nothing that can be read. */
export function keptJson<T>(copy: Pick<Copy, 'kept'>, name: string): T | undefined {
  try {
    return JSON.parse(copy.kept(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function classOf(value: unknown): ValueClass {
  return value === false ? 'false' : value === null ? 'null' : 'other';
}
